"""How well readings agree: repeated votes with each other, and majorities with a person's labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from calibench_data.stats import AgreementShare

from .style import LIGHT, series

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def agreement(
    ax: Axes, rows: Sequence[str], shares: Mapping[str, Mapping[str, AgreementShare]], *, title: str = ""
) -> Axes:
    """Shares with Wilson's 95 % interval, a row each, a colour and mark for each kind; returns `ax`.

    rows: as drawn, the first on top. shares: kind as drawn -> row -> its share; a row may lack a kind.
    """
    for index, (kind, of_row) in enumerate(shares.items()):
        look = {**series(index), "linestyle": "none"}
        shift = (index - (len(shares) - 1) / 2) * 0.7 / max(len(shares), 2)
        here = [(place + shift, of_row[row]) for place, row in enumerate(rows) if row in of_row]
        found = [one for _, one in here]
        errors = [[max(o.share - o.low, 0) for o in found], [max(o.high - o.share, 0) for o in found]]
        ax.errorbar(
            [o.share for o in found], [y for y, _ in here], xerr=errors, elinewidth=0.9, capsize=2, label=kind, **look
        )
    ax.set_yticks(range(len(rows)), list(rows))
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.set_xlim(0, 1.02)
    ax.grid(axis="x", color=LIGHT, linewidth=0.5)
    ax.set_title(title)
    return ax
