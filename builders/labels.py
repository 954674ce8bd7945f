"""labels: what a person saw in a sample of the videos."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import source_files
from .outcomes import video_id


def records() -> Iterator[dict[str, Any]]:
    """One record a label: 18 videos a scene, all of condition `main`. The annotator is not named."""
    for row in source_files.rows("calibench/labels.csv"):
        seed = int(row["seed"])
        yield {
            "video": video_id("calibench", "main", row["scene"], row["model"], seed),
            "annotator": "authors",
            "benchmark": "calibench",
            "condition": "main",
            "scene": row["scene"],
            "model": row["model"],
            "seed": seed,
            "outcome": row["label"] or None,
            "source": "published",
        }
