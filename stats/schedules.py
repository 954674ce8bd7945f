"""Which outcome each rollout is asked for when prompts name a target, and how often it is met."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ._validation import IntArray, Reference, Rng, as_generator, as_reference, as_whole


def largest_remainder(reference: Reference, n: int) -> IntArray:
    """n requests divided in proportion to the reference by largest remainder (PAWBench Appendix D.1).

    reference: shape (k,). Returns whole numbers, shape (k,), that sum to n: the quotas n p rounded down, then one
    more for the largest fractions. Equal fractions are served in the order of the outcomes; fractions within 1e-9
    are equal, as 50/6 is no exact double. Raises ValueError for no distribution or a negative n.
    """
    quota = as_reference(reference) * int(as_whole(n, "n"))
    base = np.floor(quota).astype(np.int64)
    fraction = np.round(quota - base, 9)
    left = int(n) - int(base.sum())
    base[np.argsort(-fraction, kind="stable")[:left]] += 1
    return base


def even_split(outcomes: int, n: int) -> IntArray:
    """n requests as evenly as possible over the outcomes, the first ones getting one more: shape (outcomes,)."""
    k, size = int(as_whole(outcomes, "outcomes", minimum=1)), int(as_whole(n, "n"))
    return size // k + (np.arange(k) < size % k).astype(np.int64)


def shared_permutation(n: int, rng: Rng = 0) -> IntArray:
    """The order in which a schedule of n requests is used, shape (n,): a permutation of 0 ... n - 1.

    The same `rng` seed gives the same order: take one for all scenes and generators, so that rollout i is comparable
    between them. The authors' own permutation is not published.
    """
    return as_generator(rng).permutation(int(as_whole(n, "n"))).astype(np.int64)


def target_schedule(requests: npt.ArrayLike, permutation: npt.ArrayLike) -> IntArray:
    """The target outcome (its index) of each rollout, shape (n,).

    requests: shape (k,), from `largest_remainder` or `even_split`; permutation: of 0 ... n - 1, n their sum.
    Rollout i is asked for entry permutation[i] of the list that names each outcome as often as requested.
    """
    wanted, order = as_whole(requests, "requests"), as_whole(permutation, "permutation")
    if wanted.ndim != 1 or not np.array_equal(np.sort(order), np.arange(wanted.sum())):
        raise ValueError(f"`permutation` must order the {wanted.sum()} requests 0 ... n - 1; got {order.tolist()}")
    return np.repeat(np.arange(wanted.size), wanted)[order]


@dataclass(frozen=True)
class TargetHits:
    """`hits` of `n` requested rollouts showed the requested outcome; `share` is NaN without a request."""

    hits: int
    n: int
    share: float
    method: str = "unreadable, invalid and missing rollouts are misses"


def target_hits(targets: npt.ArrayLike, outcomes: npt.ArrayLike) -> TargetHits:
    """Target-hit rate (PAWBench Appendix D.1, Fig. 7).

    targets: outcome index asked of each rollout, any shape; outcomes: index read from it, same shape, -1 where the
    rollout is unreadable, invalid or missing: those are misses and stay in the denominator.
    Raises ValueError if the shapes differ: a missing rollout has to be named, not left out.
    """
    wanted, read = as_whole(targets, "targets"), as_whole(outcomes, "outcomes", minimum=-1)
    if wanted.shape != read.shape:
        raise ValueError(f"`outcomes` must have one entry for each target; got shapes {read.shape} and {wanted.shape}")
    hits, n = int((wanted == read).sum()), wanted.size
    return TargetHits(hits, n, hits / n if n else float("nan"))
