"""What every reader of a user's file gives: rows of text, each with its place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibench_data.errors import CalibenchError, Problem

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Rows:
    """The wanted fields of a file as text, null where it has none, in a frame with one column more: ROW.

    ROW is the line in CSV and JSONL, so the first record of a CSV is in row 2; in Parquet it counts from 1.
    `columns` names all columns of the file, in its order; `typed` says whether the format tells text from numbers;
    `numeric` names the wanted columns that hold integers.
    """

    path: Path
    columns: tuple[str, ...]
    frame: pl.DataFrame
    typed: bool = False
    numeric: frozenset[str] = frozenset()

    def place(self, row: int, column: str) -> str:
        return f"{self.path}: row {row}, column {column}"


ROW = "\0row"  # no wanted column has this name


def failure(path: Path, found: str, allowed: str = "", do: str = "") -> CalibenchError:
    """The error of a file with a single fault."""
    return CalibenchError([Problem(str(path), found, allowed, do)])


def text_of(path: Path) -> str:
    """The text of a file, without its byte order mark. Raises CalibenchError, with the row, where it is not UTF-8."""
    data = path.read_bytes()
    try:
        text = data.decode("utf-8-sig")
        wrong = data.find(0)  # no text holds it, and UTF-16 without its mark is full of it
    except UnicodeDecodeError as error:
        wrong = error.start
    if wrong >= 0:
        line = data.count(b"\n", 0, wrong) + 1
        raise failure(
            path, f"row {line}: byte {data[wrong]:#04x} is not UTF-8 text", "UTF-8 text", "Save the file as UTF-8."
        )
    return text


def frame_of(row: Sequence[int], columns: Mapping[str, Any]) -> pl.DataFrame:
    """Columns of text, with the row of each record."""
    import polars as pl

    return pl.DataFrame(
        {ROW: pl.Series(row, dtype=pl.Int64), **{name: pl.Series(c, dtype=pl.String) for name, c in columns.items()}}
    )
