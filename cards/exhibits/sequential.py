"""How many rollouts the e-value would have needed: a test that may be looked at after each of them."""

from __future__ import annotations

import numpy as np
from calibench_data.stats import log_e_process

from ..grid import Entry, Grid
from ..printed import NOTHING
from ..results import Results
from .exhibit import Exhibit, Figure, figure

ALPHA = 0.05


def e_values(results: Results) -> Exhibit:
    """Rollouts of each cell, in seed order, until the e-value first reached 20; and its largest value."""
    drawn: dict[tuple[str, str], list[str | None]] = {}
    for scene, model, outcome in results.connection.execute(
        "SELECT scene, model, outcome FROM rollouts WHERE benchmark = 'calibench' AND condition = 'main' "
        "AND source IS NOT NULL ORDER BY scene, model, seed"
    ).fetchall():
        drawn.setdefault((scene, model), []).append(outcome)
    figures: list[Figure] = []
    entries: dict[tuple[str, str], str] = {}
    for (scene, model), outcomes in drawn.items():
        reference = results.scenes[scene].reference
        if reference is None:
            continue
        place = {outcome: index for index, outcome in enumerate(results.scenes[scene].outcomes)}
        valid = [number for number, outcome in enumerate(outcomes, start=1) if outcome is not None]
        process = log_e_process([place[outcome] for outcome in outcomes if outcome is not None], reference)
        reached = np.flatnonzero(process >= -np.log(ALPHA) - 1e-9)
        needed = valid[reached[0]] if reached.size else None
        figures.append(figure("evalue", scene, f"{model}/rollouts", needed or np.nan, str(needed or NOTHING)))
        if process.size:
            largest = float(process.max() / np.log(10))
            figures.append(figure("evalue", scene, f"{model}/log10_largest", largest, f"{largest:.1f}"))
            entries[scene, model] = f"{needed or NOTHING} (10^{largest:.1f})"
    rows = [
        (Entry(scene.title), *(Entry(entries.get((name, model), NOTHING)) for model in results.models))
        for name, scene in results.scenes.items()
    ]
    grid = Grid(
        "Rollouts, in seed order, until the e-value first reached 20 (level 0.05)",
        ("Scene", *results.models.values()),
        tuple(rows),
        (
            f"In brackets the largest e-value of the cell. {NOTHING}: never, or no valid rollout.",
            "Null rollouts count as rollouts and carry no evidence.",
            "Under calibration an e-value ever reaches 20 with probability at most 0.05, so one may stop there.",
        ),
    )
    return Exhibit("evalue", tuple(figures), grid)
