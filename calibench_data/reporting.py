"""The papers' tables, recomputed, and held against what is printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from calibench_data.cards.exhibits import EXHIBITS, Exhibit
from calibench_data.cards.results import Results
from calibench_data.errors import CalibenchError

from .database import connect

DEFAULT_TABLES = ("2", "3", "4", "6")


@dataclass(frozen=True)
class Comparison:
    """A figure of a paper as printed and as recomputed; `recomputed` is None where the data do not give it."""

    exhibit: str
    item: str
    measure: str
    printed: str
    recomputed: str | None
    value: float | None

    @property
    def same(self) -> bool:
        return self.printed == self.recomputed


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
    """Every figure of the `published` table that can be recomputed so far, printed beside recomputed."""
    with connect(repo, revision) as connection:
        results = Results(connection)
        recomputed = {
            (figure.exhibit, figure.item, figure.measure): figure
            for exhibit in EXHIBITS.values()
            for figure in exhibit(results).figures
        }
        printed = connection.execute(
            "SELECT exhibit, item, measure, printed FROM published WHERE paper = 'calibench' ORDER BY rowid"
        ).fetchall()
    compared = []
    for exhibit, item, measure, text in printed:
        if exhibit in EXHIBITS:
            found = recomputed.get((exhibit, item, measure))
            compared.append(
                Comparison(
                    exhibit, item, measure, text, found.printed if found else None, found.value if found else None
                )
            )
    return compared
