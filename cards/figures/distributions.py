"""Observed outcomes beside their reference (CaliBench, Figures 4, 6 to 12 and 14)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from calibench_data.stats import wilson_interval

from .style import OBSERVED, REFERENCE, drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def observed_and_reference(
    ax: Axes,
    outcomes: Sequence[str],
    counts: Sequence[int],
    reference: Sequence[float] | None,
    *,
    title: str = "",
    intervals: bool = False,
) -> Axes:
    """Bars of the outcomes' proportions, and the reference as a mark on each; returns `ax`.

    outcomes, counts, reference: shape (k,); reference None where it is not known. title: drawn as it is. intervals:
    draw Wilson's 95 % interval of each proportion. Without a valid outcome there are no bars.
    """
    places = range(len(outcomes))
    valid = sum(counts)
    if valid:
        shares = [count / valid for count in counts]
        ax.bar(places, shares, width=0.8, color=OBSERVED, label="observed")
        if intervals:
            found = wilson_interval(counts, valid)
            ax.vlines(places, found.low, found.high, color="black", linewidth=0.8, label="95 % interval")
    if reference is not None:
        left, right = ([place + side for place in places] for side in (-0.4, 0.4))
        ax.hlines(reference, left, right, color=REFERENCE, linewidth=2, label="reference")
    ax.set_title(title)
    ax.set_xlim(-0.7, len(outcomes) - 0.3)
    ax.set_ylim(0, 1.03)
    _outcome_ticks(ax, outcomes)
    return ax


def _outcome_ticks(ax: Axes, outcomes: Sequence[str]) -> None:
    """Every outcome by its name; of many numbers, every so many that they do not touch."""
    step = 1 if len(outcomes) <= 6 else 2 if len(outcomes) <= 12 else 4
    words = any(len(outcome) > 2 for outcome in outcomes)
    step = 1 if words else step
    shown = range(0, len(outcomes), step)
    ax.set_xticks(list(shown), [drawn(outcomes[place]) for place in shown], rotation=90 if words else 0)
