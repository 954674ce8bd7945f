"""The corrected mnTV and its interval: hand values, enumeration, special cases, coverage by simulation."""

from __future__ import annotations

import runpy
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod, sqrt
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from calibench_data.stats import bootstrap_mntv, corrected, null_floor
from calibench_data.stats.corrected import (
    corrected_difference,
    corrected_mntv,
    corrected_mntv_of_models,
    corrected_scores,
    plug_in_bias,
    shrunken_frequencies,
)

_LITERAL = runpy.run_path(str(Path(__file__).parent / "benchmarks" / "released_counts.py"))
REFERENCES: list[Any] = [np.array(p, dtype=np.float64) for p in _LITERAL["REFERENCES"].values()]
MODELS: list[str] = list(_LITERAL["RELEASED"])
released_cells: Any = _LITERAL["cells"]

HALF = Fraction(1, 2)
MIXED_REFERENCE = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]


def enumerated_tv(n: int, p: list[Fraction], reference: list[Fraction]) -> Fraction:
    """E[TV] of n draws from p over every possible table of counts, in rational arithmetic."""
    total = Fraction(0)
    for head in product(range(n + 1), repeat=len(p) - 1):
        counts = [*head, n - sum(head)]
        if counts[-1] >= 0:
            ways = factorial(n) // prod(factorial(c) for c in counts)
            mass = ways * prod((q**c for q, c in zip(p, counts, strict=True)), start=Fraction(1))
            total += mass * sum(abs(Fraction(c, n) - r) for c, r in zip(counts, reference, strict=True)) / 2
    return total


def enumerated_score(counts: list[int], nulls: int, reference: list[Fraction]) -> float:
    """The score of one cell straight from its definition; only the square root is not rational."""
    n = sum(counts)
    if n == 0:
        return 1.0
    x2 = sum((c - n * r) ** 2 / (n * r) for c, r in zip(counts, reference, strict=True))
    shrink = Fraction(sqrt(max(Fraction(0), 1 - (len(counts) - 1) / x2))) if x2 else Fraction(0)
    p = [r + shrink * (Fraction(c, n) - r) for c, r in zip(counts, reference, strict=True)]
    bias = enumerated_tv(n, p, reference) - sum(abs(a - r) for a, r in zip(p, reference, strict=True)) / 2
    tv = sum(abs(Fraction(c, n) - r) for c, r in zip(counts, reference, strict=True)) / 2
    rho = Fraction(n, n + nulls)
    return float((1 - rho) + rho * (tv - bias))


def delete_one_variance(counts: list[int], nulls: int, reference: list[Fraction]) -> float:
    """Textbook jackknife: each single rollout left out in turn."""
    rollouts = [i for i, c in enumerate(counts) for _ in range(c)] + [len(counts)] * nulls
    left = []
    for out in range(len(rollouts)):
        rest = rollouts[:out] + rollouts[out + 1 :]
        left.append(enumerated_score([rest.count(i) for i in range(len(counts))], rest.count(len(counts)), reference))
    size = len(rollouts)
    return (size - 1) / size * sum((t - sum(left) / size) ** 2 for t in left)


def one(counts: Any, nulls: int, reference: Any) -> tuple[float, float]:
    score, variance = corrected_scores(np.asarray(counts)[np.newaxis], nulls, np.asarray(reference, dtype=np.float64))
    return float(score[0]), float(variance[0])


def test_score_worked_by_hand() -> None:
    # (7, 2) of fair coins: X2 = 25/9, factor sqrt(1 - 9/25) = 4/5, so p~ = 1/2 + 4/5 * (7/9 - 1/2) = 13/18.
    assert shrunken_frequencies([7, 2], [0.5, 0.5]) == pytest.approx([13 / 18, 5 / 18], abs=1e-15)
    p = Fraction(13, 18)
    mean_distance = sum(comb(9, x) * p**x * (1 - p) ** (9 - x) * abs(Fraction(x, 9) - HALF) for x in range(10))
    bias = mean_distance - (p - HALF)  # both outcomes are equally far from 1/2, and TV takes half of their sum
    tv = Fraction(7, 9) - HALF
    assert one([7, 2], 0, [0.5, 0.5])[0] == pytest.approx(float(tv - bias), abs=1e-15)
    with_nulls = Fraction(1, 4) + Fraction(3, 4) * (tv - bias)  # rho = 9/12
    assert one([7, 2], 3, [0.5, 0.5])[0] == pytest.approx(float(with_nulls), abs=1e-15)


