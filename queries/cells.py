"""The cells of a connection as Python values: counts with their exact reference, in the papers' order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import duckdb


@dataclass(frozen=True)
class Scene:
    """A scene with its outcome set and, where it is known, its exact reference in the same order."""

    benchmark: str
    scene: str
    title: str
    family: str
    rollouts: int
    outcomes: tuple[str, ...]
    reference: tuple[Fraction, ...] | None


@dataclass(frozen=True)
class Cell:
    """The counts of one cell, in the order of its scene's outcomes."""

    benchmark: str
    condition: str
    scene: str
    model: str
    rollouts: int
    unread: int
    valid: int
    nulls: int
    counts: Sequence[int]


def read_scenes(connection: duckdb.DuckDBPyConnection, benchmark: str) -> dict[str, Scene]:
    """The scenes of a benchmark by name, in the paper's order."""
    reference: dict[str, list[Fraction]] = {}
    for scene, numerator, denominator in connection.execute(
        "SELECT scene, numerator, denominator FROM distributions WHERE benchmark = ? ORDER BY scene, position",
        [benchmark],
    ).fetchall():
        reference.setdefault(scene, []).append(Fraction(numerator, denominator))
    rows = connection.execute(
        "SELECT scene, title, family, rollouts, outcomes FROM scenes "
        "WHERE benchmark = ? ORDER BY position NULLS LAST, scene",
        [benchmark],
    ).fetchall()
    return {
        scene: Scene(
            benchmark,
            scene,
            title,
            family,
            rollouts,
            tuple(outcomes),
            tuple(reference[scene]) if scene in reference else None,
        )
        for scene, title, family, rollouts, outcomes in rows
    }


def read_cells(connection: duckdb.DuckDBPyConnection, benchmark: str, condition: str | None = None) -> Sequence[Cell]:
    """The cells of a benchmark, or of one of its conditions, by condition, scene and model."""
    rows = connection.execute(
        "SELECT benchmark, condition, scene, model, rollouts, unread, valid, nulls, counts FROM cells "
        "WHERE benchmark = $1 AND ($2 IS NULL OR condition = $2) ORDER BY condition, scene, model",
        [benchmark, condition],
    ).fetchall()
    return [Cell(*row) for row in rows]


def read_model_titles(connection: duckdb.DuckDBPyConnection, benchmark: str) -> dict[str, str]:
    """The titles of a benchmark's models by name: the paper's models in its order, then later ones by name."""
    rows = connection.execute(
        "SELECT model, title FROM models WHERE benchmark = ? ORDER BY position NULLS LAST, model", [benchmark]
    ).fetchall()
    return dict(rows)
