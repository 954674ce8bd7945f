"""The exact two-sample test: scipy at k = 2, all tables in whole numbers beyond, ties, the Monte Carlo fallback."""

from __future__ import annotations

from itertools import product
from math import comb, prod
from typing import Any

import numpy as np
import pytest
from calibench_data.stats.homogeneity import fisher_freeman_halton
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import fisher_exact


def enumerated(first: list[int], second: list[int]) -> float:
    """Every table with these margins, compared by whole-number weights: ties are exact."""
    columns = [a + b for a, b in zip(first, second, strict=True)]

    def weight(row: tuple[int, ...]) -> int:
        return prod(comb(t, x) for t, x in zip(columns, row, strict=True))

    observed = weight(tuple(first))
    tables = (row for row in product(*(range(t + 1) for t in columns)) if sum(row) == sum(first))
    weights = [weight(row) for row in tables]
    return sum(w for w in weights if w <= observed) / sum(weights)


TABLES = [
    ([5, 2, 1], [1, 3, 4]),
    ([0, 6, 2, 1], [3, 3, 3, 0]),
    ([4, 0, 0, 5, 1], [0, 3, 3, 1, 4]),
    ([1, 2, 3, 0, 2, 1], [2, 1, 0, 3, 1, 2]),
    ([10, 0, 1], [1, 9, 2]),
    ([2, 2, 2], [2, 2, 2]),
    ([7, 1], [2, 6]),
    ([1, 0, 0], [5, 6, 7]),
]


@pytest.mark.parametrize(("first", "second"), TABLES)
def test_against_all_tables(first: list[int], second: list[int]) -> None:
    result = fisher_freeman_halton(first, second)
    assert result.pvalue == pytest.approx(enumerated(first, second), rel=1e-12)
    assert result.standard_error == 0
    assert result.n == (sum(first), sum(second))
    assert "exact" in result.method


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=5))
def test_against_all_tables_at_random(pairs: list[tuple[int, int]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    pvalue = fisher_freeman_halton(first, second).pvalue
    if sum(first) and sum(second):
        assert pvalue == pytest.approx(enumerated(first, second), rel=1e-11)
    else:
        assert np.isnan(pvalue)


def test_against_scipy_at_two_outcomes() -> None:
    generator = np.random.default_rng(4)
    for _ in range(200):
        n, m = generator.integers(1, 60, size=2)
        a, b = generator.integers(0, n + 1), generator.integers(0, m + 1)
        table = [[a, n - a], [b, m - b]]
        # scipy answers 1 where a margin is empty, as we do.
        assert fisher_freeman_halton(*table).pvalue == pytest.approx(fisher_exact(table).pvalue, rel=1e-9)


def test_up_to_a_thousand_rollouts_against_scipy() -> None:
    assert fisher_freeman_halton([300, 200], [250, 250]).pvalue == pytest.approx(
        fisher_exact([[300, 200], [250, 250]]).pvalue, rel=1e-9
    )
    assert fisher_freeman_halton([500, 0], [0, 500]).pvalue == pytest.approx(2 / comb(1000, 500), rel=1e-9)


def test_the_order_of_outcomes_and_of_cells_changes_nothing() -> None:
    """Equal probabilities are products in another order: rounding must not break the ties."""
    first, second = np.array([9, 1, 4, 6, 3, 2]), np.array([3, 8, 4, 1, 6, 5])
    expected = fisher_freeman_halton(first, second).pvalue
    generator = np.random.default_rng(5)
    for _ in range(20):
        order = generator.permutation(6)
        assert fisher_freeman_halton(first[order], second[order]).pvalue == pytest.approx(expected, rel=1e-12)
    assert fisher_freeman_halton(second, first).pvalue == pytest.approx(expected, rel=1e-12)
    # An outcome that nobody saw is no outcome.
    assert fisher_freeman_halton([*first, 0], [*second, 0]).pvalue == pytest.approx(expected, rel=1e-12)


def test_monte_carlo_agrees_with_the_exact_test_and_says_so() -> None:
    first, second = [9, 1, 4, 6, 3], [3, 8, 4, 1, 6]
    exact = fisher_freeman_halton(first, second)
    estimate = fisher_freeman_halton(first, second, n_resamples=40_000, rng=6, max_rows=exact.work - 1)
    assert estimate.pvalue == pytest.approx(exact.pvalue, abs=5 * estimate.standard_error)
    assert estimate.standard_error == pytest.approx(np.sqrt(exact.pvalue * (1 - exact.pvalue) / 40_000), rel=0.1)
    assert (estimate.n_resamples, estimate.work) == (40_000, exact.work)
    assert "Monte Carlo" in estimate.method
    assert fisher_freeman_halton(first, second, max_rows=exact.work) == exact
    assert "Monte Carlo" in fisher_freeman_halton([600, 1], [500, 9], n_resamples=10).method


def test_monte_carlo_counts_ties_and_is_never_zero() -> None:
    assert fisher_freeman_halton([2, 2, 2], [2, 2, 2], n_resamples=99, max_rows=0).pvalue == 1
    assert fisher_freeman_halton([50, 0], [0, 50], n_resamples=99, max_rows=0).pvalue == 0.01
    assert fisher_freeman_halton([30, 0], [20, 0], n_resamples=99, max_rows=0).pvalue == 1


def test_eleven_outcomes_at_fifty_rollouts_are_exact() -> None:
    generator = np.random.default_rng(7)
    first, second = generator.multinomial(50, [1 / 11] * 11, size=2)
    exact = fisher_freeman_halton(first, second)
    assert "exact" in exact.method
    estimate = fisher_freeman_halton(first, second, n_resamples=40_000, max_rows=0)
    assert exact.pvalue == pytest.approx(estimate.pvalue, abs=5 * estimate.standard_error)


def test_the_level_is_kept_where_the_cells_are_alike() -> None:
    generator = np.random.default_rng(9)
    pairs = generator.multinomial(20, [0.5, 0.3, 0.2], size=(1500, 2))
    rejected = np.mean([fisher_freeman_halton(a, b).pvalue <= 0.05 for a, b in pairs])
    assert 0.02 < rejected < 0.05 + 3 * np.sqrt(0.05 * 0.95 / 1500)


def test_too_little_data_is_not_testable() -> None:
    result = fisher_freeman_halton([0, 0], [3, 4])
    assert np.isnan([result.pvalue, result.standard_error]).all()
    assert "not testable" in result.method
    assert fisher_freeman_halton([5, 0], [3, 0]).pvalue == 1


@pytest.mark.parametrize(
    ("first", "second", "match"),
    [
        ([1, 2], [1, 2, 3], "one outcome set"),
        ([[1, 2]], [[1, 2]], "one outcome set"),
        ([1, -2], [1, 2], "whole numbers"),
        ([1, 2.5], [1, 2], "whole numbers"),
    ],
)
def test_bad_arguments(first: Any, second: Any, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        fisher_freeman_halton(first, second)
