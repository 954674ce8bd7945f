"""published: the figures that the papers print."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from . import source_files

_NUMBER = re.compile(r"-?\d+(\.\d+)?(e-?\d+)?")
_RATIO = re.compile(r"(\d+)/(\d+)")


def printed_value(printed: str) -> float | None:
    """The number that a printed figure stands for: `0.69`, `63.3%` (0.633), `17/18` (0.944...); null for others."""
    if _NUMBER.fullmatch(printed):
        return float(printed)
    if printed.endswith("%") and _NUMBER.fullmatch(printed[:-1]):
        return float(printed[:-1]) / 100
    if (ratio := _RATIO.fullmatch(printed)) and int(ratio[2]):
        return int(ratio[1]) / int(ratio[2])
    return None


def records() -> Iterator[dict[str, Any]]:
    """One record a figure, of both papers."""
    for paper in source_files.BENCHMARKS:
        for row in source_files.rows(f"{paper}/published.csv"):
            yield {**row, "value": printed_value(row["printed"])}
