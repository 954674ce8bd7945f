"""The tables of the CaliBench paper, each recomputed from the data by one function."""

from __future__ import annotations

from collections.abc import Callable

from ..results import Results
from .ablations import figure_15, table_9, table_10, table_11, table_12
from .descriptive import table_2, table_4
from .distributions import SCENES_OF, distribution_of
from .exhibit import Exhibit, Figure
from .missing import table_7
from .pendulum import pendulum
from .power import table_5
from .ranking import differences, leaderboard, null_baseline
from .sequential import e_values
from .significance import table_3, table_6
from .validation import table_8
from .votes import readers, votes

EXHIBITS: dict[str, Callable[[Results], Exhibit]] = {
    "2": table_2,
    "3": table_3,
    "4": table_4,
    "5": table_5,
    "6": table_6,
    "7": table_7,
    "8": table_8,
    "9": table_9,
    "10": table_10,
    "11": table_11,
    "12": table_12,
    **{number: distribution_of(number) for number in SCENES_OF},
    "fig15": figure_15,
    "leaderboard": leaderboard,
    "differences": differences,
    "null": null_baseline,
    "evalue": e_values,
    "votes": votes,
    "readers": readers,
    "pendulum": pendulum,
}

__all__ = ["EXHIBITS", "Exhibit", "Figure"]
