"""videos: the manifest of generated videos. None was released: locations and digests are null."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from calibench_data.schema import TABLES

from . import outcomes


def records() -> Iterator[dict[str, Any]]:
    """One record a rollout that has an outcome."""
    for outcome in outcomes.records():
        yield {name: outcome.get(name) for name in TABLES["videos"].names}
