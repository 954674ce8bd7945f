"""What could the unscoreable rollouts hide? Bounds of TV and mnTV over every way of filling them in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ._validation import FloatArray, IntArray, Reference, as_counts, as_reference, as_whole
from .bootstrap import Cell
from .distance import cell_score, mean_normalised_tv, total_variation


@dataclass(frozen=True)
class McarBounds:
    """TV of one cell with its nulls filled in: `best` <= any filling <= `worst`; `reported` charges 1 for each null.

    `best_counts`, `worst_counts`: one filling that reaches each bound, shape (k,); `n` rollouts, `nulls` among them.
    """

    best: float
    worst: float
    reported: float
    best_counts: IntArray
    worst_counts: IntArray
    n: int
    nulls: int
    method: str = "exact over all fillings of the null rollouts"


@dataclass(frozen=True)
class McarMntvBounds:
    """mnTV of one model with the nulls of its `imputed` scenes (of `scenes`) filled in by the bounds of TV."""

    best: float
    worst: float
    reported: float
    scenes: int
    imputed: int
    n: int
    method: str = "imputed scenes scored as fully scoreable, the others as reported"


def _fill_best(counts: IntArray, nulls: int, reference: FloatArray) -> IntArray:
    """Each null on the outcome that then lacks most.

    N TV is half the sum of |N p - c| over outcomes, separable and convex in the counts, and one more rollout lowers
    an outcome's term the more (or raises it the less) the larger its deficit N p - c: the greedy choice is optimal.
    """
    filled = counts.copy()
    expected = (counts.sum() + nulls) * reference
    for _ in range(nulls):
        filled[np.argmax(expected - filled)] += 1
    return filled


def _fill_worst(counts: IntArray, nulls: int, reference: FloatArray) -> IntArray:
    """All nulls on one outcome: TV is convex in the counts, so its maximum lies in a corner of the set of fillings."""
    fillings = counts + nulls * np.eye(counts.size, dtype=np.int64)
    return np.asarray(fillings[np.argmax(total_variation(fillings, reference))])


def mcar_bounds(counts: npt.ArrayLike, nulls: int, reference: Reference) -> McarBounds:
    """The least and the largest TV that a cell could have if each null rollout had shown some outcome.

    counts: shape (k,), valid outcomes; nulls: rollouts without one; reference: shape (k,). `reported` is
    (1 - rho) + rho TV, 1 where nothing is valid, and can exceed `worst`: no outcome is as far off as a null is charged.
    NaN throughout, and `method` says so, for a cell without rollouts.

    Source: CaliBench Appendix E and Table 7, which calls the fillings *missing completely at random* (MCAR) bounds;
    they assume nothing about why rollouts are missing. Raises ValueError as `total_variation` does, and for counts
    of more than one cell.
    """
    p = as_reference(reference)
    c = as_counts(counts, p.size)
    if c.ndim != 1:
        raise ValueError(f"`counts` must be one cell, shape (k,); got shape {c.shape}")
    m = int(as_whole(nulls, "nulls"))
    n = int(c.sum()) + m
    if n == 0:
        return McarBounds(np.nan, np.nan, np.nan, c, c, 0, 0, "no rollout: no bounds")
    best, worst = _fill_best(c, m, p), _fill_worst(c, m, p)
    charged = (n - m) * float(total_variation(c, p)) if m < n else 0.0
    return McarBounds(
        best=float(total_variation(best, p)),
        worst=float(total_variation(worst, p)),
        reported=(m + charged) / n,
        best_counts=best,
        worst_counts=worst,
        n=n,
        nulls=m,
    )


def mcar_mntv_bounds(cells: Sequence[Cell], imputed: Sequence[bool]) -> McarMntvBounds:
    """mnTV of one model under the bounds of `mcar_bounds`, in the scenes chosen for it.

    cells: one `(counts, nulls, reference)` a scene; imputed: one truth value a scene. A chosen scene counts with
    (TV - floor) / (1 - floor), TV its bound and the floor that of all its rollouts (rho = 1); the others with their
    published score. Table 7 of CaliBench imputes the null-heavy scenes only: cards, roulette, lottery and pendulum.
    A best bound can be negative: filling in draws the counts closer to the reference than chance would.

    Raises ValueError without cells, for another number of `imputed` than of cells, and as `mcar_bounds` does.
    """
    if len(cells) != len(imputed):
        raise ValueError(f"`imputed` must hold one truth value a cell; got {len(imputed)} for {len(cells)} cells")
    best, worst, reported, rollouts = [], [], [], 0
    for (counts, nulls, reference), fill in zip(cells, imputed, strict=True):
        bounds = mcar_bounds(counts, nulls, reference)
        score = cell_score(counts, nulls, reference)
        reported.append(score)
        best.append(cell_score(bounds.best_counts, 0, reference) if fill else score)
        worst.append(cell_score(bounds.worst_counts, 0, reference) if fill else score)
        rollouts += bounds.n
    return McarMntvBounds(
        best=float(mean_normalised_tv(best)),
        worst=float(mean_normalised_tv(worst)),
        reported=float(mean_normalised_tv(reported)),
        scenes=len(cells),
        imputed=sum(map(bool, imputed)),
        n=rollouts,
    )
