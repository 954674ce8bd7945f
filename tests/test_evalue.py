"""The e-value of a cell: forecasts in fractions, enumeration, Ville's bound by simulation, the released cells."""

from __future__ import annotations

import math
import runpy
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calibench_data.stats.evalue import e_process, e_value, log_e_process, rollouts_to_reject

_LITERAL = runpy.run_path(str(Path(__file__).parent / "benchmarks" / "released_counts.py"))
REFERENCES: dict[str, list[Fraction]] = _LITERAL["REFERENCES"]
RELEASED: dict[str, dict[str, str]] = _LITERAL["RELEASED"]
positions: Any = _LITERAL["positions"]

ROULETTE = REFERENCES["roulette"]


def wager(outcomes: Any, reference: list[Fraction], concentration: Fraction = Fraction(1, 2)) -> list[Fraction]:
    """Product of forecast over reference after each outcome, by the rule of Krichevsky & Trofimov, exactly."""
    alpha = [concentration * len(reference) * p for p in reference]
    seen = [0] * len(reference)
    e, path = Fraction(1), []
    for x in outcomes:
        e *= (alpha[x] + seen[x]) / (sum(alpha) + sum(seen)) / reference[x]
        seen[x] += 1
        path.append(e)
    return path


def test_worked_by_hand() -> None:
    # A coin with alpha = (1/2, 1/2): forecasts of a fourth equal face 1/2, 3/4, 5/6, 7/8, each over 1/2.
    assert e_process([0, 0, 0, 0], [0.5, 0.5]) == pytest.approx([1, 3 / 2, 5 / 2, 35 / 8], rel=1e-14)
    # The other face second: 1/2 * 1/4 * 4 = 1/2.
    assert e_value([1, 1], [0.5, 0.5]).value == pytest.approx(0.5, rel=1e-14)


@pytest.mark.parametrize("concentration", [Fraction(1, 2), Fraction(2), Fraction(1, 7)])
@pytest.mark.parametrize("scene", REFERENCES)
def test_equals_the_product_of_forecast_ratios(scene: str, concentration: Fraction) -> None:
    reference = REFERENCES[scene]
    p0 = np.array(reference, dtype=np.float64)
    outcomes = np.random.default_rng(3).integers(len(reference), size=40)
    expected = wager(outcomes.tolist(), reference, concentration)
    path = e_process(outcomes, p0, float(concentration))
    assert path == pytest.approx([float(e) for e in expected], rel=1e-11)
    total = e_value(np.bincount(outcomes, minlength=p0.size), p0, float(concentration))
    assert total.value == pytest.approx(float(expected[-1]), rel=1e-11)
    assert total.log == pytest.approx(math.log(expected[-1]), abs=1e-11)
    assert total.log10 == pytest.approx(math.log10(expected[-1]), abs=1e-11)
    assert total.n == 40


def test_order_does_not_change_the_last_value() -> None:
    generator = np.random.default_rng(4)
    outcomes = generator.integers(3, size=60)
    p0 = np.array(ROULETTE, dtype=np.float64)
    last = [log_e_process(generator.permutation(outcomes), p0)[-1] for _ in range(20)]
    assert last == pytest.approx([e_value(np.bincount(outcomes, minlength=3), p0).log] * 20, abs=1e-11)


@pytest.mark.parametrize("reference", [ROULETTE, [Fraction(1, 4)] * 4, [Fraction(1, 6), Fraction(5, 6)]])
def test_mean_under_the_reference_is_exactly_one(reference: list[Fraction]) -> None:
    p0 = np.array(reference, dtype=np.float64)
    n = 5
    exact = [Fraction(0)] * n
    sequences = list(product(range(len(reference)), repeat=n))
    mass = [math.prod((reference[x] for x in s), start=Fraction(1)) for s in sequences]
    for m, s in zip(mass, sequences, strict=True):
        exact = [total + m * e for total, e in zip(exact, wager(s, reference), strict=True)]
    assert exact == [1] * n
    mean = np.array(mass, dtype=np.float64) @ e_process(np.array(sequences), p0)
    assert mean == pytest.approx(np.ones(n), rel=1e-13)


@pytest.mark.parametrize(("n", "runs"), [(32, 4000), (200, 2000)])
@pytest.mark.parametrize("scene", ["physical_board", "ball_fork", "dice", "cards", "lottery", "roulette"])
def test_a_calibrated_model_seldom_reaches_twenty_at_any_look(scene: str, n: int, runs: int) -> None:
    p0 = np.array(REFERENCES[scene], dtype=np.float64)
    outcomes = np.random.default_rng(0).choice(p0.size, p=p0, size=(runs, n))
    reached = (log_e_process(outcomes, p0).max(axis=1) >= math.log(20)).mean()
    assert 0 < reached <= 0.05


def test_power_against_contamination() -> None:
    # Half of the mass on the middle bin: the prior centred on the reference was chosen for this failure.
    p0 = np.array(REFERENCES["physical_board"], dtype=np.float64)
    outcomes = np.random.default_rng(1).choice(11, p=0.5 * p0 + 0.5 * np.eye(11)[5], size=(2000, 32))
    assert 0.82 < (log_e_process(outcomes, p0).max(axis=1) >= math.log(20)).mean() < 0.90


def test_the_first_outcome_is_no_evidence() -> None:
    for reference in REFERENCES.values():
        p0 = np.array(reference, dtype=np.float64)
        assert e_process(np.arange(p0.size)[:, np.newaxis], p0) == pytest.approx(np.ones((p0.size, 1)), rel=1e-14)


