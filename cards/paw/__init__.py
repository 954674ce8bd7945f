"""The tables and figures of the PAWBench paper, each recomputed from the data by one function."""

from __future__ import annotations

from collections.abc import Callable

from ..exhibits.exhibit import Exhibit
from .main_table import table_1
from .pairs import pairs
from .panel import table_9
from .results import PawResults
from .sampling import budget, table_8
from .scale import gate, scale
from .targets import figure_7
from .training import figure_8, table_5, table_11

PAW_EXHIBITS: dict[str, Callable[[PawResults], Exhibit]] = {
    "1": table_1,
    "5": table_5,
    "8": table_8,
    "9": table_9,
    "11": table_11,
    "fig7": figure_7,
    "fig8": figure_8,
    "budget": budget,
    "pairs": pairs,
    "scale": scale,
    "gate": gate,
}

__all__ = ["PAW_EXHIBITS", "PawResults"]
