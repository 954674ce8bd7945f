"""A file of outcomes, such as a user wants scored, as the tables `videos` and `outcomes`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibench_data.errors import SHOWN, CalibenchError, Problem, Problems, quoted
from calibench_data.schema import TABLES, arrow_schema

from .reading import read_rows
from .rows import ROW, Rows

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

REQUIRED = ("scene", "model", "seed", "outcome")
OPTIONAL = ("condition", "benchmark")
NULL = "null"
_WHOLE = r"^(0|[1-9][0-9]{0,17})$"
_SEED = "a whole number from 0 to 10^18 - 1 without sign, point or leading zero"
_LONGEST = 200  # characters of a name


@dataclass(frozen=True)
class OutcomeFile:
    """The two tables of a checked file, and what its author should know."""

    videos: pa.Table
    outcomes: pa.Table
    notices: tuple[str, ...]


def read_outcomes(path: Path, scenes: Mapping[str, Sequence[str]]) -> OutcomeFile:
    """Read and check a file with the columns scene, model, seed, outcome and optionally condition.

    scenes: scene -> its outcome set. An empty outcome or `null` is null. Raises CalibenchError with all problems of
    the file: columns; unknown scenes; outcomes outside the set; seeds that are no whole number; empty names; a
    (condition, scene, model, seed) given twice.
    """
    import polars as pl

    rows = read_rows(path, REQUIRED + OPTIONAL)
    problems = Problems()
    missing = [name for name in REQUIRED if name not in rows.columns]
    if missing:
        raise CalibenchError([_missing(path, name, rows.columns) for name in missing])
    extra = [name for name in rows.columns if name not in REQUIRED + OPTIONAL]
    frame = rows.frame.rename({ROW: "row"})
    if "condition" not in frame.columns:
        frame = frame.with_columns(condition=pl.lit("main"))
    _check_names(rows, frame, problems)
    _check_scenes(rows, frame, scenes, problems)
    _check_seeds(rows, frame, problems)
    _check_outcomes(rows, frame, scenes, problems)
    _check_once(rows, frame, problems)
    problems.raise_if_any()
    notices = [f"{path}: column{'s' if len(extra) > 1 else ''} ignored: {_listed(extra)}"] if extra else []
    return OutcomeFile(*_tables(frame), tuple(notices))


def _listed(names: Sequence[str]) -> str:
    """Names on one line, of many only the first."""
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(map(quoted, names[:SHOWN])) + more


def _missing(path: Path, name: str, found: Sequence[str]) -> Problem:
    near = difflib.get_close_matches(name, found, 1)
    do = f"Is it the column {quoted(near[0])}?" if near else ""
    return Problem(str(path), f"has no column {name}; its columns are {_listed(found)}", ", ".join(REQUIRED), do)


def _report(
    rows: Rows, bad: pl.DataFrame, column: str, problems: Problems, allowed: Any, do: Any = "", found: str | None = None
) -> None:
    """Note the rows of `bad` as faults of a column; `allowed` and `do` may be functions of the row's fields."""
    first = []
    for fields in bad.sort("row").head(SHOWN).iter_rows(named=True):
        allow, advice = (text(fields) if callable(text) else text for text in (allowed, do))
        value = fields[column]
        first.append(
            (
                fields["row"],
                Problem(
                    rows.place(fields["row"], column),
                    found or f"found {NULL if value is None else quoted(value)}",
                    allow,
                    advice,
                ),
            )
        )
    problems.add_all(bad.height, first)


def _check_names(rows: Rows, frame: pl.DataFrame, problems: Problems) -> None:
    import polars as pl

    for name in ("model", "condition"):
        value = pl.col(name).fill_null("")
        unfit = (value != value.str.strip_chars()) | (value == "") | value.str.contains(r"[\p{Cc}/]")
        unfit |= value.str.len_chars() > _LONGEST
        allowed = f"a name of 1 to {_LONGEST} characters without slash, line break or surrounding white space"
        _report(rows, frame.filter(unfit), name, problems, allowed)
    if "benchmark" in frame.columns:
        other = frame.filter(pl.col("benchmark").fill_null("") != "calibench")
        _report(rows, other, "benchmark", problems, "calibench", "Other benchmarks' rows cannot be scored here.")


