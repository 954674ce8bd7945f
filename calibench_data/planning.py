"""Before paying for videos: what a number of rollouts can detect, and how many a deviation needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from calibench_data.cards.exhibits.power import contaminated_outcome
from calibench_data.errors import CalibenchError
from calibench_data.queries.cells import Scene, read_scenes
from calibench_data.stats import (
    WorkLimitError,
    rollouts_needed,
    smallest_detectable_tv,
    smallest_detectable_tv_monte_carlo,
)

from .database import connect


@dataclass(frozen=True)
class Plan:
    """One scene: `rollouts` valid rollouts detect `tv` with `power` at level `alpha`; None where no answer was found.

    The alternative is contamination: part of the reference's mass moved to `outcome` (CaliBench Eq. 15).
    """

    scene: str
    outcome: str
    rollouts: int | None
    tv: float | None
    power: float | None
    alpha: float
    method: str
    note: str


def plan(
    scenes: Sequence[str] = (),
    rollouts: int | None = None,
    tv: float | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    outcome: str | None = None,
    repo: str | Path | None = None,
) -> list[Plan]:
    """For a number of valid rollouts the smallest TV that the exact test detects; for a TV the rollouts it needs.

    scenes: names, by default all nine; give `rollouts` (default 32) or `tv`, not both. outcome: the one that the model
    is thought to favour, by default the paper's choice: the middle bin of a board, green, else the first. Null
    rollouts do not count: for a scorability of rho plan rollouts / rho videos. Where the exact power of a number of
    rollouts is too much work, it is simulated, and `method` says so.

    Raises CalibenchError for unknown names, for numbers outside their range, and for a TV so small that the exact
    search is too much work.
    """
    if rollouts is not None and tv is not None:
        raise CalibenchError("give a number of rollouts or a TV, not both: each is the answer to the other")
    with connect(repo) as connection:
        known = read_scenes(connection, "calibench")
    if unknown := [name for name in scenes if name not in known]:
        raise CalibenchError(f"unknown scene {', '.join(unknown)}; there are {', '.join(known)}")
    try:
        return [_plan(known[name], rollouts, tv, power, alpha, outcome) for name in scenes or known]
    except CalibenchError:
        raise
    except ValueError as error:
        raise CalibenchError(str(error)) from error


def _plan(
    scene: Scene, rollouts: int | None, tv: float | None, power: float, alpha: float, outcome: str | None
) -> Plan:
    if scene.reference is None:
        raise CalibenchError(f"the reference of scene {scene.scene} is not known: nothing can be planned")
    if outcome is not None and outcome not in scene.outcomes:
        raise CalibenchError(
            f"scene {scene.scene} has no outcome {outcome}; its outcomes are {', '.join(scene.outcomes)}"
        )
    index = scene.outcomes.index(outcome) if outcome else contaminated_outcome(scene)
    named = scene.outcomes[index]
    if tv is None:
        n = 32 if rollouts is None else rollouts
        try:
            found = smallest_detectable_tv(n, scene.reference, power=power, alpha=alpha, outcome=index)
        except WorkLimitError:
            found = smallest_detectable_tv_monte_carlo(n, scene.reference, power=power, alpha=alpha, outcome=index)
        return Plan(scene.scene, named, n, _number(found.tv), _number(found.power), alpha, found.method, found.note)
    needed = rollouts_needed(tv, scene.reference, power=power, alpha=alpha, outcome=index)
    return Plan(scene.scene, named, needed.n, tv, _number(needed.power), alpha, needed.method, needed.note)


def _number(value: float) -> float | None:
    return None if value != value else float(value)
