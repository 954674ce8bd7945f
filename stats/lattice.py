"""The exact distribution of a sum of integer terms, one an outcome, of multinomial counts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from ._validation import FloatArray, IntArray
from .binomial import binomial_pmf

# A product of two states costs roughly ten nanoseconds where values can be added up in an array with one entry for
# each value, and this many times more where the values are so far apart that they have to be sorted.
_SORTING = 8.0
_LARGEST_ARRAY = 2**25
_BATCH = 2**22
_BINOMIAL_BLOCK = 64
# What one state of the rest weighs against one product when both are predicted: it is looked up for every tail.
_LOOKUPS = 100
_MANY = 1e18


class WorkLimitError(ValueError):
    """The exact calculation would take more steps than the caller allows."""


@dataclass(frozen=True)
class _Part:
    """For each number of draws r <= size that fell on some of the outcomes: the distribution of their terms' sum.

    `values` and `weights` are flat; row r is `[start[r]:start[r + 1]]`, its values ascending, its weights of sum one.
    """

    values: IntArray
    weights: FloatArray
    start: IntArray
    draws: IntArray


def _binomial(k: npt.ArrayLike, n: npt.ArrayLike, p: Fraction) -> FloatArray:
    """The binomial mass; of a rational p and 1 - p the smaller, exactly rounded, keeps its relative precision."""
    if p <= Fraction(1, 2):
        return binomial_pmf(k, n, float(p))
    return binomial_pmf(np.subtract(n, k), n, float(1 - p))


def _is_dense(span: float, products: float) -> bool:
    return span <= min(4 * products, _LARGEST_ARRAY)


def _add_up(batches: Iterable[tuple[IntArray, FloatArray]], span: int, products: float) -> tuple[IntArray, FloatArray]:
    """Sum the weights of equal keys in [0, span); within one batch no key occurs twice. Returns keys ascending."""
    if _is_dense(span, products):
        total = np.zeros(span)
        for keys, weights in batches:
            total[keys] += weights
        found = np.flatnonzero(total)
        return found, total[found]
    kept_keys: list[IntArray] = []
    kept_weights: list[FloatArray] = []
    pending = 0

    def merge() -> None:
        keys, weights = np.concatenate(kept_keys), np.concatenate(kept_weights)
        order = np.argsort(keys, kind="stable")
        keys, weights = keys[order], weights[order]
        first = np.flatnonzero(np.diff(keys, prepend=-1))
        kept_keys[:], kept_weights[:] = [keys[first]], [np.add.reduceat(weights, first)]

    for keys, weights in batches:
        kept_keys.append(keys)
        kept_weights.append(weights)
        pending += keys.size
        if pending > _BATCH:
            merge()
            pending = 0
    merge()
    return kept_keys[0], kept_weights[0]


class MultinomialSum:
    """T = sum over outcomes of f_i(X_i), X ~ multinomial(n, p), for every n up to `size`.

    terms: integers, shape (k, size + 1), f_i(x) for x = 0..size; each f_i convex in x with f_i(0) = 0.
    probabilities: k positive rationals; only their ratios matter.

    A dynamic program over outcomes. Its state is (draws used, value), and its weights are conditional binomials: row r
    of a part is the distribution of the part's sum given that r draws fell on its outcomes. So no row depends on n,
    nothing is subtracted, and no number is smaller than the probability it helps to make: tails keep their relative
    precision down to the smallest double. The outcomes are split into two parts, combined only when a tail is asked
    for; the split is the one with the least predicted work.

    Raises WorkLimitError, before anything is computed, where the predicted work exceeds `max_work` products of states.
    """

    def __init__(self, terms: IntArray, probabilities: Sequence[Fraction], max_work: float) -> None:
        self.size = terms.shape[1] - 1
        self._max_work = max_work
        order = sorted(range(len(terms)), key=lambda i: (terms[i, -1], probabilities[i]))
        terms = terms[order]
        p = [probabilities[i] for i in order]
        self._compress(terms)
        split = self._plan()
        self._check(self.work)
        self._body, self._rest = self._build(range(split), p), self._build(range(len(p) - 1, split - 1, -1), p)
        self._rest_share = sum(p[split:], Fraction()) / sum(p)
        # The tail of each row of the body, summed from its small end.
        self._tails = np.zeros(self._body.values.size + 1)
        for a, b in zip(self._body.start[:-1], self._body.start[1:], strict=True):
            self._tails[a:b] = np.cumsum(self._body.weights[a:b][::-1])[::-1]
        self._offset = self._offsets(self._terms[:split])
        self._keys = self._body.values + self._offset[self._body.draws]

    def _check(self, work: float) -> None:
        if work > self._max_work:
            raise WorkLimitError(
                f"the exact distribution would take about {work:.2g} steps; `max_work` allows {self._max_work:.2g}"
            )

    def _compress(self, terms: IntArray) -> None:
        """Write f_i(x) = slope x + step v_i(x): slope n is a constant, so the lattice of v is as small as can be.

        With the smallest f_i(1) as slope no v is negative, since f_i(x) >= x f_i(1) by convexity.
        """
        self._slope = int(terms[:, 1].min()) if self.size else 0
        rest = terms - self._slope * np.arange(self.size + 1)
        self._step = int(np.gcd.reduce(rest, axis=None)) or 1
        self._terms = rest // self._step

    @staticmethod
    def _offsets(terms: IntArray) -> IntArray:
        """Where each row begins in an array with one entry a value: a convex sum is largest with all draws on one."""
        return np.concatenate([[0], np.cumsum(terms.max(axis=0, initial=0) + 1)])

    def _bounds(self, order: Sequence[int]) -> tuple[list[FloatArray], list[float]]:
        """For the first 0, 1, 2, ... outcomes in `order`: at most how many values each row holds, and the work so far.

        A row has no more values than its range, and no more than the ways to share out its draws, where outcomes with
        equal terms are interchangeable: partitions.
        """
        nothing = np.zeros(self.size + 1)
        nothing[0] = 1
        finished, group, members = nothing, nothing, 0
        bounds, work = [nothing], [0.0]
        left = np.arange(self.size + 1, 0, -1)
        for position, i in enumerate(order):
            if position and not np.array_equal(self._terms[i], self._terms[order[position - 1]]):
                finished = np.minimum(np.convolve(finished, group)[: self.size + 1], _MANY)
                group, members = nothing, 0
            members += 1
            group = group.copy()
            for residue in range(min(members, self.size + 1)):
                group[residue::members] = np.minimum(np.cumsum(group[residue::members]), _MANY)
            shares = np.convolve(finished, group)[: self.size + 1]
            offset = self._offsets(self._terms[list(order[: position + 1])])
            products = float(left @ bounds[-1])
            work.append(work[-1] + products * (1.0 if _is_dense(float(offset[-1]), products) else _SORTING))
            bounds.append(np.minimum(shares, np.diff(offset)))
        return bounds, work

    def _plan(self) -> int:
        """The number of outcomes in the body that makes building both parts, and looking up tails, the least work."""
        k = len(self._terms)
        forward, forward_work = self._bounds(range(k))
        backward, backward_work = self._bounds(range(k - 1, -1, -1))
        cost = [
            forward_work[j] + backward_work[k - j] + _LOOKUPS * float(backward[k - j].sum()) + float(forward[j].sum())
            for j in range(1, k + 1)
        ]
        self.work = min(cost)
        return int(np.argmin(cost)) + 1

    def _build(self, order: Sequence[int], p: Sequence[Fraction]) -> _Part:
        start = np.ones(self.size + 2, dtype=np.int64)
        start[0] = 0
        part = _Part(np.zeros(1, np.int64), np.ones(1), start, np.zeros(1, np.int64))
        total = Fraction()
        for position, i in enumerate(order):
            total += p[i]
            offset = self._offsets(self._terms[list(order[: position + 1])])
            part = self._extend(part, self._terms[i], p[i] / total, offset)
        return part

    def _extend(self, part: _Part, term: IntArray, share: Fraction, offset: IntArray) -> _Part:
        """Add an outcome that takes the given share of the draws on the part."""
        rows = np.arange(self.size + 1)

        def batches() -> Iterable[tuple[IntArray, FloatArray]]:
            for x in rows:
                if x % _BINOMIAL_BLOCK == 0:
                    block = _binomial(rows[x : x + _BINOMIAL_BLOCK, np.newaxis], rows, share)
                end = part.start[self.size - x + 1]
                draws = part.draws[:end] + x
                yield (
                    part.values[:end] + (offset[draws] + term[x]),
                    part.weights[:end] * block[x % _BINOMIAL_BLOCK, draws],
                )

        products = float(np.diff(part.start) @ rows[::-1]) + part.values.size
        keys, weights = _add_up(batches(), int(offset[-1]), products)
        start = np.searchsorted(keys, offset)
        draws = np.repeat(rows, np.diff(start))
        return _Part(keys - offset[draws], weights, start, draws)

    def lookups(self, n: int) -> int:
        """How many terms `tail` adds up."""
        return int(self._rest.start[n + 1])

    def distribution_work(self, n: int) -> float:
        """Predicted work of `distribution`; its products come in runs of neighbours and take a quarter of a step."""
        products = float(np.diff(self._body.start)[n::-1] @ np.diff(self._rest.start)[: n + 1])
        return products * (0.25 if _is_dense(float(self._terms[:, n].max()) + 1, products) else _SORTING)

    def tail(self, n: int, threshold: int) -> float:
        """P(T >= threshold), added up from its own terms."""
        lowest = -((self._slope * n - threshold) // self._step)
        end = self._rest.start[n + 1]
        body_draws = n - self._rest.draws[:end]
        begin, stop = self._offset[body_draws], self._offset[body_draws + 1]
        index = np.searchsorted(self._keys, np.clip(begin + (lowest - self._rest.values[:end]), begin, stop))
        tails = np.where(index < self._body.start[body_draws + 1], self._tails[index], 0.0)
        split = _binomial(np.arange(n + 1), n, self._rest_share)
        return min(float((split[self._rest.draws[:end]] * self._rest.weights[:end]) @ tails), 1.0)

    def distribution(self, n: int) -> tuple[IntArray, FloatArray]:
        """The values of T, ascending, and their probabilities. Raises WorkLimitError as the constructor does."""
        self._check(self.distribution_work(n))
        split = _binomial(np.arange(n + 1), n, self._rest_share)

        def batches() -> Iterable[tuple[IntArray, FloatArray]]:
            for t in range(n + 1):
                a = slice(self._body.start[n - t], self._body.start[n - t + 1])
                b = slice(self._rest.start[t], self._rest.start[t + 1])
                long = self._body.values[a], self._body.weights[a] * split[t]
                short = self._rest.values[b], self._rest.weights[b]
                if short[0].size > long[0].size:
                    long, short = short, long
                for value, weight in zip(*short, strict=True):
                    yield long[0] + value, long[1] * weight

        products = float(np.diff(self._body.start)[n::-1] @ np.diff(self._rest.start)[: n + 1])
        values, weights = _add_up(batches(), int(self._terms[:, n].max()) + 1, products)
        return values * self._step + self._slope * n, weights
