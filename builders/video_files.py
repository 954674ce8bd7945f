"""The videos of a submission folder, by the names of their files."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from calibench_data.errors import CalibenchError, Problem, Problems, quoted

from .evidence import VIDEO_SUFFIXES

FOLDER = "videos"
MAIN = "main"
_SEED = re.compile(r"r?(\d{1,9})")


@dataclass(frozen=True, order=True)
class VideoFile:
    """The video of one rollout."""

    condition: str
    scene: str
    seed: int
    path: Path

    @property
    def place(self) -> tuple[str, str, int]:
        return self.condition, self.scene, self.seed


def video_files(
    folder: Path, conditions: Mapping[str, object], rollouts: Callable[[str, str], int | None]
) -> list[VideoFile]:
    """The videos in `videos/SCENE/SEED.mp4`; those of another condition than main in `videos/CONDITION/SCENE/`.

    A seed is written `7`, `007` or `r007`, the suffix is that of its container. conditions: those of the benchmark;
    rollouts: of a condition and scene, None where there is no such scene. Raises CalibenchError with every file that
    is none of these, and every seed that is there twice or beyond the cell; hidden files do not count.
    """
    root = folder / FOLDER
    if not root.is_dir():
        do = "Put the videos there: videos/SCENE/SEED.mp4"
        raise CalibenchError([Problem(str(root), "is no folder", "the folder with the videos", do)])
    problems = Problems()
    found: dict[tuple[str, str, int], VideoFile] = {}
    for first in _entries(root):
        cells = [(MAIN, first)]
        if first.is_dir() and first.name in conditions and rollouts(MAIN, first.name) is None:
            cells = [(first.name, scene) for scene in _entries(first)]
        for condition, cell in cells:
            count = rollouts(condition, cell.name)
            if not cell.is_dir() or count is None:
                problems.add(Problem(str(cell), "is no scene", "a folder named by its scene, with its videos"))
                continue
            for path in _entries(cell):
                match = _SEED.fullmatch(path.stem)
                if not match or path.suffix.lower() not in VIDEO_SUFFIXES or not path.is_file():
                    allowed = f"SEED and one of {', '.join(VIDEO_SUFFIXES)}"
                    problems.add(Problem(str(path), f"found {quoted(path.name)}", allowed, "Move it elsewhere."))
                    continue
                one = VideoFile(condition, cell.name, int(match[1]), path)
                if one.seed >= count:
                    problems.add(Problem(str(path), f"is of seed {one.seed}", f"0 to {count - 1}"))
                elif one.place in found:
                    other = found[one.place].path.name
                    problems.add(Problem(str(path), f"stands beside {other}", "one video of each seed", "Remove one."))
                else:
                    found[one.place] = one
    if not problems.total and not found:
        problems.add(Problem(str(root), "holds no videos", "videos/SCENE/SEED.mp4"))
    problems.raise_if_any()
    return list(found.values())


def _entries(folder: Path) -> Iterator[Path]:
    yield from sorted((path for path in folder.iterdir() if not path.name.startswith(".")), key=_order)


def _order(path: Path) -> tuple[str, int, str]:
    match = _SEED.fullmatch(path.stem)
    return ("", int(match[1]), path.name) if match else (path.name, 0, "")
