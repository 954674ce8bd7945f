"""PAWBench's scenes, groups and tracks of a connection as Python values, in the order of the roster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import duckdb

Level = Literal["scene", "family", "track"]
Status = Literal["blocked", "fail", "no-reference", "pass"]


@dataclass(frozen=True)
class PawScore:
    """A scene, group or track of one model: its status, counts, and metric (TVD x100, or coverage in per cent).

    `family`, `scene`: None above their level; `spr`: share of passing scenes, None below the track. `asked`: rollouts
    that the benchmark asks for; those neither readable, null nor in error are missing. `scenes`, `passing`: how many
    there are, and how many pass the gate.
    """

    level: Level
    condition: str
    model: str
    track: str
    family: str | None
    scene: str | None
    status: Status
    readable: int
    nulls: int
    errors: int
    metric: float | None
    spr: float | None
    asked: int
    scenes: int
    passing: int

    @property
    def missing(self) -> int:
        return max(0, self.asked - self.readable - self.nulls - self.errors)


_SHARED = "condition, model, track, {family}, {scene}, status, readable, nulls, errors, metric, {spr}, asked"
_SCENES = (
    "SELECT 'scene', "
    + _SHARED.format(family="family", scene="scene", spr="NULL")
    + ", 1, CAST(status IN ('pass', 'no-reference') AS BIGINT) FROM paw_scenes "
    "ORDER BY condition, model, position NULLS LAST, scene"
)
_FAMILIES = (
    "SELECT 'family', "
    + _SHARED.format(family="family", scene="NULL", spr="NULL")
    + ", scenes, passing FROM paw_families"
)
_TRACKS = (
    "SELECT 'track', " + _SHARED.format(family="NULL", scene="NULL", spr="spr") + ", scenes, passing FROM paw_tracks"
)
# The paper's order of the groups; others come after them.
FAMILIES = ("tossing", "rotation", "routing", "draw", "collision", "stability", "agent", "material")


def read_paw(
    connection: duckdb.DuckDBPyConnection,
) -> tuple[Sequence[PawScore], Sequence[PawScore], Sequence[PawScore]]:
    """Scenes, families and tracks of every condition and model, by model, then in the paper's order."""

    def place(one: PawScore) -> tuple[str, str, str, int, str]:
        family = one.family or ""
        return (
            one.condition,
            one.model,
            one.track,
            FAMILIES.index(family) if family in FAMILIES else len(FAMILIES),
            family,
        )

    scenes = [PawScore(*row) for row in connection.execute(_SCENES).fetchall()]
    families = [PawScore(*row) for row in connection.execute(_FAMILIES).fetchall()]
    tracks = [PawScore(*row) for row in connection.execute(_TRACKS).fetchall()]
    return scenes, sorted(families, key=place), sorted(tracks, key=place)


def read_tracks(connection: duckdb.DuckDBPyConnection) -> dict[str, str]:
    """Scene -> track of PAWBench's roster, in its order; scenes of experiments apart are in neither track."""
    rows = connection.execute(
        "SELECT scene, track FROM scenes WHERE benchmark = 'pawbench' AND track IN ('calibration', 'coverage') "
        "ORDER BY position NULLS LAST, scene"
    ).fetchall()
    return dict(rows)
