"""Score a file of outcomes against the references of a benchmark."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibench_data.builders.outcome_file import read_outcomes
from calibench_data.cards.results import ScoredCell
from calibench_data.cards.results import score as score_all
from calibench_data.queries.cells import read_cells, read_scenes
from calibench_data.queries.connection import open_connection
from calibench_data.release.opening import open_release
from calibench_data.stats import mean_normalised_tv


@dataclass(frozen=True)
class ModelScore:
    """One model in one condition: mnTV if it has every scene, else NaN and the scenes that are missing."""

    benchmark: str
    condition: str
    model: str
    rollouts: int
    valid: int
    mntv: float
    missing: tuple[str, ...]


@dataclass(frozen=True)
class Scores:
    """What a file of outcomes scores: its cells, its models, and what its author should know."""

    cells: tuple[ScoredCell, ...]
    models: tuple[ModelScore, ...]
    notices: tuple[str, ...]


def score(path: str | Path, repo: str | Path | None = None, revision: str | None = None) -> Scores:
    """Score a CSV, JSONL or Parquet file with the columns scene, model, seed, outcome and optionally condition.

    An empty outcome or `null` is null. The references are those of the release `repo` at `revision`, by default
    the embedded one.
    Adjusted p-values are over the tested cells of the file. Raises CalibenchError with all problems of the file.
    """
    parts = open_release(repo, revision).parts()
    with open_connection({name: parts[name] for name in ("scenes", "distributions")}) as references:
        scenes = read_scenes(references, "calibench")
    file = read_outcomes(Path(path), {name: scene.outcomes for name, scene in scenes.items()})
    kept = {name: paths for name, paths in parts.items() if name in ("scenes", "distributions")}
    with open_connection(kept, {"videos": file.videos, "outcomes": file.outcomes}) as connection:
        cells = list(read_cells(connection, "calibench"))
    place = {scene: number for number, scene in enumerate(scenes)}
    scored = score_all(sorted(cells, key=lambda cell: (cell.condition, cell.model, place[cell.scene])), scenes)

    by_model: dict[tuple[str, str], dict[str, ScoredCell]] = {}
    for one in scored:
        by_model.setdefault((one.cell.condition, one.cell.model), {})[one.cell.scene] = one
    models = [_model_score(condition, model, own, list(scenes)) for (condition, model), own in by_model.items()]
    return Scores(tuple(scored), tuple(models), file.notices)


def _model_score(condition: str, model: str, own: dict[str, ScoredCell], scenes: list[str]) -> ModelScore:
    missing = tuple(scene for scene in scenes if scene not in own)
    mntv = np.nan if missing else float(mean_normalised_tv([own[scene].score for scene in scenes]))
    rollouts = sum(one.cell.rollouts for one in own.values())
    valid = sum(one.cell.valid for one in own.values())
    return ModelScore("calibench", condition, model, rollouts, valid, mntv, missing)
