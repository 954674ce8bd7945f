"""Tables 2 and 4: scorability, TV and score of each cell; mnTV of each model."""

from __future__ import annotations

import math

from calibench_data.stats import TESTED_FROM

from ..grid import Entry, Grid
from ..printed import FEW, NOTHING, decimals
from ..results import Results, ScoredCell
from .exhibit import Exhibit, Figure, figure, is_best, not_comparable, scene_rows

_INTERVAL_NOTE = (
    "percentile interval: the paper's, 50,000 resamples. It is no confidence interval for the true mnTV: "
    "in simulation it held the true value in 40 % to 94 % of data sets, not 95 %."
)

_CORRECTED_NOTES = (
    "corrected: mnTV less the bias of TV at the model's own distribution, with a 95 % interval by jackknife that held "
    "the true mnTV in 94 % to 99 % of simulated data sets (nine scenes, equal N, independent rollouts).",
    "It is a finding of simulation, not a theorem: 89 % in the worst case found. For a calibrated model it is 0.02 too "
    "high. The published mnTV may lie outside it; the interval belongs to the corrected value only.",
)


def table_2(results: Results) -> Exhibit:
    """Scorability rho and TV of every cell; mnTV with the paper's percentile interval."""
    figures: list[Figure] = []
    entries: dict[tuple[str, str], Entry] = {}
    for key, one in results.cells.items():
        tested = [
            other.tv
            for other in results.cells.values()
            if other.cell.scene == one.cell.scene and other.cell.valid >= TESTED_FROM and _compares(results, other)
        ]
        few = 0 < one.cell.valid < TESTED_FROM
        tv = decimals(one.tv)
        entries[key] = Entry(
            f"{decimals(one.scorability)} {tv}{FEW if few else ''} ({one.cell.valid})",
            best=one.cell.valid >= TESTED_FROM and _compares(results, one) and is_best(one.tv, tested),
        )
    for scene in results.scenes:
        for model in results.models:
            if cell := results.cells.get((scene, model)):
                figures.append(figure("2", scene, f"{model}/rho", cell.scorability, decimals(cell.scorability)))
                figures.append(figure("2", scene, f"{model}/tv", cell.tv, decimals(cell.tv)))
    for model, interval in results.intervals.items():
        for measure, value in (("mntv", interval.estimate), ("ci_low", interval.low), ("ci_high", interval.high)):
            figures.append(figure("2", "mntv", f"{model}/{measure}", value, decimals(value)))
    for model, corrected in results.corrected.items():
        bounds = {"corrected": corrected.estimate, "corrected_low": corrected.low, "corrected_high": corrected.high}
        figures.extend(figure("2", "mntv", f"{model}/{name}", value, decimals(value)) for name, value in bounds.items())
    grid = Grid(
        "Table 2. Scorability ρ, total variation TV (lower is better) and number of valid rollouts",
        ("Scene", *results.models.values()),
        (
            *scene_rows(results, entries),
            (Entry("mnTV"),),
            _mntv_row(results),
            _interval_row(results),
            *_corrected_rows(results),
        ),
        (
            "Each field: ρ TV (valid rollouts). *: lowest TV of the scene among cells with at least 4 valid rollouts.",
            f"{FEW}: 1 to 3 valid rollouts, too few for a statement. {NOTHING}: none.",
            _INTERVAL_NOTE,
            *_CORRECTED_NOTES,
            *_incomplete(results),
            *not_comparable(results),
        ),
    )
    return Exhibit("2", tuple(figures), grid)


def table_4(results: Results) -> Exhibit:
    """Score of every cell (Eq. 7), with mnTV below."""
    figures: list[Figure] = []
    entries: dict[tuple[str, str], Entry] = {}
    for scene in results.scenes:
        scores = [one.score for one in results.cells.values() if one.cell.scene == scene and _compares(results, one)]
        for model in results.models:
            if one := results.cells.get((scene, model)):
                figures.append(figure("4", scene, f"{model}/score", one.score, decimals(one.score)))
                best = _compares(results, one) and is_best(one.score, scores)
                entries[scene, model] = Entry(f"{decimals(one.score)} ({one.cell.valid})", best)
    grid = Grid(
        "Table 4. Score of each cell: (1 - ρ) + ρ (TV - floor) / (1 - floor); 0 calibrated, 1 worst",
        ("Scene", *results.models.values()),
        (*scene_rows(results, entries), (Entry("mnTV"),), _mntv_row(results)),
        ("Each field: score (valid rollouts). *: lowest of the row.", *not_comparable(results)),
    )
    return Exhibit("4", tuple(figures), grid)


def _corrected_rows(results: Results) -> list[tuple[Entry, ...]]:
    found = [results.corrected.get(model) for model in results.models]
    return [
        (Entry("  corrected"), *(Entry(NOTHING if one is None else decimals(one.estimate)) for one in found)),
        (
            Entry("  95 % interval"),
            *(Entry(NOTHING if one is None else f"[{decimals(one.low)},{decimals(one.high)}]") for one in found),
        ),
    ]


def _compares(results: Results, one: ScoredCell) -> bool:
    return one.cell.model not in results.unlike


def _incomplete(results: Results) -> list[str]:
    return [
        f"{title} has no mnTV: it lacks {', '.join(s for s in results.scenes if (s, model) not in results.cells)}."
        for model, title in results.models.items()
        if model not in results.complete
    ]


def _mntv_row(results: Results) -> tuple[Entry, ...]:
    values = {model: results.mntv(model) for model in results.models}
    ranked = [values[model] for model in results.ranked]
    return (
        Entry("  mean of nine scenes"),
        *(
            Entry(NOTHING if math.isnan(value) else decimals(value), model in results.ranked and is_best(value, ranked))
            for model, value in values.items()
        ),
    )


def _interval_row(results: Results) -> tuple[Entry, ...]:
    found = results.intervals
    return (
        Entry("  percentile interval"),
        *(
            Entry(f"[{decimals(found[model].low)},{decimals(found[model].high)}]" if model in found else NOTHING)
            for model in results.models
        ),
    )
