"""What a reader is shown of a video: its last frame, all of it, or sampled frames; kept by digest."""

from __future__ import annotations

import hashlib
import json
import math
import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from . import picture_encoding
from .video_decoding import Frame, VideoFacts, digest_of, facts, frames

Kind = Literal["last-frame", "video", "frames"]
KINDS: tuple[Kind, ...] = ("last-frame", "video", "frames")
# To be raised when a kind is made in another way: what was extracted before is then extracted anew.
EXTRACTION = 1
LONGEST_SIDE = 768
RATE = 2
_VIDEO_TYPES = {
    ".mp4": "video/mp4",
    ".mov": "video/quicktime",
    ".webm": "video/webm",
    ".mkv": "video/x-matroska",
    ".avi": "video/x-msvideo",
    ".ts": "video/mp2t",
}
_SUFFIXES = {"image/png": ".png", "image/jpeg": ".jpg", **{mime: suffix for suffix, mime in _VIDEO_TYPES.items()}}
_HALF = ".part-"
VIDEO_SUFFIXES = tuple(_VIDEO_TYPES)


@dataclass(frozen=True)
class Part:
    """One picture or video that is shown. caption: what is said of it, before it."""

    mime: str
    sha256: str
    caption: str = ""


@dataclass(frozen=True)
class Evidence:
    """What is shown of one video. sha256: of its only part, or of the list of its parts with their captions."""

    kind: Kind
    sha256: str
    parts: tuple[Part, ...]


class EvidenceStore:
    """A folder in which each part lies under its digest, `ab/abcd….png`, and a list of parts as JSON beside them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, sha256: str, suffix: str) -> Path:
        return self.folder / sha256[:2] / (sha256 + suffix)

    def part_path(self, part: Part) -> Path:
        """Where a part lies."""
        return self.path(part.sha256, _SUFFIXES[part.mime])

    def read(self, part: Part) -> bytes:
        """The content of a part. Raises ValueError where it is no longer what its digest says."""
        data = self.part_path(part).read_bytes()
        if hashlib.sha256(data).hexdigest() != part.sha256:
            raise ValueError(f"{self.part_path(part)}: was changed; remove it, so that it is made anew")
        return data

    def tidy(self) -> None:
        """Remove what a run that was killed left half written."""
        for path in self.folder.glob(f"*/{_HALF}*"):
            path.unlink()

    def holds(self, evidence: Evidence) -> bool:
        """Whether every part is there."""
        return all(self.part_path(part).is_file() for part in evidence.parts)

    def extract(self, path: Path, kind: Kind) -> tuple[Evidence, VideoFacts]:
        """Take the evidence from a video, keep it, and give it with the facts of the file.

        The whole video is decoded, whatever is shown of it. Raises CalibenchError, which names the file, where that
        is not possible.
        """
        if kind == "frames":
            return self._sampled(path)
        last = _last(path)
        if kind == "video":
            part = self._keep_file(path, _VIDEO_TYPES[path.suffix.lower()])
        else:
            part = self._keep(picture_encoding.png(last.rgb()), "image/png")
        return Evidence(kind, part.sha256, (part,)), facts(path, last)

    def _sampled(self, path: Path) -> tuple[Evidence, VideoFacts]:
        times: list[float] = []
        last = None
        for last in frames(path):
            rate = last.rate or 24.0
            times.append(last.index / rate if last.time_s is None else last.time_s)
        assert last is not None  # else frames() has raised
        chosen = sample(times)
        parts = []
        for frame in frames(path):
            if frame.index in chosen:
                pixels = picture_encoding.within(frame.rgb(), LONGEST_SIDE)
                parts.append(self._keep(picture_encoding.jpeg(pixels), "image/jpeg", chosen[frame.index]))
        listed = json.dumps([[part.mime, part.sha256, part.caption] for part in parts]).encode()
        digest = hashlib.sha256(listed).hexdigest()
        self._write(self.path(digest, ".json"), listed)
        return Evidence("frames", digest, tuple(parts)), facts(path, last)

    def _keep(self, data: bytes, mime: str, caption: str = "") -> Part:
        part = Part(mime, hashlib.sha256(data).hexdigest(), caption)
        self._write(self.part_path(part), data)
        return part

    def _keep_file(self, path: Path, mime: str) -> Part:
        part = Part(mime, digest_of(path))
        to = self.part_path(part)
        if not to.exists():
            self._put(to, lambda name: shutil.copyfile(path, name))
        return part

    def _write(self, to: Path, data: bytes) -> None:
        if not to.exists():
            self._put(to, lambda name: Path(name).write_bytes(data))

    def _put(self, to: Path, write: Callable[[str], object]) -> None:
        """Make a file appear under its name only when it is whole."""
        to.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=_HALF, dir=to.parent)
        os.close(handle)
        try:
            write(name)
            Path(name).replace(to)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise


def sample(times: Sequence[float]) -> dict[int, str]:
    """Frames to show and their captions: two a second, and the first, the middle and the last (PAWBench).

    times: when each frame is shown, in seconds from the first. Returns index -> caption, in their order.
    """
    last, end = len(times) - 1, times[-1]
    middle = min(range(len(times)), key=lambda index: abs(times[index] - end / 2))
    chosen = {0, middle, last}
    wanted, index = 0.0, 0
    while wanted <= end:
        while index < last and times[index + 1] <= wanted + 1e-6:
            index += 1
        chosen.add(index)
        wanted += 1 / RATE
    return {index: _caption(index, times[index], last, middle, end) for index in sorted(chosen)}


def _caption(index: int, time: float, last: int, middle: int, end: float) -> str:
    if index == last:
        phase = "last frame"
    elif index == 0:
        phase = "first frame"
    elif index == middle:
        phase = "middle frame"
    else:
        phase = ("beginning", "middle part", "end")[min(2, math.floor(3 * time / end))]
    return f"{phase}, {time:.2f} s of {end:.2f} s"


def _last(path: Path) -> Frame:
    last = None
    for last in frames(path):  # noqa: B007  (the last one is wanted)
        pass
    assert last is not None  # else frames() has raised
    return last
