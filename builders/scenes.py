"""scenes: the stochastic set-ups and their outcome sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import source_files


def records() -> Iterator[dict[str, Any]]:
    """One record a scene of each benchmark, in the order of its paper's tables."""
    for benchmark in source_files.BENCHMARKS:
        for position, row in enumerate(source_files.rows(f"{benchmark}/scenes.csv"), start=1):
            yield {
                "benchmark": benchmark,
                "scene": row["scene"],
                "position": None if row["track"] == "intervention" else position,
                "title": row["title"],
                "track": row["track"],
                "family": row["family"],
                "family_source": row.get("family_source"),
                "readout": row["readout"],
                "rollouts": int(row["rollouts"]),
                "outcomes": source_files.listed(row["outcomes"]),
                "note": row.get("note") or None,
            }
