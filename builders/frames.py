"""frames: the picture that each video starts from, as drawn by this package (edition `open`)."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from typing import Any

from . import source_files


def records() -> Iterator[dict[str, Any]]:
    """One record a scene; the picture is `frames/<scene>.png`, byte for byte. `drawing` made it."""
    for scene in source_files.rows("calibench/scenes.csv"):
        name = f"{scene['scene']}.png"
        data = source_files.content(f"calibench/frames/{name}")
        width, height = struct.unpack_from(">II", data, 16)  # of the header chunk, which every PNG begins with
        yield {
            "benchmark": "calibench",
            "scene": scene["scene"],
            "edition": "open",
            "image": {"bytes": data, "path": name},
            "width": width,
            "height": height,
            "sha256": hashlib.sha256(data).hexdigest(),
        }


def contact_sheet() -> bytes:
    """The frames of the nine scenes side by side, as PNG, for the dataset card."""
    return source_files.content("calibench/frames/contact_sheet.png")
