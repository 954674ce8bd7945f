"""The tables of the CaliBench paper, each recomputed from the data by one function."""

from __future__ import annotations

from collections.abc import Callable

from ..results import Results
from .descriptive import table_2, table_4
from .exhibit import Exhibit, Figure
from .significance import table_3, table_6
from .validation import table_8

EXHIBITS: dict[str, Callable[[Results], Exhibit]] = {
    "2": table_2,
    "3": table_3,
    "4": table_4,
    "6": table_6,
    "8": table_8,
}

__all__ = ["EXHIBITS", "Exhibit", "Figure"]
