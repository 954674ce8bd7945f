"""Rollout-budget curves: all subsets in rational arithmetic, simulation, and the ends of the curves."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from calibench_data.stats import null_floor, total_variation
from calibench_data.stats.budget import budget_curves, perfect_coverage
from calibench_data.stats.hypergeometric import hypergeometric_pmf
from scipy.stats import hypergeom

MIXED = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
CERTAIN = [Fraction(1), Fraction(0)]


def all_subsets(counts: list[int], nulls: int, p: list[Fraction], k: int) -> tuple[Fraction | None, Fraction, Fraction]:
    """TV given a readable rollout, coverage and P(no readable rollout) over every subset of k rollouts."""
    rollouts = [i for i, c in enumerate(counts) for _ in range(c)] + [-1] * nulls
    tvs, covered, subsets = [], Fraction(0), 0
    for subset in combinations(rollouts, k):
        subsets += 1
        seen = [subset.count(i) for i in range(len(counts))]
        covered += Fraction(sum(c > 0 for c in seen), len(counts))
        if sum(seen):
            tvs.append(sum(abs(Fraction(c, sum(seen)) - q) for c, q in zip(seen, p, strict=True)) / 2)
    mean = sum(tvs, Fraction(0)) / len(tvs) if tvs else None
    return mean, covered / subsets, Fraction(subsets - len(tvs), subsets)


@pytest.mark.parametrize(
    ("counts", "nulls", "p"),
    [
        ([3, 0, 4], 3, MIXED),
        ([1, 1, 1], 6, MIXED),
        ([2, 5], 0, CERTAIN),
        ([4, 2, 3], 0, MIXED),
        ([0, 1], 8, CERTAIN),
        ([2, 2, 1], 2, [Fraction(1, 3)] * 3),
    ],
)
def test_curves_are_means_over_all_subsets(counts: list[int], nulls: int, p: list[Fraction]) -> None:
    total = sum(counts) + nulls
    curves = budget_curves([counts], [nulls], [p], range(1, total + 1))
    for position, k in enumerate(range(1, total + 1)):
        tv, coverage, none = all_subsets(counts, nulls, p, k)
        assert tv is not None
        assert curves.tvd[0, position] == pytest.approx(100 * float(tv), rel=1e-12)
        assert curves.coverage[0, position] == pytest.approx(100 * float(coverage), rel=1e-12)
        assert curves.no_outcome[0, position] == pytest.approx(float(none), rel=1e-12, abs=1e-15)


def test_the_whole_budget_gives_the_plain_metrics() -> None:
    counts, nulls = [[12, 25], [30, 0, 3], [7, 0, 0]], [13, 17, 43]
    references: list[Any] = [[0.5, 0.5], MIXED, MIXED]
    curves = budget_curves(counts, nulls, references, [50])
    plain = [100 * total_variation(c, p) for c, p in zip(counts, references, strict=True)]
    assert curves.tvd[:, 0] == pytest.approx(plain, rel=1e-12)
    assert curves.coverage[:, 0] == pytest.approx([100, 200 / 3, 100 / 3], rel=1e-12)
    assert curves.no_outcome[:, 0] == pytest.approx([0, 0, 0], abs=1e-300)
    assert curves.rollouts.tolist() == [50, 50, 50]


def test_curves_by_simulation_at_a_hundred_rollouts() -> None:
    counts, nulls = [31, 3, 14, 0, 1], 51
    p = [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16]
    ks = [1, 2, 5, 25, 75]
    curves = budget_curves([counts], [nulls], [p], ks)
    generator = np.random.default_rng(8)
    for position, k in enumerate(ks):
        draws = generator.multivariate_hypergeometric([*counts, nulls], k, size=40_000)[:, :-1]
        read = draws.sum(axis=1) > 0
        tv, coverage = 100 * total_variation(draws[read], p), 20 * (draws > 0).sum(axis=1)
        assert curves.tvd[0, position] == pytest.approx(tv.mean(), abs=5 * tv.std() / np.sqrt(read.sum()))
        assert curves.coverage[0, position] == pytest.approx(coverage.mean(), abs=5 * coverage.std() / 200)
        spread = np.sqrt(curves.no_outcome[0, position] / 40_000)
        assert curves.no_outcome[0, position] == pytest.approx(1 - read.mean(), abs=5 * spread + 1e-9)


def test_rules_at_the_edges() -> None:
    """No readable rollout: no TVD, coverage 0. Beyond N, and without reference: NaN."""
    curves = budget_curves([[0, 0], [2, 1], [2, 1]], [4, 0, 0], [CERTAIN, None, CERTAIN], [1, 3, 4])
    assert np.isnan(curves.tvd[0]).all()
    assert curves.coverage[0].tolist() == [0, 0, 0]
    assert curves.no_outcome[0].tolist() == [1, 1, 1]
    assert np.isnan(curves.tvd[1]).all()
    assert np.isnan([curves.tvd[2, 2], curves.coverage[1, 2], curves.no_outcome[2, 2]]).all()
    assert curves.coverage[1, :2] == pytest.approx([50, 100])
    assert curves.tvd[2, :2] == pytest.approx([100 / 3, 100 / 3])
    assert budget_curves([], [], []).tvd.shape == (0, 100)


def test_nulls_only_thin_the_budget() -> None:
    """TVD with nulls is a mixture of the TVDs without, and coverage cannot rise by adding unreadable rollouts."""
    plain = budget_curves([[6, 3, 1]], [0], [MIXED], range(1, 11))
    thinned = budget_curves([[6, 3, 1]], [10], [MIXED], range(1, 11))
    assert thinned.tvd[0, 0] == pytest.approx(plain.tvd[0, 0])
    assert (thinned.coverage[0] < plain.coverage[0]).all()
    assert (np.diff(plain.coverage[0]) > 0).all()


@pytest.mark.parametrize(
    ("counts", "nulls", "references", "budgets", "match"),
    [
        ([[1, 2]], [1, 2], [CERTAIN], [1], "one entry a cell"),
        ([[1, 2]], [1], [], [1], "one entry a cell"),
        ([[1, 2]], [1], [CERTAIN], [0], "`budgets` must be a whole number >= 1"),
        ([[1, 2]], [1], [CERTAIN], 3, "`budgets` be a list"),
        ([[1, 2, 3]], [1], [CERTAIN], [1], "one entry for each outcome"),
        ([[[1, 2]]], [1], [None], [1], "one list of counts a cell"),
        ([[1, -2]], [1], [None], [1], "whole numbers"),
    ],
)
def test_bad_arguments(counts: Any, nulls: Any, references: Any, budgets: Any, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        budget_curves(counts, nulls, references, budgets)


def test_perfect_coverage() -> None:
    assert perfect_coverage(2, [0, 1, 2, 3]) == pytest.approx([0, 50, 75, 87.5])
    assert perfect_coverage(MIXED, 2) == pytest.approx(float(100 * sum(1 - (1 - q) ** 2 for q in MIXED) / 3), rel=1e-13)
    # An outcome that the reference excludes is never covered, but stays in the denominator.
    assert perfect_coverage(CERTAIN, [0, 1, 100]).tolist() == [0, 50, 50]
    assert perfect_coverage(1).tolist() == [100] * 100
    draws = np.random.default_rng(0).multinomial(50, [1 / 9] * 9, size=50_000)
    assert perfect_coverage(9, 50) == pytest.approx(100 * (draws > 0).mean(), abs=0.05)
    with pytest.raises(ValueError, match="`reference` must be a whole number >= 1"):
        perfect_coverage(0)


def test_no_distribution_covers_more_than_the_uniform() -> None:
    ks = np.arange(1, 101)
    for p in np.random.default_rng(3).dirichlet([1] * 5, size=50):
        assert (perfect_coverage(p / p.sum(), ks) <= perfect_coverage(5, ks) + 1e-9).all()


def test_many_rollouts_approach_independent_ones() -> None:
    """The first K of very many calibrated rollouts are K independent draws: the floor and perfect coverage."""
    curves = budget_curves([[600, 400, 200]], [0], [MIXED], [1, 10, 40])
    assert curves.tvd[0] == pytest.approx(100 * null_floor([1, 10, 40], MIXED), rel=0.02)
    assert curves.coverage[0] == pytest.approx(perfect_coverage(MIXED, [1, 10, 40]), rel=0.02)


def test_hypergeometric_against_scipy() -> None:
    for total, marked in [(100, 37), (50, 0), (50, 50), (9, 4), (400, 111)]:
        x, drawn = np.arange(marked + 2), np.arange(total + 1)[:, np.newaxis]
        expected = hypergeom.pmf(x, total, marked, drawn)
        assert hypergeometric_pmf(x, total, marked, drawn) == pytest.approx(expected, rel=1e-9, abs=1e-200)