def _check_scenes(rows: Rows, frame: pl.DataFrame, scenes: Mapping[str, Sequence[str]], problems: Problems) -> None:
    import polars as pl

    def nearest(fields: dict[str, Any]) -> str:
        near = difflib.get_close_matches(str(fields["scene"] or "").strip().lower(), scenes, 1, 0.5)
        return f"Did you mean {near[0]}?" if near else ""

    unknown = frame.filter(~pl.col("scene").fill_null("").is_in(list(scenes)))
    _report(rows, unknown, "scene", problems, ", ".join(scenes), nearest)


def _check_seeds(rows: Rows, frame: pl.DataFrame, problems: Problems) -> None:
    import polars as pl

    if rows.typed and "seed" not in rows.numeric:
        found = "the column holds text"
        _report(rows, frame.head(1), "seed", problems, f"{_SEED}, stored as an integer", found=found)
        return
    _report(rows, frame.filter(~pl.col("seed").fill_null("").str.contains(_WHOLE)), "seed", problems, _SEED)


def _check_outcomes(rows: Rows, frame: pl.DataFrame, scenes: Mapping[str, Sequence[str]], problems: Problems) -> None:
    import polars as pl

    known = pl.DataFrame(
        [(scene, outcome) for scene, outcomes in scenes.items() for outcome in outcomes],
        schema={"scene": pl.String, "outcome": pl.String},
        orient="row",
    )
    named = frame.filter(pl.col("scene").is_in(list(scenes)) & ~pl.col("outcome").fill_null("").is_in(["", NULL]))
    unknown = named.join(known, on=["scene", "outcome"], how="anti")

    def allowed(fields: dict[str, Any]) -> str:
        return f"{', '.join(scenes[fields['scene']])}; empty or null where no outcome can be scored"

    def meant(fields: dict[str, Any]) -> str:
        plain = re.sub(r"\.0+$", "", fields["outcome"].strip().lower())
        return f"Write {plain} if that is meant." if plain in scenes[fields["scene"]] else ""

    _report(rows, unknown, "outcome", problems, allowed, meant)


def _check_once(rows: Rows, frame: pl.DataFrame, problems: Problems) -> None:
    import polars as pl

    key = ["condition", "scene", "model", "seed"]
    first = pl.col("row").min().over(key)
    complete = frame.filter(~pl.any_horizontal(pl.col(name).fill_null("") == "" for name in key))
    repeated = complete.with_columns(first=first).filter(pl.col("row") != pl.col("first"))
    _report(
        rows,
        repeated,
        "seed",
        problems,
        "each seed once for a condition, scene and model",
        lambda fields: (
            f"{fields['scene']} {fields['model']} seed {fields['seed']} stands in row {fields['first']} already."
        ),
    )


def _tables(frame: pl.DataFrame) -> tuple[pa.Table, pa.Table]:
    import polars as pl

    outcome = pl.col("outcome")
    full = frame.with_columns(
        benchmark=pl.lit("calibench"),
        seed=pl.col("seed").cast(pl.Int64),
        requested=pl.lit(None, pl.String),
        outcome=pl.when(outcome.is_in(["", NULL])).then(None).otherwise(outcome),
        source=pl.lit("votes"),
    ).with_columns(video=pl.concat_str("benchmark", "condition", "scene", "model", "seed", separator="/"))
    made = []
    for name in ("videos", "outcomes"):
        schema = arrow_schema(TABLES[name])
        absent = [pl.lit(None).alias(column) for column in schema.names if column not in full.columns]
        made.append(full.with_columns(absent).select(schema.names).to_arrow().cast(schema))
    return made[0], made[1]
