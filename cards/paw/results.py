"""PAWBench in condition `main`, as its exhibits want to look it up: from a release, or from a file of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import duckdb
from calibench_data.queries.cells import Cell, Scene, read_cells, read_model_titles, read_scenes
from calibench_data.queries.paw import PawScore, read_paw, read_tracks

TRACKS = {
    "calibration": ("tossing", "rotation", "routing", "draw"),
    "coverage": ("collision", "stability", "agent", "material"),
}
MEASURE = {"calibration": "tvd", "coverage": "coverage"}


@dataclass(frozen=True)
class PawResults:
    """Scenes, scores and cells by name; `models`: model -> title, the paper's in its order, then others by name.

    experiments: scenes outside the roster, and `varied`: (condition, model, scene) -> cell of other conditions than
    main. connection: the release they come from; None for a file of rows.
    """

    roster: Mapping[str, Scene]
    track_of: Mapping[str, str]
    models: Mapping[str, str]
    scenes: Mapping[tuple[str, str], PawScore]
    families: Mapping[tuple[str, str], PawScore]
    tracks: Mapping[tuple[str, str], PawScore]
    cells: Mapping[tuple[str, str], Cell]
    experiments: Mapping[str, Scene]
    varied: Mapping[tuple[str, str, str], Cell]
    connection: duckdb.DuckDBPyConnection | None = None

    @cached_property
    def passing(self) -> dict[str, list[tuple[Scene, Cell]]]:
        """Model -> its passing calibration scenes with a known reference, in the order of the roster."""
        return {
            model: [
                (scene, self.cells[model, name])
                for name, scene in self.roster.items()
                if self.track_of[name] == "calibration" and self.scenes[model, name].status == "pass"
            ]
            for model in self.models
        }


def results_of(
    known: Mapping[str, Scene],
    track_of: Mapping[str, str],
    titles: Mapping[str, str],
    scores: tuple[Sequence[PawScore], Sequence[PawScore], Sequence[PawScore]],
    cells: Sequence[Cell],
    connection: duckdb.DuckDBPyConnection | None = None,
) -> PawResults:
    """The results of condition `main` from scores and cells of any conditions."""
    scenes, families, tracks = ([one for one in level if one.condition == "main"] for level in scores)
    present = dict.fromkeys(one.model for one in tracks)
    models = {model: title for model, title in titles.items() if model in present}
    return PawResults(
        {name: known[name] for name in track_of},
        track_of,
        models | {model: model for model in present if model not in models},
        {(one.model, str(one.scene)): one for one in scenes},
        {(one.model, str(one.family)): one for one in families},
        {(one.model, one.track): one for one in tracks},
        {(cell.model, cell.scene): cell for cell in cells if cell.condition == "main"},
        {name: scene for name, scene in known.items() if name not in track_of},
        {(cell.condition, cell.model, cell.scene): cell for cell in cells if cell.condition != "main"},
        connection,
    )


def read_results(connection: duckdb.DuckDBPyConnection) -> PawResults:
    """The results of a release."""
    return results_of(
        read_scenes(connection, "pawbench"),
        read_tracks(connection),
        read_model_titles(connection, "pawbench"),
        read_paw(connection),
        read_cells(connection, "pawbench"),
        connection,
    )
