"""prompts: what a generator and a reader are told, in this package's own words (edition `open`)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from . import source_files

ROLES = ("generation", "reading")


def records() -> Iterator[dict[str, Any]]:
    """One record a scene and role; the text is that of `prompts/<scene>.<role>.txt`, byte for byte."""
    for scene in source_files.rows("calibench/scenes.csv"):
        for role in ROLES:
            text = source_files.content(f"calibench/prompts/{scene['scene']}.{role}.txt")
            yield {
                "benchmark": "calibench",
                "scene": scene["scene"],
                "role": role,
                "edition": "open",
                "text": text.decode("utf-8"),
                "sha256": hashlib.sha256(text).hexdigest(),
            }
