"""Did an intervention move a model's distribution of outcomes? Paired scenes, and mixtures of training data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import gcd

import numpy as np
import numpy.typing as npt

from ._validation import FloatArray, IntArray, Reference, Rng, as_counts, as_reference, as_whole, check_level
from .binomial import binomial_pmf
from .distance import total_variation
from .homogeneity import HomogeneityTest, fisher_freeman_halton
from .hypergeometric import hypergeometric_pmf


@dataclass(frozen=True)
class PairedShift:
    """How far a model moved between two scenes of a pair; distances are TV x100.

    `shift`: between the two observed distributions. `chance_shift`: its mean, given the pooled outcomes, for a model
    that does not react. `reference_shift`: between the two references; `expected_shift`: the mean of `shift` for a
    model that draws from them. NaN without readable outcomes or references.
    """

    shift: float
    chance_shift: float
    reference_shift: float
    expected_shift: float
    test: HomogeneityTest
    n: tuple[int, int]
    method: str = "total variation between cells; expectations exact"


def paired_shift(
    base: npt.ArrayLike,
    changed: npt.ArrayLike,
    base_reference: Reference | None = None,
    changed_reference: Reference | None = None,
    n_resamples: int = 50_000,
    rng: Rng = 0,
) -> PairedShift:
    """The shift between a base scene and its causal or non-causal variant (PAWBench Appendix B.5, Figs. 13-16).

    base, changed: shape (k,), readable outcomes in one order; the references, shape (k,), in that order. After a
    causal change `shift` should be about `expected_shift`, after a non-causal one (equal references) no more: two
    finite samples of one distribution differ as well, on average by `expected_shift` or, without
    references, by `chance_shift`. `test` is `fisher_freeman_halton`, to which n_resamples and rng are passed.

    Raises ValueError for one reference without the other, and as the test does.
    """
    x, y = as_counts(base), as_counts(changed)
    test = fisher_freeman_halton(x, y, n_resamples, rng)
    if (base_reference is None) != (changed_reference is None):
        raise ValueError("`base_reference` and `changed_reference` must be given both or neither; got one")
    n, m = test.n
    shift = chance = reference_shift = expected = np.nan
    if n and m:
        shift = 50 * float(np.abs(x / n - y / m).sum())
        chance = 50 * sum(_chance_distance(int(t), n, m) for t in x + y)
    if base_reference is not None and changed_reference is not None:
        p, q = as_reference(base_reference), as_reference(changed_reference)
        if p.shape != x.shape or q.shape != x.shape:
            raise ValueError(f"references must have one entry for each outcome; got {p.size}, {q.size} for {x.size}")
        reference_shift = 50 * float(np.abs(p - q).sum())
        if n and m:
            expected = 50 * sum(_sampled_distance(n, float(a), m, float(b)) for a, b in zip(p, q, strict=True))
    return PairedShift(shift, chance, reference_shift, expected, test, test.n)


def _chance_distance(both: int, n: int, m: int) -> float:
    """E|X/n - (both - X)/m| with X hypergeometric: one outcome seen `both` times in n + m exchangeable rollouts."""
    x = np.arange(both + 1)
    return float(hypergeometric_pmf(x, n + m, both, n) @ np.abs(x / n - (both - x) / m))


def _sampled_distance(n: int, p: float, m: int, q: float) -> float:
    """E|X/n - Y/m| with X and Y independent, binomial."""
    x, y = np.arange(n + 1), np.arange(m + 1)
    return float(binomial_pmf(x, n, p) @ np.abs(np.subtract.outer(x / n, y / m)) @ binomial_pmf(y, m, q))


@dataclass(frozen=True)
class DoseResponse:
    """Response of a two-outcome scene to a dose: arrays over doses, and one trend.

    `share` of the first outcome among readable rollouts with its Clopper-Pearson interval `share_low`, `share_high`;
    `tvd` (x100) with the interval that follows, `tvd_low`, `tvd_high`. `slope`: change of the share (in per cent) per
    unit of dose by least squares over readable rollouts; `pvalue`: exact, two-sided, given all margins.
    """

    doses: IntArray
    readable: IntArray
    share: FloatArray
    share_low: FloatArray
    share_high: FloatArray
    tvd: FloatArray
    tvd_low: FloatArray
    tvd_high: FloatArray
    slope: float
    pvalue: float
    confidence_level: float
    n: int
    method: str


def dose_response(
    doses: Sequence[int], counts: npt.ArrayLike, reference: Reference, confidence_level: float = 0.95
) -> DoseResponse:
    """TVD and share of the first outcome by dose, and the trend (PAWBench Table 5 and Fig. 8, from Table 11).

    doses: d whole numbers, such as the per cent of left-falling training videos; counts: shape (d, 2), readable
    outcomes; reference: shape (2,). The trend test is the exact conditional form of Cochran-Armitage: the probability,
    given all margins, of a dose-weighted sum at least as far from its mean as the one observed. A slope of 1 per per
    cent would mean that the model follows the training share. Rows without readable outcome have NaN and add nothing.

    Slope and p-value are NaN with fewer than two doses read, the p-value also if only one outcome was seen.
    Raises ValueError for other shapes, and for doses that are no whole numbers >= 0.
    """
    from scipy.special import betaincinv

    d, p = as_whole(doses, "doses"), as_reference(reference)
    c = as_counts(counts, 2)
    if d.ndim != 1 or c.shape != (d.size, 2) or p.size != 2:
        raise ValueError(f"`counts` must have shape (doses, 2) and `reference` (2,); got {c.shape} and {p.shape}")
    level = check_level(confidence_level)
    hits, n = c[:, 0], c.sum(axis=1)
    with np.errstate(invalid="ignore"):
        share = hits / n
    tail = (1 - level) / 2
    low = np.where(hits > 0, betaincinv(np.maximum(hits, 1), n - hits + 1, tail), 0.0)
    high = np.where(hits < n, betaincinv(hits + 1, np.maximum(n - hits, 1), 1 - tail), 1.0)
    low, high = (np.where(n > 0, bound, np.nan) for bound in (low, high))
    # With two outcomes TV is the distance of the share from the reference.
    nearest = np.maximum(0, np.maximum(low - p[0], p[0] - high))
    farthest = np.maximum(np.abs(low - p[0]), np.abs(high - p[0]))
    slope, pvalue = _trend(d, hits, n)
    return DoseResponse(
        d, n, share, low, high, 100 * total_variation(c, p), 100 * nearest, 100 * farthest, slope, pvalue, level,
        int(n.sum()), "Clopper-Pearson intervals; exact conditional trend test, two-sided",
    )  # fmt: skip


def _trend(doses: IntArray, hits: IntArray, n: IntArray) -> tuple[float, float]:
    """Least-squares slope and exact two-sided p, by the joint law of (first outcomes, dose-weighted sum)."""
    read = n > 0
    d, h, n = doses[read], hits[read], n[read]
    total, row = int(n.sum()), int(h.sum())
    if np.unique(d).size < 2:
        return np.nan, np.nan
    centred = d - (n @ d) / total
    slope = 100 * float(centred @ h) / float(centred**2 @ n)
    if row in (0, total):
        return slope, np.nan
    score = d - d.min()
    score //= gcd(*(int(s) for s in score))
    law = np.zeros((row + 1, int(n @ score) + 1))  # only sums that can still occur are ever reached
    law[0, 0] = 1
    for step, size in zip(score, n, strict=True):
        grown = np.zeros_like(law)
        # A binomial factor of any probability gives the conditional law; this one keeps it clear of underflow.
        for x, mass in enumerate(binomial_pmf(np.arange(min(int(size), row) + 1), size, row / total)):
            move = x * int(step)
            grown[x:, move:] += mass * law[: row + 1 - x, : law.shape[1] - move]
        law = grown
    # In whole numbers, so that ties are ties: N * sum against its mean.
    distance = np.abs(total * np.arange(law.shape[1]) - row * int(n @ score))
    observed = abs(total * int(h @ score) - row * int(n @ score))
    return slope, float(law[row, distance >= observed].sum() / law[row].sum())
