"""Target schedules, target hits and coupled noise."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from calibench_data.stats.noise import coupled_gaussian
from calibench_data.stats.schedules import (
    even_split,
    largest_remainder,
    shared_permutation,
    target_hits,
    target_schedule,
)
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import kstest

TWO_DICE = [Fraction(w, 36) for w in (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)]


def exact_largest_remainder(weights: list[int], n: int) -> list[int]:
    quotas = [Fraction(w, sum(weights)) * n for w in weights]
    counts = [int(q) for q in quotas]
    order = sorted(range(len(weights)), key=lambda i: (counts[i] - quotas[i], i))
    for i in order[: n - sum(counts)]:
        counts[i] += 1
    return counts


def test_largest_remainder_by_hand() -> None:
    assert largest_remainder([0.5, 0.25, 0.25], 50).tolist() == [25, 13, 12]
    assert largest_remainder([Fraction(1, 6)] * 6, 50).tolist() == [9, 9, 8, 8, 8, 8]
    assert largest_remainder([1, 0], 50).tolist() == [50, 0]
    assert largest_remainder([0.3, 0.3, 0.4], 10).tolist() == [3, 3, 4]
    # A tie of 22.5 and 27.5 that doubles break: 0.55 * 50 is a little more than 27.5.
    assert largest_remainder([0.45, 0.55], 50).tolist() == [23, 27]
    # Quotas 1.39 2.78 4.17 5.56 6.94 8.33 ...: the fractions .94 (twice), .78 (twice), .56 (twice) come first.
    assert largest_remainder(TWO_DICE, 50).tolist() == [1, 3, 4, 6, 7, 8, 7, 6, 4, 3, 1]


@given(st.lists(st.integers(0, 40), min_size=1, max_size=12).filter(any), st.integers(0, 200))
def test_largest_remainder_against_fractions(weights: list[int], n: int) -> None:
    counts = largest_remainder([Fraction(w, sum(weights)) for w in weights], n)
    assert counts.tolist() == exact_largest_remainder(weights, n)
    assert counts.sum() == n


def test_even_split() -> None:
    assert even_split(6, 50).tolist() == [9, 9, 8, 8, 8, 8]
    assert even_split(5, 50).tolist() == [10] * 5
    assert even_split(4, 2).tolist() == [1, 1, 0, 0]
    with pytest.raises(ValueError, match="`outcomes` must be a whole number >= 1"):
        even_split(0, 50)


def test_one_permutation_serves_all() -> None:
    order = shared_permutation(50)
    assert sorted(order.tolist()) == list(range(50))
    assert order.tolist() == shared_permutation(50).tolist()
    assert order.tolist() != shared_permutation(50, rng=1).tolist()
    assert order.tolist() != list(range(50))
    targets = target_schedule([25, 13, 12], order)
    assert np.bincount(targets).tolist() == [25, 13, 12]
    assert target_schedule([2, 0, 1], [2, 0, 1]).tolist() == [2, 0, 0]


def test_hits_count_unreadable_and_missing_as_misses() -> None:
    result = target_hits([0, 0, 1, 1, 2], [0, 1, 1, -1, -1])
    assert (result.hits, result.n, result.share) == (2, 5, 0.4)
    assert np.isnan(target_hits([], []).share)


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: target_hits([0, 1], [0]), "one entry for each target"),
        (lambda: target_hits([-1], [-1]), "`targets` must be a whole number >= 0"),
        (lambda: target_hits([1], [-2]), "`outcomes` must be a whole number >= -1"),
        (lambda: target_schedule([2, 1], [0, 1]), "must order the 3 requests"),
        (lambda: target_schedule([2, 1], [0, 1, 1]), "must order the 3 requests"),
        (lambda: largest_remainder([0.5, 0.4], 50), "sum to 1"),
        (lambda: largest_remainder([0.5, 0.5], -1), "`n` must be a whole number"),
        (lambda: shared_permutation(-1), "`n` must be a whole number"),
        (lambda: coupled_gaussian(10, 1, 3), "`members` must be a whole number >= 2"),
        (lambda: coupled_gaussian(0, 5, 3), "`groups` must be a whole number >= 1"),
        (lambda: coupled_gaussian(2, 5, (3, 0)), "`shape` must be a whole number >= 1"),
    ],
)
def test_bad_arguments(call: Any, match: str) -> None:
    with pytest.raises(ValueError, match=match):
        call()


@pytest.mark.parametrize("members", [2, 5, 11])
def test_groups_sum_to_zero(members: int) -> None:
    noise = coupled_gaussian(10, members, (4, 8, 8), rng=0)
    assert noise.shape == (10, members, 4, 8, 8)
    assert np.abs(noise.sum(axis=1)).max() < 1e-12


@pytest.mark.parametrize("members", [2, 5])
def test_each_member_is_standard_normal(members: int) -> None:
    noise = coupled_gaussian(20_000, members, 1, rng=1)[..., 0]
    for member in noise.T:
        assert kstest(member, "norm").pvalue > 1e-3
    assert noise.var(axis=0) == pytest.approx([1] * members, abs=5 * np.sqrt(2 / 20_000))


@pytest.mark.parametrize("members", [2, 5])
def test_members_repel_and_groups_and_entries_are_independent(members: int) -> None:
    noise = coupled_gaussian(40_000, members, 2, rng=2)
    tolerance = 5 * np.sqrt(2 / 40_000)
    covariance = np.cov(noise[..., 0].T)
    target = np.full((members, members), -1 / (members - 1))
    np.fill_diagonal(target, 1)
    assert np.abs(covariance - target).max() < tolerance
    across_entries = noise[..., 0].T @ noise[..., 1] / 40_000
    assert np.abs(across_entries).max() < tolerance
    across_groups = noise[::2, :, 0].T @ noise[1::2, :, 0] / 20_000
    assert np.abs(across_groups).max() < tolerance * np.sqrt(2)


def test_noise_of_a_seed_and_of_an_int_shape() -> None:
    assert coupled_gaussian(2, 3, 4, rng=7).shape == (2, 3, 4)
    assert np.array_equal(coupled_gaussian(2, 3, 4, rng=7), coupled_gaussian(2, 3, (4,), rng=7))
