"""Bounds over the unscoreable rollouts: Table 7 digit for digit, and brute force over all fillings."""

from itertools import combinations_with_replacement
from math import comb

import numpy as np
import pytest
from calibench_data.stats.distance import cell_score, null_floor
from calibench_data.stats.missing import mcar_bounds, mcar_mntv_bounds

REFERENCES = {
    "physical_board": [comb(10, i) / 1024 for i in range(11)],
    "animated_board": [comb(10, i) / 1024 for i in range(11)],
    "ball_fork": [1 / 2] * 2,
    "walking": [1 / 2] * 2,
    "pendulum": [1 / 2] * 2,
    "dice": [1 / 6] * 6,
    "cards": [1 / 4] * 4,
    "lottery": [1 / 20] * 20,
    "roulette": [18 / 37, 18 / 37, 1 / 37],
}
NULL_HEAVY = ("cards", "roulette", "lottery", "pendulum")
MODELS = ("WAN-2.7", "SeeDance-2.0", "HappyHorse-1.0", "Veo 3.1", "Runway Gen-4.5", "Cosmos3-Super")

# Valid outcomes of the 54 released cells of 32 rollouts, models in the order above.
# fmt: off
COUNTS = {
    "physical_board": [
        [0, 0, 0, 0, 1, 21, 0, 0, 0, 0, 0],
        [0, 1, 0, 0, 5, 5, 3, 1, 3, 1, 0],
        [0, 0, 0, 1, 0, 23, 4, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0],
        [0, 2, 2, 4, 4, 5, 0, 0, 0, 1, 0],
        [0, 0, 0, 0, 1, 0, 1, 1, 1, 2, 0],
    ],
    "animated_board": [
        [0, 0, 0, 0, 0, 29, 0, 0, 0, 0, 0],
        [10, 7, 1, 0, 1, 4, 1, 1, 1, 1, 1],
        [0, 0, 0, 0, 0, 27, 0, 2, 0, 0, 0],
        [0, 0, 0, 0, 3, 19, 0, 6, 2, 1, 0],
        [1, 2, 2, 2, 6, 7, 2, 3, 1, 2, 0],
        [0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0],
    ],
    "ball_fork": [
        [24, 8],
        [22, 10],
        [15, 15],
        [8, 23],
        [11, 18],
        [15, 12],
    ],
    "walking": [
        [9, 22],
        [22, 10],
        [20, 12],
        [0, 32],
        [15, 17],
        [13, 14],
    ],
    "pendulum": [
        [0, 0],
        [1, 1],
        [0, 0],
        [1, 0],
        [0, 0],
        [0, 3],
    ],
    "dice": [
        [27, 0, 1, 1, 3, 0],
        [18, 1, 6, 2, 5, 0],
        [30, 0, 0, 0, 1, 0],
        [0, 0, 0, 0, 32, 0],
        [2, 0, 6, 16, 2, 4],
        [6, 2, 8, 5, 11, 0],
    ],
    "cards": [
        [2, 0, 1, 15],
        [12, 0, 0, 17],
        [0, 0, 6, 6],
        [0, 0, 3, 8],
        [0, 0, 1, 0],
        [0, 0, 1, 0],
    ],
    "lottery": [
        [0, 1, 0, 1, 0, 0, 11, 6, 0, 2, 0, 1, 0, 0, 6, 0, 0, 0, 0, 0],
        [0, 0, 1, 0, 2, 0, 0, 2, 1, 1, 2, 1, 2, 2, 0, 0, 2, 6, 1, 1],
        [0, 0, 0, 0, 0, 0, 25, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [0, 0, 0, 0, 0, 0, 0, 17, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
        [0, 5, 2, 1, 2, 1, 0, 4, 2, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0],
        [1, 1, 0, 0, 0, 0, 1, 1, 0, 2, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0],
    ],
    "roulette": [
        [14, 5, 3],
        [13, 10, 4],
        [10, 21, 0],
        [12, 8, 1],
        [3, 3, 1],
        [3, 3, 6],
    ],
}

# TV best, TV worst, TV reported; in "mntv" the same of mnTV. As printed in CaliBench Table 7.
TABLE_7 = {
    "cards": [
        "0.219 0.656 0.766",
        "0.406 0.500 0.547",
        "0.000 0.562 0.812",
        "0.000 0.656 0.828",
        "0.000 0.750 0.992",
        "0.000 0.750 0.992",
    ],
    "roulette": [
        "0.067 0.379 0.491",
        "0.098 0.254 0.258",
        "0.170 0.201 0.216",
        "0.018 0.348 0.413",
        "0.018 0.785 0.807",
        "0.160 0.785 0.802",
    ],
    "lottery": [
        "0.581 0.706 0.731",
        "0.225 0.463 0.550",
        "0.731 0.950 0.961",
        "0.494 0.900 0.941",
        "0.244 0.594 0.688",
        "0.150 0.794 0.934",
    ],
    "pendulum": [
        "0.000 0.500 1.000",
        "0.000 0.469 0.938",
        "0.000 0.500 1.000",
        "0.000 0.500 0.984",
        "0.000 0.500 1.000",
        "0.000 0.500 0.953",
    ],
    "mntv": [
        "0.318 0.491 0.578",
        "0.196 0.321 0.391",
        "0.278 0.448 0.540",
        "0.315 0.564 0.651",
        "0.079 0.383 0.483",
        "0.206 0.541 0.631",
    ],
}
# fmt: on


def cell(scene, model):
    counts = COUNTS[scene][model]
    return counts, 32 - sum(counts), REFERENCES[scene]


def printed(bounds):
    return " ".join(f"{x:.3f}" for x in (bounds.best, bounds.worst, bounds.reported))


@pytest.mark.parametrize("scene", NULL_HEAVY)
def test_table_7_cells_digit_for_digit(scene):
    assert [printed(mcar_bounds(*cell(scene, model))) for model in range(6)] == TABLE_7[scene]


def test_table_7_mntv_digit_for_digit():
    """Only the four null-heavy scenes are filled in; their floor is that of 32 valid outcomes."""
    imputed = [scene in NULL_HEAVY for scene in REFERENCES]
    bounds = [mcar_mntv_bounds([cell(scene, model) for scene in REFERENCES], imputed) for model in range(6)]
    assert [printed(b) for b in bounds] == TABLE_7["mntv"]
    assert {(b.scenes, b.imputed, b.n) for b in bounds} == {(9, 4, 288)}


def test_bounds_hold_over_every_filling():
    """Brute force: all ways of giving the nulls to the outcomes, TV in the same float formula."""
    rng = np.random.default_rng(0)
    for _ in range(150):
        k, valid, nulls = rng.integers(2, 5), rng.integers(0, 9), rng.integers(0, 7)
        if valid + nulls == 0:
            continue
        p = rng.dirichlet(np.ones(k)) if rng.random() < 0.5 else np.full(k, 1 / k)
        counts = rng.multinomial(valid, rng.dirichlet(np.ones(k)))
        every = [
            0.5 * np.abs((counts + np.bincount(filling, minlength=k)) / (valid + nulls) - p).sum()
            for filling in (np.array(f, dtype=int) for f in combinations_with_replacement(range(k), nulls))
        ]
        bounds = mcar_bounds(counts, int(nulls), p)
        assert bounds.best == pytest.approx(min(every), abs=1e-12)
        assert bounds.worst == pytest.approx(max(every), abs=1e-12)


def test_bounds_by_hand():
    """Two of four suits seen: 2 + 2 nulls can complete the four, or pile on a seen one."""
    bounds = mcar_bounds([1, 1, 0, 0], 2, [0.25] * 4)
    assert (bounds.best, bounds.worst, bounds.reported) == (0.0, 0.5, 0.75)
    assert bounds.best_counts.tolist() == [1, 1, 1, 1]
    assert sorted(bounds.worst_counts.tolist()) == [0, 0, 1, 3]
    assert (bounds.n, bounds.nulls) == (4, 2)


def test_without_nulls_the_bounds_meet():
    bounds = mcar_bounds([24, 8], 0, [0.5, 0.5])
    assert bounds.best == bounds.worst == bounds.reported == 0.25


def test_without_valid_outcomes_everything_is_open():
    bounds = mcar_bounds([0, 0], 32, [0.5, 0.5])
    assert (bounds.best, bounds.worst, bounds.reported) == (0.0, 0.5, 1.0)


def test_an_outcome_that_cannot_happen_is_the_worst_filling():
    assert mcar_bounds([2, 0], 2, [1.0, 0.0]).worst == 0.5
    assert mcar_bounds([0, 2], 2, [1.0, 0.0]).best == 0.5


def test_order_of_outcomes_does_not_matter():
    p, counts = np.array(REFERENCES["roulette"]), np.array([3, 4, 1])
    bounds = mcar_bounds(counts, 24, p)
    for order in ([2, 1, 0], [1, 2, 0]):
        turned = mcar_bounds(counts[order], 24, p[order])
        assert (turned.best, turned.worst) == (pytest.approx(bounds.best), pytest.approx(bounds.worst))


def test_a_cell_without_rollouts_has_no_bounds():
    bounds = mcar_bounds([0, 0], 0, [0.5, 0.5])
    assert np.isnan([bounds.best, bounds.worst, bounds.reported]).all()
    assert "no rollout" in bounds.method


def test_mntv_bounds_with_nothing_imputed_are_the_reported_score():
    cells = [cell(scene, 3) for scene in REFERENCES]
    bounds = mcar_mntv_bounds(cells, [False] * 9)
    assert bounds.best == bounds.worst == bounds.reported
    assert bounds.reported == pytest.approx(np.mean([cell_score(*c) for c in cells]))


def test_an_imputed_scene_counts_as_fully_scoreable():
    bounds = mcar_mntv_bounds([([1, 1], 30, [0.5, 0.5])], [True])
    floor = null_floor(32, [0.5, 0.5])
    assert bounds.best == pytest.approx(-floor / (1 - floor))
    assert bounds.worst == pytest.approx((15 / 32 - floor) / (1 - floor))


def test_bad_arguments_are_refused():
    with pytest.raises(ValueError, match="one cell"):
        mcar_bounds([[1, 2]], 0, [0.5, 0.5])
    with pytest.raises(ValueError, match="`nulls`"):
        mcar_bounds([1, 2], -1, [0.5, 0.5])
    with pytest.raises(ValueError, match="one truth value a cell"):
        mcar_mntv_bounds([cell("dice", 0)], [])
    with pytest.raises(ValueError, match="one score a scene"):
        mcar_mntv_bounds([], [])
