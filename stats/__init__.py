"""Numbers in, numbers out: the benchmark's statistics as pure functions of counts and references."""

from .agreement import (
    AgreementShare,
    ChanceCorrectedAgreement,
    ProportionInterval,
    fleiss_kappa,
    krippendorff_alpha,
    label_agreement,
    unanimous_share,
    vote_table,
    wilson_interval,
)
from .bootstrap import BootstrapDifference, BootstrapInterval, Cell, bootstrap_mntv, paired_differences
from .budget import BudgetCurves, budget_curves, perfect_coverage
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
from .homogeneity import HomogeneityTest, fisher_freeman_halton
from .interventions import DoseResponse, PairedShift, dose_response, paired_shift
from .lattice import WorkLimitError
from .missing import McarBounds, McarMntvBounds, mcar_bounds, mcar_mntv_bounds
from .noise import coupled_gaussian
from .null_baseline import NullBaseline, null_mntv
from .null_distribution import (
    ExactDistribution,
    NullBand,
    exact_chi_square_distribution,
    exact_tv_distribution,
    null_band,
)
from .paw_null import MatchedNull, NullAggregate, matched_null, null_variance
from .pendulum import (
    PendulumMarginal,
    PendulumRelease,
    SimulatedReference,
    pendulum_marginal,
    pendulum_trajectories,
    skewed_reference,
)
from .power import ExactPower, contamination_power, exact_power
from .schedules import TargetHits, even_split, largest_remainder, shared_permutation, target_hits, target_schedule
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
    "AgreementShare",
    "BootstrapDifference",
    "BootstrapInterval",
    "BudgetCurves",
    "Cell",
    "CellStatistics",
    "ChanceCorrectedAgreement",
    "CorrectedDifference",
    "CorrectedInterval",
    "CorrectedIntervals",
    "DetectableTV",
    "DoseResponse",
    "EValue",
    "ExactDistribution",
    "ExactPower",
    "ExactTest",
    "HomogeneityTest",
    "MatchedNull",
    "McarBounds",
    "McarMntvBounds",
    "MonteCarloTest",
    "NullAggregate",
    "NullBand",
    "NullBaseline",
    "PairedShift",
    "PendulumMarginal",
    "PendulumRelease",
    "ProportionInterval",
    "RolloutsNeeded",
    "SimulatedReference",
    "TargetHits",
    "WorkLimitError",
    "benjamini_hochberg",
    "bonferroni",
    "bootstrap_mntv",
    "budget_curves",
    "cell_score",
    "chi_square",
    "chi_square_null",
    "contamination_power",
    "corrected_difference",
    "corrected_mntv",
    "corrected_mntv_of_models",
    "corrected_scores",
    "coupled_gaussian",
    "dose_response",
    "e_process",
    "e_value",
    "even_split",
    "exact_chi_square_distribution",
    "exact_power",
    "exact_pvalues",
    "exact_test",
    "exact_tests",
    "exact_tv_distribution",
    "excess",
    "fisher_freeman_halton",
    "fleiss_kappa",
    "krippendorff_alpha",
    "label_agreement",
    "largest_remainder",
    "log_e_process",
    "matched_null",
    "mcar_bounds",
    "mcar_mntv_bounds",
    "mean_normalised_tv",
    "monte_carlo_pvalue",
    "monte_carlo_test",
    "null_band",
    "null_floor",
    "null_mntv",
    "null_variance",
    "paired_differences",
    "paired_shift",
    "pendulum_marginal",
    "pendulum_trajectories",
    "perfect_coverage",
    "rollouts_needed",
    "rollouts_to_reject",
    "score_cells",
    "shared_permutation",
    "skewed_reference",
    "smallest_detectable_tv",
    "smallest_detectable_tv_monte_carlo",
    "target_hits",
    "target_schedule",
    "total_variation",
    "unanimous_share",
    "vote_table",
    "wilson_interval",
]
