"""Numbers in, numbers out: the benchmark's statistics as pure functions of counts and references."""

from .bootstrap import BootstrapInterval, bootstrap_mntv
from .cells import TESTED_FROM, CellStatistics, score_cells
from .corrected import (
    CorrectedDifference,
    CorrectedInterval,
    CorrectedIntervals,
    corrected_difference,
    corrected_mntv,
    corrected_mntv_of_models,
    corrected_scores,
)
from .distance import cell_score, excess, mean_normalised_tv, null_floor, total_variation
from .evalue import EValue, e_process, e_value, log_e_process, rollouts_to_reject
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
    "CorrectedDifference",
    "CorrectedInterval",
    "CorrectedIntervals",
    "EValue",
    "MonteCarloTest",
    "benjamini_hochberg",
    "bonferroni",
    "bootstrap_mntv",
    "cell_score",
    "chi_square",
    "chi_square_null",
    "corrected_difference",
    "corrected_mntv",
    "corrected_mntv_of_models",
    "corrected_scores",
    "e_process",
    "e_value",
    "excess",
    "log_e_process",
    "mean_normalised_tv",
    "monte_carlo_pvalue",
    "monte_carlo_test",
    "null_floor",
    "rollouts_to_reject",
    "score_cells",
    "total_variation",
]
