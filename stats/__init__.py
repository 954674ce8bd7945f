"""Numbers in, numbers out: the benchmark's statistics as pure functions of counts and references."""

from .bootstrap import BootstrapInterval, bootstrap_mntv
from .cells import TESTED_FROM, CellStatistics, score_cells
from .distance import cell_score, excess, mean_normalised_tv, null_floor, total_variation
from .significance import (
    MonteCarloTest,
    benjamini_hochberg,
    bonferroni,
    chi_square,
    chi_square_null,
    monte_carlo_pvalue,
    monte_carlo_test,
)

__all__ = [
    "TESTED_FROM",
    "BootstrapInterval",
    "CellStatistics",
    "MonteCarloTest",
    "benjamini_hochberg",
    "bonferroni",
    "bootstrap_mntv",
    "cell_score",
    "chi_square",
    "chi_square_null",
    "excess",
    "mean_normalised_tv",
    "monte_carlo_pvalue",
    "monte_carlo_test",
    "null_floor",
    "score_cells",
    "total_variation",
]
