"""Exact p-values and null distributions, against enumeration in rationals, scipy, and Monte Carlo."""

from __future__ import annotations

import math
import random
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from calibench_data.stats import lattice as lattice_module
from calibench_data.stats import monte_carlo_test
from calibench_data.stats.exact import exact_pvalues, exact_test, exact_tests, pearson_lattice, reference_weights
from calibench_data.stats.lattice import WorkLimitError
from calibench_data.stats.null_distribution import exact_chi_square_distribution, exact_tv_distribution, null_band
from calibench_data.stats.rational import as_rational_reference
from exact_references import (
    BOARD,
    CARDS,
    HALF,
    LOTTERY,
    REFERENCES,
    TESTED_CELLS,
    TWO_DICE,
    enumerate_law,
    enumerate_tails,
    pearson_term,
    tv_term,
)

THIRDS = (Fraction(1, 3),) * 3


def random_reference(rng: random.Random, k: int, largest: int) -> tuple[Fraction, ...]:
    parts = [rng.randint(1, largest) for _ in range(k)]
    return tuple(Fraction(a, sum(parts)) for a in parts)


def fractions_near_one(excess: int) -> tuple[list[int], list[int]]:
    """Numerators and prime denominators of fractions that sum to 1 + excess / product of the denominators."""
    d = [9973, 9967, 9949]
    product = math.prod(d)
    numerators = [(product + excess) * pow(product // q, -1, q) % q for q in d]
    surplus = sum(Fraction(a, q) for a, q in zip(numerators, d, strict=True)) - 1 - Fraction(excess, product)
    assert surplus == 0
    return numerators, d


def check_against_enumeration(n: int, p: tuple[Fraction, ...]) -> None:
    law = enumerate_law(n, p, p, pearson_term(n))
    tails = enumerate_tails(law)
    values = sorted(law)
    pvalues = exact_pvalues([law[v][1] for v in values], p)
    np.testing.assert_allclose(pvalues, [float(tails[v]) for v in values], rtol=1e-12)
    d = exact_chi_square_distribution(n, p)
    assert [Fraction(int(a), d.denominator) for a in d.numerators] == values
    np.testing.assert_allclose(d.probabilities, [float(law[v][0]) for v in values], rtol=1e-12)


@pytest.mark.parametrize("name", REFERENCES)
@pytest.mark.parametrize("n", range(1, 7))
def test_enumeration_of_every_benchmark_reference(name: str, n: int) -> None:
    check_against_enumeration(n, REFERENCES[name])


@pytest.mark.parametrize("seed", range(30))
def test_enumeration_of_random_rationals(seed: int) -> None:
    rng = random.Random(seed)
    # Small parts make ties between different cells, large ones make a lattice so sparse that it has to be sorted.
    check_against_enumeration(rng.randint(1, 8), random_reference(rng, rng.randint(1, 5), rng.choice([4, 30, 2000])))


@pytest.mark.parametrize("name", ["board", "roulette", "cards", "plinko", "two dice"])
@pytest.mark.parametrize("n", [1, 4, 5])
def test_tv_distribution_by_enumeration(name: str, n: int) -> None:
    p = REFERENCES[name]
    law = enumerate_law(n, p, p, tv_term(n))
    d = exact_tv_distribution(n, p)
    assert [Fraction(int(a), d.denominator) for a in d.numerators] == sorted(law)
    np.testing.assert_allclose(d.probabilities, [float(law[v][0]) for v in sorted(law)], rtol=1e-12)
    np.testing.assert_allclose(d.support, [float(v) for v in sorted(law)], rtol=1e-15)


def test_sorted_and_batched_sums_equal_the_dense_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    p = REFERENCES["dice"]
    weights, _ = reference_weights(p)
    dense = pearson_lattice.__wrapped__(weights, p, 20, math.inf)
    expected = [dense.distribution(n) for n in (7, 20)]
    monkeypatch.setattr(lattice_module, "_LARGEST_ARRAY", 0)
    monkeypatch.setattr(lattice_module, "_BATCH", 50)
    sparse = pearson_lattice.__wrapped__(weights, p, 20, math.inf)
    assert sparse.work > dense.work
    for n, (values, probabilities) in zip((7, 20), expected, strict=True):
        found = sparse.distribution(n)
        np.testing.assert_array_equal(found[0], values)
        np.testing.assert_allclose(found[1], probabilities, rtol=1e-13)


@pytest.mark.parametrize("n", [32, 100, 500, 2000])
@pytest.mark.parametrize("p", [Fraction(1, 2), Fraction(1, 37), Fraction(3, 10)])
def test_two_outcomes_against_the_binomial(n: int, p: Fraction) -> None:
    x = np.arange(n + 1)
    distance = [abs(int(i) - n * p) for i in x]
    mass = scipy.stats.binom.pmf(x, n, float(p))
    observed = sorted({int(n * p), int(n * p) + 1, int(n * p) // 2, min(int(n * p) * 2 + 3, n)})
    expected = [math.fsum(m for m, d in zip(mass, distance, strict=True) if d >= distance[i]) for i in observed]
    pvalues = exact_pvalues([[i, n - i] for i in observed], [p, 1 - p])
    np.testing.assert_allclose(pvalues, expected, rtol=1e-9)


@pytest.mark.parametrize(
    ("counts", "reference", "expected"),
    [
        ([1000, 0], HALF, 2.0**-999),
        ([0, 50] + [0] * 18, LOTTERY, 20.0**-49),
        ([200, 0, 0], (Fraction(1, 10), Fraction(2, 10), Fraction(7, 10)), 1e-200),
        ([0] * 10 + [30], BOARD, 2 * 1024.0**-30),
    ],
)
def test_tails_far_below_rounding_of_one(counts: list[int], reference: tuple[Fraction, ...], expected: float) -> None:
    assert exact_test(counts, reference).pvalue == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize(
    ("counts", "reference", "expected"),
    [
        ([8, 13, 11], THIRDS, 0.5860),
        ([8, 13, 11], [1 / 3] * 3, 0.5860),
        ([1, 11, 20], [Fraction(1, 10), Fraction(3, 10), Fraction(6, 10)], 0.4643),
        ([1, 11, 20], [0.1, 0.3, 0.6], 0.4643),
        ([1, 11, 20], np.array([0.1, 0.3, 0.6]), 0.4643),
        ([1, 11, 20], [(1, 10), (3, 10), (6, 10)], 0.4643),
    ],
)
def test_ties_are_exact(counts: list[int], reference: object, expected: float) -> None:
    # Float comparison of equal statistics gives 0.5294 and 0.4217 (scipy/scipy#15869, #19762).
    result = exact_test(counts, reference)  # type: ignore[arg-type]
    assert result.pvalue == pytest.approx(expected, abs=5e-5)
    assert (result.method, result.standard_error) == ("exact", 0.0)


def test_permuting_equally_likely_outcomes_changes_nothing() -> None:
    rng = random.Random(0)
    cell = [7, 0, 3, 11, 1, 0]
    pvalues = {exact_test(rng.sample(cell, 6), REFERENCES["dice"]).pvalue for _ in range(20)}
    assert len(pvalues) == 1
    mirrored = [
        exact_test(c, BOARD).pvalue for c in ([1, 2, 3, 4, 5, 6, 5, 0, 1, 0, 2], [2, 0, 1, 0, 5, 6, 5, 4, 3, 2, 1])
    ]
    assert mirrored[0] == mirrored[1]


def test_tested_cells_agree_with_monte_carlo() -> None:
    results = exact_tests(TESTED_CELLS)
    assert len(results) == 44
    for (counts, reference), result in zip(TESTED_CELLS, results, strict=True):
        drawn = monte_carlo_test(counts, [float(q) for q in reference], rng=5)
        assert result.method == "exact"
        assert result.statistic == pytest.approx(drawn.statistic, rel=1e-12)
        assert abs(drawn.pvalue - result.pvalue) <= 4 * drawn.standard_error + 1e-12
    # Known p-values of two outcomes: P(|X - 16| >= 8) and every rollout on one side.
    half = {tuple(c): r.pvalue for (c, p), r in zip(TESTED_CELLS, results, strict=True) if p == HALF}
    assert half[24, 8] == pytest.approx(2 * scipy.stats.binom.cdf(8, 32, 0.5), rel=1e-12)
    assert half[0, 32] == pytest.approx(2.0**-31, rel=1e-12)


def test_many_cells_at_once_equal_single_ones() -> None:
    rng = np.random.default_rng(3)
    counts = rng.multinomial(rng.integers(0, 20, 400), [float(q) for q in TWO_DICE])
    together = exact_pvalues(counts.reshape(20, 20, 11), TWO_DICE).ravel()
    single = [exact_test(c, TWO_DICE).pvalue for c in counts[:60]]
    np.testing.assert_allclose(together[:60], single, rtol=1e-12)
    assert np.isnan(together[counts.sum(axis=1) == 0]).all()
    assert exact_pvalues([3, 4], HALF) == pytest.approx(1, rel=1e-14)
    assert exact_pvalues(np.zeros((0, 2), dtype=int), HALF).shape == (0,)


def test_paw_reference_with_an_impossible_outcome() -> None:
    assert exact_test([50, 0], [1, 0]).pvalue == 1.0
    seen = exact_test([49, 1], [1, 0])
    assert (seen.pvalue, seen.statistic, seen.method) == (0.0, math.inf, "exact")
    assert "position 1" in seen.note
    np.testing.assert_array_equal(exact_pvalues([[50, 0], [49, 1], [0, 0]], [1, 0]), [1, 0, np.nan])
    dropped = exact_test([5, 0, 9], [Fraction(1, 2), 0, Fraction(1, 2)])
    assert dropped.pvalue == exact_test([5, 9], HALF).pvalue
    assert exact_tv_distribution(50, [1, 0]).support.tolist() == [0.0]


def test_nothing_to_test() -> None:
    result = exact_test([0, 0], HALF)
    assert math.isnan(result.pvalue)
    assert result.n == 0
    assert "no valid outcome" in result.note


def test_too_much_work_falls_back_to_monte_carlo() -> None:
    counts = [1, 2, 2, 2, 6, 7, 2, 3, 1, 2, 0]
    result = exact_test(counts, BOARD, max_work=1000, n_resamples=2000, rng=7)
    drawn = monte_carlo_test(counts, [float(q) for q in BOARD], 2000, 7)
    assert (result.pvalue, result.standard_error) == (drawn.pvalue, drawn.standard_error)
    assert result.method == "Monte Carlo, 2000 draws"
    assert "max_work" in result.note
    with pytest.raises(WorkLimitError, match="max_work"):
        exact_pvalues(counts, BOARD, max_work=1000)
    with pytest.raises(WorkLimitError, match="max_work"):
        exact_tv_distribution(32, BOARD, max_work=1000)
    # A large cell of the same reference must not take a small one along.
    limit = pearson_lattice(reference_weights(CARDS)[0], CARDS, 8, math.inf).work
    methods = [r.method for r in exact_tests([([20, 5, 5, 2], CARDS), ([2, 1, 1, 0], CARDS)], max_work=limit)]
    assert methods == ["Monte Carlo, 50000 draws", "exact"]
    huge = exact_test([3, 4, 5], random_reference(random.Random(1), 3, 10**15))
    assert huge.method.startswith("Monte Carlo")
    assert "64-bit" in huge.note


@pytest.mark.parametrize("name", REFERENCES)
def test_predicted_work_bounds_the_states(name: str) -> None:
    p = REFERENCES[name]
    built = pearson_lattice(reference_weights(p)[0], p, 24, math.inf)
    bounds, work = built._bounds(range(len(p)))
    whole = built._build(range(len(p)), sorted(p, reverse=True))
    assert (np.diff(whole.start) <= bounds[-1]).all()
    assert built.work <= work[-1] + bounds[-1].sum() + 100
    for part in (built._body, built._rest):
        totals = [part.weights[a:b].sum() for a, b in zip(part.start[:-1], part.start[1:], strict=True) if b > a]
        np.testing.assert_allclose(totals, 1, rtol=1e-13)


def test_float_references() -> None:
    assert as_rational_reference([1 / 6] * 6)[0] == (Fraction(1, 6),) * 6
    assert as_rational_reference([18 / 37, 18 / 37, 1 / 37])[0] == REFERENCES["roulette"]
    assert as_rational_reference([Fraction(1, 3), 2 / 3])[0] == (Fraction(1, 3), Fraction(2, 3))
    binary = (3 / 2**20, 1 - 3 / 2**20)
    assert as_rational_reference(binary)[0] == (Fraction(3, 2**20), 1 - Fraction(3, 2**20))
    # 123457 / 10**6 has too large a denominator to be taken for what was meant.
    assert Fraction(123457, 10**6) not in (as_rational_reference([0.123457, 0.876543])[0] or ())
    # Three fractions whose sum exceeds 1 by 1e-10: within the tolerance of floats, but no distribution.
    near = [a / d for a, d in zip(*fractions_near_one(100), strict=True)]
    assert abs(sum(near) - 1) < 1e-9
    assert sum(as_rational_reference(near)[0] or ()) in (0, 1)
    p, reason = as_rational_reference([0.123456789, 0.3, 1 - 0.3 - 0.123456789])
    assert p is None
    assert "do not sum to exactly 1" in reason
    result = exact_test([3, 4, 5], [0.123456789, 0.3, 1 - 0.3 - 0.123456789])
    assert result.method.startswith("Monte Carlo")
    assert result.note == reason
    with pytest.raises(ValueError, match="must be rational"):
        exact_tv_distribution(5, [0.123456789, 0.3, 1 - 0.3 - 0.123456789])


@pytest.mark.parametrize(
    ("counts", "reference", "message"),
    [
        ([1, -1], HALF, "whole numbers"),
        ([1, 0.5], HALF, "whole numbers"),
        ([1, 2, 3], HALF, "3 for 2 outcomes"),
        ([[1, 2]], HALF, "one cell"),
        ([1, 2], [Fraction(1, 2), Fraction(1, 3)], "sum of 5/6"),
        ([1, 2], [Fraction(3, 2), Fraction(-1, 2)], ">= 0"),
        ([1, 2], [0.5, 0.6], "sum to 1"),
        ([1, 2], [1.5, -0.5], ">= 0"),
        ([1, 2], [math.nan, 0.5], ">= 0"),
        ([1, 2], [(1, 2), (1, 0)], "pairs of ints"),
        ([1, 2], [[0.5, 0.5], [0.5, 0.5]], "pairs of ints"),
        ([1, 2], [], "at least one outcome"),
        ([1, 2], 1, "one-dimensional"),
    ],
)
def test_bad_arguments(counts: object, reference: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        exact_test(counts, reference)  # type: ignore[arg-type]


@pytest.mark.parametrize("statistic", ["tv", "chi_square"])
@pytest.mark.parametrize("name", ["half", "roulette", "board"])
def test_null_band_is_the_central_quantiles(name: str, statistic: str) -> None:
    n, p = 5, REFERENCES[name]
    band = null_band(n, p, 0.9, statistic)  # type: ignore[arg-type]
    law = enumerate_law(n, p, p, (tv_term if statistic == "tv" else pearson_term)(n))
    below, quantiles, inside = Fraction(), [], Fraction()
    for value in sorted(law):
        for q in (Fraction(5, 100), Fraction(95, 100)):
            if below < q <= below + law[value][0]:
                quantiles.append(value)
        below += law[value][0]
    inside = sum((law[v][0] for v in law if quantiles[0] <= v <= quantiles[1]), Fraction())
    assert (band.low, band.high) == pytest.approx([float(v) for v in quantiles], rel=1e-14)
    assert band.probability == pytest.approx(float(inside), rel=1e-12)
    assert band.probability >= 0.9


def test_null_band_agrees_with_draws_and_with_a_step_on_the_quantile() -> None:
    band = null_band(32, BOARD)
    draws = np.random.default_rng(0).multinomial(32, [float(q) for q in BOARD], size=50_000)
    tv = 0.5 * np.abs(draws / 32 - np.array([float(q) for q in BOARD])).sum(axis=1)
    np.testing.assert_allclose([band.low, band.high], np.quantile(tv, [0.025, 0.975]), atol=0.004)
    # Five tosses: P(TV = 1/2) = 1/16 exactly, so at level 7/8 the band leaves out just that step.
    assert null_band(5, HALF, 0.875).high == pytest.approx(0.3)
    with pytest.raises(ValueError, match="statistic"):
        null_band(5, HALF, statistic="l2")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="confidence_level"):
        null_band(5, HALF, 1.0)
