"""Probabilities written as decimals, as exact rationals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

SIMPLE = 10_000  # largest denominator that is taken for what a decimal stands for
_NEAR = 1e-12  # what rounding leaves of a sum or a quotient; a missing digit is far larger
_LARGEST = 2**63 - 1  # of the released columns


@dataclass(frozen=True)
class ExactReference:
    """The probabilities in the given order, summing to exactly 1; `rounded`: outcome -> what was made of its number."""

    probabilities: tuple[Fraction, ...]
    rounded: Mapping[str, str]


def exact_reference(given: Mapping[str, float]) -> ExactReference:
    """The rationals that numbers stand for.

    given: outcome -> finite number from 0 to 1. A number is the fraction with a denominator up to SIMPLE whose double
    it is: 0.16666666666666666 is 1/6. Where not all are, they are the simple fractions within 1e-12 if those sum to 1
    (0.30000000000000004 is 3/10), else the decimals as written, the largest taking what rounding left of the sum.
    Raises ValueError if they do not sum to 1 within 1e-12.
    """
    simple = {outcome: Fraction(number).limit_denominator(SIMPLE) for outcome, number in given.items()}
    near = all(abs(simple[outcome] - Fraction(number)) <= _NEAR for outcome, number in given.items())
    if near and sum(simple.values()) == 1:
        other = {outcome for outcome, number in given.items() if float(simple[outcome]) != number}
        return ExactReference(
            tuple(simple.values()), {o: f"{given[o]!r} is taken for {simple[o]}" for o in given if o in other}
        )
    if abs(math.fsum(given.values()) - 1) > _NEAR:
        raise ValueError(f"sums to {math.fsum(given.values()):.12g}")
    written = {outcome: Fraction(repr(number)) for outcome, number in given.items()}
    how = {outcome: f"{given[outcome]!r} stands for no simple fraction and is kept as written" for outcome in given}
    if left := 1 - sum(written.values()):
        largest = max(written, key=lambda outcome: written[outcome])
        written[largest] += left
        how[largest] = f"{given[largest]!r} takes what rounding left of the sum and becomes {written[largest]}"
    if any(probability.denominator > _LARGEST for probability in written.values()):
        raise ValueError("has a probability too small for a fraction of 64-bit integers")
    return ExactReference(tuple(written.values()), how)
