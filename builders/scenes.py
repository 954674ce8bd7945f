"""scenes: the stochastic set-ups and their outcome sets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import source_files


def records() -> Iterator[dict[str, Any]]:
    """One record a CaliBench scene, in the order of the paper's Table 2."""
    for position, row in enumerate(source_files.rows("calibench/scenes.csv"), start=1):
        yield {
            "benchmark": "calibench",
            "scene": row["scene"],
            "position": position,
            "title": row["title"],
            "track": row["track"],
            "family": row["family"],
            "readout": row["readout"],
            "rollouts": int(row["rollouts"]),
            "outcomes": source_files.listed(row["outcomes"]),
        }
