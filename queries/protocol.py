"""What a benchmark asks of a model's rollouts, and under what protocol those of each model were made and read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import duckdb

from calibench_data.errors import CalibenchError, Problem
from calibench_data.schema import TABLES

from .cells import Scene, read_scenes

# The row of a model in the table `protocols`, by column.
Row = Mapping[str, Any]


@dataclass(frozen=True)
class Protocol:
    """How the cells of a benchmark are made: scenes, conditions, readings; and what is released already.

    conditions: condition -> rollouts of its cells, None: as many as the scene asks; without those whose prompts ask for
    an outcome. own: the protocol of the models that came with the benchmark. prompts: (scene, role, edition) ->
    SHA-256, frames: (scene, edition) -> SHA-256, of those that the release holds.
    """

    benchmark: str
    scenes: Mapping[str, Scene]
    conditions: Mapping[str, int | None]
    own: Row
    models: frozenset[str]
    prompts: Mapping[tuple[str, str, str], str]
    frames: Mapping[tuple[str, str], str]

    @property
    def attempts(self) -> int:
        """Readings of each video."""
        return int(self.own["attempts"])

    @property
    def outcome_sets(self) -> Mapping[str, Sequence[str]]:
        """Scene -> its outcomes, in order."""
        return {name: scene.outcomes for name, scene in self.scenes.items()}

    def rollouts(self, condition: str, scene: str) -> int:
        """Rollouts that a cell has: seeds from 0 to one less."""
        return self.conditions[condition] or self.scenes[scene].rollouts


def read_protocol(connection: duckdb.DuckDBPyConnection, benchmark: str) -> Protocol:
    """The protocol of a benchmark, as the tables of a connection give it.

    Raises CalibenchError where they do not say under what protocol the benchmark's own models were read.
    """
    conditions = connection.execute(
        "SELECT condition, rollouts FROM conditions WHERE benchmark = $1 AND condition NOT IN "
        "(SELECT condition FROM videos WHERE benchmark = $1 AND requested IS NOT NULL) ORDER BY condition",
        [benchmark],
    ).fetchall()
    models = connection.execute("SELECT model FROM models WHERE benchmark = ?", [benchmark]).fetchall()
    prompts = connection.execute(
        "SELECT scene, role, edition, sha256 FROM prompts WHERE benchmark = ?", [benchmark]
    ).fetchall()
    frames = connection.execute("SELECT scene, edition, sha256 FROM frames WHERE benchmark = ?", [benchmark]).fetchall()
    own = own_protocol(connection, benchmark)
    if own is None:
        raise CalibenchError(
            [Problem("protocols", f"has no row of a model that came with {benchmark}", "one protocol")]
        )
    return Protocol(
        benchmark,
        read_scenes(connection, benchmark),
        dict(conditions),
        own,
        frozenset(model for (model,) in models),
        {(scene, role, edition): digest for scene, role, edition, digest in prompts},
        {(scene, edition): digest for scene, edition, digest in frames},
    )


def read_protocols(connection: duckdb.DuckDBPyConnection, benchmark: str) -> dict[str, Row]:
    """Model -> its row in `protocols`; a model whose protocol was not recorded is absent."""
    found = connection.execute("SELECT * FROM protocols WHERE benchmark = ? ORDER BY model", [benchmark]).fetchall()
    rows = [dict(zip(TABLES["protocols"].names, row, strict=True)) for row in found]
    return {row["model"]: row for row in rows}


def own_protocol(connection: duckdb.DuckDBPyConnection, benchmark: str) -> Row | None:
    """The row of the first model that came with the benchmark; None if none has one."""
    first = connection.execute(
        "SELECT model FROM models JOIN protocols USING (benchmark, model) "
        "WHERE benchmark = ? AND models.position IS NOT NULL ORDER BY models.position LIMIT 1",
        [benchmark],
    ).fetchone()
    return read_protocols(connection, benchmark)[first[0]] if first else None


def differences(one: Row, other: Row) -> dict[str, tuple[Any, Any]]:
    """Column -> the two values, where the protocols differ; empty if scores under them compare."""
    columns = TABLES["protocols"].names[3:]
    return {name: (one[name], other[name]) for name in columns if one[name] != other[name]}
