"""What a number of rollouts can detect, and how many a given TV needs: exactly, and by the paper's Monte Carlo rule."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from ._validation import Reference, Rng, as_generator, as_reference, as_whole
from .exact import MAX_WORK
from .power import (
    as_contaminated,
    as_share,
    conditional_power,
    critical_value,
    mixture_power,
    rejection_probability,
)
from .rational import exact_reference
from .significance import TIE_TOLERANCE, chi_square, chi_square_null


@dataclass(frozen=True)
class DetectableTV:
    """The smallest `tv`, from contamination `epsilon` of `outcome`, that `n` valid outcomes detect; NaN with a note."""

    tv: float
    epsilon: float
    power: float
    alpha: float
    n: int
    outcome: int
    method: str
    note: str = ""


@dataclass(frozen=True)
class RolloutsNeeded:
    """`n` valid outcomes detect `tv`, and so does every number up to `checked_to`; `first` is the smallest that does.

    `power` is the power at `n`. Where no number was found, `n` is None and `note` says why.
    """

    n: int | None
    first: int | None
    power: float
    checked_to: int
    tv: float
    alpha: float
    outcome: int
    method: str = "exact"
    note: str = ""


def smallest_detectable_tv(
    n: int,
    reference: Reference,
    power: float = 0.8,
    alpha: float = 0.05,
    outcome: int = 0,
    *,
    max_work: float = MAX_WORK,
) -> DetectableTV:
    """The smallest TV that the exact test detects with at least `power`, by contamination of `outcome` (Eq. 15).

    Power is a polynomial in the contaminated probability q and need not rise with it. It is evaluated on a grid that is
    even in arcsin(sqrt(q)), 32 points to each standard deviation of a proportion of `n`; its first crossing is then
    bisected to double precision. NaN, with a note, where no contamination reaches `power`.
    Raises as `exact_power` does, and ValueError for a power outside (0, 1) or an outcome out of range.
    """
    n, alpha, p = int(as_whole(n, "n", minimum=1)), as_share(alpha, "alpha"), exact_reference(reference)
    j, target = as_contaminated(p, outcome), as_share(power, "power")
    conditional = conditional_power(n, p, j, alpha, max_work)
    begin = math.asin(math.sqrt(p[j]))
    angles = np.linspace(begin, math.pi / 2, 100 * math.isqrt(n) + 101)
    reached = np.flatnonzero(mixture_power(np.sin(angles) ** 2, conditional) >= target)
    if reached.size == 0:
        note = f"no contamination of this outcome is detected with power {target:g} at n = {n}"
        return DetectableTV(math.nan, math.nan, math.nan, alpha, n, j, "exact", note)
    high = float(np.sin(angles[reached[0]]) ** 2) if reached[0] else float(p[j])
    low = float(np.sin(angles[max(reached[0] - 1, 0)]) ** 2)
    while low < (middle := (low + high) / 2) < high:
        low, high = (low, middle) if mixture_power(middle, conditional) >= target else (middle, high)
    tv = max(high - float(p[j]), 0.0)
    return DetectableTV(tv, tv / float(1 - p[j]), float(mixture_power(high, conditional)), alpha, n, j, "exact")


def rollouts_needed(
    tv: float,
    reference: Reference,
    power: float = 0.8,
    alpha: float = 0.05,
    outcome: int = 0,
    max_n: int = 1000,
    *,
    max_work: float = MAX_WORK,
) -> RolloutsNeeded:
    """How many valid outcomes detect a given TV, by contamination of `outcome` (Eq. 15), with at least `power`.

    Power rises in a saw-tooth with the number of outcomes. So `n` is the smallest number from which on it holds for
    every number up to a horizon, a quarter and at least 16 beyond; `first` is the smallest number at which it holds at
    all. Plan videos as n / scorability.
    tv: in (0, 1 - reference[outcome]]. The search ends at `max_n`, with n = None and a note.
    Raises as `smallest_detectable_tv` does.
    """
    alpha, p, target = as_share(alpha, "alpha"), exact_reference(reference), as_share(power, "power")
    j, limit = as_contaminated(p, outcome), int(as_whole(max_n, "max_n", minimum=1))
    if not 0 < tv <= float(1 - p[j]):
        raise ValueError(f"`tv` must lie in (0, {float(1 - p[j]):g}], 1 - reference[{j}]; got {tv!r}")
    epsilon = min(Fraction(tv) / (1 - p[j]), Fraction(1))
    q = tuple((1 - epsilon) * a + (epsilon if i == j else 0) for i, a in enumerate(p))
    first: int | None = None
    start, power_at_start = 0, math.nan
    for n in range(1, limit + 1):
        reached = rejection_probability(n, p, q, critical_value(n, p, alpha, max_work), max_work)
        if reached < target:
            start = 0
            continue
        first = first or n
        if not start:
            start, power_at_start = n, reached
        if n >= start + max(16, start // 4):
            return RolloutsNeeded(start, first, power_at_start, n, tv, alpha, j)
    note = f"power {target:g} does not hold over the horizon within max_n = {limit}"
    return RolloutsNeeded(None, first, math.nan, limit, tv, alpha, j, note=note)


def smallest_detectable_tv_monte_carlo(
    n: int,
    reference: Reference,
    power: float = 0.8,
    alpha: float = 0.05,
    outcome: int = 0,
    *,
    n_null: int = 50_000,
    n_draws: int = 5_000,
    null_rng: Rng = 0,
    power_rng: Rng = 1,
    tolerance: float = 1e-3,
) -> DetectableTV:
    """The rule of the paper's Table 5, by Monte Carlo; `smallest_detectable_tv` is the exact one.

    Rejects where chi-square reaches the 1 - alpha quantile of `n_null` draws from the reference, which is liberal where
    that value carries mass. Power from `n_draws` draws from the contaminated reference (Eq. 15), bisected on epsilon to
    within `tolerance`. Seeds make the generators anew at each epsilon.
    Raises ValueError for no distribution as reference, an `n` below 1, and shares outside (0, 1).
    """
    n, alpha, p = int(as_whole(n, "n", minimum=1)), as_share(alpha, "alpha"), as_reference(reference)
    j, target = as_contaminated(p, outcome), as_share(power, "power")
    size, width = int(as_whole(n_draws, "n_draws", minimum=1)), as_share(tolerance, "tolerance")
    critical = np.quantile(chi_square_null(n, p, n_null, null_rng), 1 - alpha) - TIE_TOLERANCE

    def power_at(epsilon: float) -> float:
        mixed = (1 - epsilon) * p
        mixed[j] += epsilon
        draws = as_generator(power_rng).multinomial(n, mixed, size=size)
        return float((chi_square(draws, p) >= critical).mean())

    low, high = 0.0, 1.0
    while high - low > width:
        middle = (low + high) / 2
        low, high = (low, middle) if power_at(middle) >= target else (middle, high)
    method = f"Monte Carlo, {n_null} null and {size} alternative draws"
    return DetectableTV(high * (1 - float(p[j])), high, power_at(high), alpha, n, j, method)
