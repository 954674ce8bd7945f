"""A plan for people: what rollouts detect, or how many are needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from .grid import Entry, Grid
from .printed import NOTHING, decimals, percent

COLUMNS = ("scene", "outcome", "rollouts", "tv", "power", "alpha", "method", "note")


class Planned(Protocol):
    """One scene's plan; None where no answer was found."""

    @property
    def scene(self) -> str: ...
    @property
    def outcome(self) -> str: ...
    @property
    def rollouts(self) -> int | None: ...
    @property
    def tv(self) -> float | None: ...
    @property
    def power(self) -> float | None: ...
    @property
    def alpha(self) -> float: ...
    @property
    def method(self) -> str: ...
    @property
    def note(self) -> str: ...


def grid(plans: Sequence[Planned]) -> Grid:
    """A row a scene."""
    rows = tuple(
        (
            Entry(one.scene),
            Entry(one.outcome),
            Entry(NOTHING if one.rollouts is None else str(one.rollouts)),
            Entry(NOTHING if one.tv is None else decimals(one.tv, 4)),
            Entry(NOTHING if one.power is None else percent(one.power)),
        )
        for one in plans
    )
    notes = [
        "Valid rollouts: for a scorability of ρ, plan rollouts / ρ videos. Power of the exact χ2 test.",
        *(f"{one.scene}: {one.method}" for one in plans if one.method != "exact"),
        *(f"{one.scene}: {one.note}" for one in plans if one.note),
    ]
    alpha = plans[0].alpha if plans else 0.05
    title = f"Smallest TV detected, or rollouts needed, at level {alpha:g}"
    return Grid(title, ("Scene", "Outcome favoured", "Valid rollouts", "TV", "Power"), rows, tuple(notes), 2)
