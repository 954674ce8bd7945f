"""Numbers in, numbers out: the benchmark's statistics as pure functions of counts and references."""

from .bootstrap import BootstrapDifference, BootstrapInterval, Cell, bootstrap_mntv, paired_differences
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
from .detectable import (
    DetectableTV,
    RolloutsNeeded,
    rollouts_needed,
    smallest_detectable_tv,
    smallest_detectable_tv_monte_carlo,
)
from .distance import cell_score, excess, mean_normalised_tv, null_floor, total_variation
from .evalue import EValue, e_process, e_value, log_e_process, rollouts_to_reject
from .exact import ExactTest, exact_pvalues, exact_test, exact_tests
from .lattice import WorkLimitError
from .missing import McarBounds, McarMntvBounds, mcar_bounds, mcar_mntv_bounds
from .null_baseline import NullBaseline, null_mntv
from .null_distribution import (
    ExactDistribution,
    NullBand,
    exact_chi_square_distribution,
    exact_tv_distribution,
    null_band,
)
from .power import ExactPower, contamination_power, exact_power
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
    "BootstrapDifference",
    "BootstrapInterval",
    "Cell",
    "CellStatistics",
    "CorrectedDifference",
    "CorrectedInterval",
    "CorrectedIntervals",
    "DetectableTV",
    "EValue",
    "ExactDistribution",
    "ExactPower",
    "ExactTest",
    "McarBounds",
    "McarMntvBounds",
    "MonteCarloTest",
    "NullBand",
    "NullBaseline",
    "RolloutsNeeded",
    "WorkLimitError",
    "benjamini_hochberg",
    "bonferroni",
    "bootstrap_mntv",
    "cell_score",
    "chi_square",
    "chi_square_null",
    "contamination_power",
    "corrected_difference",
    "corrected_mntv",
    "corrected_mntv_of_models",
    "corrected_scores",
    "e_process",
    "e_value",
    "exact_chi_square_distribution",
    "exact_power",
    "exact_pvalues",
    "exact_test",
    "exact_tests",
    "exact_tv_distribution",
    "excess",
    "log_e_process",
    "mcar_bounds",
    "mcar_mntv_bounds",
    "mean_normalised_tv",
    "monte_carlo_pvalue",
    "monte_carlo_test",
    "null_band",
    "null_floor",
    "null_mntv",
    "paired_differences",
    "rollouts_needed",
    "rollouts_to_reject",
    "score_cells",
    "smallest_detectable_tv",
    "smallest_detectable_tv_monte_carlo",
    "total_variation",
]
