"""The outcome asked for against the outcome got (CaliBench, Figure 15)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from .style import drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def confusion(
    ax: Axes, counts: npt.ArrayLike, requested: Sequence[str], got: Sequence[str], *, title: str = "", most: int = 5
) -> Axes:
    """A field for each pair with its number of videos, that asked for outlined; returns `ax`.

    counts: shape (requested, got), whole numbers; the last of `got` may be null. most: the number that is darkest.
    """
    from matplotlib.patches import Rectangle

    table = np.asarray(counts)
    ax.imshow(table, cmap="Blues", vmin=0, vmax=1.4 * most, aspect="equal")
    for (row, column), count in np.ndenumerate(table):
        if count:
            ax.text(column, row, str(count), ha="center", va="center", color="white" if count > 0.8 * most else "black")
    for row, asked in enumerate(requested):
        if asked in got:
            ax.add_patch(Rectangle((got.index(asked) - 0.5, row - 0.5), 1, 1, fill=False, linewidth=1.2))
    ax.set_xticks(range(len(got)), [drawn(outcome) for outcome in got])
    ax.set_yticks(range(len(requested)), [drawn(outcome) for outcome in requested])
    ax.tick_params(length=0)
    ax.set_title(title)
    return ax
