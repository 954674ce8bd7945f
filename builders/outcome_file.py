"""A file of outcomes, such as a user wants scored, as the tables `videos` and `outcomes`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from calibench_data.errors import CalibenchError, Problems
from calibench_data.schema import TABLES, arrow_schema

from .reading import read_rows
from .row_checks import NULL, check_once, check_outcomes, check_scenes, check_whole, listed, missing_column, report
from .rows import ROW, Rows

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

REQUIRED = ("scene", "model", "seed", "outcome")
OPTIONAL = ("condition", "benchmark")
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
        raise CalibenchError([missing_column(path, name, rows.columns, REQUIRED) for name in missing])
    extra = [name for name in rows.columns if name not in REQUIRED + OPTIONAL]
    frame = rows.frame.rename({ROW: "row"})
    if "condition" not in frame.columns:
        frame = frame.with_columns(condition=pl.lit("main"))
    _check_names(rows, frame, problems)
    check_scenes(rows, frame, scenes, problems)
    check_whole(rows, frame, "seed", problems)
    check_outcomes(rows, frame, scenes, problems)
    key = ("condition", "scene", "model", "seed")
    check_once(rows, frame, key, "seed", "each seed once for a condition, scene and model", problems)
    problems.raise_if_any()
    notices = [f"{path}: column{'s' if len(extra) > 1 else ''} ignored: {listed(extra)}"] if extra else []
    return OutcomeFile(*_tables(frame), tuple(notices))


def _check_names(rows: Rows, frame: pl.DataFrame, problems: Problems) -> None:
    import polars as pl

    for name in ("model", "condition"):
        value = pl.col(name).fill_null("")
        unfit = (value != value.str.strip_chars()) | (value == "") | value.str.contains(r"[\p{Cc}/]")
        unfit |= value.str.len_chars() > _LONGEST
        allowed = f"a name of 1 to {_LONGEST} characters without slash, line break or surrounding white space"
        report(rows, frame.filter(unfit), name, problems, allowed)
    if "benchmark" in frame.columns:
        other = frame.filter(pl.col("benchmark").fill_null("") != "calibench")
        report(rows, other, "benchmark", problems, "calibench", "Other benchmarks' rows cannot be scored here.")


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
