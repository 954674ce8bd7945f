"""The frames of a video file as a player shows them, and the facts that the table `videos` states. Needs PyAV."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibench_data.errors import CalibenchError, Problem

from .video_wholeness import shortfall

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# Containers that hold a video and nothing else: a playlist would make the decoder open other files, or the network.
_FORMATS = "mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,avi,mpegts,gif,ogg,nut"
_GAP_S = 0.25
_IDENTITY = (1, 0, 0, 0, 1)


@dataclass(frozen=True)
class VideoFacts:
    """What the table `videos` states of a file. width, height: as shown. fps, duration_s: None where nothing tells."""

    sha256: str
    bytes: int
    width: int
    height: int
    frames: int
    fps: float | None
    duration_s: float | None


@dataclass(frozen=True)
class Frame:
    """A decoded frame. index: from 0. time_s, end_s: from when to when it is shown, counted from the first frame's
    begin; None where nothing tells. rate: frames a second, as the header has it."""

    index: int
    time_s: float | None
    end_s: float | None
    rate: float | None
    picture: Any

    @property
    def size(self) -> tuple[int, int]:
        """Width and height, as shown."""
        width, height = self.picture.width, self.picture.height
        return (height, width) if _is_turned(self._matrix()) else (width, height)

    def _matrix(self) -> tuple[int, ...]:
        found = self.picture.side_data.get("DISPLAYMATRIX")
        return _IDENTITY if found is None else struct.unpack("<9i", bytes(found))

    def rgb(self) -> NDArray[np.uint8]:
        """Its pixels, height x width x 3: 8 bits, upright, what is transparent on black."""
        import numpy as np

        alpha = any(component.is_alpha for component in self.picture.format.components)
        pixels = self.picture.to_ndarray(format="rgba" if alpha else "rgb24")
        if alpha:
            cover = pixels[..., 3:].astype(np.uint16)
            pixels = ((pixels[..., :3] * cover + 127) // 255).astype(np.uint8)
        return _upright(pixels, self._matrix())


def failure(path: Path, found: str) -> CalibenchError:
    """The error of a file that is no whole video."""
    do = "Make or fetch the video again: what cannot be read is no null."
    return CalibenchError([Problem(str(path), found, "a whole video", do)])


def frames(path: Path) -> Iterator[Frame]:
    """The frames of a video in the order in which they are shown, to the last one that the decoder holds back.

    Edit lists are obeyed, pictures of the cover left out, and no count in a header is believed. Raises CalibenchError,
    which names the file, where it is no video, is cut off, or cannot be decoded to its end.
    """
    import av

    missing = shortfall(path)
    if missing:
        raise failure(path, missing)
    last: Frame | None = None
    try:
        options = {"protocol_whitelist": "file", "format_whitelist": _FORMATS}
        with av.open(str(path.resolve()), options=options) as container:
            streams = [one for one in container.streams.video if not one.disposition & _cover()]
            if not streams or streams[0].codec_context is None:
                raise failure(path, "holds no video that can be decoded")
            stream = streams[0]
            stream.codec_context.thread_count = 1  # many videos at once instead of many threads for one
            rate = float(stream.average_rate) if stream.average_rate else None
            start: float | None = None
            for index, picture in enumerate(container.decode(stream)):
                time = picture.time
                start = time if start is None else start
                shown = None if time is None or start is None else time - start
                span = float(picture.duration * picture.time_base) if picture.duration and picture.time_base else None
                if span is None and rate:
                    span = 1 / rate
                last = Frame(index, shown, None if shown is None or span is None else shown + span, rate, picture)
                yield last
            said = _said(container, stream) if missing is None else None
    except av.error.FFmpegError as error:
        place = "cannot be read" if last is None else f"cannot be decoded after frame {last.index}"
        raise failure(path, f"{place}: {error.strerror}") from None
    if last is None:
        raise failure(path, "holds no frame")
    if last.picture.is_corrupt:
        raise failure(path, f"is damaged at its last frame, {last.index}")
    if said is not None and last.end_s is not None and said - last.end_s > _GAP_S:
        raise failure(path, f"ends at {last.end_s:.2f} s, though its header says {said:.2f} s")


def facts(path: Path, last: Frame) -> VideoFacts:
    """The facts of a file, from its last frame."""
    width, height = last.size
    count, duration = last.index + 1, last.end_s
    fps = count / duration if duration else last.rate
    if fps and last.rate and abs(fps - last.rate) < fps / 100:
        fps = last.rate  # timestamps in milliseconds make 24.0 a 23.98
    return VideoFacts(digest_of(path), path.stat().st_size, width, height, count, fps, duration)


def digest_of(path: Path) -> str:
    """SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _cover() -> Any:
    from av.stream import Disposition

    return Disposition.attached_pic


def _said(container: Any, stream: Any) -> float | None:
    """How long the header says the video is, in seconds; None where it says nothing, or may speak of the sound."""
    if stream.duration is not None:
        return float(stream.duration * stream.time_base)
    if container.duration is not None and len(container.streams) == 1:
        return float(container.duration / 1_000_000)
    return None


def _upright(pixels: NDArray[np.uint8], matrix: tuple[int, ...]) -> NDArray[np.uint8]:
    """Pixels turned as a display matrix says: x' = a x + c y, y' = b x + d y, with y downwards."""
    a, b, _, c, d = matrix[:5]
    if _is_turned(matrix):
        pixels = pixels.swapaxes(0, 1)
        a, d = c, b
    if a < 0:
        pixels = pixels[:, ::-1]
    if d < 0:
        pixels = pixels[::-1]
    return pixels


def _is_turned(matrix: tuple[int, ...]) -> bool:
    return abs(matrix[1]) > abs(matrix[0])
