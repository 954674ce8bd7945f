"""TV, floor, excess, score and mnTV: hand values, rational arithmetic, scipy, and the rules at the edges."""

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from calibench_data.stats.binomial import binomial_pmf
from hypothesis import given
from hypothesis import strategies as st

from calibench_data import stats

BOARD = [Fraction(math.comb(10, i), 1024) for i in range(11)]
REFERENCES = {
    "board": BOARD,
    "coin": [Fraction(1, 2)] * 2,
    "die": [Fraction(1, 6)] * 6,
    "suit": [Fraction(1, 4)] * 4,
    "ball": [Fraction(1, 20)] * 20,
    "wheel": [Fraction(18, 37), Fraction(18, 37), Fraction(1, 37)],
    "certain": [Fraction(1), Fraction(0)],
}


def test_total_variation_by_hand():
    assert stats.total_variation([3, 1], [0.5, 0.5]) == 0.25
    assert stats.total_variation([32, 0, 0, 0, 0, 0], [1 / 6] * 6) == pytest.approx(5 / 6)
    assert stats.total_variation([0, 5], [1, 0]) == 1
    found = stats.total_variation([[3, 1], [2, 2]], [Fraction(1, 2)] * 2)
    assert found.tolist() == [0.25, 0]


def test_total_variation_needs_an_outcome():
    assert math.isnan(stats.total_variation([0, 0], [0.5, 0.5]))


@pytest.mark.parametrize("name", REFERENCES)
def test_floor_is_equation_14_in_rational_arithmetic(name):
    reference = REFERENCES[name]
    for n in [*range(1, 65), 100, 257]:
        terms = []
        for p in reference:
            m = math.floor(n * p)
            terms.append((m + 1) * math.comb(n, m + 1) * p ** (m + 1) * (1 - p) ** max(n - m, 0))
        expected = float(sum(terms) / n)
        assert stats.null_floor(n, reference) == pytest.approx(expected, rel=1e-12, abs=1e-300)


@pytest.mark.parametrize("name", REFERENCES)
def test_floor_is_the_mean_over_all_counts(name):
    reference = REFERENCES[name]
    n = 3
    total = Fraction(0)

    def draw(counts, left, weight):
        nonlocal total
        if len(counts) == len(reference) - 1:
            last = [*counts, left]
            tv = sum(abs(Fraction(c, n) - p) for c, p in zip(last, reference, strict=True)) / 2
            total += weight * reference[-1] ** left * tv
            return
        for c in range(left + 1):
            draw([*counts, c], left - c, weight * math.comb(left, c) * reference[len(counts)] ** c)

    draw([], n, Fraction(1))
    assert stats.null_floor(n, reference) == pytest.approx(float(total), rel=1e-12, abs=1e-300)


def test_floor_is_stable_for_a_million():
    # E|X - np| of a fair coin tends to sqrt(n / (2 pi)) (1 - 1 / (4 n)); TV is that over n.
    n = 10**6
    assert stats.null_floor(n, [0.5, 0.5]) == pytest.approx(
        1 / math.sqrt(2 * math.pi * n) * (1 - 1 / (4 * n)), rel=1e-11
    )
    mad = [
        scipy.stats.binom(n, float(p)).expect(lambda x, p=p: abs(x - n * float(p)), maxcount=10**5) for p in (1 / 37,)
    ]
    assert stats.null_floor(n, [1 / 37, 36 / 37]) == pytest.approx(mad[0] / n, rel=1e-6)
    assert math.isnan(stats.null_floor(0, [0.5, 0.5]))


def test_binomial_mass_is_scipys():
    n = np.array([1, 2, 15, 16, 31, 32, 1000, 10**6])[:, np.newaxis]
    p = np.array([0.0, 1e-9, 1 / 37, 0.5, 0.97, 1.0])
    for share in (0, 0.02, 0.5, 0.98, 1):
        k = np.floor(share * n)
        expected = scipy.stats.binom.pmf(k, n, p)
        np.testing.assert_allclose(binomial_pmf(k, n, p), expected, rtol=2e-9, atol=1e-300)
    exact = [math.comb(32, i) * Fraction(1, 37) ** i * Fraction(36, 37) ** (32 - i) for i in range(33)]
    np.testing.assert_allclose(binomial_pmf(np.arange(33), 32, 1 / 37), np.array(exact, dtype=float), rtol=1e-13)


def test_excess_and_score_by_hand():
    # Two valid outcomes of a fair coin: TV is 1/2 with probability 1/2, else 0; so the floor is 1/4.
    assert stats.null_floor(2, [0.5, 0.5]) == 0.25
    assert stats.excess([2, 0], [0.5, 0.5]) == pytest.approx((0.5 - 0.25) / 0.75)
    assert stats.excess([1, 1], [0.5, 0.5]) == pytest.approx(-0.25 / 0.75)
    assert stats.cell_score([2, 0], 2, [0.5, 0.5]) == pytest.approx(0.5 + 0.5 / 3)
    assert stats.cell_score([0, 0], 32, [0.5, 0.5]) == 1
    assert math.isnan(stats.cell_score([0, 0], 0, [0.5, 0.5]))


def test_mean_over_the_scenes_at_hand_is_refused():
    assert stats.mean_normalised_tv([0.25, 0.75]) == 0.5
    assert stats.mean_normalised_tv([[0.25, 0.75], [1, 1]]).tolist() == [0.5, 1]
    assert math.isnan(stats.mean_normalised_tv([0.25, math.nan]))
    with pytest.raises(ValueError, match="one score a scene"):
        stats.mean_normalised_tv([])


@given(st.lists(st.integers(0, 40), min_size=6, max_size=6).filter(any), st.permutations(range(6)), st.integers(0, 40))
def test_relabelling_outcomes_changes_nothing_and_a_null_moves_the_score_towards_one(counts, order, nulls):
    reference = [Fraction(n, 21) for n in (1, 2, 3, 4, 5, 6)]
    shuffled = [counts[i] for i in order], [reference[i] for i in order]
    assert stats.total_variation(counts, reference) == pytest.approx(stats.total_variation(*shuffled), abs=1e-12)
    score = stats.cell_score(counts, nulls, reference)
    assert score == pytest.approx(stats.cell_score(shuffled[0], nulls, shuffled[1]), abs=1e-12)
    assert score <= stats.cell_score(counts, nulls + 1, reference) + 1e-12 <= 1 + 2e-12


@pytest.mark.parametrize(
    ("counts", "reference", "message"),
    [
        ([1, -1], [0.5, 0.5], "whole numbers >= 0"),
        ([1.5, 1], [0.5, 0.5], "whole numbers >= 0"),
        ([math.nan, 1], [0.5, 0.5], "whole numbers >= 0"),
        (["1", "2"], [0.5, 0.5], "must be numbers"),
        ([1, 2, 3], [0.5, 0.5], "got 3 for 2 outcomes"),
        ([1, 2], [0.5, 0.6], "must sum to 1; got a sum of 1.1"),
        ([1, 2], [1.5, -0.5], "probabilities >= 0"),
        ([1, 2], [math.nan, 1], "probabilities >= 0"),
        ([1, 2], [[0.5, 0.5]], "one-dimensional"),
        ([], [], "one-dimensional with at least one outcome"),
    ],
)
def test_bad_arguments(counts, reference, message):
    for function in (stats.total_variation, stats.chi_square, stats.monte_carlo_test):
        with pytest.raises(ValueError, match=message):
            function(counts, reference)
