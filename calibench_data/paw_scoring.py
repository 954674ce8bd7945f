"""Score PAWBench's judged rows, of any number of models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibench_data.builders.paw_cells import paw_cells
from calibench_data.builders.paw_rows import read_paw_rows
from calibench_data.errors import CalibenchError, Problem
from calibench_data.queries.cells import Cell, Scene, read_cells, read_scenes
from calibench_data.queries.connection import open_connection
from calibench_data.queries.paw import PawScore, read_paw, read_tracks
from calibench_data.release.opening import open_release

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class PawScores:
    """What a file of judged rows scores: the whole roster of each model whose rows are without fault.

    scenes, families, tracks: by model. withheld: model -> faults in its rows, all of which are left out. problems: the
    first faults of each model, by row; `total` counts all. unknown: scenes whose reference the data lack. cells,
    roster, track_of: the counts behind the scores, and the scenes. comparable: whether K and gate are the benchmark's.
    """

    scenes: tuple[PawScore, ...]
    families: tuple[PawScore, ...]
    tracks: tuple[PawScore, ...]
    withheld: Mapping[str, int]
    problems: tuple[Problem, ...]
    total: int
    unknown: tuple[str, ...]
    rollouts: int
    least_readable: int
    comparable: bool
    cells: Sequence[Cell]
    roster: Mapping[str, Scene]
    track_of: Mapping[str, str]


def paw_score(
    path: str | Path,
    repo: str | Path | None = None,
    revision: str | None = None,
    rollouts: int | None = None,
    least_readable: int | None = None,
) -> PawScores:
    """Gate, metric, averages and scene pass rate of PAWBench (its Appendix B.3) for every model of a file.

    path: rows as PAWBench's authors write them (JSONL, or a JSON list), or a table of outcomes or votes with the
    columns scene, model, seed, outcome (CSV, JSONL, Parquet). The scenes and references are those of the release
    `repo` at `revision`. rollouts: K, slots of a scene; by default 50. least_readable: the gate; by default 20 at
    K = 50, and in proportion, rounded up, at another K. Only the defaults are comparable with published figures.

    A model with a fault in any row is withheld, the others are scored. Raises CalibenchError where the file as a whole
    cannot be read or the release has no PAWBench scenes, and ValueError for K or a gate that is none.
    """
    parts = open_release(repo, revision).parts()
    kept = {name: paths for name, paths in parts.items() if name in ("scenes", "distributions")}
    with open_connection(kept) as references:
        tracks = read_tracks(references)
        every = read_scenes(references, "pawbench")
        roster = {scene: every[scene] for scene in tracks}
        benchmarks = references.sql("SELECT * FROM benchmarks WHERE benchmark = 'pawbench'").to_arrow_table()
        scenes = references.sql("SELECT * FROM scenes WHERE benchmark = 'pawbench'").to_arrow_table()
    if not roster:
        raise CalibenchError("this release holds no scenes of PAWBench")
    (standard,) = {scene.rollouts for scene in roster.values()}
    gate = benchmarks.column("least_readable")[0].as_py()
    k, least = _settings(rollouts, least_readable, standard, gate)
    if (k, least) != (standard, gate):
        scenes = _filled(scenes, "rollouts", k)
        benchmarks = _filled(benchmarks, "least_readable", least)
    rows = read_paw_rows(Path(path), roster, tracks, k)
    replaced = {"scenes": scenes, "benchmarks": benchmarks, "cells": paw_cells(rows.frame, rows.models, roster)}
    with open_connection(kept, replaced) as connection:
        by_scene, by_family, by_track = read_paw(connection)
        cells = read_cells(connection, "pawbench")
    unknown = [scene for scene, track in tracks.items() if track == "calibration" and roster[scene].reference is None]
    return PawScores(
        scenes=tuple(by_scene),
        families=tuple(by_family),
        tracks=tuple(by_track),
        withheld=rows.withheld,
        problems=rows.problems,
        total=rows.total,
        unknown=tuple(unknown),
        rollouts=k,
        least_readable=least,
        comparable=(k, least) == (standard, gate),
        cells=cells,
        roster=roster,
        track_of=tracks,
    )


def _settings(rollouts: int | None, least_readable: int | None, standard: int, gate: int) -> tuple[int, int]:
    k = standard if rollouts is None else rollouts
    if not 1 <= k <= 10_000:
        raise ValueError(f"`rollouts` must be a whole number from 1 to 10,000; got {k}")
    least = -(-gate * k // standard) if least_readable is None else least_readable
    if not 1 <= least <= k:
        raise ValueError(f"`least_readable` must be a whole number from 1 to the {k} rollouts; got {least}")
    return k, least


def _filled(table: pa.Table, column: str, value: int) -> Any:
    """The table with one value in all rows of an integer column."""
    import pyarrow as pa

    place = table.schema.get_field_index(column)
    return table.set_column(place, column, pa.array([value] * table.num_rows, pa.int64()))