def test_veo_shows_one_face_of_the_die() -> None:
    outcomes = positions(RELEASED["veo-3.1"]["dice"])
    p0 = [float(p) for p in REFERENCES["dice"]]
    assert outcomes == [4] * 32
    # alpha = 1/2 a face: 1, then (3/2)/4 * 6, (5/2)/5 * 6, (7/2)/6 * 6, ...
    steps = [Fraction(2 * t + 1, 2) / (3 + t) * 6 for t in range(4)]
    assert [float(s) for s in steps] == [1.0, 2.25, 3.0, 3.5]
    assert e_process(outcomes, p0)[:4] == pytest.approx([1, 2.25, 6.75, 23.625], rel=1e-13)
    assert rollouts_to_reject(outcomes, p0) == 4
    assert rollouts_to_reject(outcomes, p0, alpha=0.2) == 3
    assert e_value([0, 0, 0, 0, 32, 0], p0).log10 == pytest.approx(21.15, abs=0.005)


def valid_needed(scene: str) -> list[int | None]:
    p0 = [float(p) for p in REFERENCES[scene]]
    return [rollouts_to_reject(positions(RELEASED[model][scene]), p0) for model in RELEASED]


def exact_needed(scene: str) -> list[int | None]:
    paths = (wager(positions(RELEASED[model][scene]), REFERENCES[scene]) for model in RELEASED)
    return [next((t for t, e in enumerate(path, start=1) if e >= 20), None) for path in paths]


@pytest.mark.parametrize(
    ("scene", "needed"),
    [
        ("physical_board", [6, None, 8, None, None, None]),
        ("animated_board", [6, 3, 8, 13, 6, None]),
        ("ball_fork", [29, None, None, None, None, None]),
        ("walking", [19, None, None, 7, None, None]),
        ("pendulum", [None] * 6),
        ("dice", [4, 13, 6, 4, 16, None]),
        ("cards", [10, 7, 10, 9, None, None]),
        ("lottery", [9, None, 4, 4, 19, None]),
        ("roulette", [None, None, None, None, None, 5]),
    ],
)
def test_released_cells_in_seed_order(scene: str, needed: list[int | None]) -> None:
    assert valid_needed(scene) == needed == exact_needed(scene)


def test_evidence_may_fall_again_after_the_first_look_that_rejects() -> None:
    outcomes = positions(RELEASED["runway-gen-4.5"]["animated_board"])
    path = e_process(outcomes, [float(p) for p in REFERENCES["animated_board"]])
    assert path.max() > 20
    assert path[-1] < 0.01


def test_a_value_on_the_line_counts_as_reached() -> None:
    assert rollouts_to_reject([0, 0, 0, 0], [0.5, 0.5], alpha=1 / 2.5) == 3
    assert rollouts_to_reject([0, 0, 0, 0], [0.5, 0.5], alpha=1 / 2.500001) == 4
    # Four equal outcomes of three: e = 9 exactly, but its logarithm in floats falls short of log 9.
    assert wager([0] * 4, [Fraction(1, 3)] * 3)[-1] == 9
    assert rollouts_to_reject([0] * 4, [1 / 3] * 3, alpha=1 / 9) == 4


def test_outcomes_that_the_reference_excludes() -> None:
    seen = e_value([3, 1, 1], [0.5, 0.5, 0])
    assert (seen.value, seen.log, seen.log10) == (math.inf, math.inf, math.inf)
    assert "probability 0 was seen" in seen.method
    assert e_value([3, 1, 0], [0.5, 0.5, 0]).log == e_value([3, 1], [0.5, 0.5]).log
    assert e_process([0, 0, 2, 1], [0.5, 0.5, 0]) == pytest.approx([1, 1.5, math.inf, math.inf])
    assert rollouts_to_reject([0, 0, 2, 1], [0.5, 0.5, 0]) == 3


def test_no_valid_outcome_is_no_evidence() -> None:
    nothing = e_value([0, 0], [0.5, 0.5])
    assert (nothing.value, nothing.log, nothing.n) == (1.0, 0.0, 0)
    assert "no valid outcome" in nothing.method
    assert e_process([], [0.5, 0.5]).shape == (0,)
    assert rollouts_to_reject([], [0.5, 0.5]) is None


def test_logarithms_do_not_overflow() -> None:
    result = e_value([5000] + [0] * 19, [0.05] * 20)
    assert result.value == math.inf
    assert result.log == pytest.approx(log_e_process([0] * 5000, [0.05] * 20)[-1], rel=1e-12)
    assert e_process([0] * 5000, [0.05] * 20)[-1] == math.inf


@pytest.mark.parametrize(
    ("outcomes", "message"),
    [([0, -1], "nulls left out"), ([0, 2], "positions 0 to 1"), ([0.0, 1.0], "whole numbers"), (0, "whole numbers")],
)
def test_bad_outcomes(outcomes: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        e_process(outcomes, [0.5, 0.5])


def test_other_bad_arguments() -> None:
    with pytest.raises(ValueError, match="concentration"):
        e_value([1, 2], [0.5, 0.5], concentration=0)
    with pytest.raises(ValueError, match="concentration"):
        e_process([0], [0.5, 0.5], concentration=math.inf)
    with pytest.raises(ValueError, match="alpha"):
        rollouts_to_reject([0], [0.5, 0.5], alpha=1)
    with pytest.raises(ValueError, match="one cell"):
        rollouts_to_reject([[0]], [0.5, 0.5])
    with pytest.raises(ValueError, match="one cell"):
        e_value([[1, 2]], [0.5, 0.5])
    with pytest.raises(ValueError, match="sum to 1"):
        e_value([1, 2], [0.5, 0.6])
