"""The paper's test, the corrections for many tests, the bootstrap, and all of them over many cells at once."""

import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats

from calibench_data import stats

DIE = [Fraction(1, 6)] * 6
WHEEL = [Fraction(18, 37), Fraction(18, 37), Fraction(1, 37)]


def test_chi_square_is_scipys():
    counts = [8, 1, 1, 1, 20, 1]
    assert stats.chi_square(counts, DIE) == pytest.approx(scipy.stats.chisquare(counts).statistic)
    assert stats.chi_square([[3, 1], [2, 2]], [0.5, 0.5]).tolist() == [1, 0]
    assert math.isnan(stats.chi_square([0, 0], [0.5, 0.5]))


def test_an_impossible_outcome():
    assert stats.chi_square([3, 0], [1, 0]) == 0
    assert stats.chi_square([3, 1], [1, 0]) == math.inf
    assert stats.monte_carlo_test([3, 1], [1, 0], n_resamples=99).pvalue == 1 / 100


@pytest.mark.parametrize(
    ("counts", "reference", "printed"),
    [
        # Ball fork, WAN-2.7 (Table 3: 0.007); roulette, Veo 3.1 (0.490); walking, Runway (0.859).
        ([24, 8], [0.5, 0.5], "0.007"),
        ([8, 12, 1], WHEEL, "0.490"),
        ([17, 15], [0.5, 0.5], "0.859"),
    ],
)
def test_the_p_values_that_the_paper_prints(counts, reference, printed):
    assert f"{stats.monte_carlo_test(counts, reference).pvalue:.3f}" == printed


def test_monte_carlo_p_lies_by_the_exact_one():
    # A fair coin, 10 heads of 12: the two-sided binomial test.
    exact = scipy.stats.binomtest(10, 12).pvalue
    found = stats.monte_carlo_test([10, 2], [0.5, 0.5])
    assert abs(found.pvalue - exact) < 4 * found.standard_error
    assert found.standard_error == pytest.approx(math.sqrt(found.pvalue * (1 - found.pvalue) / 50_000))
    assert (found.n, found.n_resamples) == (12, 50_000)


def test_p_is_never_0_and_1_where_every_draw_ties():
    assert stats.monte_carlo_test([32, 0, 0], [1 / 3] * 3, n_resamples=999).pvalue == 1 / 1000
    assert stats.monte_carlo_test([32, 0, 0], [1, 0, 0], n_resamples=999).pvalue == 1


def test_ties_on_paper_are_ties():
    # 8, 13, 11 of thirds: permutations have the same statistic but for the last bits. Exact p is 0.5860.
    found = {stats.monte_carlo_test(c, [1 / 3] * 3).pvalue for c in ([8, 13, 11], [13, 11, 8], [11, 8, 13])}
    assert len(found) == 1
    assert found.pop() == pytest.approx(0.5860, abs=4 * 0.0022)


def test_a_seed_decides_the_draws():
    one, same, other = (stats.monte_carlo_test([8, 2], [0.5, 0.5], 500, rng).pvalue for rng in (1, 1, 2))
    assert one == same != other
    generator = np.random.default_rng(1)
    assert stats.monte_carlo_test([8, 2], [0.5, 0.5], 500, generator).pvalue == one
    assert stats.monte_carlo_test([8, 2], [0.5, 0.5], 500, generator).pvalue != one


def test_nothing_valid_is_nothing_to_test():
    found = stats.monte_carlo_test([0, 0], [0.5, 0.5])
    assert math.isnan(found.pvalue)
    assert "no valid outcome" in found.method
    with pytest.raises(ValueError, match="`n_resamples` must be a whole number >= 1"):
        stats.monte_carlo_test([1, 0], [0.5, 0.5], n_resamples=0)
    with pytest.raises(ValueError, match="must be one cell"):
        stats.monte_carlo_test([[1, 0]], [0.5, 0.5])


