"""The answer to a query, as a grid and as records."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .grid import Entry, Grid

if TYPE_CHECKING:
    import polars as pl


def records(frame: pl.DataFrame) -> list[dict[str, Any]]:
    """Rows as JSON values: what JSON lacks is text, and a number that is none (NaN, infinite) is null."""
    return [{name: _json_value(value) for name, value in row.items()} for row in frame.iter_rows(named=True)]


def _json_value(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, dict):
        return {str(key): _json_value(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_json_value(inner) for inner in value]
    return value.hex() if isinstance(value, bytes) else str(value)


def grid(frame: pl.DataFrame) -> Grid:
    """Rows for people: null is shown as such, so that it is not taken for empty text."""
    rows = tuple(tuple(Entry(_shown(value)) for value in row) for row in frame.iter_rows())
    title = f"{frame.height:,} row" + ("" if frame.height == 1 else "s")
    return Grid(title, tuple(frame.columns), rows, numeric_from=len(frame.columns))


def _shown(value: Any) -> str:
    if isinstance(value, bytes):
        return f"({len(value):,} bytes)"  # a picture is nothing for a terminal
    if isinstance(value, dict):
        return "{" + ", ".join(f"{name}: {_shown(inner)}" for name, inner in value.items()) + "}"
    return "null" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
