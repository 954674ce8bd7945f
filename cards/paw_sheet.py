"""PAWBench's scores of a file: tracks, groups and scenes of each model, and what holds them back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from calibench_data.queries.cells import Scene
from calibench_data.queries.paw import PawScore

from calibench_data.errors import Problem

from .grid import Entry, Grid
from .printed import NOTHING, percent

COLUMNS = (
    "level", "model", "track", "family", "scene", "status", "readable", "nulls", "errors", "metric", "spr",
)  # fmt: skip
_NAMED = 6  # scenes named in one remark


class Scored(Protocol):
    """The scores of a file (see `calibench_data.paw_score`)."""

    @property
    def scenes(self) -> Sequence[PawScore]: ...
    @property
    def families(self) -> Sequence[PawScore]: ...
    @property
    def tracks(self) -> Sequence[PawScore]: ...
    @property
    def withheld(self) -> Mapping[str, int]: ...
    @property
    def problems(self) -> Sequence[Problem]: ...
    @property
    def total(self) -> int: ...
    @property
    def unknown(self) -> Sequence[str]: ...
    @property
    def rollouts(self) -> int: ...
    @property
    def least_readable(self) -> int: ...
    @property
    def comparable(self) -> bool: ...
    @property
    def roster(self) -> Mapping[str, Scene]: ...


def records(scores: Scored) -> list[dict[str, Any]]:
    """An object a scene, family and track of each model; `metric` and `spr` null where there is none."""
    every = (*scores.scenes, *scores.families, *scores.tracks)
    return [{name: getattr(one, name) for name in COLUMNS} for one in every]


def average(one: PawScore) -> str:
    """A metric with one decimal, as the paper prints it; a dash where there is none."""
    return NOTHING if one.metric is None else f"{one.metric:.1f}"


def grids(scores: Scored) -> list[Grid]:
    """Tracks, groups, scenes."""
    gate = f"at least {scores.least_readable} of {scores.rollouts} rollouts readable"
    own = "" if scores.comparable else " NOT the benchmark's own settings: not comparable with published figures."
    tracks = tuple(
        (
            Entry(one.model),
            Entry(one.track),
            Entry(average(one)),
            Entry(NOTHING if one.spr is None else percent(one.spr)),
            Entry(f"{one.passing}/{one.scenes}"),
            Entry(_status(one)),
        )
        for one in scores.tracks
    )
    families = tuple(
        (
            *map(Entry, (one.model, one.track, str(one.family), average(one), f"{one.passing}/{one.scenes}")),
            Entry(_status(one)),
        )
        for one in scores.families
    )
    scenes = tuple(
        (
            *map(Entry, (one.model, one.track, scores.roster[str(one.scene)].title, str(one.scene), average(one))),
            *(Entry(str(n)) for n in (one.readable, one.nulls, one.errors, one.missing)),
            Entry(one.status),
        )
        for one in scores.scenes
    )
    return [
        Grid(
            "Tracks",
            ("Model", "Track", "Average", "SPR", "passing", "status"),
            tracks,
            (
                "Average over passing scenes: TVD x100 (calibration, lower is better), coverage in per cent.",
                f"Gate: {gate}.{own}",
                "SPR: passing scenes of the whole roster. The tracks are not combined.",
            ),
            numeric_from=2,
        ),
        Grid("Mechanism groups", ("Model", "Track", "Group", "Average", "passing", "status"), families, numeric_from=3),
        Grid(
            "Scenes",
            ("Model", "Track", "Title", "Scene", "metric", "readable", "nulls", "errors", "missing", "status"),
            scenes,
            numeric_from=4,
        ),
    ]


def _status(one: PawScore) -> str:
    return "" if one.status == "pass" else one.status


def remarks(scores: Scored) -> Iterator[str]:
    """What holds averages back, and what makes the rest not comparable."""
    blockers: dict[tuple[str, str], list[PawScore]] = {}
    for one in scores.scenes:
        if one.status == "blocked":
            blockers.setdefault((one.model, one.track), []).append(one)
    for (model, track), blocked in blockers.items():
        named = ", ".join(f"{one.scene} ({_lack(one)})" for one in blocked[:_NAMED])
        more = f" and {len(blocked) - _NAMED} more scenes" if len(blocked) > _NAMED else ""
        yield f"{model}: {track} has no averages and no SPR, blocked by {named}{more}"
    if scores.unknown and scores.tracks:
        known = ", ".join(scores.unknown)
        yield (
            f"the references of {known} are not known: their groups and the calibration track have no average. The "
            "authors' package has them (Andrew613/PAWBench on the Hub): `calibench build --pawbench DIR --out "
            "my-release`, then score with --data my-release"
        )
    if not scores.comparable:
        yield (
            f"K = {scores.rollouts} with at least {scores.least_readable} readable is not comparable with published "
            "figures"
        )
    for model, faults in scores.withheld.items():
        yield f"{model}: withheld, {faults:,} fault" + ("s" if faults > 1 else "") + " in its rows"


def _lack(one: PawScore) -> str:
    parts = [f"{n} {name}" for n, name in ((one.errors, "failed"), (one.missing, "missing")) if n]
    surplus = one.readable + one.nulls + one.errors - one.asked
    return ", ".join(parts or [f"{surplus} too many"])
