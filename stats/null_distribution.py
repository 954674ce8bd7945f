"""The exact null distributions of TV and chi-square, and the bands that a calibrated model stays in."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ._validation import FloatArray, IntArray, Reference, as_whole, check_level
from .exact import LARGEST_VALUE, MAX_WORK, pearson_lattice, reference_weights
from .lattice import MultinomialSum, WorkLimitError
from .rational import Rationals, exact_reference, positive

Statistic = Literal["tv", "chi_square"]


@dataclass(frozen=True)
class ExactDistribution:
    """The null distribution of a statistic at `n` draws: `support` ascending and `probabilities`, both shape (m,).

    The value `numerators[i] / denominator` is exact; `support` is its nearest double.
    """

    statistic: str
    n: int
    numerators: IntArray
    denominator: int
    probabilities: FloatArray

    @property
    def support(self) -> FloatArray:
        return self.numerators / self.denominator


@dataclass(frozen=True)
class NullBand:
    """Central quantiles of a statistic under the reference; `probability` is what the closed band holds."""

    statistic: str
    low: float
    high: float
    probability: float
    confidence_level: float
    n: int
    method: str = "exact"


def _tv_lattice(p: Rationals, n: int, max_work: float) -> tuple[MultinomialSum, int]:
    """The lattice of sum max(D x_i - n a_i, 0) = TV n D, where p_i = a_i / D; and n D."""
    common = math.lcm(*(q.denominator for q in p))
    if common * n**3 > LARGEST_VALUE:
        raise WorkLimitError(f"the values of the statistic exceed 64-bit integers at n = {n}")
    expected = np.array([n * int(q * common) for q in p], dtype=np.int64)[:, np.newaxis]
    terms = np.maximum(common * np.arange(n + 1, dtype=np.int64) - expected, 0)
    return MultinomialSum(terms, p, max_work), common * n


def exact_chi_square_distribution(n: int, reference: Reference, *, max_work: float = MAX_WORK) -> ExactDistribution:
    """The distribution of Pearson's chi-square under multinomial(n, reference), n >= 1; arguments as `exact_test`.

    Raises ValueError where the reference is not rational, and WorkLimitError (a ValueError) beyond `max_work`.
    """
    n = int(as_whole(n, "n", minimum=1))
    p = positive(exact_reference(reference))
    weights, scale = reference_weights(p)
    if max(weights) * n * n * scale.numerator > LARGEST_VALUE:
        raise WorkLimitError(f"the values of chi-square exceed 64-bit integers at n = {n}")
    values, probabilities = pearson_lattice(weights, p, n, max_work).distribution(n)
    # chi-square = scale / n * value - n, over the common denominator n * scale.denominator.
    denominator = n * scale.denominator
    return ExactDistribution("chi_square", n, values * scale.numerator - n * denominator, denominator, probabilities)


def exact_tv_distribution(n: int, reference: Reference, *, max_work: float = MAX_WORK) -> ExactDistribution:
    """The distribution of TV (CaliBench Eq. 3) under multinomial(n, reference), n >= 1; otherwise as for chi-square."""
    n = int(as_whole(n, "n", minimum=1))
    p = positive(exact_reference(reference))
    lattice, denominator = _tv_lattice(p, n, max_work)
    values, probabilities = lattice.distribution(n)
    return ExactDistribution("tv", n, values, denominator, probabilities)


def null_band(
    n: int,
    reference: Reference,
    confidence_level: float = 0.95,
    statistic: Statistic = "tv",
    *,
    max_work: float = MAX_WORK,
) -> NullBand:
    """Between which values a calibrated model's TV (or chi-square) lies at `n` valid outcomes: central quantiles.

    The quantile at q is the smallest value v with P(statistic <= v) >= q, at q = (1 -+ confidence_level) / 2: each side
    leaves out at most half of 1 - confidence_level. Raises ValueError as the distributions do.
    """
    level = check_level(confidence_level)
    if statistic not in ("tv", "chi_square"):
        raise ValueError(f"`statistic` must be 'tv' or 'chi_square'; got {statistic!r}")
    law = exact_tv_distribution if statistic == "tv" else exact_chi_square_distribution
    d = law(n, reference, max_work=max_work)
    below, above = np.cumsum(d.probabilities), np.cumsum(d.probabilities[::-1])[::-1]
    # A quantile that falls on a step of the distribution must not be moved on by the last bits of a sum.
    side = (1 - level) / 2
    low = int(np.argmax(below >= side * (1 - 1e-12)))
    high = int(np.argmax(np.append(above[1:], 0.0) <= side * (1 + 1e-12)))
    inside = float(d.probabilities[low : high + 1].sum())
    return NullBand(statistic, float(d.support[low]), float(d.support[high]), inside, level, d.n)
