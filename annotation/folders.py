"""The videos of a folder of models: `videos/<scene>/<seed>.mp4` beside each submission.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from calibench_data.builders.model_names import check_model_name
from calibench_data.builders.submission_settings import FILE
from calibench_data.queries.protocol import Protocol

from calibench_data.errors import CalibenchError, Problem, Problems, quoted

VIDEOS = "videos"
MEDIA_TYPES = {".mp4": "video/mp4", ".m4v": "video/mp4", ".mov": "video/quicktime", ".webm": "video/webm"}
CONDITION = "main"
_SEED = re.compile(r"0|[1-9][0-9]{0,8}|r([0-9]{3,9})")


@dataclass(frozen=True)
class VideoFile:
    """A video of a model, as a file: of condition `main`, as all that a folder of videos holds."""

    path: Path
    benchmark: str
    scene: str
    model: str
    seed: int

    @property
    def video(self) -> str:
        """The video's id, as in the table `videos`."""
        return f"{self.benchmark}/{CONDITION}/{self.scene}/{self.model}/{self.seed}"


@dataclass(frozen=True)
class Folder:
    """The submission folders of a folder by model, and their videos; notices: what was left aside."""

    root: Path
    submissions: dict[str, Path]
    videos: tuple[VideoFile, ...]
    notices: tuple[str, ...]


def read_folder(root: Path, protocol: Protocol) -> Folder:
    """The videos of a submission folder, or of a folder that holds several, one a model.

    Raises CalibenchError with all faults: no submission, an unreadable name, an unknown scene, a seed that the cell
    does not have or has twice, an empty file.
    """
    problems, notices = Problems(), list[str]()
    submissions: dict[str, Path] = {}
    for path in _submission_folders(root):
        name = _model_name(path / FILE, problems)
        if name in submissions:
            problems.add(Problem(str(path / FILE), f"names {name}, as {submissions[name]} does", "a folder a model"))
        elif name:
            submissions[name] = path
    videos = [
        video
        for model, path in submissions.items()
        for video in _videos(path / VIDEOS, model, protocol, problems, notices)
    ]
    if not videos and not problems.total:
        found, allowed = "has no video", f"{VIDEOS}/<scene>/<seed>.mp4 beside {FILE}"
        problems.add(Problem(str(root), found, allowed))
    problems.raise_if_any()
    return Folder(root, submissions, tuple(videos), tuple(notices))


def _submission_folders(root: Path) -> list[Path]:
    if (root / FILE).is_file():
        return [root]
    found = sorted(path.parent for path in root.glob(f"*/{FILE}")) if root.is_dir() else []
    if not found:
        allowed = f"a folder with {FILE}, or one that holds such folders, one a model"
        do = f"`calibench submit new {root} --model my-model` makes one."
        raise CalibenchError([Problem(str(root), f"has no {FILE}", allowed, do)])
    return found


def _model_name(path: Path, problems: Problems) -> str | None:
    """The model that a submission.toml names; whether the rest of it is right, `submit check` says."""
    try:
        section = tomllib.loads(path.read_text("utf-8-sig")).get("model")
    except (ValueError, RecursionError) as error:
        problems.add(Problem(str(path), f"is no TOML: {error}"))
        return None
    name = section.get("name") if isinstance(section, dict) else None
    if not isinstance(name, str):
        problems.add(Problem(f"{path}: model.name", "is missing", do="Write the model's name, in quotes."))
        return None
    faults = list(check_model_name(f"{path}: model.name", name, ()))
    for fault in faults:
        problems.add(fault)
    return None if faults else name


def _videos(
    folder: Path, model: str, protocol: Protocol, problems: Problems, notices: list[str]
) -> Iterator[VideoFile]:
    for scene in _entries(folder):
        if not scene.is_dir():
            notices.append(f"{scene}: is in no folder of a scene, and not shown")
        elif scene.name not in protocol.scenes:
            problems.add(Problem(str(scene), "is no scene", ", ".join(protocol.scenes)))
        else:
            yield from _videos_of_scene(scene, model, protocol, problems, notices)
    if absent := [name for name in protocol.scenes if not (folder / name).is_dir()]:
        notices.append(f"{folder}: has no videos of {', '.join(absent)}")


def _videos_of_scene(
    folder: Path, model: str, protocol: Protocol, problems: Problems, notices: list[str]
) -> Iterator[VideoFile]:
    rollouts = protocol.rollouts(CONDITION, folder.name)
    taken: dict[int, Path] = {}
    for path in _entries(folder):
        if path.suffix.lower() not in MEDIA_TYPES or not path.is_file():
            notices.append(f"{path}: is no video ({', '.join(MEDIA_TYPES)}), and not shown")
            continue
        seed = _seed(path.stem)
        if seed is None or seed >= rollouts:
            problems.add(Problem(str(path), f"found {quoted(path.stem)}", f"a seed from 0 to {rollouts - 1}"))
        elif seed in taken:
            problems.add(Problem(str(path), f"stands beside {taken[seed].name}", "one video of a seed", "Remove one."))
        elif path.stat().st_size == 0:
            problems.add(Problem(str(path), "is empty", "a video"))
        else:
            taken[seed] = path
            yield VideoFile(path, protocol.benchmark, folder.name, model, seed)


def _entries(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if not path.name.startswith(".")) if folder.is_dir() else []


def _seed(stem: str) -> int | None:
    """The seed in a file name: `7`, or `r007` as PAWBench writes it."""
    match = _SEED.fullmatch(stem)
    return None if match is None else int(match[1] or stem)
