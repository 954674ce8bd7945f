"""Table 8 and Figure 5: how much of the distance is chance, and what fewer rollouts would show."""

from __future__ import annotations

import math

from calibench_data.stats import NullAggregate, budget_curves, matched_null, perfect_coverage
from calibench_data.stats.paw_null import ReadableCell

from ..exhibits.exhibit import Exhibit, Figure, figure
from ..grid import Entry, Grid
from ..printed import NOTHING, decimals
from .results import PawResults

STRICTER = 30  # readable rollouts in the last row of Table 8
_BUDGETS = (1, 2, 5, 10, 20, 30, 40, 50)


def scientific(p: float) -> str:
    """A p-value as Table 8 prints it, such as 2.0e-5."""
    mantissa, _, exponent = f"{p:.1e}".partition("e")
    return NOTHING if math.isnan(p) else f"{mantissa}e{int(exponent)}"


def table_8(results: PawResults) -> Exhibit:
    """Observed TVD beside draws from the references: 50,000 matched replicates, and their exact mean and deviation."""
    own = {
        model: [(cell.counts, scene.reference) for scene, cell in passing if scene.reference is not None]
        for model, passing in results.passing.items()
    }
    own = {model: cells for model, cells in own.items() if cells}
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    if own:
        primary, stricter = matched_null(list(own.values())), matched_null(list(own.values()), STRICTER)
        lines = {
            "equal-model": ("Equal models", primary.equal_model),
            "pooled-cells": ("Pooled cells", primary.pooled),
            "equal-model-n30": (f"Equal models, at least {STRICTER} readable", stricter.equal_model),
            **{model: (results.models[model], one) for model, one in zip(own, primary.models, strict=True)},
        }
        for item, (title, one) in lines.items():
            shown = _shown(one)
            figures.extend(figure("8", item, measure, value, text) for measure, (value, text) in shown.items())
            rows.append((Entry(title), *(Entry(text) for _, text in shown.values())))
    if apart := _experiments(results):
        rows.append((Entry("Experiments apart from the 50 scenes"),))
        for item, one in zip(apart, matched_null(list(apart.values())).models, strict=True):
            shown = _shown(one)
            figures.extend(figure("8", item, measure, value, text) for measure, (value, text) in shown.items())
            rows.append((Entry(f"  {item}"), *(Entry(text) for _, text in shown.values())))
    grid = Grid(
        "Table 8. Mean TVD x100 of passing scenes, beside the finite-sample null",
        (
            "",
            "models",
            "cells",
            "observed",
            "null mean",
            "99 %",
            "exceedances",
            "p",
            "2.5 %",
            "exact mean",
            "exact sd",
        ),
        tuple(rows),
        (
            "Null: as many readable outcomes as each passing scene had, drawn from its reference; 50,000 replicates, "
            "aggregated alike. p: (exceedances + 1)/50,001. Exact mean and deviation carry no simulation error.",
            *(() if own else ("No passing calibration scene of the roster with a known reference in these data.",)),
            *_left_out(results),
        ),
    )
    return Exhibit("8", tuple(figures), grid)


def _experiments(results: PawResults) -> dict[str, list[ReadableCell]]:
    """`model (condition)` -> the cells of a model in an experiment that have enough readable rollouts."""
    found: dict[str, list[ReadableCell]] = {}
    for (condition, model, name), cell in results.varied.items():
        scene = results.experiments.get(name)
        # The benchmark's gate, in proportion: 20 of 50.
        if scene and scene.reference is not None and 5 * cell.valid >= 2 * scene.rollouts:
            found.setdefault(f"{model} ({condition})", []).append((cell.counts, scene.reference))
    return found


def _shown(one: NullAggregate) -> dict[str, tuple[float, str]]:
    return {
        "models": (one.models, str(one.models)),
        "cells": (one.cells, str(one.cells)),
        "observed": (one.observed, decimals(one.observed, 1)),
        "null_mean": (one.null_mean, decimals(one.null_mean)),
        "null_q99": (one.null_q99, decimals(one.null_q99)),
        "exceedances": (one.exceedances, str(one.exceedances)),
        "p_mc": (one.pvalue, scientific(one.pvalue)),
        "null_low": (one.null_low, decimals(one.null_low)),
        "exact_mean": (one.exact_mean, decimals(one.exact_mean, 3)),
        "exact_sd": (one.exact_sd, decimals(one.exact_sd, 3)),
    }


def _left_out(results: PawResults) -> list[str]:
    unknown = sorted({str(one.scene) for one in results.scenes.values() if one.status == "no-reference"})
    return [f"Left out, since their references are not known: {', '.join(unknown)}."] if unknown else []


def budget(results: PawResults) -> Exhibit:
    """Expected TVD and coverage of the first K rollouts of each passing scene, averaged over them (Figure 5)."""
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    deepest = max((cell.rollouts for cell in results.cells.values()), default=0)
    budgets = sorted({k for k in (*_BUDGETS, deepest) if 1 <= k <= deepest} | ({100} if deepest >= 100 else set()))
    for model, title in results.models.items():
        for track, measure in (("calibration", "tvd"), ("coverage", "coverage")):
            passing = [
                (results.roster[name], results.cells[model, name])
                for name, place in results.track_of.items()
                if place == track and results.scenes[model, name].status == "pass"
            ]
            if not passing:
                continue
            curves = budget_curves(
                [cell.counts for _, cell in passing],
                [cell.nulls for _, cell in passing],
                [scene.reference for scene, _ in passing],
                tuple(range(1, deepest + 1)),
            )
            mean = getattr(curves, measure).mean(axis=0)
            figures.extend(
                figure("budget", model, f"{measure}/{k}", value, decimals(value, 1))
                for k, value in enumerate(mean.tolist(), start=1)
            )
            texts = [decimals(float(mean[k - 1]), 1) for k in budgets]
            rows.append((Entry(title), Entry(track), Entry(str(len(passing))), *map(Entry, texts)))
    sizes = {len(results.roster[name].outcomes) for name, track in results.track_of.items() if track == "coverage"}
    for k_outcomes in sorted(sizes):
        ideal = perfect_coverage(k_outcomes, tuple(budgets)) if budgets else ()
        if rows:
            texts = [decimals(float(value), 1) for value in ideal]
            title = f"{k_outcomes} equally likely outcomes"
            rows.append((Entry(title), Entry("coverage"), Entry(""), *map(Entry, texts)))
    grid = Grid(
        "Figure 5. Expected TVD x100 and coverage in per cent after K rollouts",
        ("Model", "Track", "scenes", *map(str, budgets)),
        tuple(rows),
        (
            "Exact expectation over random orders of the rollouts (hypergeometric); mean over the passing scenes, no "
            "gate at smaller K. K counts unreadable rollouts too. csv and json give every K.",
            "Last rows: what all rollouts readable and equally likely outcomes cover, the most that can be expected.",
        ),
        numeric_from=2,
    )
    return Exhibit("budget", tuple(figures), grid)
