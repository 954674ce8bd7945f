"""Tables 3 and 6: the Monte Carlo chi-square test of each cell, raw and corrected for many tests."""

from __future__ import annotations

import math

from ..grid import Entry, Grid
from ..printed import FEW, NOTHING, cell_p_value, p_value, small_p
from ..results import ALPHA, Results, ScoredCell
from .exhibit import Exhibit, Figure, figure, scene_rows


def _lost(one: ScoredCell) -> str:
    """The mark of a cell that is significant alone and not after Benjamini-Hochberg."""
    return "‡" if one.p <= ALPHA < one.q else ""


def _not_exact(results: Results) -> list[str]:
    """A note on cells whose `exact` p is none, with the method that gave the number."""
    return [
        f"{results.scenes[scene].title}, {results.models[model]}: {test.method}, error {test.standard_error:.2g}."
        for (scene, model), test in results.exact.items()
        if test.method != "exact"
    ]


def table_3(results: Results) -> Exhibit:
    """p-value of every cell."""
    figures: list[Figure] = []
    entries: dict[tuple[str, str], Entry] = {}
    for scene in results.scenes:
        for model in results.models:
            if one := results.cells.get((scene, model)):
                text = cell_p_value(one.p, one.cell.valid, results.threshold)
                figures.append(figure("3", scene, f"{model}/p", one.p, text))
                shown = f"{text}{_lost(one)}"
                if exact := results.exact.get((scene, model)):
                    figures.append(figure("3", scene, f"{model}/p_exact", exact.pvalue, small_p(exact.pvalue)))
                    shown += f" {small_p(exact.pvalue)}"
                entries[scene, model] = Entry(f"{shown} ({one.cell.valid})")
    tested = sum(not math.isnan(one.p) for one in results.cells.values())
    rejected = sum(one.q <= ALPHA for one in results.cells.values())
    grid = Grid(
        "Table 3. p-values of the χ2 test against the reference: Monte Carlo (50,000 replicates, seed 0) and exact",
        ("Scene", *results.models.values()),
        tuple(scene_rows(results, entries)),
        (
            "Each field: Monte Carlo p, exact p (valid rollouts). A small p is evidence of miscalibration.",
            "A large p is no evidence of calibration.",
            f"{rejected} of {tested} tests reject at a false discovery rate of 0.05 (Benjamini-Hochberg, "
            f"p <= {p_value(results.threshold, results.threshold)}).",
            *_not_exact(results),
            f"‡: p <= 0.05, but not after that correction. {FEW}: 1 to 3 valid rollouts, not tested. {NOTHING}: none.",
        ),
    )
    return Exhibit("3", tuple(figures), grid)


def table_6(results: Results) -> Exhibit:
    """Every tested cell by p, with both corrections."""
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    order = {key: place for place, key in enumerate((s, m) for s in results.scenes for m in results.models)}
    tested = [(key, one) for key, one in results.cells.items() if not math.isnan(one.p)]
    for (scene, model), one in sorted(tested, key=lambda pair: (pair[1].p, -pair[1].chi2, order[pair[0]])):
        shown = {
            "p": (one.p, p_value(one.p, results.threshold)),
            "q_bh": (one.q, p_value(one.q)),
            "p_bonferroni": (one.p_bonferroni, p_value(one.p_bonferroni)),
            "p_exact": (results.exact[scene, model].pvalue, small_p(results.exact[scene, model].pvalue)),
        }
        figures.extend(figure("6", scene, f"{model}/{name}", value, text) for name, (value, text) in shown.items())
        texts = [text for _, text in shown.values()]
        texts[0] += _lost(one)
        title = results.scenes[scene].title
        rows.append((Entry(title), Entry(results.models[model]), Entry(str(one.cell.valid)), *map(Entry, texts)))
    grid = Grid(
        f"Table 6. The {len(rows)} tests by p-value, corrected for being many",
        ("Scene", "Model", "n", "raw p", "q (BH)", "p (Bonferroni)", "exact p"),
        tuple(rows),
        (
            "n: valid rollouts. ‡: significant at 0.05 alone, not after Benjamini-Hochberg.",
            *_not_exact(results),
        ),
        numeric_from=2,
    )
    return Exhibit("6", tuple(figures), grid)
