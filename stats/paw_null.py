"""How large PAWBench's TVD is from sampling noise alone: the matched finite-sample null, simulated and exact."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ._validation import FloatArray, Reference, Rng, as_counts, as_generator, as_reference, as_whole
from .binomial import binomial_pmf
from .distance import null_floor, total_variation
from .significance import TIE_TOLERANCE

# More cells to a pool of draws save time and cost precision: the error grows by up to the square root of this.
SHARING = 4
ReadableCell = tuple[npt.ArrayLike, Reference]
# What the law of a cell's TVD depends on: readable outcomes, and the possible outcomes' probabilities in any order.
_Law = tuple[int, tuple[float, ...]]


@dataclass(frozen=True)
class NullAggregate:
    """An average TVD x100 beside its null: draws from the references, aggregated alike.

    `observed`: the average of the data. `null_mean`, `null_low` (2.5th) and `null_q99` (99th percentile) of the
    `n_resamples` replicates; `exceedances` of them are at least `observed`, `pvalue` = (exceedances + 1) /
    (n_resamples + 1). `exact_mean` and `exact_sd` of the same null carry no simulation error. All but the p-value
    and the counts are NaN without a cell, and so is the p-value.
    """

    observed: float
    null_mean: float
    null_low: float
    null_q99: float
    exceedances: int
    pvalue: float
    exact_mean: float
    exact_sd: float
    models: int
    cells: int
    n_resamples: int
    method: str


@dataclass(frozen=True)
class MatchedNull:
    """The null of every model in the given order, of the mean of the models' averages, and of the mean of all cells."""

    models: tuple[NullAggregate, ...]
    equal_model: NullAggregate
    pooled: NullAggregate


def null_variance(valid: npt.ArrayLike, reference: Reference) -> FloatArray:
    """Var[TV] of `valid` draws from the reference itself, exact; the companion of `null_floor`.

    With D_i = |X_i - n p_i|, Var[TV] = (sum_i Var D_i + sum_{i != j} Cov(D_i, D_j)) / (4 n^2). Var D_i is closed (de
    Moivre); E[D_i D_j] is a double sum over the trinomial (X_i, X_j), whose terms are all positive, taken once for
    each pair of different probabilities. Work grows like `valid`, beyond some hundred, for each such pair.

    valid: whole numbers, any shape; reference: shape (k,). Returns that shape; NaN where valid is 0.
    """
    p = as_reference(reference)
    n = as_whole(valid, "valid")
    distinct, position = np.unique(n, return_inverse=True)
    variances = np.array([_null_variance(int(m), p[p > 0]) if m else np.nan for m in distinct])
    return np.asarray(variances[position].reshape(n.shape))[()]


def _null_variance(n: int, p: FloatArray) -> float:
    values, times = np.unique(p, return_counts=True)
    mode = np.minimum(np.floor(n * values), n - 1)
    deviation = 2 * n * values * (1 - values) * binomial_pmf(mode, n - 1, values)
    total = float((times * (n * values * (1 - values) - deviation**2)).sum())
    for i in range(values.size):
        for j in range(i, values.size):
            pairs = times[i] * (times[i] - 1) if i == j else 2 * times[i] * times[j]
            if pairs:
                product = _mean_product(n, float(values[i]), float(values[j]))
                total += pairs * (product - deviation[i] * deviation[j])
    return max(total, 0.0) / (4 * n * n)


def _mean_product(n: int, p: float, q: float) -> float:
    """E[|X - np| |Y - nq|] of two outcomes of a multinomial."""
    x, y = _likely_counts(n, p)[:, np.newaxis], _likely_counts(n, q)
    inside = x + y <= n
    rest = np.where(inside, n - x, 0)
    mass = binomial_pmf(x, n, p) * binomial_pmf(np.where(inside, y, 0), rest, min(1.0, q / (1 - p)) if p < 1 else 0.0)
    return float((np.where(inside, mass, 0.0) * np.abs(x - n * p) * np.abs(y - n * q)).sum())


def _likely_counts(n: int, p: float) -> npt.NDArray[np.int64]:
    # By Bernstein's inequality the counts left out carry less than 1e-17; up to n = 40 none is.
    reach = 9 * np.sqrt(n * p * (1 - p)) + 40
    return np.arange(max(0, int(n * p - reach)), min(n, int(n * p + reach) + 1) + 1)


