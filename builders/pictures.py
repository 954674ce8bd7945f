"""Is a file a whole PNG or JPEG picture, and of what size? Its structure is walked; no pixel is decoded."""

from __future__ import annotations

import struct
import zlib

_PNG = b"\x89PNG\r\n\x1a\n"
_JPEG = b"\xff\xd8"
# Frame headers of JPEG: all start-of-frame markers but those of tables (C4, C8, CC).
_FRAMES = {*range(0xC0, 0xD0)} - {0xC4, 0xC8, 0xCC}


def picture_size(data: bytes) -> tuple[str, int, int]:
    """The ending (`png` or `jpg`), width and height in pixels. Raises ValueError, saying what is wrong."""
    if data.startswith(_PNG):
        return ("png", *_png_size(data))
    if data.startswith(_JPEG):
        return ("jpg", *_jpeg_size(data))
    raise ValueError("is no PNG or JPEG picture" if data else "is empty")


def _png_size(data: bytes) -> tuple[int, int]:
    at, size, pixels = len(_PNG), None, False
    while at + 12 <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        end = at + 12 + length
        if end > len(data):
            break
        body = data[at + 8 : end - 4]
        if zlib.crc32(kind + body) != struct.unpack_from(">I", data, end - 4)[0]:
            raise ValueError(f"is a damaged PNG picture: chunk {kind!r} has another checksum")
        if size is None:
            if kind != b"IHDR" or length != 13:
                raise ValueError("is a damaged PNG picture: it does not begin with its size")
            size = struct.unpack_from(">II", body)
        pixels |= kind == b"IDAT"
        if kind == b"IEND":
            return _checked(size, pixels)
        at = end
    raise ValueError("is a cut PNG picture: its end is missing")


def _jpeg_size(data: bytes) -> tuple[int, int]:
    at, size = 2, None
    while at + 4 <= len(data):
        if data[at] != 0xFF:
            raise ValueError("is a damaged JPEG picture")
        marker = data[at + 1]
        if marker == 0xFF:  # filling
            at += 1
            continue
        length = struct.unpack_from(">H", data, at + 2)[0]
        if marker in _FRAMES and at + 9 <= len(data):
            height, width = struct.unpack_from(">HH", data, at + 5)
            size = (width, height)
        if marker == 0xDA:  # the pixels follow, up to the end marker
            if b"\xff\xd9" not in data[at:]:
                break
            return _checked(size, True)
        at += 2 + length
    raise ValueError("is a cut JPEG picture: its end is missing")


def _checked(size: tuple[int, ...] | None, pixels: bool) -> tuple[int, int]:
    if size is None or not pixels or min(size) < 1:
        raise ValueError("is a picture without pixels")
    return size[0], size[1]
