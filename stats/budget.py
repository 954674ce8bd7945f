"""What the metrics of PAWBench would be expected to be had fewer rollouts been drawn."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ._validation import FloatArray, IntArray, Reference, as_counts, as_reference, as_whole
from .hypergeometric import hypergeometric_pmf


@dataclass(frozen=True)
class BudgetCurves:
    """Expected metrics of the first K rollouts of each cell: arrays of shape (cells, budgets).

    `tvd` (x100) is given that at least one of the K rollouts is readable; `no_outcome` is the probability that none
    is. `coverage` in per cent; K rollouts without a readable outcome cover nothing, which is 0 and needs no rule.
    """

    budgets: IntArray
    rollouts: IntArray
    tvd: FloatArray
    coverage: FloatArray
    no_outcome: FloatArray
    method: str = "exact: hypergeometric, rollouts in random order"


def budget_curves(
    counts: Sequence[npt.ArrayLike],
    nulls: npt.ArrayLike,
    references: Sequence[Reference | None],
    budgets: npt.ArrayLike = tuple(range(1, 101)),
) -> BudgetCurves:
    """TVD and coverage expected of the first K observed rollouts when their order is random (PAWBench Fig. 5).

    counts: one array of readable outcomes a cell, shape (k,), k may differ between cells; nulls: unreadable rollouts,
    shape (cells,); references: one a cell, None where unknown; budgets: the values of K, shape (b,).

    K counts rollouts, unreadable ones included, as a budget is spent on those too. The expectations are sums over
    the multivariate hypergeometric law of K of the cell's N rollouts: what averaging over all orders would give. At
    K = N they are the metrics of the cell. K beyond N is NaN: rollouts that were not drawn are not foretold. `tvd`
    is NaN, too, without a reference and without any readable rollout. No gate is applied at any K.

    Raises ValueError if the cells' arguments differ in number, for budgets below 1, and as `total_variation` does.
    """
    m = as_whole(nulls, "nulls")
    ks = as_whole(budgets, "budgets", minimum=1)
    if m.shape != (len(counts),) or len(references) != len(counts) or ks.ndim != 1:
        raise ValueError(
            "`counts`, `nulls` and `references` must have one entry a cell and `budgets` be a list; "
            f"got {len(counts)}, {m.shape}, {len(references)} and {ks.shape}"
        )
    tvd, coverage, no_outcome = (np.full((len(counts), ks.size), np.nan) for _ in range(3))
    rollouts = np.zeros(len(counts), np.int64)
    readable_laws: dict[tuple[int, int], FloatArray] = {}
    for cell, (c, reference) in enumerate(zip(counts, references, strict=True)):
        p = None if reference is None else as_reference(reference)
        seen = as_counts(c, None if p is None else p.size)
        if seen.ndim != 1 or seen.size == 0:
            raise ValueError(f"`counts` must hold one list of counts a cell; got {c!r}")
        valid = int(seen.sum())
        total = rollouts[cell] = valid + int(m[cell])
        reached = ks <= total
        k = ks[reached]
        missed = np.stack([hypergeometric_pmf(0, total, own, k) for own in seen])
        coverage[cell, reached] = 100 * (1 - missed).mean(axis=0)
        key = (total, valid)
        if key not in readable_laws:
            readable_laws[key] = hypergeometric_pmf(np.arange(valid + 1), total, valid, k[:, np.newaxis])
        law = readable_laws[key]
        no_outcome[cell, reached] = law[:, 0]
        if p is not None and valid:
            possible = law[:, 1:].sum(axis=1)
            with np.errstate(invalid="ignore"):
                tvd[cell, reached] = 100 * (law[:, 1:] @ _expected_tv(seen, p)) / possible
    return BudgetCurves(ks, rollouts, tvd, coverage, no_outcome)


def _expected_tv(counts: IntArray, p: FloatArray) -> FloatArray:
    """E[TV] of v of the readable outcomes, for v = 1 ... their number."""
    valid = int(counts.sum())
    v = np.arange(1, valid + 1)[:, np.newaxis]
    expected = np.zeros(valid)
    pairs, times = np.unique(np.stack([counts, p], axis=1), axis=0, return_counts=True)
    for (own, probability), repeated in zip(pairs, times, strict=True):
        x = np.arange(int(own) + 1)
        law = hypergeometric_pmf(x, valid, int(own), v)
        expected += repeated * 0.5 * (law * np.abs(x / v - probability)).sum(axis=1)
    return expected


def perfect_coverage(reference: Reference | int, budgets: npt.ArrayLike = tuple(range(1, 101))) -> FloatArray:
    """Coverage, in per cent, expected of K readable rollouts of a perfect sampler: sum_i (1 - (1 - p_i)^K) / k.

    reference: shape (k,); or the number k of outcomes where none is known, which takes all as equally likely. No
    other distribution over k outcomes covers more in expectation at any K (the sum is concave in p), so that curve
    bounds what independent rollouts can reach. budgets: any shape, whole numbers >= 0. Returns their shape.
    """
    if isinstance(reference, (int, np.integer)):
        outcomes = int(as_whole(int(reference), "reference", minimum=1))
        p = np.full(outcomes, 1 / outcomes)
    else:
        p = as_reference(reference)
    k = as_whole(budgets, "budgets")[..., np.newaxis]
    with np.errstate(divide="ignore", invalid="ignore"):
        missed = np.where(k == 0, 1.0, np.exp(k * np.log1p(-np.minimum(p, 1.0))))
    return np.asarray(100 * (1 - missed).mean(axis=-1))[()]
