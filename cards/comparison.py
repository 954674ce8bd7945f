"""Published figures beside recomputed ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from .grid import Entry, Grid

COLUMNS = ("exhibit", "item", "measure", "printed", "recomputed", "value", "same")


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
    def same(self) -> bool: ...


def grid(compared: Sequence[Compared]) -> Grid:
    """A row a figure; those that differ are marked."""
    rows = tuple(
        (
            Entry(one.exhibit),
            Entry(one.item),
            Entry(one.measure),
            Entry(one.printed),
            Entry("not in the data" if one.recomputed is None else one.recomputed),
            Entry("" if one.same else "DIFFERS"),
        )
        for one in compared
    )
    return Grid("Published figures, recomputed", ("Table", "Item", "Measure", "Printed", "Recomputed", ""), rows, (), 6)


def summary(compared: Sequence[Compared]) -> str:
    """One line: how many figures are as printed, by table."""
    exhibits = list(dict.fromkeys(one.exhibit for one in compared))
    same = sum(one.same for one in compared)
    by_table = ", ".join(
        f"Table {exhibit} {sum(one.same for one in compared if one.exhibit == exhibit)}"
        f"/{sum(one.exhibit == exhibit for one in compared)}"
        for exhibit in exhibits
    )
    return f"{same} of {len(compared)} as printed ({by_table})"
