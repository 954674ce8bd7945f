"""Scorability against total variation (CaliBench, Figure 5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from .style import LIGHT, series

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def scorability_and_tv(
    ax: Axes, points: Mapping[str, tuple[float, float]], band: tuple[float, float] | None = None, *, title: str = ""
) -> Axes:
    """A mark for each model at (scorability, TV); returns `ax`. Calibration is the lower right corner.

    points: model as drawn -> (scorability, TV), NaN TV where there was no valid outcome (no mark). band: between which
    values TV lies under calibration with all rollouts valid; it says nothing of cells that have fewer.
    """
    if band is not None:
        ax.axhspan(*band, color=LIGHT, linewidth=0, label="95 % of calibrated models, all valid")
    for index, (name, (scorability, tv)) in enumerate(points.items()):
        look = {**series(index), "linestyle": "none", "fillstyle": "none"}
        # Hollow marks on each other are both seen; those at the border are drawn whole.
        ax.plot([scorability], [tv], label=name, clip_on=False, markersize=5, markeredgewidth=1.1, **look)
    ax.set_title(title)
    ax.set_xlim(0, 1.02)
    ax.set_ylim(0, 1.02)
    return ax
