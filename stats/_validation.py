"""Argument checks shared by the public functions of `stats`, so that their bodies are only mathematics."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
Rng = int | np.random.Generator | None
# A distribution over outcomes: floats, or exact rationals.
Reference = npt.ArrayLike | Sequence[Fraction]

# Rationals such as 1/37 are rounded when they become floats; their sum is off by a few units in the last place.
SUM_TOLERANCE = 1e-9


def as_reference(reference: Reference) -> FloatArray:
    """The reference distribution as floats, shape (k,): at least one outcome, no negative entry, sum one."""
    p = np.asarray(reference, dtype=np.float64)
    if p.ndim != 1 or p.size == 0:
        raise ValueError(f"`reference` must be one-dimensional with at least one outcome; got shape {p.shape}")
    if not np.isfinite(p).all() or (p < 0).any():
        raise ValueError(f"`reference` must hold probabilities >= 0; got {p.tolist()}")
    if abs(p.sum() - 1) > SUM_TOLERANCE:
        raise ValueError(f"`reference` must sum to 1; got a sum of {p.sum():.12g}")
    return p


def as_counts(counts: npt.ArrayLike, outcomes: int | None = None) -> IntArray:
    """Counts as integers, shape (..., k): whole numbers >= 0, one a outcome of the reference."""
    raw = np.asarray(counts)
    if raw.ndim == 0 or raw.dtype.kind not in "iuf":
        raise ValueError(f"`counts` must be numbers, one an outcome; got {counts!r}")
    if not np.isfinite(raw).all() or (raw != np.floor(raw)).any() or (raw < 0).any():
        raise ValueError(f"`counts` must be whole numbers >= 0; got {raw.tolist()}")
    if outcomes is not None and raw.shape[-1] != outcomes:
        raise ValueError(
            f"`counts` must have one entry for each outcome of `reference`; got {raw.shape[-1]} for {outcomes} outcomes"
        )
    return raw.astype(np.int64)


def as_whole(value: npt.ArrayLike, name: str, minimum: int = 0) -> IntArray:
    """A whole number, or an array of them, each at least `minimum`."""
    raw = np.asarray(value)
    if (
        raw.dtype.kind not in "iuf"
        or not np.isfinite(raw).all()
        or (raw != np.floor(raw)).any()
        or (raw < minimum).any()
    ):
        raise ValueError(f"`{name}` must be a whole number >= {minimum}; got {value!r}")
    return raw.astype(np.int64)


def as_generator(rng: Rng) -> np.random.Generator:
    """A generator made anew from a seed, or the caller's own, which then moves on."""
    return np.random.default_rng(rng)


def check_level(confidence_level: float) -> float:
    """A confidence level strictly between 0 and 1."""
    if not 0 < confidence_level < 1:
        raise ValueError(f"`confidence_level` must lie between 0 and 1; got {confidence_level!r}")
    return float(confidence_level)
