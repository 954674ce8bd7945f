"""Scene by model: the score of every cell, and which cells are evidence of miscalibration."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from ..printed import decimals

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def heat_map(
    ax: Axes, scores: npt.ArrayLike, marks: Sequence[Sequence[str]], rows: Sequence[str], columns: Sequence[str],
    *, apart: int = 0,
) -> Axes:  # fmt: skip
    """A field for each cell with its score and its mark; returns `ax`. Dark is calibrated, bright the worst.

    scores: shape (rows, columns) in [0, 1], NaN where there is no such cell (left white). marks: of the same shape,
    drawn after the number. rows, columns: as drawn. apart: how many of the last columns a rule sets off.
    """
    table = np.ma.masked_invalid(np.asarray(scores, dtype=np.float64))
    image = ax.imshow(table, cmap="cividis", vmin=0, vmax=1, aspect="auto")
    for (row, column), score in np.ndenumerate(table.filled(np.nan)):
        if not np.isnan(score):
            text = decimals(float(score)) + marks[row][column]
            ax.text(column, row, text, ha="center", va="center", color="white" if score < 0.55 else "black", fontsize=6)
    ax.set_xticks(range(len(columns)), list(columns), rotation=40, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(len(rows)), list(rows))
    ax.tick_params(length=0)
    for edge in range(1, len(columns)):
        ax.axvline(edge - 0.5, color="white", linewidth=4 if edge == len(columns) - apart else 0.6)
    for edge in range(1, len(rows)):
        ax.axhline(edge - 0.5, color="white", linewidth=0.6)
    ax.spines[:].set_visible(False)
    bar = ax.figure.colorbar(image, ax=ax, fraction=0.03, pad=0.02)
    bar.set_label("score: 0 calibrated, 1 worst")
    return ax
