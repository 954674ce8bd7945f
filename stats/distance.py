"""How far the outcomes of a cell lie from the reference: TV, its null floor, the score, mnTV."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from ._validation import FloatArray, Reference, as_counts, as_reference, as_whole
from .binomial import binomial_pmf


def total_variation(counts: npt.ArrayLike, reference: Reference) -> FloatArray:
    """Total variation distance of the observed frequencies from the reference (CaliBench Eq. 3).

    counts: shape (..., k), valid outcomes in the order of the reference, shape (k,).
    Returns shape (...), in [0, 1]; NaN where a cell has no valid outcome.
    Raises ValueError for counts that are no whole numbers >= 0, or no distribution as reference.
    """
    p = as_reference(reference)
    c = as_counts(counts, p.size)
    n = c.sum(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        tv = 0.5 * np.abs(c / n - p).sum(axis=-1)
    return np.asarray(tv)[()]


def null_floor(valid: npt.ArrayLike, reference: Reference) -> FloatArray:
    """E[TV] of `valid` draws from the reference itself, in closed form (CaliBench Eq. 14).

    De Moivre's mean absolute deviation E|X - np| = 2 n p q b(floor(np); n - 1, p), with b the binomial mass, turns
    Eq. 14 into the sum over outcomes of p q b(floor(np); n - 1, p), which neither overflows nor cancels up to
    valid = 10^7.

    valid: whole numbers, any shape; reference: shape (k,). Returns that shape; NaN where valid is 0.
    """
    p = as_reference(reference)
    n = as_whole(valid, "valid")[..., np.newaxis]
    mode = np.minimum(np.floor(n * p), np.maximum(n - 1, 0))
    floor = (p * (1 - p) * binomial_pmf(mode, np.maximum(n - 1, 0), p)).sum(axis=-1)
    return np.where(n[..., 0] > 0, floor, np.nan)[()]


def excess(counts: npt.ArrayLike, reference: Reference) -> FloatArray:
    """(TV - floor) / (1 - floor): TV beyond what sampling noise alone would give (CaliBench Eq. 6).

    Shapes as in `total_variation`. 0 in expectation for a calibrated model, slightly negative for a lucky one,
    1 for all mass on an outcome that the reference excludes. NaN without valid outcomes, and where the floor is 1.
    """
    floor = null_floor(as_counts(counts).sum(axis=-1), reference)
    with np.errstate(invalid="ignore", divide="ignore"):
        return (total_variation(counts, reference) - floor) / (1 - floor)


def cell_score(counts: npt.ArrayLike, nulls: npt.ArrayLike, reference: Reference) -> FloatArray:
    """(1 - rho) + rho * excess, with rho the scorability of the cell (CaliBench Eq. 7).

    counts: shape (..., k); nulls: rollouts without a scoreable outcome, shape (...). Returns shape (...), at most 1.
    A cell in which no rollout is scoreable has score 1; a cell without any rollout has NaN.
    """
    valid = as_counts(counts).sum(axis=-1)
    rollouts = valid + as_whole(nulls, "nulls")
    with np.errstate(invalid="ignore", divide="ignore"):
        rho = valid / rollouts
    charged = np.where(valid > 0, rho * excess(counts, reference), 0.0)
    return np.asarray((1 - rho) + charged)[()]


def mean_normalised_tv(scores: npt.ArrayLike) -> FloatArray:
    """mnTV: the mean of the scores of all scenes of a benchmark (CaliBench Eq. 10).

    scores: shape (..., scenes). Returns shape (...). A scene without score (NaN) leaves the mean NaN: a mean over
    the scenes at hand is another quantity. Raises ValueError if there is no scene at all.
    """
    s = np.asarray(scores, dtype=np.float64)
    if s.ndim == 0 or s.shape[-1] == 0:
        raise ValueError(f"`scores` must hold one score a scene; got shape {s.shape}")
    return np.asarray(s.mean(axis=-1))[()]
