"""Agreement of votes and of readers: textbook values, a brute-force definition, undefined cases."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats
from calibench_data.stats.agreement import (
    fleiss_kappa,
    krippendorff_alpha,
    label_agreement,
    unanimous_share,
    vote_table,
    wilson_interval,
)

# The usual worked example of Fleiss' kappa: 10 items, 14 raters, 5 categories.
FLEISS = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]

# Krippendorff (2011), section C: four observers, twelve units; 0 marks a missing value.
KRIPPENDORFF = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
    [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
]


def alpha_by_coincidences(table):
    """Nominal alpha from the matrix of coincidences, pair by pair, in fractions."""
    k = len(table[0])
    coincidences = [[Fraction(0)] * k for _ in range(k)]
    for item in table:
        votes = [category for category, count in enumerate(item) for _ in range(count)]
        for a, b in itertools.permutations(votes, 2):
            coincidences[a][b] += Fraction(1, len(votes) - 1)
    margins = [sum(row) for row in coincidences]
    n = sum(margins)
    observed = sum(coincidences[a][b] for a in range(k) for b in range(k) if a != b)
    expected = sum(margins[a] * margins[b] for a in range(k) for b in range(k) if a != b)
    return 1 - (n - 1) * observed / expected


def kappa_by_pairs(table):
    """Fleiss' kappa as probabilities that two raters of an item, and two votes of the pool, agree."""
    observed, pool = [], []
    for item in table:
        votes = [category for category, count in enumerate(item) for _ in range(count)]
        pairs = list(itertools.combinations(votes, 2))
        observed.append(Fraction(sum(a == b for a, b in pairs), len(pairs)))
        pool += votes
    chance = Fraction(sum(a == b for a in pool for b in pool), len(pool) ** 2)
    return (sum(observed) / len(observed) - chance) / (1 - chance)


def random_tables(count, complete):
    rng = np.random.default_rng(5)
    for _ in range(count):
        votes = np.full(6, 3) if complete else rng.integers(0, 5, 6)
        yield np.array([rng.multinomial(m, [0.5, 0.3, 0.2]) for m in votes])


def test_fleiss_kappa_of_the_worked_example():
    kappa = fleiss_kappa(FLEISS)
    assert kappa.estimate == pytest.approx(0.210, abs=5e-4)
    assert kappa.observed_agreement == pytest.approx(0.378, abs=5e-4)
    assert kappa.expected_agreement == pytest.approx(0.213, abs=5e-4)
    assert (kappa.n, kappa.raters, kappa.dropped, kappa.missing, kappa.reason) == (10, 14, 0, 0, "")


def test_fleiss_kappa_by_enumeration_of_pairs():
    for table in [FLEISS, *random_tables(20, complete=True)]:
        assert fleiss_kappa(table).estimate == pytest.approx(float(kappa_by_pairs(table)), abs=1e-12)


def test_krippendorff_alpha_of_the_published_example():
    votes = [[column[i] for column in KRIPPENDORFF] for i in range(12)]
    table = vote_table(votes, categories=[1, 2, 3, 4, 5], missing=0)
    alpha = krippendorff_alpha(table)
    assert alpha.estimate == pytest.approx(0.743, abs=5e-4)
    assert alpha.estimate == pytest.approx(float(alpha_by_coincidences(table.tolist())), abs=1e-12)
    assert (alpha.n, alpha.raters, alpha.dropped, alpha.missing) == (11, 4, 1, 7)


def test_krippendorff_alpha_by_the_coincidence_matrix():
    for table in random_tables(40, complete=False):
        assert krippendorff_alpha(table).estimate == pytest.approx(
            float(alpha_by_coincidences(table.tolist())), abs=1e-12
        )


def test_alpha_of_complete_votes_is_kappa_with_a_finite_sample_term():
    """1 - alpha = (1 - kappa) (1 - 1 / (n m))."""
    kappa, alpha = fleiss_kappa(FLEISS).estimate, krippendorff_alpha(FLEISS).estimate
    assert 1 - alpha == pytest.approx((1 - kappa) * (1 - 1 / 140), abs=1e-12)


