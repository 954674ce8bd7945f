"""Table 1 of the PAWBench paper: the averages and scene pass rates of both tracks, group by group."""

from __future__ import annotations

import math

from calibench_data.queries.paw import PawScore

from ..exhibits.exhibit import Exhibit, Figure, figure
from ..grid import Entry, Grid
from ..printed import NOTHING, percent
from .results import MEASURE, TRACKS, PawResults

_NONE = "/"  # how the paper prints a group none of whose scenes passes


def shown(one: PawScore) -> str:
    """A metric as the paper prints it; a dash where it is withheld, a slash where no scene passes."""
    return f"{one.metric:.1f}" if one.metric is not None else _NONE if one.status == "fail" else NOTHING


def table_1(results: PawResults) -> Exhibit:
    """TVD x100 and coverage in per cent, with scene pass rates, of every model in the data."""
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    for model, title in results.models.items():
        texts = []
        for track, families in TRACKS.items():
            own = results.tracks[model, track]
            rate = NOTHING if own.spr is None else percent(own.spr)
            ones = {track: own, **{name: one for name in families if (one := results.families.get((model, name)))}}
            figures.append(figure("1", model, f"{track}/spr", math.nan if own.spr is None else own.spr, rate))
            for name, one in ones.items():
                value = math.nan if one.metric is None else one.metric
                figures.append(figure("1", model, f"{name}/{MEASURE[track]}", value, shown(one)))
            texts += [shown(own), rate, *(shown(ones[name]) if name in ones else NOTHING for name in families)]
        rows.append((Entry(title), *map(Entry, texts)))
    heads = [head for families in TRACKS.values() for head in ("Avg.", "SPR", *(name.title() for name in families))]
    grid = Grid(
        "Table 1. PAW-Calibration (TVD x100, lower is better), then PAW-Coverage (in per cent, higher is better)",
        ("Model", *heads),
        tuple(rows),
        (
            "Avg.: mean over the passing scenes of the track, not over its groups. SPR: passing scenes of 25. "
            "The tracks are not combined.",
            f"{_NONE}: no scene passes. {NOTHING}: withheld.",
            *(() if rows else ("No model in these data has rollouts of the 50 scenes in condition main.",)),
            *_withheld(results),
        ),
    )
    return Exhibit("1", tuple(figures), grid)


def _withheld(results: PawResults) -> list[str]:
    """Why averages are withheld, a line a track of a model or of several alike."""
    unknown = [name for name, track in results.track_of.items() if track == "calibration"]
    unknown = [name for name in unknown if results.roster[name].reference is None]
    lines = []
    if unknown and results.models:
        known = ", ".join(unknown)
        lines.append(f"The references of {known} are not in these data: their groups and track have no average.")
    for (model, track), one in results.tracks.items():
        if one.status == "blocked":
            own = [results.scenes[model, name] for name, place in results.track_of.items() if place == track]
            blocked = [str(one.scene) for one in own if one.status == "blocked"]
            names = ", ".join(blocked) if len(blocked) <= 3 else f"{len(blocked)} of {len(own)} scenes"
            lines.append(f"{results.models[model]}, {track}: blocked by {names}, read in part or not at all.")
    return lines