@pytest.mark.parametrize(
    ("counts", "nulls", "reference"),
    [
        ([4, 2, 1], 2, MIXED_REFERENCE),  # shrinks to the reference
        ([0, 1, 6], 1, MIXED_REFERENCE),
        ([0, 0, 5], 0, MIXED_REFERENCE),
        ([1, 0, 0], 3, MIXED_REFERENCE),  # one replicate has no valid outcome
        ([0, 0, 0], 4, MIXED_REFERENCE),
        ([6, 1], 0, [HALF, HALF]),
        ([2, 0, 5, 0], 1, [Fraction(1, 4)] * 4),
    ],
)
def test_score_and_jackknife_equal_enumeration(counts: list[int], nulls: int, reference: list[Fraction]) -> None:
    score, variance = one(counts, nulls, reference)
    assert score == pytest.approx(enumerated_score(counts, nulls, reference), abs=1e-14)
    assert variance == pytest.approx(delete_one_variance(counts, nulls, reference), abs=1e-14)


def test_interval_is_built_from_scores_and_variances() -> None:
    cells = [([4, 2, 1], 2, MIXED_REFERENCE), ([0, 1, 6], 1, MIXED_REFERENCE), ([6, 1], 3, [HALF, HALF])]
    mean = sum(enumerated_score(*cell) for cell in cells) / 3
    se = sqrt(sum(delete_one_variance(*cell) for cell in cells)) / 3
    result = corrected_mntv(cells)
    assert (result.estimate, result.standard_error) == pytest.approx((mean, se), abs=1e-14)
    assert result.half_width == pytest.approx(1.959963984540054 * se, abs=1e-14)
    assert (result.low, result.high) == pytest.approx((mean - result.half_width, mean + result.half_width), abs=1e-14)
    assert (result.n, result.confidence_level) == (9 + 8 + 10, 0.95)
    assert corrected_mntv(cells, 0.9).half_width == pytest.approx(1.6448536269514722 * se, abs=1e-14)


@pytest.mark.parametrize("p", [[0.5, 0.3, 0.2], [0.0, 1.0, 0.0], [0.02, 0.38, 0.6], [1 / 3, 1 / 3, 1 / 3]])
@pytest.mark.parametrize("n", [1, 7, 32, 50, 2000])
def test_bias_equals_a_sum_over_scipys_binomial(n: int, p: list[float]) -> None:
    from scipy.stats import binom

    reference = np.array([0.5, 1 / 3, 1 / 6])
    x = np.arange(n + 1)[:, np.newaxis]
    mean_distance = (binom.pmf(x, n, p) * np.abs(x / n - reference)).sum(axis=0)
    expected = 0.5 * (mean_distance - np.abs(np.array(p) - reference)).sum()
    assert plug_in_bias(np.array([n]), np.array([p]), reference)[0] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 31, 32, 50, 3000])
def test_bias_at_the_reference_is_the_null_floor(n: int) -> None:
    for reference in REFERENCES:
        bias = plug_in_bias(np.array([n]), reference[np.newaxis], reference)
        assert bias[0] == pytest.approx(null_floor(n, reference), rel=1e-12)


def test_a_cell_as_close_as_chance_is_charged_the_published_floor() -> None:
    counts = [6, 5, 5, 6, 5, 5]
    reference = np.full(6, 1 / 6)
    assert shrunken_frequencies(counts, reference) == pytest.approx(reference, abs=1e-15)
    tv = 0.5 * np.abs(np.array(counts) / 32 - reference).sum()
    assert one(counts, 0, reference)[0] == pytest.approx(tv - null_floor(32, reference), abs=1e-14)


def test_one_outcome_in_every_scene_leaves_the_limit_for_unseen_outcomes() -> None:
    cells = [([0, 32], 0, [0.5, 0.5]), ([32, 0, 0], 0, [0.25, 0.25, 0.5])]
    result = corrected_mntv(cells)
    assert result.standard_error == 0.0
    assert result.half_width == pytest.approx(1 - 0.025 ** (1 / 64), rel=1e-12)
    assert corrected_mntv(cells, 0.8).half_width == pytest.approx(1 - 0.1 ** (1 / 64), rel=1e-12)


def test_no_valid_outcome_anywhere_scores_one() -> None:
    result = corrected_mntv([([0, 0], 32, [0.5, 0.5])] * 2)
    assert (result.estimate, result.standard_error, result.high) == (1.0, 0.0, 1.0)
    assert result.low == pytest.approx(0.025 ** (1 / 64), rel=1e-12)


def test_interval_stays_between_zero_and_one_but_the_estimate_is_not_clipped() -> None:
    result = corrected_mntv([([16, 16], 0, [0.5, 0.5])])
    assert result.estimate == pytest.approx(-float(null_floor(32, [0.5, 0.5])), abs=1e-15)
    assert result.low == 0.0 < result.high < 1


