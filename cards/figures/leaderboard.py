"""The leaderboard with intervals, and which neighbours can be told apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .style import GREY, LIGHT, OBSERVED

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class Place:
    """A model as drawn: the corrected mnTV with its interval, the published one, and the number of valid rollouts.

    ranked: whether it shares the benchmark's protocol; those that do not stand below, with no tier.
    """

    label: str
    corrected: float
    low: float
    high: float
    mntv: float
    valid: int
    rollouts: int
    ranked: bool = True


def tiers(count: int, apart: Callable[[int, int], bool]) -> list[tuple[int, int]]:
    """The largest runs (first, last) of places in which no two models can be told apart, of two models or more.

    count: number of places, best first. apart(i, j): whether the models at these places, from 0, can be told apart.
    """
    runs: list[tuple[int, int]] = []
    for first in range(count):
        last = first
        while last + 1 < count and not any(apart(other, last + 1) for other in range(first, last + 1)):
            last += 1
        if last > first and not (runs and runs[-1][1] >= last):
            runs.append((first, last))
    return runs


def leaderboard(
    ax: Axes, places: Sequence[Place], runs: Sequence[tuple[int, int]], perfect: tuple[float, float] | None = None
) -> Axes:
    """A row for each model, the best on top; at the right a bar along each run that cannot be told apart; returns `ax`.

    places: ranked models first, by corrected mnTV. runs: see `tiers`. perfect: where the published mnTV of a perfectly
    calibrated model lies.
    """
    if perfect is not None:
        ax.axvspan(*perfect, color=LIGHT, linewidth=0, label="published mnTV of a perfect model (95 %)")
    rows = range(len(places))
    for row, place in zip(rows, places, strict=True):
        colour = OBSERVED if place.ranked else GREY
        ax.plot([place.low, place.high], [row, row], color=colour, linewidth=1.6, solid_capstyle="butt")
        ax.plot([place.corrected], [row], "o", color=colour, markersize=5)
        ax.plot([place.mntv], [row], "D", color="white", markeredgecolor=GREY, markersize=4)
    ax.plot([], [], "o-", color=OBSERVED, linewidth=1.6, label="corrected mnTV, 95 % interval")
    ax.plot([], [], "D", color="white", markeredgecolor=GREY, label="mnTV as published")
    if any(not place.ranked for place in places):
        ax.plot([], [], "o-", color=GREY, linewidth=1.6, label="another protocol: not ranked")
        border = sum(place.ranked for place in places) - 0.5
        ax.axhline(border, color=GREY, linewidth=0.8)
    side = ax.get_yaxis_transform()
    for row, place in zip(rows, places, strict=True):
        ax.text(1.02, row, f"{place.valid}/{place.rollouts}", transform=side, va="center", fontsize=6)
    ax.text(1.02, -0.85, "valid", transform=side, va="center", fontsize=6)
    if runs:
        ax.text(1.13, -0.85, "not told apart", transform=side, va="center", fontsize=6)
        ax.plot([], [], color="black", linewidth=2.5, label="no two along a bar can be told apart")
    for number, (first, last) in enumerate(runs):
        across = 1.14 + 0.025 * number
        ax.plot(
            [across] * 2, [first - 0.3, last + 0.3], color="black", linewidth=2.5, transform=side, clip_on=False,
            solid_capstyle="butt",
        )  # fmt: skip
    ax.set_yticks(list(rows), [place.label for place in places])
    ax.set_ylim(len(places) - 0.4, -0.6)
    ax.set_xlim(0, 1)
    ax.set_xlabel("mnTV: 0 calibrated, 1 worst")
    ax.grid(axis="x", color=LIGHT, linewidth=0.5)
    return ax
