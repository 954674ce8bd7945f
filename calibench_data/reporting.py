"""The papers' tables, recomputed, and held against what is printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Literal

from calibench_data.cards.exhibits import EXHIBITS, Exhibit
from calibench_data.cards.results import Results
from calibench_data.errors import CalibenchError

from .database import connect

DEFAULT_TABLES = ("2", "3", "4", "6")


# Figures that rest on the authors' random draws, which were not released: right within one unit of the last digit.
SIMULATED = frozenset({"5"})

Verdict = Literal["as printed", "within simulation error", "differs", "not computable"]


@dataclass(frozen=True)
class Comparison:
    """A figure of a paper as printed and as recomputed; both last are None where the data do not give it."""

    exhibit: str
    item: str
    measure: str
    printed: str
    recomputed: str | None
    value: float | None

    @property
    def verdict(self) -> Verdict:
        if self.recomputed is None:
            return "not computable"
        if self.printed == self.recomputed:
            return "as printed"
        if self.exhibit in SIMULATED and abs(Decimal(self.printed) - Decimal(self.recomputed)) <= Decimal("0.01"):
            return "within simulation error"
        return "differs"

    @property
    def holds(self) -> bool:
        """Whether the figure is reproduced."""
        return self.verdict in ("as printed", "within simulation error")


def tables(
    numbers: Sequence[int | str] | None = None, repo: str | Path | None = None, revision: str | None = None
) -> list[Exhibit]:
    """The CaliBench paper's tables recomputed from a release, by number; by default Tables 2, 3, 4 and 6.

    Raises CalibenchError for a number that is no table of the paper computed here, and as `connect` does.
    """
    wanted = [str(number) for number in numbers or DEFAULT_TABLES]
    if unknown := [number for number in wanted if number not in EXHIBITS]:
        raise CalibenchError(f"no table {', '.join(unknown)}; there are {', '.join(EXHIBITS)}")
    with connect(repo, revision) as connection:
        results = Results(connection)
        return [EXHIBITS[number](results) for number in wanted]


def reproduce(repo: str | Path | None = None, revision: str | None = None) -> list[Comparison]:
    """Every figure that the CaliBench paper prints in its tables, beside the recomputed one."""
    with connect(repo, revision) as connection:
        results = Results(connection)
        recomputed = {
            (figure.exhibit, figure.item, figure.measure): figure
            for number, exhibit in EXHIBITS.items()
            if number.isdecimal()
            for figure in exhibit(results).figures
        }
        printed = connection.execute(
            "SELECT exhibit, item, measure, printed FROM published WHERE paper = 'calibench' ORDER BY rowid"
        ).fetchall()
    compared = []
    for exhibit, item, measure, text in printed:
        found = recomputed.get((exhibit, item, measure))
        compared.append(
            Comparison(exhibit, item, measure, text, found.printed if found else None, found.value if found else None)
        )
    return compared
