"""Whether a video file is all there, by what its container says of its own size.

A video that was cut off decodes without complaint to some frame in the middle (Matroska, WebM, AVI, MPEG-TS), and that
frame would be judged as the outcome.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import BinaryIO

_BOXES = frozenset(b"ftyp styp moov moof mdat free skip wide uuid sidx mfra meta pnot udta emsg".split())
_NEEDED = frozenset((b"moov", b"moof", b"mdat"))
_EBML, _SEGMENT = 0x1A45DFA3, 0x18538067
_TS_PACKET = 188


def shortfall(path: Path) -> str | None:
    """What is missing at the end of a file, in words; empty if nothing is; None where its format cannot tell.

    Known are MP4 and MOV (boxes), Matroska and WebM (the segment's size), AVI (chunks) and MPEG-TS (whole packets).
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        head = file.read(12)
        file.seek(0)
        if head[4:8] in _BOXES:
            return _boxes(file, size)
        if head[:4] == b"RIFF":
            return _chunks(file, size)
        if head[:4] == _EBML.to_bytes(4, "big"):
            return _segment(file, size)
        if head[:1] == b"G" and head[:3] != b"GIF" and size >= _TS_PACKET:
            return _missing(-size % _TS_PACKET, "packet") if _is_ts(file) else None
    return None


def _missing(count: int, what: str) -> str:
    return f"is cut off: {count:,} bytes of its last {what} are missing" if count > 0 else ""


def _boxes(file: BinaryIO, size: int) -> str:
    at = 0
    while at + 8 <= size:
        file.seek(at)
        head = file.read(16)
        length, kind = int.from_bytes(head[:4], "big"), head[4:8]
        if kind not in _BOXES:
            break  # what stands behind the boxes is none of the video's
        if length == 1:
            length = int.from_bytes(head[8:16], "big")
        if length == 0:
            break  # to the end of the file
        if length < 8:
            return f"is damaged: its box {kind.decode()} has {length} bytes"
        at += length
        if at > size and kind in _NEEDED:
            return _missing(at - size, f"box {kind.decode()}")
    return ""


def _chunks(file: BinaryIO, size: int) -> str | None:
    at = 0
    while at + 8 <= size:
        file.seek(at)
        head = file.read(8)
        if head[:4] != b"RIFF":
            break
        length = int.from_bytes(head[4:], "little")
        if length in (0, 0xFFFFFFFF):
            return None  # never filled in
        at += 8 + length + length % 2
    return _missing(at - size - 1, "chunk")  # a last odd chunk may go without its padding


def _segment(file: BinaryIO, size: int) -> str | None:
    for wanted in (_EBML, _SEGMENT):
        if int.from_bytes(file.read(4), "big") != wanted:
            return None
        length = _variable(file)
        if length is None:
            return None  # written as a stream: of unknown size
        file.seek(length, os.SEEK_CUR)
    return _missing(file.tell() - size, "segment")


def _variable(file: BinaryIO) -> int | None:
    """An EBML number, None where all its bits are set: unknown."""
    first = file.read(1)
    if not first or not first[0]:
        return None
    more = 8 - first[0].bit_length()
    bits = 7 * (more + 1)
    value = int.from_bytes(first + file.read(more), "big") & ((1 << bits) - 1)
    return None if value == (1 << bits) - 1 else value


def _is_ts(file: BinaryIO) -> bool:
    file.seek(_TS_PACKET)
    return file.read(1) in (b"G", b"")
