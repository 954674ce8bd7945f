"""mnTV of a perfect model, bootstrap replicates and differences of models."""

from fractions import Fraction
from itertools import product
from math import comb, factorial, prod

import numpy as np
import pytest
from calibench_data.stats.bootstrap import bootstrap_mntv, mntv_replicates, paired_differences
from calibench_data.stats.distance import cell_score, excess
from calibench_data.stats.null_baseline import null_mntv

GALTON = [comb(10, i) / 1024 for i in range(11)]
COIN, DIE, SUITS, BALLS, COLOURS = [0.5, 0.5], [1 / 6] * 6, [0.25] * 4, [0.05] * 20, [18 / 37, 18 / 37, 1 / 37]
SCENES = [GALTON, GALTON, COIN, COIN, COIN, DIE, SUITS, BALLS, COLOURS]


def test_null_band_of_the_paper():
    """Appendix A: mean and median about 0, central 95 % about [-0.04, 0.04]."""
    baseline = null_mntv(SCENES)
    assert abs(baseline.mean) < 4 * baseline.standard_error
    assert abs(baseline.median) < 0.002
    assert round(baseline.low, 2) == -0.04
    assert round(baseline.high, 2) == 0.04
    assert (baseline.n, baseline.n_resamples, baseline.confidence_level) == (288, 50_000, 0.95)


def test_null_quantiles_by_enumeration():
    """Two small scenes: the exact distribution of mnTV over all pairs of counts."""
    scenes, n = [[Fraction(1, 2), Fraction(1, 2)], [Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)]], 4
    laws = []
    for p in scenes:
        cells = [c for c in product(range(n + 1), repeat=len(p)) if sum(c) == n]
        mass = [factorial(n) * prod(q**x / factorial(x) for q, x in zip(p, c, strict=True)) for c in cells]
        laws.append([(float(excess(c, [float(q) for q in p])), float(m)) for c, m in zip(cells, mass, strict=True)])
    scores = sorted(((a + b) / 2, x * y) for (a, x), (b, y) in product(*laws))
    values, weights = np.array(scores).T
    baseline = null_mntv([[float(q) for q in p] for p in scenes], n, n_resamples=100_000)
    exact_sd = np.sqrt((weights * values**2).sum())
    assert baseline.standard_error == pytest.approx(exact_sd / np.sqrt(100_000), rel=0.01)
    for end, share in ((baseline.low, 0.025), (baseline.high, 0.975)):
        assert weights[values < end - 1e-9].sum() <= share + 0.003
        assert weights[values <= end + 1e-9].sum() >= share - 0.003


def test_null_band_narrows_as_the_root_of_the_rollouts():
    few, many = null_mntv(SCENES, 32, 5_000), null_mntv(SCENES, 512, 5_000)
    assert (few.high - few.low) / (many.high - many.low) == pytest.approx(4, rel=0.15)


def test_rollouts_may_differ_between_scenes():
    baseline = null_mntv([COIN, DIE], [8, 64], 20_000)
    assert baseline.n == 72
    assert abs(baseline.mean) < 4 * baseline.standard_error
    assert null_mntv([COIN, DIE], [32, 32], 100) == null_mntv([COIN, DIE], 32, 100)


def test_a_scene_with_one_outcome_is_always_met():
    baseline = null_mntv([[1.0]], 8, 10)
    assert (baseline.mean, baseline.low, baseline.high) == (0, 0, 0)
    assert np.isnan(null_mntv([COIN], 8, 1).standard_error)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([],), "`references` must hold"),
        (([COIN], 0), "`rollouts`"),
        (([COIN], [32, 32]), "one a scene"),
        (([COIN], 32, 0), "`n_resamples`"),
        (([[0.5, 0.4]],), "sum to 1"),
    ],
)
def test_null_mntv_refuses_bad_arguments(arguments, message):
    with pytest.raises(ValueError, match=message):
        null_mntv(*arguments)


MODELS = {
    "steady": [([10, 12], 10, COIN), ([3, 0, 9, 5, 11, 4], 0, DIE), ([0, 0, 0, 0], 32, SUITS)],
    "skewed": [([30, 1], 1, COIN), ([32, 0, 0, 0, 0, 0], 0, DIE), ([8, 8, 8, 8], 0, SUITS)],
    "absent": [([0, 0], 32, COIN), ([0] * 6, 32, DIE), ([0] * 4, 32, SUITS)],
}


def test_replicates_are_the_scores_of_redrawn_cells():
    """One resample at a time, by the public score, from the same stream."""
    estimate, rollouts, replicates = mntv_replicates(MODELS["steady"], 200, 3)
    rng = np.random.default_rng(3)
    scores = []
    for counts, nulls, p in MODELS["steady"]:
        draws = rng.multinomial(32, np.append(counts, nulls) / 32, size=200)
        scores.append([cell_score(draw[:-1], draw[-1], p) for draw in draws])
    np.testing.assert_allclose(replicates, np.mean(scores, axis=0), atol=1e-14)
    assert estimate == pytest.approx(np.mean([cell_score(*cell) for cell in MODELS["steady"]]))
    assert rollouts == 96
    interval = bootstrap_mntv(MODELS["steady"], 200, 3)
    assert (interval.low, interval.high) == tuple(np.quantile(replicates, [0.025, 0.975]))
    assert (interval.n, interval.n_resamples, interval.estimate) == (96, 200, estimate)


def test_differences_of_each_pair():
    differences = paired_differences(MODELS, 2_000)
    assert [(d.first, d.second) for d in differences] == [
        ("steady", "skewed"),
        ("steady", "absent"),
        ("skewed", "absent"),
    ]
    alone = {name: bootstrap_mntv(cells, 2_000) for name, cells in MODELS.items()}
    for d in differences:
        a, b = alone[d.first], alone[d.second]
        assert d.estimate == a.estimate - b.estimate
        assert d.low < d.estimate < d.high or d.standard_error == pytest.approx(a.standard_error, rel=0.1)
        assert d.standard_error == pytest.approx(np.hypot(a.standard_error, b.standard_error), rel=0.08)
        assert (d.n, d.n_resamples, d.confidence_level) == (192, 2_000, 0.95)


def test_a_model_that_never_varies_shifts_the_interval_of_the_other():
    """ "absent" scores 1 in every replicate; the first model of the mapping draws as `bootstrap_mntv` does."""
    steady = bootstrap_mntv(MODELS["steady"], 500, rng=9)
    (difference,) = paired_differences({"steady": MODELS["steady"], "absent": MODELS["absent"]}, 500, rng=9)
    assert difference.low == pytest.approx(steady.low - 1, abs=1e-12)
    assert difference.high == pytest.approx(steady.high - 1, abs=1e-12)


def test_a_model_against_its_twin_is_centred_on_zero():
    (difference,) = paired_differences({"a": MODELS["skewed"], "b": MODELS["skewed"]}, 4_000)
    assert difference.estimate == 0
    assert difference.standard_error > 0
    assert difference.low == pytest.approx(-difference.high, rel=0.1)


def test_differences_refuse_models_that_cannot_be_compared():
    with pytest.raises(ValueError, match="at least two models"):
        paired_differences({"a": MODELS["steady"]})
    with pytest.raises(ValueError, match="'b' is not"):
        paired_differences({"a": MODELS["steady"], "b": MODELS["steady"][:2]})
    with pytest.raises(ValueError, match="'b' is not"):
        paired_differences({"a": MODELS["steady"], "b": MODELS["steady"][::-1]})
    with pytest.raises(ValueError, match="got none"):
        paired_differences({"a": [], "b": []})
