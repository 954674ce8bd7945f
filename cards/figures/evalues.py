"""Evidence as the rollouts come in: the e-value, which may be looked at after each of them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from .style import GREY, series

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SURE = 20.0


def e_values(ax: Axes, paths: Mapping[str, Sequence[float]], *, title: str = "") -> Axes:
    """log10 of the e-value after each rollout, a line for each model, and a rule at 20 (level 0.05); returns `ax`.

    paths: model as drawn -> log10 of the e-value after 1, 2, ... rollouts; an empty one is not drawn.
    """
    ax.axhline(math.log10(SURE), color=GREY, linewidth=0.8, linestyle="--", label="20: sure at level 0.05")
    for index, (name, path) in enumerate(paths.items()):
        if len(path):
            # At places of their own, so that lines on each other are told apart.
            spot = slice(3 + index % 8, None, 8)
            ax.plot(
                range(len(path) + 1),
                [0.0, *path],
                label=name,
                markevery=spot,
                markersize=3,
                linewidth=0.9,
                **series(index),
            )
    ax.set_title(title)
    return ax
