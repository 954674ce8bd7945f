"""The binomial probability mass, accurate to a few units in the last place also where factorials overflow."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from ._validation import FloatArray

_EXACT_UP_TO = 15
_HALF_LOG_TWO_PI = 0.5 * math.log(2 * math.pi)


def _stirling_error_exact(n: int) -> float:
    return math.lgamma(n + 1) - (n + 0.5) * math.log(n) + n - _HALF_LOG_TWO_PI if n else math.nan


_SMALL = np.array([_stirling_error_exact(n) for n in range(_EXACT_UP_TO + 1)])


def _stirling_error(n: FloatArray) -> FloatArray:
    """log(n!) minus Stirling's approximation, for whole n >= 1."""
    inverse = 1 / np.maximum(n, 1) ** 2
    series = (1 / 12 - (1 / 360 - (1 / 1260 - (1 / 1680 - inverse / 1188) * inverse) * inverse) * inverse) / np.maximum(
        n, 1
    )
    small = _SMALL[np.minimum(n, _EXACT_UP_TO).astype(np.int64)]
    return np.where(n <= _EXACT_UP_TO, small, series)


def _deviance(x: FloatArray, mean: FloatArray) -> FloatArray:
    """x log(x / mean) + mean - x without cancellation, for x, mean > 0."""
    v = (x - mean) / (x + mean)
    series = (x - mean) * v
    term = 2 * x * v
    for j in range(1, 11):  # |v| < 0.1 makes each term a hundredth of the one before
        term = term * v * v
        series = series + term / (2 * j + 1)
    with np.errstate(divide="ignore", invalid="ignore"):
        direct = x * np.log(x / mean) + mean - x
    return np.where(np.abs(v) < 0.1, series, direct)


def binomial_pmf(k: npt.ArrayLike, n: npt.ArrayLike, p: npt.ArrayLike) -> FloatArray:
    """P(X = k) for X ~ Binomial(n, p).

    Parameters are whole numbers 0 <= k <= n and 0 <= p <= 1; they broadcast against each other.
    Relative error below 1e-13 up to n = 10^7, by the saddle-point expansion of C. Loader, "Fast and Accurate
    Computation of Binomial Probabilities" (2000).
    """
    k, n, p = np.broadcast_arrays(*(np.asarray(a, dtype=np.float64) for a in (k, n, p)))
    q = 1 - p
    inner = (k > 0) & (k < n) & (p > 0) & (p < 1)
    # Placeholders keep the formula finite where an edge case below answers instead.
    ki, ni, pi = np.where(inner, k, 1.0), np.where(inner, n, 2.0), np.where(inner, p, 0.5)
    exponent = (
        _stirling_error(ni)
        - _stirling_error(ki)
        - _stirling_error(ni - ki)
        - _deviance(ki, ni * pi)
        - _deviance(ni - ki, ni * (1 - pi))
    )
    mass = np.exp(exponent) * np.sqrt(ni / (2 * np.pi * ki * (ni - ki)))
    with np.errstate(divide="ignore", invalid="ignore"):
        none = np.where((n == 0) | (p == 0), 1.0, np.where(q == 0, 0.0, np.exp(n * np.log1p(-p))))
        every = np.where((n == 0) | (q == 0), 1.0, np.where(p == 0, 0.0, np.exp(n * np.log(p))))
    edge = np.where(k == 0, none, np.where(k == n, every, 0.0))
    return np.where(inner, mass, edge)