def matched_null(
    models: Sequence[Sequence[ReadableCell]], minimum_readable: int = 1, n_resamples: int = 50_000, rng: Rng = 0
) -> MatchedNull:
    """The matched finite-sample null of PAW-Calibration (PAWBench Appendix B.4, Fig. 12 and Table 8).

    models: for each model its passing calibration scenes as `(counts, reference)`; counts shape (k,), readable
    outcomes. Each replicate draws as many outcomes as were readable from each scene's reference and averages TVD x100
    as the benchmark does: over a model's scenes; `equal_model` then over the models that have a scene, `pooled` over
    all cells alike. minimum_readable: cells with fewer readable outcomes are left out, observed and null alike
    (30 gives the last row of Table 8).

    Up to four cells whose TVD has the same law (same number readable, same reference up to order) share one pool of
    draws, each reading it from its own place on. So no two cells of a replicate use the same draw, and every replicate
    has exactly the null's law; but replicates are no longer independent of each other, which at most doubles the error
    of the simulated mean. `exact_mean` has none.

    Raises ValueError without models, for a cell without readable outcome, and as `total_variation` does.
    """
    if not models:
        raise ValueError("`models` must hold the passing scenes of at least one model; got none")
    least = int(as_whole(minimum_readable, "minimum_readable", minimum=1))
    size = int(as_whole(n_resamples, "n_resamples", minimum=1))
    users: dict[_Law, list[int]] = {}
    observed: list[list[float]] = [[] for _ in models]
    for index, cells in enumerate(models):
        for counts, reference in cells:
            p = as_reference(reference)
            c = as_counts(counts, p.size)
            n = int(c.sum())
            if c.ndim != 1 or n == 0:
                raise ValueError(f"`models` must hold cells with readable outcomes, shape (k,); got {counts!r}")
            if n >= least:
                observed[index].append(100 * float(total_variation(c, p)))
                users.setdefault((n, tuple(sorted(p[p > 0].tolist()))), []).append(index)

    # Sums over the cells of each model; the three aggregates are their linear combinations.
    sums = np.zeros((len(models), size))
    means, variances = np.zeros(len(models)), np.zeros(len(models))
    for law, owners in users.items():
        np.add.at(means, owners, 100 * float(null_floor(*law)))
        np.add.at(variances, owners, 1e4 * float(null_variance(*law)))
    shares = [(law, owners[i : i + SHARING]) for law, owners in users.items() for i in range(0, len(owners), SHARING)]
    generators = as_generator(rng).spawn(len(shares))
    with ThreadPoolExecutor() as pool:  # numpy draws outside the interpreter lock
        pools = pool.map(_draw_tvd, [law for law, _ in shares], [max(size, SHARING)] * len(shares), generators)
        for (_, owners), draws in zip(shares, pools, strict=True):
            step = draws.size // len(owners)
            for place, owner in enumerate(owners):
                sums[owner] += np.roll(draws, -place * step)[:size]

    number = np.array([len(cells) for cells in observed])
    seen = np.array([sum(values) for values in observed])

    def aggregate(weights: FloatArray, method: str) -> NullAggregate:
        used = weights > 0
        return _aggregate(
            float(weights @ seen), weights @ sums, float(weights @ means), float(weights**2 @ variances),
            int(used.sum()), int(number[used].sum()), method,
        )  # fmt: skip

    own = np.divide(1.0, number, out=np.zeros(len(models)), where=number > 0)
    return MatchedNull(
        models=tuple(aggregate(row, "mean over the model's cells") for row in np.diag(own)),
        equal_model=aggregate(own / max(1, (number > 0).sum()), "mean of the models' averages"),
        pooled=aggregate((number > 0) / max(1, number.sum()), "mean over all cells"),
    )


def _draw_tvd(law: _Law, size: int, generator: np.random.Generator) -> FloatArray:
    n, reference = law
    p = np.array(reference)
    draws = generator.multinomial(n, p / p.sum(), size=size)
    return np.asarray(np.abs(draws - n * p).sum(axis=1) * (50 / n))


def _aggregate(
    observed: float, replicates: FloatArray, mean: float, variance: float, models: int, cells: int, method: str
) -> NullAggregate:
    size = replicates.size
    if cells == 0:
        nan = float("nan")
        return NullAggregate(nan, nan, nan, nan, 0, nan, nan, nan, 0, 0, size, "no passing scene: no average")
    low, q99 = np.quantile(replicates, [0.025, 0.99])
    exceedances = int((replicates >= observed - TIE_TOLERANCE * max(1.0, observed)).sum())
    return NullAggregate(
        observed=observed,
        null_mean=float(replicates.mean()),
        null_low=float(low),
        null_q99=float(q99),
        exceedances=exceedances,
        pvalue=(exceedances + 1) / (size + 1),
        exact_mean=mean,
        exact_sd=float(np.sqrt(variance)),
        models=models,
        cells=cells,
        n_resamples=size,
        method=f"{method}; Monte Carlo, add-one estimator",
    )
