"""outcomes: the majority outcome of each released video."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from . import source_files


def video_id(benchmark: str, condition: str, scene: str, model: str, seed: int) -> str:
    """The readable id of a video."""
    return f"{benchmark}/{condition}/{scene}/{model}/{seed}"


def records() -> Iterator[dict[str, Any]]:
    """One record a rollout: CaliBench's 133 released cells in seed order, and PAWBench's Table 11.

    Of PAWBench only counts were published. Their rollouts are numbered through the scene's outcomes in order, then the
    nulls: which of them had which seed is not known.
    """
    for row in source_files.rows("calibench/outcomes.csv"):
        outcomes = [None if outcome == "-" else outcome for outcome in row["outcomes_by_seed"].split()]
        if len(outcomes) != int(row["rollouts"]):
            raise ValueError(
                f"outcomes.csv: {row['condition']} {row['scene']} {row['model']} has {len(outcomes)} outcomes"
            )
        yield from _cell("calibench", row, row["requested"] or None, outcomes)
    sets = {row["scene"]: source_files.listed(row["outcomes"]) for row in source_files.rows("pawbench/scenes.csv")}
    for row in source_files.rows("pawbench/counts.csv"):
        counts = zip(sets[row["scene"]], source_files.listed(row["counts"]), strict=True)
        outcomes = [outcome for outcome, n in (*counts, (None, row["nulls"])) for _ in range(int(n))]
        yield from _cell("pawbench", row, None, outcomes)


def _cell(
    benchmark: str, row: dict[str, str], requested: str | None, outcomes: Sequence[str | None]
) -> Iterator[dict[str, Any]]:
    for seed, outcome in enumerate(outcomes):
        yield {
            "video": video_id(benchmark, row["condition"], row["scene"], row["model"], seed),
            "benchmark": benchmark,
            "condition": row["condition"],
            "scene": row["scene"],
            "model": row["model"],
            "seed": seed,
            "requested": requested,
            "outcome": outcome,
            "source": row["source"],
        }
