"""The cells of one benchmark with all their statistics, as the exhibits want to look them up."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

import duckdb
import numpy as np
from calibench_data.queries.cells import Cell, Scene, read_cells, read_model_titles, read_scenes
from calibench_data.queries.protocol import differences, own_protocol, read_protocols
from calibench_data.stats import (
    BootstrapInterval,
    CorrectedInterval,
    ExactTest,
    bootstrap_mntv,
    corrected_mntv,
    exact_tests,
    score_cells,
)

ALPHA = 0.05

Triple = tuple[tuple[int, ...], int, tuple[Fraction, ...]]


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


def score(cells: list[Cell], scenes: dict[str, Scene], tested: bool = True) -> list[ScoredCell]:
    """Cells with their statistics. Adjusted p-values are over the tested cells of this list; NaN unless `tested`."""
    references = []
    for cell in cells:
        reference = scenes[cell.scene].reference
        if reference is None:
            raise ValueError(f"the reference of scene {cell.scene} is not known: its cells have no score")
        references.append(reference)
    counts, nulls = [cell.counts for cell in cells], [cell.nulls for cell in cells]
    found = score_cells(counts, nulls, references) if tested else score_cells(counts, nulls, references, n_resamples=0)
    names = ("scorability", "tv", "floor", "excess", "score", "chi2", "p", "q", "p_bonferroni")
    columns = zip(*(getattr(found, name).tolist() for name in names), strict=True)
    return [
        ScoredCell(cell, scenes[cell.scene], reference, *numbers)
        for cell, reference, numbers in zip(cells, references, columns, strict=True)
    ]


# A revision that is made anew, since others were faster, resamples no model twice.
@lru_cache(maxsize=256)
def _interval(triples: tuple[Triple, ...]) -> BootstrapInterval:
    return bootstrap_mntv(triples)


class Results:
    """CaliBench in a connection, computed once, looked up by scene and model; the condition is `main` unless named.

    tested: whether p-values are wanted; drawing their nulls is a third of all work.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, tested: bool = True) -> None:
        self.connection = connection
        self._tested = tested
        self.scenes = read_scenes(connection, "calibench")
        self._titles = read_model_titles(connection, "calibench")
        self._scored: dict[str, dict[tuple[str, str], ScoredCell]] = {}

    def scored(self, condition: str) -> dict[tuple[str, str], ScoredCell]:
        """(scene, model) -> cell of a condition. Adjusted p-values are over this condition's tested cells."""
        if condition not in self._scored:
            found = score(list(read_cells(self.connection, "calibench", condition)), self.scenes, self._tested)
            self._scored[condition] = {(one.cell.scene, one.cell.model): one for one in found}
        return self._scored[condition]

    @property
    def cells(self) -> dict[tuple[str, str], ScoredCell]:
        """(scene, model) -> cell of condition `main`."""
        return self.scored("main")

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

    @cached_property
    def unlike(self) -> dict[str, str]:
        """Model -> what its protocol has that the benchmark's own has not; those of the same protocol are absent."""
        own = own_protocol(self.connection, "calibench")
        rows = read_protocols(self.connection, "calibench")
        found = {}
        for model in self.models:
            if own is None or model not in rows:
                found[model] = "protocol not recorded"
            elif different := differences(rows[model], own):
                found[model] = "; ".join(f"{name} {this}, not {that}" for name, (this, that) in different.items())
        return found

    @cached_property
    def ranked(self) -> list[str]:
        """The complete models that share the benchmark's protocol: only their scores compare."""
        return [model for model in self.complete if model not in self.unlike]

    def mntv(self, model: str, condition: str = "main") -> float:
        """Mean score over the scenes; NaN for a model that lacks one."""
        own = [self.scored(condition).get((scene, model)) for scene in self.scenes]
        return float(np.mean([np.nan if one is None else one.score for one in own]))

    def valid(self, model: str) -> int:
        """Valid rollouts of a complete model in condition `main`."""
        return sum(self.cells[scene, model].cell.valid for scene in self.scenes)

    def titles(self, scene: str, model: str) -> tuple[str, str]:
        """How a scene and a model are called in the paper."""
        return self.scenes[scene].title, self.models[model]

    def triples(self, model: str) -> list[Triple]:
        """(counts, nulls, reference) of every scene of a complete model, in the scenes' order."""
        own = [self.cells[scene, model] for scene in self.scenes]
        return [(tuple(one.cell.counts), one.cell.nulls, one.reference) for one in own]

    @cached_property
    def intervals(self) -> dict[str, BootstrapInterval]:
        """The paper's interval of each complete model, 50,000 replicates each."""
        with ThreadPoolExecutor() as pool:
            found = pool.map(lambda model: _interval(tuple(self.triples(model))), self.complete)
            return dict(zip(self.complete, found, strict=True))

    @cached_property
    def corrected(self) -> dict[str, CorrectedInterval]:
        """The corrected mnTV of each complete model, with an interval that covers."""
        return {model: corrected_mntv(self.triples(model)) for model in self.complete}

    @cached_property
    def exact(self) -> dict[tuple[str, str], ExactTest]:
        """The exact test of each tested cell; one too large for it has a Monte Carlo p, and its method says so."""
        tested = {key: one for key, one in self.cells.items() if not np.isnan(one.p)}
        found = exact_tests([(one.cell.counts, one.reference) for one in tested.values()])
        return dict(zip(tested, found, strict=True))

    @cached_property
    def threshold(self) -> float:
        """The largest p that Benjamini-Hochberg rejects; NaN if it rejects none."""
        return max((one.p for one in self.cells.values() if one.q <= ALPHA), default=np.nan)
