"""Checks of rows read as text, shared by every file that a user brings. Each notes all faults with their places."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibench_data.errors import SHOWN, Problem, Problems, quoted

from .rows import Rows

if TYPE_CHECKING:
    import polars as pl

NULL = "null"
WHOLE = r"^(0|[1-9][0-9]{0,17})$"
WHOLE_NUMBER = "a whole number from 0 to 10^18 - 1 without sign, point or leading zero"
_OTHER_NULLS = {"null", "none", "na", "n/a", "nan", "nil", "-", "unknown"}


def listed(names: Sequence[str]) -> str:
    """Names on one line, of many only the first."""
    more = f" and {len(names) - SHOWN:,} more" if len(names) > SHOWN else ""
    return ", ".join(map(quoted, names[:SHOWN])) + more


def missing_column(path: Path, name: str, found: Sequence[str], required: Sequence[str]) -> Problem:
    """The problem of a file that lacks a column, with the column that may be meant."""
    near = difflib.get_close_matches(name, found, 1)
    do = f"Is it the column {quoted(near[0])}?" if near else ""
    return Problem(str(path), f"has no column {name}; its columns are {listed(found)}", ", ".join(required), do)


def report(
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


def check_scenes(rows: Rows, frame: pl.DataFrame, scenes: Mapping[str, Sequence[str]], problems: Problems) -> None:
    """Every scene is one of the benchmark's, letter by letter."""
    import polars as pl

    def nearest(fields: dict[str, Any]) -> str:
        near = difflib.get_close_matches(str(fields["scene"] or "").strip().lower(), scenes, 1, 0.5)
        return f"Did you mean {near[0]}?" if near else ""

    unknown = frame.filter(~pl.col("scene").fill_null("").is_in(list(scenes)))
    report(rows, unknown, "scene", problems, ", ".join(scenes), nearest)


def check_whole(rows: Rows, frame: pl.DataFrame, column: str, problems: Problems, allowed: str = WHOLE_NUMBER) -> None:
    """Every field of a column is a whole number; in a typed file the column holds integers."""
    import polars as pl

    if rows.typed and column not in rows.numeric:
        report(rows, frame.head(1), column, problems, f"{allowed}, stored as an integer", found="the column holds text")
        return
    report(rows, frame.filter(~pl.col(column).fill_null("").str.contains(WHOLE)), column, problems, allowed)


def check_outcomes(rows: Rows, frame: pl.DataFrame, scenes: Mapping[str, Sequence[str]], problems: Problems) -> None:
    """Every outcome is one of its scene's, empty or `null`."""
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
        if plain in _OTHER_NULLS:
            return "Leave it empty if no outcome can be scored."
        return f"Write {plain} if that is meant." if plain in scenes[fields["scene"]] else ""

    report(rows, unknown, "outcome", problems, allowed, meant)


def check_once(
    rows: Rows, frame: pl.DataFrame, key: Sequence[str], column: str, allowed: str, problems: Problems
) -> None:
    """No two rows with a whole key have the same one; the later is the fault, and told where the first is."""
    import polars as pl

    first = pl.col("row").min().over(key)
    complete = frame.filter(~pl.any_horizontal(pl.col(name).fill_null("") == "" for name in key))
    repeated = complete.with_columns(first=first).filter(pl.col("row") != pl.col("first"))

    def where(fields: dict[str, Any]) -> str:
        last = f"{key[-1]} {fields[key[-1]]}"
        named = " ".join(str(fields[name]) for name in key[1:-1])
        return f"{named} {last} stands in row {fields['first']} already."

    report(rows, repeated, column, problems, allowed, where)
