"""models: the video generators, with the settings they ran at."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import source_files


def records() -> Iterator[dict[str, Any]]:
    """One record a model of each benchmark, in the order of its paper's Table 1; null where the paper says nothing.

    PAWBench's training mixtures stand in no such table and have no position.
    """
    for benchmark in source_files.BENCHMARKS:
        for position, row in enumerate(source_files.rows(f"{benchmark}/models.csv"), start=1):
            yield {
                "benchmark": benchmark,
                "model": row["model"],
                "position": None if "-lora-" in row["model"] else position,
                "title": row["title"],
                "provider": row["provider"] or None,
                "api_id": row["api_id"] or None,
                "duration_s": float(row["duration_s"]) if row["duration_s"] else None,
                "resolution": row["resolution"] or None,
                "prompt_expansion": row["prompt_expansion"] or None,
                "negative_prompt": row["negative_prompt"] or None,
                "audio": row["audio"] or None,
                "steps": int(row["steps"]) if row["steps"] else None,
                "guidance": float(row["guidance"]) if row["guidance"] else None,
                "note": row["note"] or None,
            }
