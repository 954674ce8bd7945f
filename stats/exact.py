"""Is a cell evidence of miscalibration? The exact p-value of Pearson's chi-square, without simulation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ._validation import FloatArray, IntArray, Reference, Rng, as_counts, as_reference
from .lattice import MultinomialSum, WorkLimitError
from .rational import Rationals, as_rational_reference, exact_reference, positive
from .significance import monte_carlo_test

MAX_WORK = 2e8
LARGEST_VALUE = 2**61


@dataclass(frozen=True)
class ExactTest:
    """A p-value of Pearson's chi-square; `method` says whether it is exact or Monte Carlo, `note` why where it matters.

    `standard_error` is 0 for an exact p and CaliBench Eq. 5 for a Monte Carlo one.
    """

    statistic: float
    pvalue: float
    standard_error: float
    n: int
    method: str
    note: str = ""


def reference_weights(p: Rationals) -> tuple[tuple[int, ...], Fraction]:
    """Integers w and a scale such that chi-square = scale / n * sum w_i x_i^2 - n, for positive rationals of sum 1."""
    common = math.lcm(*(q.numerator for q in p))
    weights = [common // q.numerator * q.denominator for q in p]
    divisor = math.gcd(*weights)  # smaller values take fewer steps of bisection to a critical value
    return tuple(w // divisor for w in weights), Fraction(divisor, common)


def table_size(n: int) -> int:
    """`n` rounded up by at most a quarter, so that cells with nearly as many outcomes share one table."""
    step = max(8, 1 << max(n.bit_length() - 3, 0))
    return -(-n // step) * step


@lru_cache(maxsize=16)
def pearson_lattice(weights: tuple[int, ...], p: Rationals, size: int, max_work: float) -> MultinomialSum:
    """The lattice of sum w_i x_i^2 under multinomial(n, p), n <= size. Raises WorkLimitError."""
    if max(weights) * size**3 > LARGEST_VALUE:
        raise WorkLimitError(f"the values of the statistic exceed 64-bit integers at n = {size}")
    x = np.arange(size + 1, dtype=np.int64)
    return MultinomialSum(np.array(weights, dtype=np.int64)[:, np.newaxis] * x**2, p, max_work)


def exact_pvalues(counts: npt.ArrayLike, reference: Reference, *, max_work: float = MAX_WORK) -> FloatArray:
    """Exact P(chi-square >= observed) of many cells with one reference, the fast way for millions of them.

    counts: shape (..., k), any mixture of totals; reference: shape (k,), read as by `exact_test`. Returns shape (...).
    Cells with equal total and statistic share one look-up. NaN where there is no valid outcome; 0 where an outcome of
    reference probability 0 was seen.
    Raises ValueError for counts or a reference that are none, and WorkLimitError (a ValueError) where the exact
    calculation is out of reach: this function never approximates.
    """
    p = exact_reference(reference)
    c = as_counts(counts, len(p))
    pvalues = _pvalues(c.reshape(-1, len(p)), p, max_work)
    return pvalues.reshape(c.shape[:-1])[()]


def _pvalues(c: IntArray, p: Rationals, max_work: float, size: int = 0) -> FloatArray:
    """`exact_pvalues` of counts (m, k) from a table for `size` draws, or for as many as the largest cell has."""
    possible = np.array([q > 0 for q in p])
    n = c.sum(axis=1)
    answers = np.where(n > 0, 0.0, np.nan)
    testable = (n > 0) & (c[:, ~possible].sum(axis=1) == 0)
    if testable.any():
        weights, _ = reference_weights(positive(p))
        lattice = pearson_lattice(weights, positive(p), table_size(size or int(n[testable].max())), max_work)
        values = c[:, possible] ** 2 @ np.array(weights)
        for total in np.unique(n[testable]):
            chosen = np.flatnonzero(testable & (n == total))
            distinct, inverse = np.unique(values[chosen], return_inverse=True)
            answers[chosen] = _tails(lattice, int(total), distinct, max_work)[inverse]
    return answers


def _tails(lattice: MultinomialSum, n: int, thresholds: IntArray, max_work: float) -> FloatArray:
    # A tail takes about four steps a look-up, and a thousand besides.
    work = lattice.distribution_work(n)
    if work > max_work or thresholds.size * (4 * lattice.lookups(n) + 1000) < work:
        return np.array([lattice.tail(n, int(t)) for t in thresholds])
    values, probabilities = lattice.distribution(n)
    tail = np.append(np.cumsum(probabilities[::-1])[::-1], 0.0)
    return np.asarray(np.minimum(tail[np.searchsorted(values, thresholds)], 1.0))


def exact_tests(
    cells: Sequence[tuple[npt.ArrayLike, Reference]],
    *,
    max_work: float = MAX_WORK,
    n_resamples: int = 50_000,
    rng: Rng = 0,
) -> list[ExactTest]:
    """`exact_test` of each `(counts, reference)` cell, in order; cells with one reference share its tables."""
    parsed: list[tuple[IntArray, FloatArray, Rationals | None, str]] = []
    largest: dict[Rationals, int] = {}
    for counts, reference in cells:
        p, reason = as_rational_reference(reference)
        floats = np.array([float(q) for q in p]) if p else as_reference(reference)
        c = as_counts(counts, floats.size)
        if c.ndim != 1:
            raise ValueError(f"`counts` must be one cell, shape (k,); got shape {c.shape}")
        parsed.append((c, floats, p, reason))
        if p:
            largest[p] = max(largest.get(p, 0), int(c.sum()))
    return [
        _test(c, floats, p, largest[p] if p else 0, reason, max_work, n_resamples, rng)
        for c, floats, p, reason in parsed
    ]


def _test(
    c: IntArray,
    floats: FloatArray,
    p: Rationals | None,
    size: int,
    reason: str,
    max_work: float,
    n_resamples: int,
    rng: Rng,
) -> ExactTest:
    n = int(c.sum())
    if n == 0:
        return ExactTest(np.nan, np.nan, np.nan, 0, "none", "no valid outcome: not testable")
    impossible = np.flatnonzero((floats == 0) & (c > 0)).tolist()
    if impossible:
        note = f"p is 0: an outcome of reference probability 0 was seen, at position {', '.join(map(str, impossible))}"
        return ExactTest(math.inf, 0.0, 0.0, n, "exact", note)
    if p:
        # The table of the largest cell serves every cell; where it exceeds the limit, a smaller cell tries its own.
        for draws in dict.fromkeys((size, n)):
            try:
                pvalue = float(_pvalues(c[np.newaxis], p, max_work, draws)[0])
            except WorkLimitError as error:
                reason = str(error)
            else:
                terms = (Fraction(int(x) ** 2) / q for x, q in zip(c, p, strict=True) if q)
                return ExactTest(float(sum(terms, Fraction()) / n - n), pvalue, 0.0, n, "exact")
    result = monte_carlo_test(c, floats, n_resamples, rng)
    return ExactTest(
        result.statistic, result.pvalue, result.standard_error, n, f"Monte Carlo, {n_resamples} draws", reason
    )


def exact_test(
    counts: npt.ArrayLike,
    reference: Reference,
    *,
    max_work: float = MAX_WORK,
    n_resamples: int = 50_000,
    rng: Rng = 0,
) -> ExactTest:
    """Exact P(chi-square >= observed) of one cell under multinomial(n, reference) (the paper's Eq. 4, without draws).

    counts: shape (k,), valid outcomes. reference: shape (k,), each entry an int, a Fraction, a pair (numerator,
    denominator) or a float. Ties are decided between integers, and the tail is added up from its own terms, so that
    permuting equally likely outcomes changes nothing and a p of 1e-200 keeps nine digits.

    A reference of rationals must sum to exactly one. Floats are taken for the fractions with denominators up to 10,000
    that they are nearest doubles of, if every entry is one and these sum to one (1/6, 18/37, 0.1); else for their
    binary values, if these sum to exactly one; else the test is Monte Carlo.
    An outcome of reference probability 0 drops out; once seen, p is 0 and `note` says so. Without a valid outcome
    p is NaN and `note` says so.

    The work is predicted before it is done, in products of states, each about ten nanoseconds. Above `max_work` the
    test is `monte_carlo_test` with `n_resamples` draws from `rng`, with its standard error, and `method` says so.

    Raises ValueError for counts that are no whole numbers >= 0, one an outcome, and for no distribution as reference.
    """
    return exact_tests([(counts, reference)], max_work=max_work, n_resamples=n_resamples, rng=rng)[0]
