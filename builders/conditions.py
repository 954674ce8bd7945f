"""conditions: the sets of varied generation settings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import source_files


def records() -> Iterator[dict[str, Any]]:
    """One record a condition of each benchmark: `main` and what was varied."""
    for benchmark in source_files.BENCHMARKS:
        for row in source_files.rows(f"{benchmark}/conditions.csv"):
            yield {
                "benchmark": benchmark,
                "condition": row["condition"],
                "title": row["title"],
                "change": row["change"],
                "rollouts": int(row["rollouts"]) if row["rollouts"] else None,
            }
