"""The matched finite-sample null: moments by enumeration, replicates against the exact moments, aggregation by hand."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations_with_replacement, product
from math import factorial, prod, sqrt
from typing import Any

import numpy as np
import pytest
from calibench_data.stats import null_floor
from calibench_data.stats.paw_null import SHARING, matched_null, null_variance

HALF = [Fraction(1, 2)] * 2
MIXED = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
REFERENCES: list[list[Fraction]] = [
    HALF,
    [Fraction(1, 37), Fraction(36, 37)],
    MIXED,
    [Fraction(1, 4)] * 4,
    [Fraction(1, 16), Fraction(4, 16), Fraction(6, 16), Fraction(4, 16), Fraction(1, 16)],
    [Fraction(1, 3), Fraction(0), Fraction(2, 3)],
]
TWO_DICE = [Fraction(w, 36) for w in (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)]


def tables(n: int, k: int) -> Any:
    for bars in combinations_with_replacement(range(n + 1), k - 1):
        yield [b - a for a, b in zip((0, *bars), (*bars, n), strict=True)]


def enumerated_moments(n: int, p: list[Fraction]) -> tuple[Fraction, Fraction]:
    """Mean and variance of TV over every table of counts, in rational arithmetic."""
    mean = square = Fraction(0)
    for counts in tables(n, len(p)):
        mass = Fraction(factorial(n), prod(factorial(c) for c in counts)) * prod(
            (q**c for q, c in zip(p, counts, strict=True)), start=Fraction(1)
        )
        tv = sum(abs(Fraction(c, n) - q) for c, q in zip(counts, p, strict=True)) / 2
        mean += mass * tv
        square += mass * tv * tv
    return mean, square - mean * mean


@pytest.mark.parametrize("reference", REFERENCES)
@pytest.mark.parametrize("n", [1, 2, 3, 7, 12])
def test_variance_is_that_of_all_tables(reference: list[Fraction], n: int) -> None:
    _, variance = enumerated_moments(n, reference)
    assert null_variance(n, reference) == pytest.approx(float(variance), rel=1e-11, abs=1e-18)


def test_variance_of_two_dice_is_that_of_all_tables() -> None:
    _, variance = enumerated_moments(4, TWO_DICE)
    assert null_variance(4, TWO_DICE) == pytest.approx(float(variance), rel=1e-11)


@pytest.mark.parametrize("n", [50, 400, 3000])
def test_variance_of_a_coin_is_that_of_a_folded_binomial(n: int) -> None:
    """TV of a coin is |X - n/2| / n: Var = 1/(4n) - E[TV]^2, no double sum needed."""
    assert null_variance(n, HALF) == pytest.approx(1 / (4 * n) - float(null_floor(n, HALF)) ** 2, rel=1e-9)


def test_variance_by_simulation_and_for_large_n_by_the_normal_limit() -> None:
    draws = np.random.default_rng(2).multinomial(37, np.array(TWO_DICE, float), size=200_000)
    tv = 0.5 * np.abs(draws / 37 - np.array(TWO_DICE, float)).sum(axis=1)
    assert null_variance(37, TWO_DICE) == pytest.approx(tv.var(), rel=0.02)
    # Gaussian limit: n Var[TV] tends to a constant, so doubling n halves the variance.
    assert null_variance(4000, MIXED) / null_variance(8000, MIXED) == pytest.approx(2, rel=0.01)


def test_variance_special_cases() -> None:
    assert null_variance(20, [1, 0]) == 0
    assert np.isnan(null_variance(0, HALF))
    values = null_variance([[3, 0], [7, 3]], MIXED)
    assert values.shape == (2, 2)
    assert values[0, 0] == values[1, 1] == null_variance(3, MIXED)
    assert null_variance(9, MIXED) == pytest.approx(null_variance(9, MIXED[::-1]), rel=1e-13)
    with pytest.raises(ValueError, match="`valid` must be a whole number"):
        null_variance(-1, HALF)


def test_aggregates_by_hand() -> None:
    """Two models of one and three coins: equal-model and pooled averages weight the cells differently."""
    far, near = ([30, 0], HALF), ([15, 15], HALF)
    result = matched_null([[far], [near, near, ([20, 20], HALF)]], n_resamples=2000)
    assert [m.observed for m in result.models] == [50, 0]
    assert result.equal_model.observed == 25
    assert result.pooled.observed == 12.5
    floor30, floor40 = 100 * null_floor(30, HALF), 100 * null_floor(40, HALF)
    var30, var40 = 1e4 * null_variance(30, HALF), 1e4 * null_variance(40, HALF)
    second = (2 * floor30 + floor40) / 3
    assert result.models[1].exact_mean == pytest.approx(second)
    assert result.models[1].exact_sd == pytest.approx(sqrt((2 * var30 + var40) / 9))
    assert result.equal_model.exact_mean == pytest.approx((floor30 + second) / 2)
    assert result.equal_model.exact_sd == pytest.approx(sqrt(var30 + (2 * var30 + var40) / 9) / 2)
    assert result.pooled.exact_mean == pytest.approx((3 * floor30 + floor40) / 4)
    assert result.pooled.exact_sd == pytest.approx(sqrt(3 * var30 + var40) / 4)
    assert (result.equal_model.models, result.equal_model.cells) == (2, 4)
    assert (result.pooled.models, result.pooled.cells) == (2, 4)
    assert [(m.models, m.cells) for m in result.models] == [(1, 1), (1, 3)]


def roster(sizes: tuple[int, ...]) -> list[list[tuple[list[int], list[Fraction]]]]:
    """Models far from their references, with many cells of one law."""
    return [[([n] + [0] * (len(p) - 1), p) for p in REFERENCES[:5] for _ in range(3)] for n in sizes]


def test_replicates_have_the_exact_moments() -> None:
    """Also where cells share draws: a shared draw within a replicate would inflate the spread."""
    result = matched_null(roster((20, 20, 34, 50)), n_resamples=20_000, rng=5)
    for part in (*result.models, result.equal_model, result.pooled):
        assert part.null_mean == pytest.approx(part.exact_mean, abs=5 * sqrt(SHARING) * part.exact_sd / sqrt(20_000))
        # The aggregates are nearly normal, a little skewed: percentiles at 2.33 sd above, 1.96 below the mean.
        assert (part.null_q99 - part.exact_mean) / part.exact_sd == pytest.approx(2.33, abs=0.25)
        assert (part.exact_mean - part.null_low) / part.exact_sd == pytest.approx(1.96, abs=0.25)
        assert (part.exceedances, part.pvalue) == (0, 1 / 20_001)


def test_spread_of_one_model_whose_cells_all_share() -> None:
    """Eight coins of one size: were a draw used twice in a replicate, the variance would be up to fourfold."""
    [model] = matched_null([[([11, 9], HALF)] * 8], n_resamples=40_000, rng=1).models
    # P(mean of 8 >= observed) by enumerating the exact law of one cell, in units of |X - 10|.
    one = np.zeros(11)
    for x in range(21):
        one[abs(x - 10)] += factorial(20) / factorial(x) / factorial(20 - x) / 2**20
    law = np.ones(1)
    for _ in range(8):
        law = np.convolve(law, one)
    exact = law[8:].sum()
    assert model.pvalue == pytest.approx(exact, abs=5 * 2 * sqrt(exact * (1 - exact) / 40_000))
    assert model.exact_mean == pytest.approx(100 * law @ np.arange(law.size) / 160)


def test_ties_count_as_exceedances() -> None:
    """A certain outcome gives TVD 0 always; thirds with one rollout always the same TVD, equal up to rounding."""
    assert matched_null([[([50, 0], [1, 0])]], n_resamples=99).pooled.pvalue == 1
    # A sum that is off by rounding, as as_reference allows, is no probability above 1 to numpy's generator.
    assert matched_null([[([50, 0], [1 + 5e-10, 0])]], n_resamples=99).pooled.pvalue == 1
    thirds = matched_null([[([0, 1, 0], [Fraction(1, 3)] * 3)] * 7], n_resamples=99)
    assert thirds.pooled.exceedances == 99


def test_minimum_readable_drops_the_cell_on_both_sides() -> None:
    cells = [([29, 0], HALF), ([15, 15], HALF)]
    strict = matched_null([cells], minimum_readable=30, n_resamples=100)
    assert strict.pooled.cells == 1
    assert strict.pooled.observed == 0
    assert strict.pooled.exact_mean == pytest.approx(100 * null_floor(30, HALF))


def test_a_model_without_passing_scene_has_no_average() -> None:
    result = matched_null([[], [([10, 20], HALF)]], n_resamples=100)
    empty = result.models[0]
    assert np.isnan([empty.observed, empty.null_mean, empty.exact_mean, empty.pvalue]).all()
    assert "no passing scene" in empty.method
    assert result.equal_model.models == 1
    assert result.equal_model.observed == pytest.approx(100 / 6)
    assert np.isnan(matched_null([[]], n_resamples=10).equal_model.observed)


def test_a_seed_gives_the_same_null() -> None:
    models = roster((20, 31))
    assert matched_null(models, n_resamples=500, rng=3) == matched_null(models, n_resamples=500, rng=3)
    assert matched_null(models, n_resamples=500, rng=3) != matched_null(models, n_resamples=500, rng=4)
    assert matched_null(models, n_resamples=1).pooled.n_resamples == 1  # fewer replicates than sharing cells


@pytest.mark.parametrize(
    ("models", "match"),
    [
        ([], "at least one model"),
        ([[([0, 0], HALF)]], "readable outcomes"),
        ([[([[1, 2]], HALF)]], "readable outcomes"),
        ([[([1, 2, 3], HALF)]], "one entry for each outcome"),
    ],
)
def test_bad_models(models: Any, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        matched_null(models, n_resamples=10)


def test_enumeration_helper_covers_all_tables() -> None:
    assert len(list(tables(5, 3))) == sum(1 for c in product(range(6), repeat=3) if sum(c) == 5)
