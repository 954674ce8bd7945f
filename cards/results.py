"""The cells of one benchmark with all their statistics, as the exhibits want to look them up."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import duckdb
import numpy as np
from calibench_data.queries.cells import Cell, Scene, read_cells, read_model_titles, read_scenes
from calibench_data.stats import BootstrapInterval, bootstrap_mntv, score_cells

ALPHA = 0.05


@dataclass(frozen=True)
class ScoredCell:
    """A cell and its statistics; NaN where there is none (see `stats.CellStatistics`)."""

    cell: Cell
    scene: Scene
    reference: tuple[Fraction, ...]
    scorability: float
    tv: float
    floor: float
    excess: float
    score: float
    chi2: float
    p: float
    q: float
    p_bonferroni: float


def score(cells: list[Cell], scenes: dict[str, Scene]) -> list[ScoredCell]:
    """Cells with their statistics. Adjusted p-values are over the tested cells of this list."""
    references = []
    for cell in cells:
        reference = scenes[cell.scene].reference
        if reference is None:
            raise ValueError(f"the reference of scene {cell.scene} is not known: its cells have no score")
        references.append(reference)
    found = score_cells([cell.counts for cell in cells], [cell.nulls for cell in cells], references)
    names = ("scorability", "tv", "floor", "excess", "score", "chi2", "p", "q", "p_bonferroni")
    columns = zip(*(getattr(found, name).tolist() for name in names), strict=True)
    return [
        ScoredCell(cell, scenes[cell.scene], reference, *numbers)
        for cell, reference, numbers in zip(cells, references, columns, strict=True)
    ]


class Results:
    """Condition `main` of CaliBench in a connection, computed once and looked up by scene and model."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.connection = connection
        self.scenes = read_scenes(connection, "calibench")
        self._titles = read_model_titles(connection, "calibench")

    @cached_property
    def cells(self) -> dict[tuple[str, str], ScoredCell]:
        """(scene, model) -> cell."""
        scored = score(list(read_cells(self.connection, "calibench", "main")), self.scenes)
        return {(one.cell.scene, one.cell.model): one for one in scored}

    @cached_property
    def models(self) -> dict[str, str]:
        """Model -> title of each model with a cell: the paper's in its order, then others by name."""
        present = sorted({model for _, model in self.cells})
        titled = {model: title for model, title in self._titles.items() if model in present}
        return titled | {model: model for model in present if model not in titled}

    @cached_property
    def complete(self) -> list[str]:
        """The models that have every scene: only they have an mnTV."""
        return [model for model in self.models if all((scene, model) in self.cells for scene in self.scenes)]

    def mntv(self, model: str) -> float:
        """Mean score of a complete model; NaN for another."""
        if model not in self.complete:
            return np.nan
        return float(np.mean([self.cells[scene, model].score for scene in self.scenes]))

    @cached_property
    def intervals(self) -> dict[str, BootstrapInterval]:
        """The paper's interval of each complete model, 50,000 replicates each."""

        def interval(model: str) -> BootstrapInterval:
            own = [self.cells[scene, model] for scene in self.scenes]
            return bootstrap_mntv([(c.cell.counts, c.cell.nulls, c.reference) for c in own])

        with ThreadPoolExecutor() as pool:
            return dict(zip(self.complete, pool.map(interval, self.complete), strict=True))

    @cached_property
    def threshold(self) -> float:
        """The largest p that Benjamini-Hochberg rejects; NaN if it rejects none."""
        return max((one.p for one in self.cells.values() if one.q <= ALPHA), default=np.nan)
