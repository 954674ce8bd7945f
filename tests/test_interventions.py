"""Paired scenes and dose response: hand values, enumeration, the printed figures of PAWBench Table 5."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, product
from math import comb, prod
from typing import Any

import numpy as np
import pytest
from calibench_data.stats import null_floor
from calibench_data.stats.homogeneity import fisher_freeman_halton
from calibench_data.stats.interventions import dose_response, paired_shift
from scipy.stats import binomtest, fisher_exact

HALF = [Fraction(1, 2)] * 2
LEFT = [Fraction(1), Fraction(0)]
MIXED = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
DOSES = [0, 20, 50, 80, 100]
# PAWBench Table 11, left and right; Table 5.
UPRIGHT = [[0, 36], [12, 25], [25, 9], [48, 1], [45, 0]]
LEANING = [[1, 35], [17, 17], [30, 7], [50, 0], [48, 0]]


def test_shift_by_hand() -> None:
    pair = paired_shift([10, 10], [15, 5], HALF, LEFT)
    assert pair.shift == pytest.approx(25)
    assert pair.reference_shift == 50
    # Every draw from the changed reference is `left`; half of the base's are, on average.
    assert pair.expected_shift == pytest.approx(50)
    assert pair.n == (20, 20)
    assert pair.test == fisher_freeman_halton([10, 10], [15, 5])


def test_chance_shift_is_the_mean_over_all_divisions() -> None:
    x, y = [3, 1, 1], [0, 2, 1]
    rollouts = [i for i, t in enumerate(np.add(x, y)) for _ in range(t)]
    total, divisions = Fraction(0), 0
    for chosen in combinations(range(len(rollouts)), sum(x)):
        first = [sum(rollouts[i] == o for i in chosen) for o in range(3)]
        second = [int(t) - a for t, a in zip(np.add(x, y), first, strict=True)]
        total += sum(abs(Fraction(a, 5) - Fraction(b, 3)) for a, b in zip(first, second, strict=True)) / 2
        divisions += 1
    assert paired_shift(x, y).chance_shift == pytest.approx(100 * float(total / divisions), rel=1e-12)


def test_expected_shift_by_simulation_and_against_the_floor() -> None:
    p, q = [0.5, 0.3, 0.2], [0.2, 0.3, 0.5]
    generator = np.random.default_rng(1)
    first, second = generator.multinomial(21, p, 100_000) / 21, generator.multinomial(34, q, 100_000) / 34
    drawn = 50 * np.abs(first - second).sum(axis=1)
    pair = paired_shift([7, 7, 7], [10, 10, 14], p, q)
    assert pair.expected_shift == pytest.approx(drawn.mean(), abs=5 * drawn.std() / np.sqrt(100_000))
    # Against a scene whose outcome is certain the shift is the base's own TVD from it.
    assert paired_shift([5, 5], [9, 0], LEFT, LEFT).expected_shift == pytest.approx(0, abs=1e-12)
    # Two equal samples of one distribution lie as far apart as one of twice the size's TV floor, for a coin doubled.
    same = paired_shift([10, 10], [10, 10], HALF, HALF).expected_shift
    assert same == pytest.approx(2 * 100 * null_floor(40, HALF))
    assert paired_shift([10, 10], [10, 10], HALF, HALF).reference_shift == 0


def test_shift_without_references_or_data() -> None:
    pair = paired_shift([1, 2, 3], [3, 2, 1])
    assert np.isnan([pair.reference_shift, pair.expected_shift]).all()
    assert pair.shift == pytest.approx(100 / 3)
    empty = paired_shift([0, 0], [3, 2], HALF, LEFT)
    assert np.isnan([empty.shift, empty.chance_shift, empty.expected_shift, empty.test.pvalue]).all()
    assert empty.reference_shift == 50


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        (([1, 2], [1, 2], HALF), "both or neither"),
        (([1, 2], [1, 2], HALF, MIXED), "one entry for each outcome"),
        (([1, 2], [1, 2, 3]), "one outcome set"),
    ],
)
def test_bad_pairs(arguments: Any, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        paired_shift(*arguments)


def test_table_5_follows_from_table_11() -> None:
    upright = dose_response(DOSES, UPRIGHT, HALF)
    leaning = dose_response(DOSES, LEANING, LEFT)
    assert [f"{v:.1f}" for v in upright.tvd] == ["50.0", "17.6", "23.5", "48.0", "50.0"]
    assert [f"{v:.1f}" for v in leaning.tvd] == ["97.2", "50.0", "18.9", "0.0", "0.0"]
    assert [f"{v:.1f}" for v in dose_response([0, 1], [[16, 33], [27, 19]], HALF).tvd[:1]] == ["17.3"]
    assert upright.readable.tolist() == [36, 37, 34, 49, 45]
    assert upright.n == 201
    assert upright.pvalue < 1e-20
    assert leaning.pvalue < 1e-20


def test_intervals_against_scipy() -> None:
    result = dose_response(DOSES, UPRIGHT, HALF, confidence_level=0.9)
    for i, (hits, misses) in enumerate(UPRIGHT):
        interval = binomtest(hits, hits + misses).proportion_ci(0.9, "exact")
        assert result.share_low[i] == pytest.approx(interval.low, abs=1e-9)
        assert result.share_high[i] == pytest.approx(interval.high, abs=1e-9)
    assert (result.tvd_low <= result.tvd).all()
    assert (result.tvd <= result.tvd_high).all()
    # A share interval that holds the reference lets TVD be 0; one that does not, does not.
    around = dose_response([0, 1], [[10, 11], [21, 0]], HALF)
    assert around.tvd_low[0] == 0
    assert around.tvd_low[1] == pytest.approx(100 * (around.share_low[1] - 0.5))
    assert around.tvd_high.tolist() == pytest.approx(
        [100 * max(around.share_high[0] - 0.5, 0.5 - around.share_low[0]), 50]
    )


def enumerated_trend(doses: list[int], counts: list[list[int]]) -> float:
    n = [sum(row) for row in counts]
    hits = [row[0] for row in counts]
    total, row = sum(n), sum(hits)
    mean = Fraction(row * sum(a * d for a, d in zip(n, doses, strict=True)), total)
    observed = abs(sum(h * d for h, d in zip(hits, doses, strict=True)) - mean)
    tail = whole = 0
    for table in product(*(range(a + 1) for a in n)):
        if sum(table) == row:
            ways = prod(comb(a, x) for a, x in zip(n, table, strict=True))
            whole += ways
            if abs(sum(x * d for x, d in zip(table, doses, strict=True)) - mean) >= observed:
                tail += ways
    return tail / whole


@pytest.mark.parametrize(
    ("doses", "counts"),
    [
        ([0, 20, 50], [[1, 4], [3, 3], [5, 1]]),
        ([0, 20, 50, 80], [[2, 3], [0, 5], [4, 1], [2, 2]]),
        ([1, 2, 3], [[2, 2], [2, 2], [2, 2]]),
        ([100, 0, 50], [[0, 5], [6, 1], [3, 3]]),
        ([0, 10, 30], [[1, 3], [0, 0], [3, 1]]),
    ],
)
def test_trend_is_that_of_all_tables(doses: list[int], counts: list[list[int]]) -> None:
    assert dose_response(doses, counts, HALF).pvalue == pytest.approx(enumerated_trend(doses, counts), rel=1e-12)


def test_trend_of_two_equal_doses_is_fishers_test() -> None:
    result = dose_response([0, 1], [[12, 8], [5, 15]], HALF)
    assert result.pvalue == pytest.approx(fisher_exact([[12, 8], [5, 15]]).pvalue, rel=1e-9)
    assert result.slope == pytest.approx(100 * (5 / 20 - 12 / 20))


def test_slope_is_one_where_the_model_follows_the_training_share() -> None:
    follows = dose_response([0, 25, 50, 100], [[0, 40], [10, 30], [10, 10], [7, 0]], HALF)
    assert follows.slope == pytest.approx(1)
    weights, share = np.sum(UPRIGHT, axis=1), np.array(UPRIGHT)[:, 0] / np.sum(UPRIGHT, axis=1)
    expected = np.polyfit(DOSES, 100 * share, 1, w=np.sqrt(weights))[0]
    assert dose_response(DOSES, UPRIGHT, HALF).slope == pytest.approx(expected, rel=1e-9)


def test_many_rollouts_do_not_underflow() -> None:
    result = dose_response([0, 1], [[40, 4960], [60, 4940]], HALF)
    assert result.pvalue == pytest.approx(fisher_exact([[40, 4960], [60, 4940]]).pvalue, rel=1e-6)


def test_dose_response_with_too_little_data() -> None:
    result = dose_response([0, 50], [[0, 0], [3, 4]], HALF)
    assert np.isnan([result.share[0], result.share_low[0], result.tvd[0], result.tvd_high[0]]).all()
    assert np.isnan([result.slope, result.pvalue]).all()
    one_sided = dose_response([0, 50], [[5, 0], [6, 0]], HALF)
    assert one_sided.slope == pytest.approx(0)
    assert np.isnan(one_sided.pvalue)


@pytest.mark.parametrize(
    ("doses", "counts", "reference", "match"),
    [
        ([0, 1], [[1, 2]], HALF, "must have shape"),
        ([0], [[1, 2, 3]], HALF, "one entry for each outcome"),
        ([0], [[1, 2]], MIXED, "must have shape"),
        ([0.5], [[1, 2]], HALF, "`doses` must be a whole number"),
    ],
)
def test_bad_doses(doses: Any, counts: Any, reference: Any, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        dose_response(doses, counts, reference)
