"""What the exact chi-square test can see: its power against any alternative."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ._validation import FloatArray, Reference, as_reference, as_whole
from .binomial import binomial_pmf
from .exact import MAX_WORK, pearson_lattice, reference_weights, table_size
from .rational import Rationals, as_rational_reference, exact_reference, positive

# An exact p that equals alpha on paper counts as reaching it.
_ALPHA_TOLERANCE = 1e-12


@dataclass(frozen=True)
class ExactPower:
    """The power of the exact test, which rejects where chi-square >= `critical_value` (infinite: nowhere).

    `size` is the probability of a rejection under the reference, at most `alpha`.
    """

    power: float
    critical_value: float
    size: float
    alpha: float
    n: int
    method: str = "exact"


def as_share(value: float, name: str) -> float:
    if not 0 < value < 1:
        raise ValueError(f"`{name}` must lie between 0 and 1; got {value!r}")
    return float(value)


def as_contaminated(p: Rationals | FloatArray, outcome: int) -> int:
    j = int(as_whole(outcome, "outcome"))
    if j >= len(p) or p[j] == 1:
        raise ValueError(
            f"`outcome` must be one of the positions 0 to {len(p) - 1}, less probable than 1; got {outcome!r}"
        )
    return j


def _first(holds: Callable[[int], bool], low: int, high: int) -> int:
    """The smallest whole number in [low, high] at which a condition that stays true once it is holds; else `high`."""
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle + 1, high)
    return low


def critical_value(n: int, p: Rationals, alpha: float, max_work: float) -> int:
    """The smallest integer c with P(sum w_i x_i^2 >= c) <= alpha under the reference."""
    weights, _ = reference_weights(positive(p))
    lattice = pearson_lattice(weights, positive(p), table_size(n), max_work)
    return _first(lambda c: lattice.tail(n, c) <= alpha * (1 + _ALPHA_TOLERANCE), 0, max(weights) * n * n + 1)


def rejection_probability(n: int, p: Rationals, q: Rationals, critical: int, max_work: float) -> float:
    """P(sum w_i x_i^2 >= critical) under q, where an outcome that the reference p excludes counts as a rejection."""
    weights, _ = reference_weights(positive(p))
    possible = [b for a, b in zip(p, q, strict=True) if a > 0]
    drawn = [(w, b) for w, b in zip(weights, possible, strict=True) if b > 0]
    if not drawn:
        return 1.0
    lattice = pearson_lattice(tuple(w for w, _ in drawn), tuple(b for _, b in drawn), table_size(n), max_work)
    missed = n * math.log1p(-float((sum(q) - sum(possible)) / sum(q)))
    return -math.expm1(missed) + math.exp(missed) * lattice.tail(n, critical)


def exact_power(
    n: int, reference: Reference, alternative: Reference, alpha: float = 0.05, *, max_work: float = MAX_WORK
) -> ExactPower:
    """Probability that the exact chi-square test of `reference` rejects (p <= alpha) when `alternative` is the truth.

    n: valid outcomes, at least 1. reference: shape (k,), rational as in `exact_test`. alternative: shape (k,), rational
    or floats. The rejection region comes from the reference's lattice, its probability from the same dynamic program
    with the alternative's weights; an outcome of reference probability 0 rejects.
    Raises ValueError for no distribution, another length, an alpha outside (0, 1), a reference that is not rational,
    and WorkLimitError (a ValueError) where the exact calculation is out of reach.
    """
    n, alpha, p = int(as_whole(n, "n", minimum=1)), as_share(alpha, "alpha"), exact_reference(reference)
    q = as_rational_reference(alternative)[0] or tuple(Fraction(float(x)) for x in as_reference(alternative))
    if len(q) != len(p):
        raise ValueError(
            f"`alternative` must have one entry for each outcome of `reference`; got {len(q)} for {len(p)} outcomes"
        )
    critical = critical_value(n, p, alpha, max_work)
    size = rejection_probability(n, p, p, critical, max_work)
    power = rejection_probability(n, p, q, critical, max_work)
    # The region begins at the first value that is attained: the last one from which on the tail is still the same.
    weights, scale = reference_weights(positive(p))
    top = max(weights) * n * n
    reported = math.inf
    if critical <= top:
        lattice = pearson_lattice(weights, positive(p), table_size(n), max_work)
        attained = _first(lambda c: lattice.tail(n, c) < lattice.tail(n, critical), critical, top + 1) - 1
        reported = float(scale * attained / n - n)
    return ExactPower(power, reported, size, alpha, n)


def conditional_power(n: int, p: Rationals, j: int, alpha: float, max_work: float) -> FloatArray:
    """P(reject | outcome j drawn x times), x = 0..n.

    Contamination leaves the ratios of the other outcomes alone, so that this does not depend on epsilon.
    """
    critical = critical_value(n, p, alpha, max_work)
    weights = iter(reference_weights(positive(p))[0])
    weight = [next(weights) if q > 0 else 0 for q in p]
    others = [i for i in range(len(p)) if i != j and p[i] > 0]
    lattice = pearson_lattice(tuple(weight[i] for i in others), tuple(p[i] for i in others), table_size(n), max_work)
    if p[j] == 0:
        return np.append(lattice.tail(n, critical), np.ones(n))
    return np.array([lattice.tail(n - x, critical - weight[j] * x * x) for x in range(n + 1)])


def mixture_power(share: npt.ArrayLike, conditional: FloatArray) -> FloatArray:
    n = conditional.size - 1
    drawn = binomial_pmf(np.arange(n + 1), n, np.asarray(share, dtype=np.float64)[..., np.newaxis])
    return np.asarray(np.minimum(drawn @ conditional, 1.0))


def contamination_power(
    epsilon: npt.ArrayLike,
    n: int,
    reference: Reference,
    alpha: float = 0.05,
    outcome: int = 0,
    *,
    max_work: float = MAX_WORK,
) -> FloatArray:
    """Exact power against (1 - epsilon) reference + epsilon delta_outcome (CaliBench Eq. 15; the curves of Fig. 13).

    epsilon: any shape, in [0, 1]; its TV is epsilon (1 - reference[outcome]). Returns that shape.
    Raises as `exact_power` does, and ValueError for an epsilon or outcome out of range.
    """
    n, alpha, p = int(as_whole(n, "n", minimum=1)), as_share(alpha, "alpha"), exact_reference(reference)
    j = as_contaminated(p, outcome)
    e = np.asarray(epsilon, dtype=np.float64)
    if not ((e >= 0) & (e <= 1)).all():
        raise ValueError(f"`epsilon` must lie in [0, 1]; got {e.tolist()}")
    share = np.minimum(float(p[j]) + e * float(1 - p[j]), 1.0)
    return mixture_power(share, conditional_power(n, p, j, alpha, max_work))[()]
