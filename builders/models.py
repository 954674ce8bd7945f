"""models: the video generators, with the settings they ran at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import source_files


def records() -> Iterator[dict[str, Any]]:
    """One record a model of CaliBench's Table 1; null where the paper prints N/A."""
    for position, row in enumerate(source_files.rows("calibench/models.csv"), start=1):
        yield {
            "benchmark": "calibench",
            "model": row["model"],
            "position": position,
            "title": row["title"],
            "provider": row["provider"],
            "api_id": row["api_id"],
            "duration_s": float(row["duration_s"]),
            "resolution": row["resolution"] or None,
            "prompt_expansion": row["prompt_expansion"] or None,
            "negative_prompt": row["negative_prompt"] or None,
            "audio": row["audio"] or None,
            "steps": int(row["steps"]) if row["steps"] else None,
            "guidance": float(row["guidance"]) if row["guidance"] else None,
            "note": row["note"] or None,
        }
