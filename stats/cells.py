"""All statistics of many cells at once. Cells of one reference and one number of valid outcomes share their null."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from ._validation import FloatArray, IntArray
from .distance import cell_score, excess, null_floor, total_variation
from .significance import benjamini_hochberg, bonferroni, chi_square, chi_square_null, monte_carlo_pvalue

# Fewer valid outcomes leave the test without power; the paper marks such cells instead (dagger).
TESTED_FROM = 4


@dataclass(frozen=True)
class CellStatistics:
    """Statistics of m cells, each an array of shape (m,) in the order of the cells.

    `tv`, `floor` and `excess` are NaN without a valid outcome; `chi2`, `p`, `q` (Benjamini-Hochberg) and
    `p_bonferroni` below four valid outcomes. `q` and `p_bonferroni` are over the tested cells of this call.
    """

    valid: IntArray
    scorability: FloatArray
    tv: FloatArray
    floor: FloatArray
    excess: FloatArray
    score: FloatArray
    chi2: FloatArray
    p: FloatArray
    q: FloatArray
    p_bonferroni: FloatArray


def score_cells(
    counts: Sequence[Sequence[int]],
    nulls: Sequence[int],
    references: Sequence[tuple[Fraction, ...]],
    n_resamples: int = 50_000,
    seed: int = 0,
) -> CellStatistics:
    """TV, floor, excess, score and the paper's Monte Carlo test of m cells (CaliBench Eqs. 3-7, 14).

    counts: m lists, each in the order of its reference; nulls: m whole numbers; references: m distributions.
    The null of each test is drawn from a generator made anew from `seed`, as the paper does for each cell, so cells
    with the same reference and number of valid outcomes have the same null: it is drawn once. Raises ValueError as
    the functions of `distance` and `significance` do. With n_resamples = 0 nothing is tested: `chi2`, `p`, `q` and
    `p_bonferroni` are NaN.
    """
    m = len(counts)
    groups = _by_reference(references)
    columns = {name: np.full(m, np.nan) for name in ("tv", "floor", "excess", "score", "chi2", "p")}
    valid, nulls_of = np.zeros(m, np.int64), np.asarray(nulls, np.int64)
    nulls_wanted: list[tuple[tuple[Fraction, ...], int, IntArray]] = []
    for reference, members in groups.items():
        block = np.array([counts[index] for index in members])
        valid[members] = block.sum(axis=1)
        tested = (valid[members] >= TESTED_FROM) & (n_resamples > 0)
        columns["tv"][members] = total_variation(block, reference)
        columns["floor"][members] = null_floor(valid[members], reference)
        columns["excess"][members] = excess(block, reference)
        columns["score"][members] = cell_score(block, nulls_of[members], reference)
        columns["chi2"][members] = np.where(tested, chi_square(block, reference), np.nan)
        for n in np.unique(valid[members][tested]):
            nulls_wanted.append((reference, int(n), members[valid[members] == n]))

    def test(wanted: tuple[tuple[Fraction, ...], int, IntArray]) -> None:
        reference, n, members = wanted
        statistics = tuple(columns["chi2"][members].tolist())
        columns["p"][members] = _pvalues(statistics, n, reference, n_resamples, seed)

    # numpy draws outside the interpreter lock, so threads use every core.
    with ThreadPoolExecutor() as pool:
        list(pool.map(test, nulls_wanted))

    tested = ~np.isnan(columns["p"])
    q, p_bonferroni = np.full(m, np.nan), np.full(m, np.nan)
    q[tested] = benjamini_hochberg(columns["p"][tested])
    p_bonferroni[tested] = bonferroni(columns["p"][tested])
    rollouts = valid + nulls_of
    scorability = np.divide(valid, rollouts, out=np.full(m, np.nan), where=rollouts > 0)
    return CellStatistics(valid=valid, scorability=scorability, q=q, p_bonferroni=p_bonferroni, **columns)


# Whoever scores a release again in one process, as a revision made anew does, draws no null twice.
@lru_cache(maxsize=1024)
def _pvalues(
    statistics: tuple[float, ...], n: int, reference: tuple[Fraction, ...], n_resamples: int, seed: int
) -> tuple[float, ...]:
    null = chi_square_null(n, reference, n_resamples, seed)
    return tuple(monte_carlo_pvalue(statistics, null).tolist())


def _by_reference(references: Sequence[tuple[Fraction, ...]]) -> dict[tuple[Fraction, ...], IntArray]:
    """Reference -> places of the cells that have it. Rationals are slow to hash, so each object is looked at once."""
    objects = {id(reference): reference for reference in references}
    number = {reference: place for place, reference in enumerate(dict.fromkeys(objects.values()))}
    of_object = {key: number[reference] for key, reference in objects.items()}
    group = np.array([of_object[id(reference)] for reference in references], dtype=np.int64)
    return {reference: np.flatnonzero(group == place) for reference, place in number.items()}
