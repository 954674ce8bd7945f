"""All statistics of many cells at once. Cells of one reference and one number of valid outcomes share their null."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from fractions import Fraction

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
    the functions of `distance` and `significance` do.
    """
    m = len(counts)
    groups: dict[tuple[Fraction, ...], list[int]] = {}
    for index, reference in enumerate(references):
        groups.setdefault(reference, []).append(index)

    columns = {name: np.full(m, np.nan) for name in ("tv", "floor", "excess", "score", "chi2", "p")}
    valid, nulls_of = np.zeros(m, np.int64), np.asarray(nulls, np.int64)
    for reference, members in groups.items():
        block = np.array([counts[index] for index in members])
        valid[members] = block.sum(axis=1)
        columns["tv"][members] = total_variation(block, reference)
        columns["floor"][members] = null_floor(valid[members], reference)
        columns["excess"][members] = excess(block, reference)
        columns["score"][members] = cell_score(block, nulls_of[members], reference)
        columns["chi2"][members] = np.where(valid[members] >= TESTED_FROM, chi_square(block, reference), np.nan)

    wanted: dict[tuple[tuple[Fraction, ...], int], list[int]] = {}
    for reference, members in groups.items():
        for index in members:
            if valid[index] >= TESTED_FROM:
                wanted.setdefault((reference, int(valid[index])), []).append(index)

    def test(key: tuple[tuple[Fraction, ...], int]) -> FloatArray:
        reference, n = key
        return monte_carlo_pvalue(columns["chi2"][wanted[key]], chi_square_null(n, reference, n_resamples, seed))

    # numpy draws outside the interpreter lock, so threads use every core.
    with ThreadPoolExecutor() as pool:
        for members, p in zip(wanted.values(), pool.map(test, wanted), strict=True):
            columns["p"][members] = p

    tested = ~np.isnan(columns["p"])
    q, p_bonferroni = np.full(m, np.nan), np.full(m, np.nan)
    q[tested] = benjamini_hochberg(columns["p"][tested])
    p_bonferroni[tested] = bonferroni(columns["p"][tested])
    rollouts = valid + nulls_of
    scorability = np.divide(valid, rollouts, out=np.full(m, np.nan), where=rollouts > 0)
    return CellStatistics(valid=valid, scorability=scorability, q=q, p_bonferroni=p_bonferroni, **columns)
