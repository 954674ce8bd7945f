"""The check of the pendulum's reference: P(left) over time, from the equations of motion."""

from __future__ import annotations

import numpy as np
from calibench_data.stats import pendulum_marginal

from ..grid import Entry, Grid
from ..results import Results
from .exhibit import Exhibit, figure

TIMES = np.round(np.concatenate([np.arange(0.2, 1.0, 0.2), np.arange(1.0, 5.01, 0.25)]), 2)


def pendulum(results: Results) -> Exhibit:
    """P(left) of 40,000 pendulums released as in the conditioning frame, half a degree of noise on each angle."""
    found = pendulum_marginal(times=TIMES)
    rows = []
    figures = []
    for time, p, low, high in zip(found.times, found.p_left, found.low, found.high, strict=True):
        for measure, value in (("p_left", p), ("low", low), ("high", high)):
            figures.append(figure("pendulum", f"{time:g} s", measure, float(value), f"{value:.3f}"))
        rows.append((Entry(f"{time:g} s"), Entry(f"{p:.3f}"), Entry(f"[{low:.3f},{high:.3f}]")))
    late = np.abs(found.p_left[found.times >= 3] - 0.5).max()
    grid = Grid(
        "The pendulum's reference: P(left) of the outer mass over time",
        ("Time", "P(left)", "95 % interval"),
        tuple(rows),
        (
            f"{found.n:,} members; release at 146 and 215 degrees, length ratio 0.82, noise 0.5 degrees on each angle.",
            f"From 3 to 5 s at most {late:.3f} from one half. The motion is still regular up to about 0.8 s.",
            "Intervals hold the sampling of releases only.",
        ),
    )
    return Exhibit("pendulum", tuple(figures), grid)
