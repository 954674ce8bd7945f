"""The scores of a file: a row a cell, then a row a model."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from .grid import Entry, Grid
from .printed import FEW, NOTHING, cell_p_value, decimals, p_value
from .results import ScoredCell

_KEYS = ("benchmark", "condition", "scene", "model")
_NUMBERS = ("tv", "floor", "excess", "score", "chi2", "p", "q")
COLUMNS = (*_KEYS, "rollouts", "valid", "scorability", "counts", *_NUMBERS, "mntv")


class Model(Protocol):
    """One model in one condition; `mntv` is NaN where scenes are missing."""

    @property
    def benchmark(self) -> str: ...
    @property
    def condition(self) -> str: ...
    @property
    def model(self) -> str: ...
    @property
    def rollouts(self) -> int: ...
    @property
    def valid(self) -> int: ...
    @property
    def mntv(self) -> float: ...
    @property
    def missing(self) -> tuple[str, ...]: ...


def records(cells: Sequence[ScoredCell], models: Sequence[Model]) -> list[dict[str, Any]]:
    """An object a cell, then one a complete model: the same keys, scene null, with its `mntv`."""
    found = []
    for one in cells:
        cell = one.cell
        found.append(
            {
                **{name: getattr(cell, name) for name in (*_KEYS, "rollouts", "valid")},
                "scorability": one.scorability,
                "counts": dict(zip(one.scene.outcomes, cell.counts, strict=True)),
                **{name: _or_none(getattr(one, name)) for name in _NUMBERS},
            }
        )
    for model in models:
        if not math.isnan(model.mntv):
            found.append(
                {
                    "benchmark": model.benchmark,
                    "condition": model.condition,
                    "scene": None,
                    "model": model.model,
                    "rollouts": model.rollouts,
                    "valid": model.valid,
                    "scorability": model.valid / model.rollouts,
                    "counts": None,
                    **dict.fromkeys(_NUMBERS),
                    "mntv": model.mntv,
                }
            )
    return found


def _or_none(value: float) -> float | None:
    return value if math.isfinite(value) else None


def grids(cells: Sequence[ScoredCell], models: Sequence[Model]) -> list[Grid]:
    """The cells, and the models with their mnTV."""
    by_cell = tuple(
        (
            Entry(one.cell.model),
            Entry(one.cell.condition),
            Entry(one.scene.title),
            Entry(f"{one.cell.valid}/{one.cell.rollouts}"),
            *(Entry(decimals(value)) for value in (one.scorability, one.tv, one.floor, one.score, one.chi2)),
            Entry(cell_p_value(one.p, one.cell.valid, math.nan)),
            Entry(p_value(one.q)),
        )
        for one in cells
    )
    by_model = tuple(
        (
            Entry(model.model),
            Entry(model.condition),
            Entry(f"{model.valid}/{model.rollouts}"),
            Entry(decimals(model.mntv)),
        )
        for model in models
    )
    return [
        Grid(
            "Cells",
            ("Model", "Condition", "Scene", "valid", "ρ", "TV", "floor", "score", "χ2", "p", "q"),
            by_cell,
            (
                "p: Monte Carlo, 50,000 replicates; q: Benjamini-Hochberg over this file.",
                f"{NOTHING}: none; {FEW}: 1 to 3 valid rollouts, not tested.",
            ),
            numeric_from=3,
        ),
        Grid("Models", ("Model", "Condition", "valid", "mnTV"), by_model, numeric_from=2),
    ]


def remarks(cells: Sequence[ScoredCell], models: Sequence[Model]) -> Iterator[str]:
    """What makes a score absent or not comparable."""
    for model in models:
        if model.missing:
            yield f"{model.model} ({model.condition}): no mnTV, missing scenes: {', '.join(model.missing)}"
    other = sorted({one.cell.rollouts for one in cells if one.cell.rollouts != one.scene.rollouts})
    if other:
        yield (
            f"cells with {', '.join(map(str, other))} rollouts: the benchmark has {cells[0].scene.rollouts}, "
            "and scores at another number are not comparable with published ones"
        )
