"""HTTP Range requests (RFC 9110, section 14), which a browser needs to seek in a video."""

from __future__ import annotations

import re

_ONE_RANGE = re.compile(r"bytes=(\d{0,18})-(\d{0,18})", re.IGNORECASE)


class UnsatisfiableRange(Exception):
    """No byte of the file lies in the range."""


def byte_range(header: str | None, size: int) -> tuple[int, int] | None:
    """The first byte that a Range header asks of a file of `size` bytes, and the one after the last.

    None: send the whole file, as for no header, one that is malformed, or several ranges, which a server may ignore.
    Raises UnsatisfiableRange.
    """
    match = _ONE_RANGE.fullmatch(header.strip()) if header else None
    if match is None or not (match[1] or match[2]):
        return None
    if not match[1]:
        first, last = max(size - int(match[2]), 0), size - 1
        if int(match[2]) == 0:
            raise UnsatisfiableRange
    else:
        first, last = int(match[1]), min(int(match[2]) if match[2] else size - 1, size - 1)
        if match[2] and int(match[2]) < first:
            return None
    if first >= size:
        raise UnsatisfiableRange
    return first, last + 1