def test_agreement_does_not_depend_on_the_order_of_items_or_categories():
    table = np.array(FLEISS)
    turned = table[::-1, [3, 1, 4, 0, 2]]
    for statistic in (fleiss_kappa, krippendorff_alpha):
        assert statistic(turned).estimate == pytest.approx(statistic(table).estimate, abs=1e-15)


def test_chance_agreement_is_near_zero():
    rng = np.random.default_rng(0)
    table = rng.multinomial(3, [0.6, 0.3, 0.1], size=20_000)
    assert abs(fleiss_kappa(table).estimate) < 0.015
    assert abs(krippendorff_alpha(table).estimate) < 0.015


@pytest.mark.parametrize("statistic", [fleiss_kappa, krippendorff_alpha])
def test_perfect_agreement_over_two_categories_is_one(statistic):
    assert statistic([[3, 0], [0, 3], [3, 0]]).estimate == 1


@pytest.mark.parametrize("statistic", [fleiss_kappa, krippendorff_alpha])
def test_a_single_category_leaves_agreement_undefined(statistic):
    result = statistic([[3, 0], [3, 0]])
    assert np.isnan(result.estimate)
    assert result.observed_agreement == result.expected_agreement == 1
    assert "one category" in result.reason


@pytest.mark.parametrize("statistic", [fleiss_kappa, krippendorff_alpha])
@pytest.mark.parametrize("table", [[[1, 0], [0, 1]], [[0, 0], [0, 0]]])
def test_single_votes_say_nothing_of_agreement(statistic, table):
    result = statistic(table)
    assert np.isnan(result.estimate)
    assert (result.n, result.dropped) == (0, 2)
    assert "enough votes" in result.reason


def test_incomplete_items_are_dropped_from_kappa_and_counted():
    complete = [[3, 0], [1, 2], [0, 3]]
    result = fleiss_kappa([*complete, [1, 1], [0, 0]])
    assert result.estimate == fleiss_kappa(complete).estimate
    assert (result.n, result.raters, result.dropped, result.missing) == (3, 3, 2, 4)


def test_missing_votes_are_counted_against_the_full_number():
    result = krippendorff_alpha([[2, 0], [1, 1], [1, 0]], raters=3)
    assert (result.n, result.raters, result.dropped, result.missing) == (2, 3, 1, 4)


def test_null_is_a_category_and_an_error_is_missing():
    votes = [["left", "left", None], [None, None, None], ["left", "error", "right"], ["error"] * 3]
    table = vote_table(votes, categories=["left", "right", None])
    assert table.tolist() == [[2, 0, 1], [0, 0, 3], [1, 1, 0], [0, 0, 0]]
    share = unanimous_share(table)
    assert (share.k, share.n, share.missing) == (1, 2, 2)


@pytest.mark.parametrize(
    ("votes", "categories", "message"),
    [
        ([["left", "middle"]], ["left", "right"], "item 0 has 'middle'"),
        ([["left"], [None]], ["left", "right"], "item 1 has None"),
        ([["left"]], ["left", "left"], "distinct"),
        ([["left"]], ["left", "error"], "not 'error'"),
        ([["left"]], [], "distinct"),
    ],
)
def test_votes_outside_the_categories_are_refused(votes, categories, message):
    with pytest.raises(ValueError, match=message):
        vote_table(votes, categories)


def test_unanimous_share_by_hand():
    share = unanimous_share([[3, 0], [2, 1], [0, 3], [3, 0], [2, 0]])
    assert (share.k, share.n, share.share, share.missing, share.reason) == (3, 4, 0.75, 1, "")
    assert unanimous_share([[2, 0], [0, 2]], raters=3).n == 0


