"""The figures, each drawn from the data by one function; matplotlib (the extra `plot`) is needed only to draw."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..exhibits.distributions import SCENES_OF
from ..results import Results
from . import own_figures, paper_figures, paw

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Figures 1 to 3 of the CaliBench paper show its protocol, its conditioning frames and frames of videos: no data.
FIGURES: dict[str, Callable[[Results], Figure]] = {
    "leaderboard": own_figures.leaderboard_figure,
    "heatmap": own_figures.heat_map_figure,
    "cell": own_figures.cell_figure,
    "evalue": own_figures.e_values_figure,
    "power": own_figures.power_figure,
    "votes": own_figures.votes_figure,
    "fig4": paper_figures.distributions_of("fig4"),
    "fig5": paper_figures.figure_5,
    **{number: paper_figures.distributions_of(number) for number in SCENES_OF if number != "fig4"},
    "fig13": paper_figures.figure_13,
    "fig14": paper_figures.figure_14,
    "fig15": paper_figures.figure_15,
    "paw-fig8": paw.figure_8,
}

__all__ = ["FIGURES"]
