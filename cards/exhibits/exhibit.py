"""What a table of a paper is here: its figures in long form, and a grid for people."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..grid import Entry, Grid
from ..results import Results


@dataclass(frozen=True)
class Figure:
    """One recomputed figure, named as in the `published` table; `value` is unrounded, None where there is none."""

    exhibit: str
    item: str
    measure: str
    value: float | None
    printed: str


@dataclass(frozen=True)
class Exhibit:
    """A recomputed table."""

    number: str
    figures: tuple[Figure, ...]
    grid: Grid


def figure(exhibit: str, item: str, measure: str, value: float, printed: str) -> Figure:
    """A figure whose NaN is None, so that it has a place in JSON."""
    return Figure(exhibit, item, measure, None if math.isnan(value) else float(value), printed)


def is_best(value: float, others: list[float]) -> bool:
    """Whether a value is the lowest; values equal but for rounding errors are all best."""
    comparable = [other for other in others if not math.isnan(other)]
    return bool(comparable) and value <= min(comparable) + 1e-12


def scene_rows(results: Results, entry: dict[tuple[str, str], Entry]) -> list[tuple[Entry, ...]]:
    """Rows of a scene x model grid, with a heading wherever the family changes; blank where a model lacks the cell."""
    rows: list[tuple[Entry, ...]] = []
    family = None
    for name, scene in results.scenes.items():
        if scene.family != family:
            family = scene.family
            rows.append((Entry(family),))
        rows.append((Entry(f"  {scene.title}"), *(entry.get((name, model), Entry("")) for model in results.models)))
    return rows


def not_comparable(results: Results) -> list[str]:
    """A note for each model whose protocol is not the benchmark's own."""
    return [f"{results.models[model]} does not compare: {what}." for model, what in results.unlike.items()]
