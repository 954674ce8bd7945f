"""Published figures beside recomputed ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from .grid import Entry, Grid

COLUMNS = ("exhibit", "item", "measure", "printed", "recomputed", "value", "verdict")


class Compared(Protocol):
    """A figure as printed and as recomputed."""

    @property
    def exhibit(self) -> str: ...
    @property
    def item(self) -> str: ...
    @property
    def measure(self) -> str: ...
    @property
    def printed(self) -> str: ...
    @property
    def recomputed(self) -> str | None: ...
    @property
    def verdict(self) -> str: ...


def grid(compared: Sequence[Compared]) -> Grid:
    """A row a figure; those that are not as printed say why."""
    rows = tuple(
        (
            Entry(one.exhibit),
            Entry(one.item),
            Entry(one.measure),
            Entry(one.printed),
            Entry(one.recomputed or ""),
            Entry("" if one.verdict == "as printed" else one.verdict),
        )
        for one in compared
    )
    return Grid("Published figures, recomputed", ("Table", "Item", "Measure", "Printed", "Recomputed", ""), rows, (), 6)


def summary(compared: Sequence[Compared]) -> str:
    """One line: how many figures are as printed, how many within simulation error, how many are not computable."""
    counts = Counter(one.verdict for one in compared)
    line = (
        f"{counts['as printed']} of {len(compared)} as printed, {counts['within simulation error']} within simulation "
        f"error, {counts['not computable']} not computable"
    )
    if counts["not computable"]:
        lacking = dict.fromkeys(one.exhibit for one in compared if one.verdict == "not computable")
        line += f": the data lack what Table {', '.join(lacking)} needs"
    return line + (f", {counts['differs']} DIFFER" if counts["differs"] else "")
