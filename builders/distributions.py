"""distributions: the exact references, outcome by outcome."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from . import source_files


def records() -> Iterator[dict[str, Any]]:
    """One record an outcome; numerator and denominator in lowest terms."""
    for row in source_files.rows("calibench/scenes.csv"):
        outcomes, reference = source_files.listed(row["outcomes"]), source_files.listed(row["reference"])
        for position, (outcome, text) in enumerate(zip(outcomes, reference, strict=True), start=1):
            probability = Fraction(text)
            yield {
                "benchmark": "calibench",
                "scene": row["scene"],
                "outcome": outcome,
                "position": position,
                "numerator": probability.numerator,
                "denominator": probability.denominator,
                "probability": float(probability),
                "source": row["reference_source"],
            }
