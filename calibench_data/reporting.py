"""The papers' tables, recomputed, and held against what is printed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Literal

from calibench_data.cards.exhibits import EXHIBITS, Exhibit, Figure
from calibench_data.cards.paw import PAW_EXHIBITS
from calibench_data.cards.paw.arithmetic import REASONS, derived
from calibench_data.cards.paw.results import PawResults, read_results
from calibench_data.cards.results import Results
from calibench_data.errors import CalibenchError

from .database import connect

DEFAULT_TABLES = {"calibench": ("2", "3", "4", "6"), "pawbench": ("1",)}
Paper = Literal["calibench", "pawbench"]

# Figures that rest on the authors' random draws, which were not released: right within one unit of the last digit.
SIMULATED = frozenset({"5"})

Verdict = Literal["as printed", "within simulation error", "within rounding of the inputs", "differs", "not computable"]


@dataclass(frozen=True)
class Comparison:
    """A figure of a paper as printed and as recomputed; `recomputed` and `value` are None where nothing gives it.

    note: what it follows from, if from other printed figures, or why it cannot be recomputed. slack: how far the
    rounding of those figures can move it.
    """

    exhibit: str
    item: str
    measure: str
    printed: str
    recomputed: str | None
    value: float | None
    note: str = ""
    slack: float = 0

    @property
    def verdict(self) -> Verdict:
        if self.recomputed is None:
            return "not computable"
        if self.printed == self.recomputed:
            return "as printed"
        if self.exhibit in SIMULATED and abs(Decimal(self.printed) - Decimal(self.recomputed)) <= Decimal("0.01"):
            return "within simulation error"
        if self.slack and self.value is not None:
            unit = float(Decimal(1).scaleb(int(Decimal(self.printed).as_tuple().exponent)))
            if abs(float(self.printed) - self.value) <= self.slack + unit / 2:
                return "within rounding of the inputs"
        return "differs"

    @property
    def holds(self) -> bool:
        """Whether the figure is reproduced."""
        return self.verdict not in ("differs", "not computable")


def tables(
    numbers: Sequence[int | str] | None = None,
    repo: str | Path | None = None,
    revision: str | None = None,
    paper: Paper = "calibench",
) -> list[Exhibit]:
    """A paper's tables recomputed from a release, by number; by default Tables 2, 3, 4 and 6, of PAWBench Table 1.

    Raises CalibenchError for a number that is no table of the paper computed here, and as `connect` does.
    """
    known = EXHIBITS if paper == "calibench" else PAW_EXHIBITS
    wanted = [str(number) for number in numbers or DEFAULT_TABLES[paper]]
    if unknown := [number for number in wanted if number not in known]:
        raise CalibenchError(f"no table {', '.join(unknown)}; there are {', '.join(known)}")
    with connect(repo, revision) as connection:
        if paper == "pawbench":
            found = read_results(connection)
            return [PAW_EXHIBITS[number](found) for number in wanted]
        results = Results(connection)
        return [EXHIBITS[number](results) for number in wanted]


def reproduce(
    repo: str | Path | None = None, revision: str | None = None, paper: Paper = "calibench"
) -> list[Comparison]:
    """Every figure that a paper prints in its tables, beside the recomputed one.

    Of PAWBench only few counts are published: what the data do not give is recomputed from other printed figures where
    it follows from them, and else says why it cannot be.
    """
    with connect(repo, revision) as connection:
        printed = connection.execute(
            "SELECT exhibit, item, measure, printed FROM published WHERE paper = ? ORDER BY rowid", [paper]
        ).fetchall()
        if paper == "pawbench":
            return _reproduce_paw(printed, read_results(connection))
        results = Results(connection)
        recomputed = {
            (figure.exhibit, figure.item, figure.measure): figure
            for number, exhibit in EXHIBITS.items()
            if number.isdecimal()
            for figure in exhibit(results).figures
        }
    compared = []
    for exhibit, item, measure, text in printed:
        found = recomputed.get((exhibit, item, measure))
        compared.append(
            Comparison(exhibit, item, measure, text, found.printed if found else None, found.value if found else None)
        )
    return compared


def _reproduce_paw(printed: Sequence[tuple[str, str, str, str]], results: PawResults) -> list[Comparison]:
    recomputed = {
        (figure.exhibit, figure.item, figure.measure): figure
        for number in ("1", "5", "8", "9", "11", "fig7")
        for figure in PAW_EXHIBITS[number](results).figures
        if _counts(figure, results, printed)
    }
    follows = derived({(exhibit, item, measure): text for exhibit, item, measure, text in printed})
    compared = []
    for exhibit, item, measure, text in printed:
        key = (exhibit, item, measure)
        if found := recomputed.get(key):
            compared.append(Comparison(*key, text, found.printed, found.value))
        elif one := follows.get(key):
            compared.append(Comparison(*key, text, one.printed, one.value, f"from {one.source}", one.slack))
        else:
            compared.append(Comparison(*key, text, None, None, REASONS.get(exhibit, "not in these data")))
    return compared


def _counts(figure: Figure, results: PawResults, printed: Sequence[tuple[str, str, str, str]]) -> bool:
    """Whether a figure says something about the printed one: it has a value, and is over the same models."""
    if figure.exhibit == "8" and not figure.item.startswith(("equal-model", "pooled-cells")):
        return False
    if figure.exhibit == "8":
        paper = {item for exhibit, item, _, _ in printed if exhibit == "1"}
        return paper == {model for model, passing in results.passing.items() if passing}
    return figure.value is not None or figure.printed == "/"