def test_outcomes_that_the_reference_excludes() -> None:
    # Seen: X2 is infinite, nothing is shrunk. Unseen: as if the outcome were not listed.
    assert shrunken_frequencies([3, 2, 1], [0.5, 0.5, 0]) == pytest.approx([3 / 6, 2 / 6, 1 / 6], abs=1e-15)
    assert one([5, 2, 0], 1, [0.5, 0.5, 0]) == pytest.approx(one([5, 2], 1, [0.5, 0.5]), abs=1e-15)
    assert one([0, 0, 8], 0, [0.5, 0.5, 0]) == pytest.approx((1.0, 0.0), abs=1e-15)
    assert one([8, 0], 0, [1, 0]) == (0.0, 0.0)
    # p~ = (1/2, 1/3, 1/6); the excluded outcome has no bias, E|X/6 - 0| = 1/6.
    reference = [HALF, HALF, Fraction(0)]
    p = [Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)]
    bias = enumerated_tv(6, p, reference) - Fraction(1, 6)
    assert one([3, 2, 1], 0, [0.5, 0.5, 0])[0] == pytest.approx(float(Fraction(1, 6) - bias), abs=1e-14)


def test_a_single_rollout_has_a_score_but_no_interval() -> None:
    result = corrected_mntv([([1, 0], 0, [0.5, 0.5]), ([4, 4], 0, [0.5, 0.5])])
    assert np.isfinite(result.estimate)
    assert np.isnan([result.standard_error, result.low, result.high, result.half_width]).all()
    assert "single rollout" in result.method
    difference = corrected_difference([([1, 0], 0, [0.5, 0.5])], [([4, 4], 0, [0.5, 0.5])])
    assert (difference.verdict, difference.method) == ("cannot be told apart", result.method)


def test_difference_stays_between_minus_one_and_one() -> None:
    no_valid, even = [([0, 0], 8, [0.5, 0.5])], [([4, 4], 0, [0.5, 0.5])]
    assert corrected_difference(no_valid, even).high == 1.0
    assert corrected_difference(even, no_valid).low == -1.0


def draw(generator: np.random.Generator, truth: list[Any], n: int, size: int) -> list[Any]:
    draws = [generator.multinomial(n, w, size=size) for w in truth]
    return [(w[:, :-1], w[:, -1], p0) for w, p0 in zip(draws, REFERENCES, strict=True)]


def test_many_models_at_once_equal_one_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(corrected, "_ENTRIES_AT_ONCE", 1000)  # several batches, the last one short
    truth = [np.append(0.7 * p0, 0.3) for p0 in REFERENCES]
    cells = draw(np.random.default_rng(5), truth, 12, 25)
    many = corrected_mntv_of_models(cells)
    for i in range(25):
        single = corrected_mntv([(c[i], m[i], p0) for c, m, p0 in cells])
        for field in ("estimate", "low", "high", "standard_error", "half_width"):
            assert getattr(many, field)[i] == pytest.approx(getattr(single, field), abs=1e-15)
        assert many.n[i] == single.n == 9 * 12


def test_order_of_scenes_and_of_like_outcomes_does_not_matter() -> None:
    cells = released_cells("seedance-2.0")
    turned = [(c[::-1], m, p0[::-1]) for c, m, p0 in reversed(cells)]
    forward, backward = corrected_mntv(cells), corrected_mntv(turned)
    assert (forward.low, forward.high) == pytest.approx((backward.low, backward.high), abs=1e-13)


def test_more_rollouts_with_the_same_frequencies() -> None:
    # Away from the reference the bias fades and the interval shrinks like 1/sqrt(n).
    few, many = (corrected_mntv([([24 * t, 8 * t], 0, [0.5, 0.5])]) for t in (1, 100))
    assert many.estimate == pytest.approx(0.25, abs=1e-4)
    assert few.half_width / many.half_width == pytest.approx(10, rel=0.1)


def test_difference_is_antisymmetric_and_says_which_is_lower() -> None:
    a, b = released_cells("seedance-2.0"), released_cells("veo-3.1")
    forward, backward = corrected_difference(a, b), corrected_difference(b, a)
    assert (forward.estimate, forward.low, forward.high) == (-backward.estimate, -backward.high, -backward.low)
    assert (forward.verdict, backward.verdict) == ("a lower", "b lower")
    assert forward.n == 2 * 288
    one_, other = corrected_mntv(a), corrected_mntv(b)
    half = sqrt(one_.half_width**2 + other.half_width**2)
    assert forward.estimate == one_.estimate - other.estimate
    assert (forward.low, forward.high) == pytest.approx((forward.estimate - half, forward.estimate + half), abs=1e-15)
    assert forward.standard_error == pytest.approx(sqrt(one_.standard_error**2 + other.standard_error**2), abs=1e-15)
    same = corrected_difference(a, a)
    assert (same.estimate, same.verdict) == (0.0, "cannot be told apart")


