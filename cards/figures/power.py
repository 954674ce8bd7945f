"""What the exact test can see: its power against a deviation (CaliBench, Figure 13)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy.typing as npt

from .style import DASHES, GREY, SERIES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WANTED = 0.8


def power_curves(ax: Axes, curves: Mapping[str, tuple[npt.ArrayLike, npt.ArrayLike]], *, title: str = "") -> Axes:
    """Power against TV, a line each, and a rule at 80 %; returns `ax`.

    curves: label as drawn -> (TV, power), two arrays of one shape.
    """
    ax.axhline(WANTED, color=GREY, linewidth=0.8, linestyle="--", label="80 % power")
    for index, (label, (tv, power)) in enumerate(curves.items()):
        ax.plot(tv, power, label=label, color=SERIES[index % len(SERIES)], linestyle=DASHES[index % len(DASHES)])
    ax.set_title(title)
    ax.set_xlim(0, 1)
    ax.set_ylim(0, 1.02)
    return ax
