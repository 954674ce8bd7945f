"""PAWBench's Figures 5, 8 and 12 on plain numbers, and Figure 8 from the counts that its Table 11 prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy.typing as npt
from calibench_data.stats import DoseResponse, dose_response

from ..results import Results
from .naming import NoDataError
from .sheet import legend_below, panels
from .style import GREY, LIGHT, OBSERVED, SERIES, drawn, series

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# PAWBench, Section 5: probability that the pencil falls to the left.
_LEFT = {"upright-pencil": Fraction(1, 2), "left-leaning-pencil": Fraction(1)}


@dataclass(frozen=True)
class Null:
    """A model's observed TVD x100 beside what sampling noise alone gives: mean, 2.5th and 99th percentile."""

    label: str
    observed: float
    mean: float
    low: float
    high: float


def budget(ax: Axes, budgets: npt.ArrayLike, curves: Mapping[str, npt.ArrayLike], *, title: str = "") -> Axes:
    """A metric (per cent) against the rollouts K, a line for each model (PAWBench, Fig. 5); returns `ax`.

    budgets: shape (b,); curves: model as drawn -> shape (b,), NaN beyond the rollouts that it has. See
    `stats.budget_curves`.
    """
    for index, (name, curve) in enumerate(curves.items()):
        look = series(index)
        ax.plot(budgets, curve, label=name, markevery=(3 + index % 8, 10), markersize=3, linewidth=0.9, **look)
    ax.set_title(title)
    ax.set_ylim(0, 102)
    ax.set_xlim(left=0)
    return ax


def dose(ax: Axes, found: Mapping[str, DoseResponse], *, outcome: str = "left", title: str = "") -> Axes:
    """Share of an outcome among the readable rollouts against its share in training (PAWBench, Fig. 8); returns `ax`.

    found: scene as drawn -> its response, doses in per cent. The diagonal is what following the training data is.
    """
    ax.plot([0, 100], [0, 100], color=GREY, linewidth=0.8, linestyle="--", label="as in training")
    for index, (name, one) in enumerate(found.items()):
        look = series(index)
        share, low, high = 100 * one.share, 100 * one.share_low, 100 * one.share_high
        shifted = one.doses + 1.2 * index
        ax.vlines(shifted, low, high, color=SERIES[index % len(SERIES)], linewidth=0.9)
        ax.plot(shifted, share, label=f"{name} (95 % interval)", **look)
    ax.set_title(title)
    ax.set_xlabel(f"{outcome} in the training set (%)")
    ax.set_ylabel(f"{outcome} in readable rollouts (%)")
    ax.set_ylim(-2, 102)
    return ax


def null_intervals(ax: Axes, models: Sequence[Null]) -> Axes:
    """Observed TVD x100 beside its finite-sample null, a row each (PAWBench, Fig. 12); returns `ax`.

    See `stats.matched_null`.
    """
    rows = list(range(len(models)))
    ax.hlines(rows, [one.low for one in models], [one.high for one in models], color=OBSERVED, linewidth=3,
              label="2.5th to 99th percentile under calibration")  # fmt: skip
    look: dict[str, Any] = {"linestyle": "none", "markeredgecolor": "black", "markeredgewidth": 0.6}
    ax.plot([one.mean for one in models], rows, marker="o", color="white", label="mean under calibration", **look)
    ax.plot([one.observed for one in models], rows, marker="D", color=SERIES[1], label="observed", **look)
    ax.set_yticks(rows, [one.label for one in models])
    ax.set_ylim(len(models) - 0.4, -0.6)
    ax.set_xlim(left=0)
    ax.set_xlabel("TVD × 100")
    ax.grid(axis="x", color=LIGHT, linewidth=0.5)
    return ax


def figure_8(results: Results) -> Figure:
    """PAWBench's Figure 8 from the counts of its Table 11."""
    printed = {
        (item, measure): int(value)
        for item, measure, value in results.connection.execute(
            "SELECT item, measure, value FROM published WHERE paper = 'pawbench' AND exhibit = '11'"
        ).fetchall()
    }
    found = {}
    for scene, left in _LEFT.items():
        doses = sorted(
            int(name)
            for item, measure in printed
            if item == scene and measure.endswith("/left") and (name := measure[5:-5]).isdecimal()
        )
        counts = [[printed[scene, f"lora-{at}/{side}"] for side in ("left", "right")] for at in doses]
        if doses:
            title = drawn(scene.replace("-", " "))
            found[title] = dose_response(doses, counts, [left, 1 - left])
    if not found:
        raise NoDataError("the counts of PAWBench's Table 11 are not in these data")
    figure, axes = panels(1, 1, 2.6, 3.6)
    dose(axes[0], found)
    legend_below(figure, axes, 1)
    return figure
