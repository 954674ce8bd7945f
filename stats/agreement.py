"""Do readings agree? Between repeated votes, beyond chance, and with the labels of a person."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from ._validation import FloatArray, IntArray, as_counts, as_whole, check_level


@dataclass(frozen=True)
class ProportionInterval:
    """Proportions with their Wilson score intervals, scalars or arrays; `reason` is empty unless some n is 0."""

    estimate: FloatArray
    low: FloatArray
    high: FloatArray
    confidence_level: float
    n: IntArray
    method: str = "Wilson score interval"
    reason: str = ""


@dataclass(frozen=True)
class AgreementShare:
    """`k` of `n` items agree, `missing` others could not be compared; share and Wilson interval are NaN if n = 0."""

    k: int
    n: int
    share: float
    low: float
    high: float
    confidence_level: float
    missing: int
    method: str = "Wilson score interval"
    reason: str = ""


@dataclass(frozen=True)
class ChanceCorrectedAgreement:
    """(observed - expected) / (1 - expected) agreement; NaN, with a `reason`, where that is undefined.

    `n` items used, of which `raters` is the full number of votes; `dropped` items not used; `missing` votes, over all
    items, that fall short of `raters`.
    """

    estimate: float
    observed_agreement: float
    expected_agreement: float
    n: int
    raters: int
    dropped: int
    missing: int
    method: str
    reason: str = ""


def wilson_interval(successes: npt.ArrayLike, n: npt.ArrayLike, confidence_level: float = 0.95) -> ProportionInterval:
    """The score interval of a proportion (E. B. Wilson 1927), without continuity correction.

    successes, n: whole numbers, successes <= n, shapes that broadcast. Estimate and ends are NaN where n is 0.
    Raises ValueError for more successes than trials.
    """
    level = check_level(confidence_level)
    k, trials = np.broadcast_arrays(as_whole(successes, "successes"), as_whole(n, "n"))
    if (k > trials).any():
        raise ValueError(f"`successes` must not exceed `n`; got {successes!r} of {n!r}")
    z = NormalDist().inv_cdf((1 + level) / 2)
    with np.errstate(invalid="ignore", divide="ignore"):
        estimate = k / trials
        centre = (k + z * z / 2) / (trials + z * z)
        half_width = z * np.sqrt(k * (1 - estimate) + z * z / 4) / (trials + z * z)
    low = centre - half_width  # exactly 0 without successes, since sqrt(z * z) == z in floating point
    # Exactly 1 without failures, which rounding would miss.
    high = np.where(k == trials, 1.0, centre + half_width)
    none = trials == 0
    return ProportionInterval(
        estimate=estimate[()],
        low=np.where(none, np.nan, low)[()],
        high=np.where(none, np.nan, high)[()],
        confidence_level=level,
        n=trials[()],
        reason="no trial: no proportion" if none.any() else "",
    )


def vote_table(
    votes: Sequence[Sequence[Hashable]], categories: Sequence[Hashable], missing: Hashable = "error"
) -> IntArray:
    """How many votes each item gave to each category: shape (items, categories).

    votes: one sequence of votes an item, of any length. `categories` names every possible answer, null included: a
    reader who answers that nothing can be scored has answered. A vote equal to `missing` is no answer and is not
    counted. Raises ValueError for a repeated category, for `missing` among them, and for any other vote.
    """
    position = {category: j for j, category in enumerate(categories)}
    if len(position) != len(categories) or not position or missing in position:
        raise ValueError(f"`categories` must be distinct, and not {missing!r}; got {list(categories)}")
    table = np.zeros((len(votes), len(position)), dtype=np.int64)
    for i, item in enumerate(votes):
        for vote in item:
            if vote in position:
                table[i, position[vote]] += 1
            elif vote != missing:
                raise ValueError(f"`votes` must be {missing!r} or one of {list(categories)}; item {i} has {vote!r}")
    return table


def _as_table(table: npt.ArrayLike, raters: int | None) -> tuple[IntArray, IntArray, int]:
    """The table, the votes of each item, and the full number of votes."""
    counts = as_counts(table)
    if counts.ndim != 2:
        raise ValueError(f"`table` must have shape (items, categories); got shape {counts.shape}")
    votes = counts.sum(axis=1)
    most = int(votes.max(initial=0))
    full = most if raters is None else int(as_whole(raters, "raters", minimum=1))
    if most > full:
        raise ValueError(f"`table` must not hold more than {full} votes an item; got {most}")
    return counts, votes, full


def _share(k: int, n: int, missing: int, confidence_level: float, reason: str) -> AgreementShare:
    interval = wilson_interval(k, n, confidence_level)
    share, low, high = float(interval.estimate), float(interval.low), float(interval.high)
    return AgreementShare(k, n, share, low, high, interval.confidence_level, missing, reason="" if n else reason)


def unanimous_share(table: npt.ArrayLike, raters: int | None = None, confidence_level: float = 0.95) -> AgreementShare:
    """The share of items whose votes all fall in one category.

    table: counts of votes, shape (items, categories), null a category like any other (see `vote_table`); raters: the
    full number of votes of an item, by default the largest found. An item with fewer votes is missing: that the votes
    at hand agree does not say that all would have. With fewer than two raters nothing can disagree: NaN.
    """
    counts, votes, full = _as_table(table, raters)
    complete = counts[votes == full] if full >= 2 else counts[:0]
    k = int((complete.max(axis=1, initial=0) == full).sum())
    reason = "no item with all its votes" if full >= 2 else "fewer than two votes an item: nothing can disagree"
    return _share(k, len(complete), len(counts) - len(complete), confidence_level, reason)


def label_agreement(
    readings: Sequence[Hashable],
    labels: Sequence[Hashable],
    missing: Hashable = "error",
    confidence_level: float = 0.95,
) -> AgreementShare:
    """The share of items that a reader and a person read alike.

    readings, labels: one answer an item, in the same order. Null agrees with null; an item where either is `missing`
    is left out and counted. Raises ValueError for sequences of different length.
    """
    if len(readings) != len(labels):
        raise ValueError(f"`readings` and `labels` must be of one length; got {len(readings)} and {len(labels)}")
    pairs = [(a, b) for a, b in zip(readings, labels, strict=True) if missing not in (a, b)]
    k = sum(a == b for a, b in pairs)
    return _share(k, len(pairs), len(labels) - len(pairs), confidence_level, "no item with both reading and label")


def _chance_corrected(
    observed: float, expected: float, n: int, raters: int, counts: IntArray, method: str
) -> ChanceCorrectedAgreement:
    dropped, missing = len(counts) - n, raters * len(counts) - int(counts.sum())
    if n == 0:
        reason = "no item with enough votes"
    elif expected == 1:
        reason = "all votes in one category: agreement by chance is already complete"
    else:
        estimate = (observed - expected) / (1 - expected)
        return ChanceCorrectedAgreement(estimate, observed, expected, n, raters, dropped, missing, method)
    return ChanceCorrectedAgreement(np.nan, observed, expected, n, raters, dropped, missing, method, reason)


def fleiss_kappa(table: npt.ArrayLike, raters: int | None = None) -> ChanceCorrectedAgreement:
    """Agreement beyond chance of a fixed number of votes an item (J. L. Fleiss 1971, Eq. 7).

    table, raters: as in `unanimous_share`. It is defined for items with all their votes; others are dropped and
    counted (`krippendorff_alpha` keeps those with two or more). NaN if fewer than two raters, no complete item, or a
    single category in use.
    """
    counts, votes, full = _as_table(table, raters)
    complete = counts[votes == full] if full >= 2 else counts[:0]
    n, observed, expected = len(complete), np.nan, np.nan
    if n:
        observed = float((complete * (complete - 1)).sum() / (n * full * (full - 1)))
        totals = complete.sum(axis=0)
        expected = float((totals * totals).sum() / (n * full) ** 2)
    return _chance_corrected(observed, expected, n, full, counts, "Fleiss' kappa")


def krippendorff_alpha(table: npt.ArrayLike, raters: int | None = None) -> ChanceCorrectedAgreement:
    """Nominal alpha: one minus observed over expected disagreement of pairable votes, missing votes allowed.

    table, raters: as in `unanimous_share`. Items with fewer than two votes hold no pair; they are dropped and counted.
    `expected_agreement` is that of two of the pairable votes drawn without replacement. NaN if no item has two votes,
    or all pairable votes are in one category.

    Source: K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011), section C.
    """
    counts, votes, full = _as_table(table, raters)
    kept = votes >= 2
    pairable, n, observed, expected = counts[kept], int(kept.sum()), np.nan, np.nan
    if n:
        totals, m = pairable.sum(axis=0), votes[kept]
        of_all = int(m.sum())
        observed = float(((pairable * (pairable - 1)).sum(axis=1) / (m - 1)).sum() / of_all)
        expected = float((totals * (totals - 1)).sum() / (of_all * (of_all - 1)))
    return _chance_corrected(observed, expected, n, full, counts, "Krippendorff's alpha, nominal")
