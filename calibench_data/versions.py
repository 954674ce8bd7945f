"""The versions of a dataset repository, and what each changed in numbers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from calibench_data.queries.cells import Cell, Scene, read_cells, read_scenes
from calibench_data.queries.connection import open_connection
from calibench_data.release.manifest import Release
from calibench_data.release.opening import open_history
from calibench_data.schema import TABLES
from calibench_data.stats import cell_score, mean_normalised_tv

BENCHMARK = "calibench"


@dataclass(frozen=True)
class ScoreChange:
    """The mnTV of a model in condition `main` before and after a version, None where it has none, and why."""

    model: str
    before: float | None
    after: float | None
    why: str


@dataclass(frozen=True)
class VersionChange:
    """A version: its identity, that of its parent, and what it changed.

    rows: table -> rows now minus rows before, where that is not 0. scores: the models whose mnTV is another.
    """

    version: str
    digest: str
    parent: str | None
    rows: Mapping[str, int]
    scores: tuple[ScoreChange, ...]


@dataclass(frozen=True)
class _Content:
    rows: Mapping[str, int]
    scenes: Mapping[str, Scene]
    cells: Mapping[tuple[str, str], Cell]
    mntv: Mapping[str, float]


_NOTHING = _Content({}, {}, {}, {})


def log(repo: str | Path | None = None) -> list[VersionChange]:
    """Each version of a dataset repository, the newest first, beside the one before it.

    Raises CalibenchError if a version's manifest or files are missing or were changed.
    """
    releases = open_history(repo)
    contents = [*map(_content, releases), _NOTHING]
    return [
        VersionChange(
            release.dataset_version,
            release.digest,
            release.parent,
            {n: d for n in TABLES if (d := now.rows.get(n, 0) - before.rows.get(n, 0))},
            tuple(_moved(before, now)),
        )
        for release, now, before in zip(releases, contents, contents[1:], strict=False)
    ]


def _content(release: Release) -> _Content:
    rows: dict[str, int] = {}
    for file in release.files:
        if file.table:
            rows[file.table] = rows.get(file.table, 0) + (file.rows or 0)
    with open_connection(release.parts()) as connection:
        scenes = read_scenes(connection, BENCHMARK)
        cells = {(cell.scene, cell.model): cell for cell in read_cells(connection, BENCHMARK, "main")}
    score: dict[str, dict[str, float]] = {}
    for (scene, model), cell in cells.items():
        if (reference := scenes[scene].reference) is not None:
            score.setdefault(model, {})[scene] = float(cell_score(cell.counts, cell.nulls, reference))
    whole = {model: own for model, own in sorted(score.items()) if len(own) == len(scenes)}
    mntv = {model: float(mean_normalised_tv([own[scene] for scene in scenes])) for model, own in whole.items()}
    return _Content(rows, scenes, cells, mntv)


def _moved(before: _Content, now: _Content) -> list[ScoreChange]:
    moved = []
    for model in sorted({*before.mntv, *now.mntv}):
        old, new = before.mntv.get(model), now.mntv.get(model)
        if old == new:
            continue
        if old is None or new is None:
            why = "new" if old is None else "withdrawn"
        else:
            other = [s for s in now.scenes if before.scenes.get(s) != now.scenes[s]]
            other += [s for s in now.scenes if before.cells.get((s, model)) != now.cells.get((s, model))]
            why = f"another reference or other outcomes in {', '.join(dict.fromkeys(other))}"
        moved.append(ScoreChange(model, old, new, why))
    return moved
