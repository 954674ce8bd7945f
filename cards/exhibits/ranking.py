"""Which models can be told apart: the leaderboard, the differences of each pair, and what a perfect model gets."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations

from calibench_data.stats import corrected_difference, null_mntv, paired_differences

from ..grid import Entry, Grid
from ..printed import NOTHING, decimals
from ..results import Results
from .exhibit import Exhibit, Figure, figure, not_comparable


def leaderboard(results: Results) -> Exhibit:
    """Complete models by corrected mnTV, each with those that cannot be told apart from it.

    Models of another protocol have no place: they stand below, with what differs.
    """
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    found = results.corrected
    for place, model in enumerate(sorted(results.ranked, key=lambda model: found[model].estimate), start=1):
        alike = [other for other in results.ranked if other != model and not _apart(results, model, other)]
        figures += _figures(results, model, place, len(alike))
        rows.append(_row(results, model, ", ".join(results.models[other] for other in alike) or "none"))
    unranked = [model for model in results.complete if model in results.unlike]
    if unranked:
        rows.append((Entry("Another protocol, not ranked"),))
    for model in sorted(unranked, key=lambda model: found[model].estimate):
        figures += _figures(results, model, None, None)
        rows.append(_row(results, model, NOTHING))
    grid = Grid(
        "Leaderboard by corrected mnTV (lower is better)",
        ("Model", "corrected", "95 % interval", "published mnTV", "valid", "cannot be told apart from"),
        tuple(rows),
        (
            "Two models can be told apart where the interval of their corrected difference excludes 0. One pair at a "
            "time; many pairs together need more.",
            "The intervals are found by simulation (nine scenes, equal N, independent rollouts), and belong to the "
            "corrected values.",
            *not_comparable(results),
        ),
    )
    return Exhibit("leaderboard", tuple(figures), grid)


def _figures(results: Results, model: str, place: int | None, alike: int | None) -> Iterator[Figure]:
    one = results.corrected[model]
    for measure, value in (
        ("place", place),
        ("mntv", results.mntv(model)),
        ("corrected", one.estimate),
        ("corrected_low", one.low),
        ("corrected_high", one.high),
        ("rollouts", one.n),
        ("valid", results.valid(model)),
        ("cannot_be_told_apart_from", alike),
    ):
        text = NOTHING if value is None else str(value) if isinstance(value, int) else decimals(value)
        yield figure("leaderboard", model, measure, math.nan if value is None else value, text)


def _row(results: Results, model: str, alike: str) -> tuple[Entry, ...]:
    one = results.corrected[model]
    interval = f"[{decimals(one.low)},{decimals(one.high)}]"
    valid = f"{results.valid(model)}/{one.n}"
    texts = (decimals(one.estimate), interval, decimals(results.mntv(model)), valid, alike)
    return Entry(results.models[model]), *map(Entry, texts)


def _apart(results: Results, model: str, other: str) -> bool:
    return corrected_difference(results.triples(model), results.triples(other)).verdict != "cannot be told apart"


def differences(results: Results) -> Exhibit:
    """mnTV of one model minus another's, every pair: corrected with a verdict, and the paper's bootstrap."""
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    triples = {model: results.triples(model) for model in results.ranked}
    resampled = paired_differences(triples) if len(triples) > 1 else ()
    for (first, second), boot in zip(combinations(triples, 2), resampled, strict=True):
        one = corrected_difference(triples[first], triples[second])
        item = f"{first} - {second}"
        for measure, value in (
            ("corrected", one.estimate),
            ("corrected_low", one.low),
            ("corrected_high", one.high),
            ("published", boot.estimate),
            ("ci_low", boot.low),
            ("ci_high", boot.high),
        ):
            figures.append(figure("differences", item, measure, value, decimals(value)))
        verdict = {"a lower": f"{results.models[first]} lower", "b lower": f"{results.models[second]} lower"}
        texts = (
            decimals(one.estimate),
            f"[{decimals(one.low)},{decimals(one.high)}]",
            verdict.get(one.verdict, one.verdict),
            decimals(boot.estimate),
            f"[{decimals(boot.low)},{decimals(boot.high)}]",
        )
        rows.append((Entry(results.models[first]), Entry(results.models[second]), *map(Entry, texts)))
    grid = Grid(
        "Differences of mnTV, first minus second",
        ("First", "Second", "corrected", "95 % interval", "verdict", "published", "percentile interval"),
        tuple(rows),
        (
            "The verdict rests on the corrected difference. Intervals are for one pair at a time.",
            *not_comparable(results),
        ),
        numeric_from=2,
    )
    return Exhibit("differences", tuple(figures), grid)


def null_baseline(results: Results) -> Exhibit:
    """mnTV of 50,000 perfectly calibrated, fully scoreable models (Appendix A)."""
    references = [scene.reference for scene in results.scenes.values() if scene.reference is not None]
    found = null_mntv(references, [scene.rollouts for scene in results.scenes.values()])
    shown = {"mean": found.mean, "median": found.median, "low": found.low, "high": found.high}
    figures = [figure("null", "mntv", measure, value, decimals(value)) for measure, value in shown.items()]
    grid = Grid(
        "mnTV of perfectly calibrated, fully scoreable models",
        ("", "mean", "median", "2.5 %", "97.5 %"),
        ((Entry(f"{found.n_resamples:,} models"), *(Entry(decimals(value, 4)) for value in shown.values())),),
        (f"{found.n} rollouts a model. Every released model lies far above this band.",)
        if results.complete and min(map(results.mntv, results.complete)) > 2 * found.high
        else (f"{found.n} rollouts a model.",),
    )
    return Exhibit("null", tuple(figures), grid)
