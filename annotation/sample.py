"""Which videos a person is shown, and in what order."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from .folders import VideoFile


def draw(videos: Sequence[VideoFile], per_scene: int) -> list[VideoFile]:
    """A sample stratified by scene and model: `per_scene` videos of each scene, as evenly over its models as can be.

    What does not divide evenly falls to other models from scene to scene; where a model has too few videos, the others
    give more. Within a cell the SHA-256 of a video's id decides: no file of numbers has to be kept, each machine draws
    the same, and a larger sample contains a smaller one.
    """
    cells: dict[str, dict[str, list[VideoFile]]] = {}
    for video in sorted(videos, key=lambda one: _rank("sample", one.video)):
        cells.setdefault(video.scene, {}).setdefault(video.model, []).append(video)
    drawn = []
    for number, scene in enumerate(sorted(cells)):
        models = sorted(cells[scene])
        turn = [cells[scene][model] for model in models[number % len(models) :] + models[: number % len(models)]]
        depth = max(map(len, turn))
        rounds = [own[level] for level in range(depth) for own in turn if level < len(own)]
        drawn += rounds[:per_scene]
    return drawn


def ordered(videos: Sequence[VideoFile], scenes: Sequence[str], annotator: str) -> list[VideoFile]:
    """Scene by scene, so that the rule to apply changes seldom; in a scene shuffled, for each annotator otherwise."""
    place = {scene: number for number, scene in enumerate(scenes)}
    return sorted(videos, key=lambda one: (place[one.scene], _rank(annotator, one.video)))


def _rank(salt: str, video: str) -> bytes:
    return hashlib.sha256(f"{salt}\n{video}".encode()).digest()
