"""outcomes: the majority outcome of each released video."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import source_files


def video_id(benchmark: str, condition: str, scene: str, model: str, seed: int) -> str:
    """The readable id of a video."""
    return f"{benchmark}/{condition}/{scene}/{model}/{seed}"


def records() -> Iterator[dict[str, Any]]:
    """One record a rollout of the 133 released cells; a source row lists a cell's outcomes in seed order."""
    for row in source_files.rows("calibench/outcomes.csv"):
        outcomes = row["outcomes_by_seed"].split()
        if len(outcomes) != int(row["rollouts"]):
            raise ValueError(
                f"outcomes.csv: {row['condition']} {row['scene']} {row['model']} has {len(outcomes)} outcomes"
            )
        for seed, outcome in enumerate(outcomes):
            yield {
                "video": video_id("calibench", row["condition"], row["scene"], row["model"], seed),
                "benchmark": "calibench",
                "condition": row["condition"],
                "scene": row["scene"],
                "model": row["model"],
                "seed": seed,
                "requested": row["requested"] or None,
                "outcome": None if outcome == "-" else outcome,
                "source": row["source"],
            }