# Estimate and interval of the released models, as this procedure first gave them; the published score beside it.
RELEASED_INTERVALS = {
    "wan-2.7": (0.6307, 0.5886, 0.6728, 0.5780),
    "seedance-2.0": (0.4482, 0.3870, 0.5095, 0.3907),
    "happyhorse-1.0": (0.5800, 0.5354, 0.6246, 0.5402),
    "veo-3.1": (0.6822, 0.6458, 0.7186, 0.6515),
    "runway-gen-4.5": (0.5228, 0.4607, 0.5849, 0.4826),
    "cosmos3-super": (0.6502, 0.5936, 0.7069, 0.6315),
}


@pytest.mark.parametrize("model", MODELS)
def test_released_models(model: str) -> None:
    cells = released_cells(model)
    r = corrected_mntv(cells)
    published = bootstrap_mntv(cells, n_resamples=1).estimate
    assert (r.estimate, r.low, r.high, published) == pytest.approx(RELEASED_INTERVALS[model], abs=5e-5)
    assert 0.015 < r.estimate - published < 0.06  # the over-correction that this estimate takes back


def test_the_published_score_of_wan_lies_outside_the_interval() -> None:
    r = corrected_mntv(released_cells("wan-2.7"))
    assert bootstrap_mntv(released_cells("wan-2.7"), n_resamples=1).estimate < r.low


@pytest.mark.parametrize(
    ("mass_on_one", "nulls", "bias"),
    [(0.0, 0.0, 0.0236), (0.8, 0.1, -0.0045)],
    ids=["calibrated", "nearly collapsed"],
)
def test_coverage(mass_on_one: float, nulls: float, bias: float) -> None:
    truth, scores = [], []
    for p0 in REFERENCES:
        p = (1 - mass_on_one) * p0 + mass_on_one * np.eye(p0.size)[p0.size // 2]
        truth.append(np.append((1 - nulls) * p, nulls))
        scores.append(nulls + (1 - nulls) * 0.5 * np.abs(p - p0).sum())
    theta = np.mean(scores)
    r = corrected_mntv_of_models(draw(np.random.default_rng(0), truth, 32, 2000))
    # 2,000 data sets: the standard error of a coverage of 0.96 is 0.0044.
    assert 0.945 <= ((r.low <= theta) & (theta <= r.high)).mean() <= 0.99
    assert r.estimate.mean() - theta == pytest.approx(bias, abs=0.004)


def test_two_copies_of_a_model_are_seldom_told_apart() -> None:
    truth = [np.append(c, m) / 32 for c, m, _ in released_cells("runway-gen-4.5")]
    generator = np.random.default_rng(1)
    a, b = (corrected_mntv_of_models(draw(generator, truth, 32, 2000)) for _ in range(2))
    apart = np.abs(a.estimate - b.estimate) > np.hypot(a.half_width, b.half_width)
    assert 0.005 < apart.mean() < 0.055


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ([], "got none"),
        ([([0, 0], 0, [0.5, 0.5])], "at least one rollout"),
        ([([1, 2, 3], 0, [0.5, 0.5])], "one entry for each outcome"),
        ([([1, 2], -1, [0.5, 0.5])], "nulls"),
        ([([1, 2], [1, 2], [0.5, 0.5])], "nulls"),
        ([([1, -2], 1, [0.5, 0.5])], "whole numbers"),
        ([([1, 2], 1, [0.5, 0.4])], "sum to 1"),
    ],
)
def test_bad_cells(cells: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        corrected_mntv(cells)


def test_other_bad_arguments() -> None:
    cell = ([1, 2], 0, [0.5, 0.5])
    with pytest.raises(ValueError, match="confidence_level"):
        corrected_mntv([cell], 95)
    with pytest.raises(ValueError, match=r"shape \(models, k\)"):
        corrected_scores([1, 2], 0, [0.5, 0.5])
    with pytest.raises(ValueError, match=r"same number of models.*\[1, 2\]"):
        corrected_mntv_of_models([([[1, 2]], 0, [0.5, 0.5]), ([[1, 2]] * 2, 0, [0.5, 0.5])])
    with pytest.raises(ValueError, match="same scenes"):
        corrected_difference([cell], [cell, cell])
    with pytest.raises(ValueError, match="same scenes"):
        corrected_difference([cell], [([1, 2], 0, [0.25, 0.75])])
