"""What a benchmark asks of a model's rollouts, read from a connection."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import duckdb

from .cells import Scene, read_scenes


@dataclass(frozen=True)
class Protocol:
    """How the cells of a benchmark are made: scenes, conditions, readings; and what is released already.

    conditions: condition -> rollouts of its cells, None: as many as the scene asks; without those whose prompts ask for
    an outcome. attempts, reader, edition: see the
    view `protocols`. prompts: (scene, edition) -> SHA-256 of the reading prompts that the release holds.
    """

    benchmark: str
    scenes: Mapping[str, Scene]
    conditions: Mapping[str, int | None]
    attempts: int
    reader: str | None
    edition: str
    models: frozenset[str]
    prompts: Mapping[tuple[str, str], str]

    @property
    def outcome_sets(self) -> Mapping[str, Sequence[str]]:
        """Scene -> its outcomes, in order."""
        return {name: scene.outcomes for name, scene in self.scenes.items()}

    def rollouts(self, condition: str, scene: str) -> int:
        """Rollouts that a cell has: seeds from 0 to one less."""
        return self.conditions[condition] or self.scenes[scene].rollouts


def read_protocol(connection: duckdb.DuckDBPyConnection, benchmark: str) -> Protocol:
    """The protocol of a benchmark, as the tables and views of a connection give it."""
    ((attempts, reader, edition),) = connection.execute(
        "SELECT attempts, reader, edition FROM protocols WHERE benchmark = ?", [benchmark]
    ).fetchall()
    conditions = connection.execute(
        "SELECT condition, rollouts FROM conditions WHERE benchmark = $1 AND condition NOT IN "
        "(SELECT condition FROM videos WHERE benchmark = $1 AND requested IS NOT NULL) ORDER BY condition",
        [benchmark],
    ).fetchall()
    models = connection.execute("SELECT model FROM models WHERE benchmark = ?", [benchmark]).fetchall()
    prompts = connection.execute(
        "SELECT scene, edition, sha256 FROM prompts WHERE benchmark = ? AND role = 'reading'", [benchmark]
    ).fetchall()
    return Protocol(
        benchmark,
        read_scenes(connection, benchmark),
        dict(conditions),
        attempts,
        reader,
        edition,
        frozenset(model for (model,) in models),
        {(scene, edition): digest for scene, edition, digest in prompts},
    )