def test_corrections_are_scipys_and_keep_the_order():
    p = np.random.default_rng(0).random(44) ** 3
    np.testing.assert_allclose(stats.benjamini_hochberg(p), scipy.stats.false_discovery_control(p))
    assert stats.bonferroni([0.01, 0.6]).tolist() == [0.02, 1]
    assert stats.benjamini_hochberg([0.04, 0.01, 0.03]).tolist() == pytest.approx([0.04, 0.03, 0.04])
    assert stats.benjamini_hochberg([]).tolist() == []
    for correction in (stats.benjamini_hochberg, stats.bonferroni):
        with pytest.raises(ValueError, match="between 0 and 1"):
            correction([0.5, 1.5])
        with pytest.raises(ValueError, match="between 0 and 1"):
            correction([0.5, math.nan])


def slow_bootstrap(cells, n_resamples, seed):
    """The same replicates, one rollout after the other, with the floor by enumeration of two outcomes."""
    generator = np.random.default_rng(seed)
    scores = np.zeros(n_resamples)
    for counts, nulls, reference in cells:
        total = sum(counts) + nulls
        draws = generator.multinomial(total, [*(c / total for c in counts), nulls / total], size=n_resamples)
        for i, (*drawn, _) in enumerate(draws):
            n = sum(drawn)
            if n == 0:
                scores[i] += 1
                continue
            p = float(reference[0])
            floor = sum(math.comb(n, k) * p**k * (1 - p) ** (n - k) * abs(k / n - p) for k in range(n + 1))
            tv = abs(drawn[0] / n - p)
            scores[i] += 1 - n / total + n / total * (tv - floor) / (1 - floor)
    return scores / len(cells)


def test_bootstrap_is_a_loop_over_rollouts():
    cells = [([5, 3], 2, [0.5, 0.5]), ([1, 0], 9, [0.25, 0.75])]
    found = stats.bootstrap_mntv(cells, n_resamples=400, rng=3, confidence_level=0.9)
    slow = slow_bootstrap(cells, 400, 3)
    assert (found.low, found.high) == pytest.approx(tuple(np.quantile(slow, [0.05, 0.95])))
    assert found.standard_error == pytest.approx(slow.std(ddof=1))
    assert found.estimate == pytest.approx(np.mean([stats.cell_score(*cell) for cell in cells]))
    assert (found.n, found.n_resamples, found.confidence_level) == (20, 400, 0.9)


def test_bootstrap_refuses_what_it_cannot_do():
    with pytest.raises(ValueError, match="got none"):
        stats.bootstrap_mntv([])
    with pytest.raises(ValueError, match="without rollouts"):
        stats.bootstrap_mntv([([0, 0], 0, [0.5, 0.5])])
    with pytest.raises(ValueError, match="`confidence_level` must lie between 0 and 1"):
        stats.bootstrap_mntv([([1, 0], 0, [0.5, 0.5])], confidence_level=95)


def test_many_cells_at_once_are_the_same_as_one_by_one():
    coin = (Fraction(1, 2), Fraction(1, 2))
    wheel = tuple(WHEEL)
    cells = [([20, 12], 0, coin), ([2, 0, 2], 1, wheel), ([1, 0, 0], 31, wheel), ([0, 0], 32, coin), ([9, 0], 3, coin)]
    counts, nulls, references = zip(*cells, strict=True)
    found = stats.score_cells(counts, nulls, references, n_resamples=2_000)
    for i, (c, m, p) in enumerate(cells):
        assert found.score[i] == stats.cell_score(c, m, p)
        np.testing.assert_equal(found.tv[i], stats.total_variation(c, p))
        np.testing.assert_equal(found.floor[i], stats.null_floor(sum(c), p))
        np.testing.assert_equal(found.excess[i], stats.excess(c, p))
        if sum(c) >= 4:
            assert found.p[i] == stats.monte_carlo_test(c, p, 2_000).pvalue
            assert found.chi2[i] == stats.chi_square(c, p)
        else:
            assert math.isnan(found.p[i])
            assert math.isnan(found.chi2[i])
            assert math.isnan(found.q[i])
    tested = [0, 1, 4]
    np.testing.assert_equal(found.q[tested], stats.benjamini_hochberg(found.p[tested]))
    np.testing.assert_equal(found.p_bonferroni[tested], stats.bonferroni(found.p[tested]))
    assert found.scorability.tolist() == [1, 4 / 5, 1 / 32, 0, 9 / 12]
