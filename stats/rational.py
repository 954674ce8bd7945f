"""Reference distributions as exact rationals."""

from __future__ import annotations

from fractions import Fraction
from numbers import Integral, Rational
from typing import Any

import numpy as np

from ._validation import Reference, as_reference

# Doubles lie so densely that one in a hundred million of them happens to be the nearest to such a fraction.
LARGEST_DENOMINATOR = 10_000

Rationals = tuple[Fraction, ...]


def _as_fraction(entry: Any) -> Fraction | None:
    """An int, a Fraction or a pair (numerator, denominator) as it stands; None for a float."""
    if isinstance(entry, np.ndarray):
        if not all(isinstance(part, Integral) for part in entry) or entry[1] <= 0:
            raise ValueError(f"`reference` must hold pairs of ints (numerator, denominator > 0); got {tuple(entry)}")
        return Fraction(int(entry[0]), int(entry[1]))
    return Fraction(int(entry.numerator), int(entry.denominator)) if isinstance(entry, Rational) else None


def as_rational_reference(
    reference: Reference,
) -> tuple[Rationals | None, str]:
    """The reference as rationals that sum to exactly one; or None, and the reason why its floats are none.

    Entries: ints, Fractions, pairs (numerator, denominator), floats. If there is a float among them, all entries are
    taken for the fractions with denominator at most 10,000 that they are the nearest doubles of, provided that every
    entry is one and that these sum to one; else for their binary values, if these sum to exactly one.

    Raises ValueError for no distribution: a negative entry, or a sum other than one (rationals: exactly; floats: within
    1e-9).
    """
    entries = np.asarray(reference, dtype=object)
    if entries.size == 0 or not (entries.ndim == 1 or (entries.ndim == 2 and entries.shape[1] == 2)):
        raise ValueError(f"`reference` must be one-dimensional with at least one outcome; got shape {entries.shape}")
    given = [_as_fraction(entry) for entry in entries]
    if None not in given:
        exact = tuple(q for q in given if q is not None)
        if min(exact) < 0:
            raise ValueError(f"`reference` must hold probabilities >= 0; got {', '.join(map(str, exact))}")
        if sum(exact) != 1:
            raise ValueError(f"`reference` must sum to exactly 1 when it is rational; got a sum of {sum(exact)}")
        return exact, ""
    floats = as_reference([entry if q is None else float(q) for entry, q in zip(entries, given, strict=True)])
    small = tuple(Fraction(float(x)).limit_denominator(LARGEST_DENOMINATOR) for x in floats)
    if sum(small) == 1 and all(float(q) == x for q, x in zip(small, floats, strict=True)):
        return small, ""
    binary = tuple(Fraction(float(x)) for x in floats)
    if sum(binary) == 1:
        return binary, ""
    return None, "its floats are no fractions with small denominators, and their binary values do not sum to exactly 1"


def exact_reference(reference: Reference) -> Rationals:
    """The reference as rationals. Raises ValueError where it has none, or is no distribution."""
    p, reason = as_rational_reference(reference)
    if p is None:
        raise ValueError(f"`reference` must be rational for an exact distribution: {reason}")
    return p


def positive(p: Rationals) -> Rationals:
    """The outcomes that can be drawn at all."""
    return tuple(q for q in p if q > 0)
