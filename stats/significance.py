"""Is a cell evidence of miscalibration? Pearson's chi-square by Monte Carlo, and corrections for many tests."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ._validation import FloatArray, Reference, Rng, as_counts, as_generator, as_reference, as_whole

# Statistics that are equal on paper differ in the last bits; the authors count ties within this distance.
TIE_TOLERANCE = 1e-9


@dataclass(frozen=True)
class MonteCarloTest:
    """A Monte Carlo p-value: `pvalue` and its `standard_error` (CaliBench Eq. 5) over `n_resamples` null draws."""

    statistic: float
    pvalue: float
    standard_error: float
    n: int
    n_resamples: int
    method: str = "Monte Carlo chi-square, add-one estimator"


def chi_square(counts: npt.ArrayLike, reference: Reference) -> FloatArray:
    """Pearson's chi-square of the counts against the reference (CaliBench Eq. 4).

    counts: shape (..., k); reference: shape (k,). Returns shape (...); NaN where there is no valid outcome.
    An outcome of reference probability 0 drops out where it was not seen and makes the statistic infinite where it was.
    """
    p = as_reference(reference)
    c = as_counts(counts, p.size)
    possible = p > 0
    n = c.sum(axis=-1, keepdims=True)
    expected = n * p[possible]
    with np.errstate(invalid="ignore", divide="ignore"):
        statistic = ((c[..., possible] - expected) ** 2 / expected).sum(axis=-1)
    impossible = c[..., ~possible].sum(axis=-1) > 0
    return np.where(impossible, np.inf, statistic)[()]


def chi_square_null(valid: int, reference: Reference, n_resamples: int = 50_000, rng: Rng = 0) -> FloatArray:
    """Sorted chi-square statistics of `n_resamples` cells of `valid` draws from the reference, shape (n_resamples,).

    It depends on the cell only through `valid`: cells of one scene with as many valid outcomes share it.
    """
    n = int(as_whole(valid, "valid", minimum=1))
    size = int(as_whole(n_resamples, "n_resamples", minimum=1))
    p = as_reference(reference)
    draws = as_generator(rng).multinomial(n, p, size=size)
    return np.sort(chi_square(draws, p))


def monte_carlo_pvalue(statistic: npt.ArrayLike, null: FloatArray) -> FloatArray:
    """(b + 1) / (M + 1), with b the null statistics at least as large as the observed one, ties included (Hope 1968).

    statistic: any shape; null: sorted, shape (M,). Never 0.
    """
    observed = np.asarray(statistic, dtype=np.float64)
    below = np.searchsorted(null, observed - TIE_TOLERANCE, side="left")
    return np.where(np.isnan(observed), np.nan, (null.size - below + 1) / (null.size + 1))[()]


def monte_carlo_test(
    counts: npt.ArrayLike, reference: Reference, n_resamples: int = 50_000, rng: Rng = 0
) -> MonteCarloTest:
    """The paper's test of calibration: Pearson's chi-square against draws from the reference (section 3.4.2).

    counts: shape (k,), valid outcomes of one cell. With the defaults it gives every p-value that the paper prints.
    Without a valid outcome statistic and p-value are NaN: there is nothing to test.
    Raises ValueError as `chi_square` does, and for an `n_resamples` below 1.
    """
    p = as_reference(reference)
    c = as_counts(counts, p.size)
    if c.ndim != 1:
        raise ValueError(f"`counts` must be one cell, shape (k,); got shape {c.shape}")
    n = int(c.sum())
    if n == 0:
        return MonteCarloTest(np.nan, np.nan, np.nan, 0, n_resamples, "no valid outcome: not testable")
    statistic = float(chi_square(c, p))
    pvalue = float(monte_carlo_pvalue(statistic, chi_square_null(n, p, n_resamples, rng)))
    return MonteCarloTest(statistic, pvalue, float(np.sqrt(pvalue * (1 - pvalue) / n_resamples)), n, n_resamples)


def _as_pvalues(p: npt.ArrayLike) -> FloatArray:
    values = np.asarray(p, dtype=np.float64)
    if values.ndim != 1 or not ((values >= 0) & (values <= 1)).all():
        raise ValueError(f"`p` must be a list of p-values between 0 and 1; got {values.tolist()}")
    return values


def benjamini_hochberg(p: npt.ArrayLike) -> FloatArray:
    """p-values adjusted to control the false discovery rate (Benjamini & Hochberg 1995), in the given order.

    p: shape (m,), the whole family of tests. Reject where the adjusted value is at most alpha.
    """
    values = _as_pvalues(p)
    order = np.argsort(values, kind="stable")
    ratio = values[order] * values.size / np.arange(1, values.size + 1)
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(np.minimum.accumulate(ratio[::-1])[::-1], 1)
    return adjusted


def bonferroni(p: npt.ArrayLike) -> FloatArray:
    """p-values times the number of tests, at most 1: control of the family-wise error rate."""
    values = _as_pvalues(p)
    return np.minimum(values * values.size, 1)
