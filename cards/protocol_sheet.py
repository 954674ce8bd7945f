"""Protocols for people: field by field, two beside each other where two were asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from .grid import Entry, Grid
from .printed import NOTHING

COLUMNS = ("field", "meaning", "value", "other", "same")


class Field(Protocol):
    """One field of two protocols."""

    @property
    def field(self) -> str: ...
    @property
    def meaning(self) -> str: ...
    @property
    def value(self) -> Any: ...
    @property
    def other(self) -> Any: ...
    @property
    def same(self) -> bool: ...


def grid(fields: Sequence[Field], names: Sequence[str]) -> Grid:
    """A row a field; names: one protocol, or two to compare."""
    if len(names) == 1:
        rows = [(Entry(one.field), Entry(_text(one.value)), Entry(one.meaning)) for one in fields]
        return Grid(f"Protocol of {names[0]}", ("Field", "Value", "Meaning"), tuple(rows), (), 3)
    compared = [
        (Entry(one.field), Entry(_text(one.value)), Entry(_text(one.other)), Entry("" if one.same else "differs"))
        for one in fields
    ]
    verdict = "Scores compare." if all(one.same for one in fields) else "Scores do not compare."
    return Grid("Two protocols", ("Field", *names, ""), tuple(compared), (verdict,), 4)


def _text(value: Any) -> str:
    text = NOTHING if value is None else str(value)
    return text[:12] if len(text) == 64 else text
