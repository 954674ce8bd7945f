"""Do two cells share one distribution of outcomes? The exact test of Fisher, Freeman and Halton, 2 x k."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb, log, prod

import numpy as np
import numpy.typing as npt

from ._validation import FloatArray, IntArray, Rng, as_counts, as_generator, as_whole

# Tables equally probable on paper differ in the last bits of a product of some ten factors.
TIE_TOLERANCE = 1e-12
# Half tables that are worth listing: well under a second.
MAX_ROWS = 4_000_000
# Up to here no probability of a table, scaled as below, leaves the range of a double.
MAX_ROLLOUTS = 1000


@dataclass(frozen=True)
class HomogeneityTest:
    """A p-value given both margins; `standard_error` and `n_resamples` are 0 where it is exact. `n` of the two cells.

    `work`: half tables that the exact test lists, or would have listed.
    """

    pvalue: float
    standard_error: float
    n: tuple[int, int]
    n_resamples: int
    work: int
    method: str


def fisher_freeman_halton(
    first: npt.ArrayLike, second: npt.ArrayLike, n_resamples: int = 50_000, rng: Rng = 0, max_rows: int = MAX_ROWS
) -> HomogeneityTest:
    """Exact conditional test that two cells share one distribution (Freeman & Halton 1951; Fisher's exact at k = 2).

    first, second: shape (k,), readable outcomes in one order. The p-value is the probability, given both margins, of
    all tables at most as probable as the observed one; probabilities within 1e-12 of each other (relative) are ties.

    The columns are split into two halves, the half tables listed, and matched by the rows' sums with a binary search,
    so that the work grows like the square root of the number of tables. Where more than `max_rows` half tables would
    be listed, or more than 1000 rollouts are given, it is estimated from `n_resamples` random tables, with the
    add-one estimator and its standard error, and `method` says so.

    p-value NaN if a cell is empty. 1 if only one outcome was seen. Raises ValueError for counts that are no whole
    numbers >= 0 or differ in shape.
    """
    x, y = as_counts(first), as_counts(second)
    if x.ndim != 1 or x.shape != y.shape:
        raise ValueError(f"`first` and `second` must be counts of one outcome set; got shapes {x.shape} and {y.shape}")
    size = int(as_whole(n_resamples, "n_resamples", minimum=1))
    n = (int(x.sum()), int(y.sum()))
    if 0 in n:
        return HomogeneityTest(np.nan, np.nan, n, 0, 0, "a cell without readable outcome: not testable")
    columns = x + y
    x, columns = x[columns > 0], columns[columns > 0]
    halves = _halve(columns)
    work = sum(prod(int(columns[j]) + 1 for j in half) for half in halves)
    if work > max_rows or sum(n) > MAX_ROLLOUTS:
        return _monte_carlo(x, columns, n, size, rng, work)
    return HomogeneityTest(_exact(x, columns, halves), 0.0, n, 0, work, "exact, Fisher-Freeman-Halton")


def _halve(columns: IntArray) -> tuple[list[int], list[int]]:
    """Columns in two groups with about as many half tables each: largest first, to the smaller group."""
    halves: tuple[list[int], list[int]] = ([], [])
    logs = [0.0, 0.0]
    for j in np.argsort(-columns, kind="stable"):
        side = int(logs[1] < logs[0])
        halves[side].append(int(j))
        logs[side] += log(int(columns[j]) + 1)
    return halves


def _weights(column: int) -> FloatArray:
    """C(column, x) / 2^column for x = 0 ... column, each rounded once: dividing whole numbers in Python is exact."""
    return np.array([comb(column, i) / (1 << column) for i in range(column + 1)])


def _half_tables(columns: list[int]) -> tuple[IntArray, FloatArray]:
    """First-row sum and weight of every table of these columns, by sum, then weight."""
    sums, weights = np.zeros(1, np.int64), np.ones(1)
    for column in columns:
        sums = np.add.outer(sums, np.arange(column + 1)).ravel()
        weights = np.multiply.outer(weights, _weights(column)).ravel()
    order = np.lexsort((weights, sums))
    return sums[order], weights[order]


def _exact(x: IntArray, columns: IntArray, halves: tuple[list[int], list[int]]) -> float:
    row = int(x.sum())
    observed = prod(float(_weights(int(columns[j]))[x[j]]) for half in halves for j in half)
    (sums, weights), (other_sums, other_weights) = (_half_tables([int(columns[j]) for j in half]) for half in halves)
    tail = whole = 0.0
    for s in range(max(0, row - int(other_sums[-1])), min(row, int(sums[-1])) + 1):
        mine = weights[slice(*np.searchsorted(sums, [s, s + 1]))]
        match = other_weights[slice(*np.searchsorted(other_sums, [row - s, row - s + 1]))]
        cumulative = np.append(0.0, np.cumsum(match))
        # `mine` rises, so the thresholds fall: searching in order stays in the cache.
        with np.errstate(divide="ignore", over="ignore"):
            reached = np.searchsorted(match, observed * (1 + TIE_TOLERANCE) / mine, side="right")
        tail += float(mine @ cumulative[reached])
        whole += float(mine.sum() * cumulative[-1])
    return min(1.0, tail / whole)


def _monte_carlo(x: IntArray, columns: IntArray, n: tuple[int, int], size: int, rng: Rng, work: int) -> HomogeneityTest:
    log_factorial = np.append(0.0, np.cumsum(np.log(np.arange(1, int(columns.max()) + 1))))

    def cost(tables: IntArray) -> FloatArray:  # minus the log of the probability, up to a constant
        return np.asarray((log_factorial[tables] + log_factorial[columns - tables]).sum(axis=-1))

    draws = as_generator(rng).multivariate_hypergeometric(columns, int(x.sum()), size=size, method="marginals")
    observed = cost(x)
    exceed = int((cost(draws) >= observed - 1e-9).sum())
    pvalue = (exceed + 1) / (size + 1)
    error = float(np.sqrt(pvalue * (1 - pvalue) / size))
    method = f"Monte Carlo, add-one estimator: the exact test would list {work:.2g} half tables of {sum(n)} rollouts"
    return HomogeneityTest(pvalue, error, n, size, work, method)
