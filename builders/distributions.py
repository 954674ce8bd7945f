"""distributions: the exact references, outcome by outcome."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from . import source_files


def records() -> Iterator[dict[str, Any]]:
    """One record an outcome of a scene whose reference is known; numerator and denominator in lowest terms."""
    for benchmark in source_files.BENCHMARKS:
        for row in source_files.rows(f"{benchmark}/scenes.csv"):
            if not row["reference"]:
                continue
            outcomes, reference = source_files.listed(row["outcomes"]), source_files.listed(row["reference"])
            for position, (outcome, text) in enumerate(zip(outcomes, reference, strict=True), start=1):
                yield record(benchmark, row["scene"], outcome, position, Fraction(text), row["reference_source"])


def record(
    benchmark: str, scene: str, outcome: str, position: int, probability: Fraction, source: str
) -> dict[str, Any]:
    """The record of one outcome."""
    return {
        "benchmark": benchmark,
        "scene": scene,
        "outcome": outcome,
        "position": position,
        "numerator": probability.numerator,
        "denominator": probability.denominator,
        "probability": float(probability),
        "source": source,
    }
