"""protocols: under what protocol each model's rollouts were made and read. Scores compare only under the same."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from calibench_data.schema import TABLES

from . import distributions, models, scenes

BENCHMARK = "calibench"
# How CaliBench's released outcomes were made and read: sections 3.2 and 3.3 of the paper.
PUBLISHED = {
    "attempts": 3,
    "reader": "gemini-3.1-pro-preview",
    "evidence": "protocol",
    "frame_edition": "paper",
    "frames_sha256": None,
    "prompt_edition": "paper",
    "prompts_sha256": None,
}
_IDENTITY = [name for name in TABLES["protocols"].names if name not in ("model", "protocol")]


def records() -> Iterator[dict[str, Any]]:
    """One record a model of CaliBench's Table 1."""
    own = [row for row in scenes.records() if row["benchmark"] == BENCHMARK]
    references = [
        (row["scene"], row["outcome"], row["numerator"], row["denominator"])
        for row in distributions.records()
        if row["benchmark"] == BENCHMARK
    ]
    facts = {
        **PUBLISHED,
        "scenes_sha256": digest([*((row["scene"], row["readout"]) for row in own), *references]),
        "seeds": seeds({row["scene"]: row["rollouts"] for row in own}),
    }
    for row in models.records():
        if row["benchmark"] == BENCHMARK:
            yield protocol_record(BENCHMARK, row["model"], facts)


def protocol_record(benchmark: str, model: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The row of a model, with its digest: SHA-256 over a line `column: value` each, nothing for null."""
    row = {**facts, "benchmark": benchmark, "model": model}
    lines = [f"{name}: {'' if row[name] is None else row[name]}" for name in _IDENTITY]
    row["protocol"] = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    return {name: row[name] for name in TABLES["protocols"].names}


def digest(rows: Iterable[Sequence[object]]) -> str:
    """SHA-256 over rows in the order of their text: fields separated by tabs, rows by line feeds."""
    return hashlib.sha256("\n".join(sorted("\t".join(map(str, row)) for row in rows)).encode()).hexdigest()


def seeds(rollouts: Mapping[str, int]) -> str:
    """The seeds of the scenes in words: `0-31`, or scene by scene where they differ."""
    if len(set(rollouts.values())) == 1:
        return f"0-{next(iter(rollouts.values())) - 1}"
    return ", ".join(f"{scene} 0-{n - 1}" for scene, n in sorted(rollouts.items()))
