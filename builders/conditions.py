"""conditions: the sets of varied generation settings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import source_files


def records() -> Iterator[dict[str, Any]]:
    """One record a condition of CaliBench: `main` and its ablations."""
    for row in source_files.rows("calibench/conditions.csv"):
        yield {
            "benchmark": "calibench",
            "condition": row["condition"],
            "title": row["title"],
            "change": row["change"],
            "rollouts": int(row["rollouts"]) if row["rollouts"] else None,
        }