@pytest.mark.parametrize(("table", "raters"), [([[1, 0], [0, 1]], None), ([[2, 0]], 3), ([[0, 0]], None)])
def test_unanimity_without_a_comparison_is_undefined(table, raters):
    share = unanimous_share(table, raters)
    assert np.isnan([share.share, share.low, share.high]).all()
    assert share.n == 0
    assert share.reason


def test_tables_that_are_none_are_refused():
    for statistic in (fleiss_kappa, krippendorff_alpha, unanimous_share):
        with pytest.raises(ValueError, match="items, categories"):
            statistic([3, 0])
        with pytest.raises(ValueError, match="more than 2 votes"):
            statistic([[3, 0]], raters=2)
        with pytest.raises(ValueError, match="whole numbers"):
            statistic([[0.5, 0.5]])


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_wilson_interval_agrees_with_scipy(level):
    k, n = (a.ravel() for a in np.meshgrid(np.arange(8), [7, 18, 162, 40_000]))
    interval = wilson_interval(k, n, level)
    for i in range(k.size):
        exact = scipy.stats.binomtest(int(k[i]), int(n[i])).proportion_ci(level, method="wilson")
        np.testing.assert_allclose([interval.low[i], interval.high[i]], [exact.low, exact.high], rtol=1e-11, atol=1e-15)


def test_wilson_interval_ends_solve_the_score_equation():
    interval = wilson_interval(152, 162)
    for end in (interval.low, interval.high):
        z = (152 / 162 - end) / np.sqrt(end * (1 - end) / 162)
        assert abs(z) == pytest.approx(1.959963984540054, rel=1e-9)


@pytest.mark.parametrize("level", np.linspace(0.05, 0.95, 19))
def test_wilson_interval_touches_the_ends_exactly(level):
    n = np.arange(1, 200)
    none, every = wilson_interval(0, n, level), wilson_interval(n, n, level)
    np.testing.assert_array_equal(none.low, 0.0)
    np.testing.assert_array_equal(every.high, 1.0)
    np.testing.assert_allclose(none.high, 1 - every.low, rtol=1e-11, atol=1e-15)


def test_no_trial_gives_nan_and_a_reason():
    interval = wilson_interval([0, 1], [0, 2])
    assert np.isnan([interval.estimate[0], interval.low[0], interval.high[0]]).all()
    assert interval.estimate[1] == 0.5
    assert interval.reason == "no trial: no proportion"
    assert np.isnan(wilson_interval(0, 0).low)
    assert wilson_interval(1, 2).reason == ""


def test_wilson_interval_refuses_bad_arguments():
    with pytest.raises(ValueError, match="must not exceed"):
        wilson_interval(3, 2)
    with pytest.raises(ValueError, match="`successes`"):
        wilson_interval(0.5, 2)
    with pytest.raises(ValueError, match="`confidence_level`"):
        wilson_interval(1, 2, 95)


def test_label_agreement_counts_null_and_leaves_errors_out():
    result = label_agreement(["1", None, "error", "2", None], ["1", None, "3", "5", "4"])
    assert (result.k, result.n, result.share, result.missing) == (2, 4, 0.5, 1)


def test_label_agreement_of_the_paper():
    """152 of 162 labels agree (CaliBench Table 8): 93.8 %."""
    result = label_agreement(["a"] * 162, ["a"] * 152 + ["b"] * 10)
    exact = scipy.stats.binomtest(152, 162).proportion_ci(method="wilson")
    assert (result.k, result.n, round(result.share, 3)) == (152, 162, 0.938)
    assert (result.low, result.high) == (pytest.approx(exact.low), pytest.approx(exact.high))


def test_label_agreement_without_items_is_undefined():
    result = label_agreement(["error"], ["1"])
    assert np.isnan(result.share)
    assert (result.n, result.missing, result.reason) == (0, 1, "no item with both reading and label")
    with pytest.raises(ValueError, match="one length"):
        label_agreement(["1"], [])
