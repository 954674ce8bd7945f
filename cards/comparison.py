"""Published figures beside recomputed ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Protocol

from .grid import Entry, Grid

COLUMNS = ("exhibit", "item", "measure", "printed", "recomputed", "value", "verdict", "note")


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
    @property
    def note(self) -> str: ...


def grid(compared: Sequence[Compared]) -> Grid:
    """A row a figure; those that are not as printed say why."""
    rows = tuple(
        (
            Entry(one.exhibit),
            Entry(one.item),
            Entry(one.measure),
            Entry(one.printed),
            Entry(one.recomputed or ""),
            Entry(_remark(one)),
        )
        for one in compared
    )
    return Grid("Published figures, recomputed", ("Table", "Item", "Measure", "Printed", "Recomputed", ""), rows, (), 6)


def _remark(one: Compared) -> str:
    parts = ["" if one.verdict == "as printed" else one.verdict, one.note]
    return ": ".join(part for part in parts if part)


def summary(compared: Sequence[Compared]) -> str:
    """One line: how many figures are as printed, how many within simulation error, how many are not computable."""
    counts = Counter(one.verdict for one in compared)
    names = ["as printed", "within simulation error", "within rounding of the inputs", "not computable"]
    parts = [f"{counts[name]} {name}" for name in names if counts[name] or name in ("as printed", "not computable")]
    line = f"{parts[0].replace(' as', f' of {len(compared)} as', 1)}, {', '.join(parts[1:])}"
    if counts["not computable"]:
        lacking = dict.fromkeys((one.exhibit, one.note) for one in compared if one.verdict == "not computable")
        reasons = dict.fromkeys(note for _, note in lacking if note)
        if reasons:
            line += ": " + "; ".join(reasons)
        else:
            line += f": the data lack what Table {', '.join(exhibit for exhibit, _ in lacking)} needs"
    return line + (f", {counts['differs']} DIFFER" if counts["differs"] else "")
