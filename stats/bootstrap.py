"""The paper's percentile interval of mnTV, and of the difference of two models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from ._validation import FloatArray, Reference, Rng, as_counts, as_generator, as_reference, as_whole, check_level
from .distance import cell_score, null_floor

Cell = tuple[npt.ArrayLike, int, Reference]


@dataclass(frozen=True)
class BootstrapInterval:
    """The published mnTV with its percentile interval; `n` rollouts in all scenes, `n_resamples` replicates."""

    estimate: float
    low: float
    high: float
    standard_error: float
    confidence_level: float
    n: int
    n_resamples: int
    method: str = "percentile bootstrap, scenes fixed"


@dataclass(frozen=True)
class BootstrapDifference:
    """mnTV of `first` minus mnTV of `second`, with its percentile interval; `n` rollouts of both models together."""

    first: str
    second: str
    estimate: float
    low: float
    high: float
    standard_error: float
    confidence_level: float
    n: int
    n_resamples: int
    method: str = "percentile bootstrap of the difference, models independent, scenes fixed"


def mntv_replicates(cells: Sequence[Cell], n_resamples: int, rng: Rng) -> tuple[float, int, FloatArray]:
    """The published mnTV of one model, its rollouts in all scenes, and bootstrap replicates, shape (n_resamples,).

    Parameters, source and errors as in `bootstrap_mntv`.
    """
    if not cells:
        raise ValueError("`cells` must hold one (counts, nulls, reference) a scene; got none")
    size = int(as_whole(n_resamples, "n_resamples", minimum=1))
    generator = as_generator(rng)
    estimate, rollouts_of_all, replicates = 0.0, 0, np.zeros(size)
    for counts, nulls, reference in cells:
        p = as_reference(reference)
        c, m = as_counts(counts, p.size), int(as_whole(nulls, "nulls"))
        rollouts = int(c.sum()) + m
        if rollouts == 0:
            raise ValueError("`cells` must not hold a cell without rollouts")
        estimate += float(cell_score(c, m, p))
        rollouts_of_all += rollouts
        draws = generator.multinomial(rollouts, np.append(c, m) / rollouts, size=size)[:, :-1]
        valid = draws.sum(axis=1)
        floor = np.append(0.0, null_floor(np.arange(1, rollouts + 1), p))[valid]
        tv = 0.5 * np.abs(draws / np.maximum(valid, 1)[:, np.newaxis] - p).sum(axis=1)
        rho = valid / rollouts
        replicates += (1 - rho) + rho * (tv - floor) / (1 - floor)
    return estimate / len(cells), rollouts_of_all, replicates / len(cells)


def _percentiles(replicates: FloatArray, level: float) -> tuple[float, float, float]:
    """Ends of the central interval and standard deviation of the replicates."""
    low, high = np.quantile(replicates, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high), float(replicates.std(ddof=1)) if replicates.size > 1 else np.nan


def bootstrap_mntv(
    cells: Sequence[Cell], n_resamples: int = 50_000, rng: Rng = 0, confidence_level: float = 0.95
) -> BootstrapInterval:
    """mnTV of one model and the percentile interval of the paper (Appendix A, *Bootstrap Uncertainty Intervals*).

    cells: one `(counts, nulls, reference)` a scene, in a fixed order; counts shape (k,). Each replicate redraws the
    rollouts of every cell from its observed outcomes plus null; scenes stay fixed; the floor is taken anew at the
    redrawn number of valid outcomes.

    It shows how mnTV moves when rollouts are redrawn. It is no confidence interval for the model's true mnTV: in
    simulation it held the true value in 40 % to 94 % of data sets where 95 % was nominal, since the plug-in TV is
    biased a second time by resampling and the floor over-corrects away from calibration.

    Raises ValueError without cells, for a cell without rollouts, and as the functions of `distance` do.
    """
    level = check_level(confidence_level)
    estimate, rollouts, replicates = mntv_replicates(cells, n_resamples, rng)
    low, high, standard_error = _percentiles(replicates, level)
    return BootstrapInterval(estimate, low, high, standard_error, level, rollouts, replicates.size)


def paired_differences(
    models: Mapping[str, Sequence[Cell]], n_resamples: int = 50_000, rng: Rng = 0, confidence_level: float = 0.95
) -> tuple[BootstrapDifference, ...]:
    """Differences of the published mnTV for each pair of models, in the order of `models`, with percentile intervals.

    models: name -> cells as in `bootstrap_mntv`, each over the same scenes in the same order. Each model is resampled
    once, on its own (equal seeds of two generators do not give like videos), and serves all its pairs. A bias that
    both models share cancels; otherwise the caution of `bootstrap_mntv` holds. Intervals are not adjusted for the
    number of pairs.

    Raises ValueError for fewer than two models, for models over other references, and as `bootstrap_mntv` does.
    """
    level = check_level(confidence_level)
    if len(models) < 2:
        raise ValueError(f"`models` must hold at least two models; got {len(models)}")
    scenes = {name: [tuple(as_reference(reference)) for _, _, reference in cells] for name, cells in models.items()}
    expected = next(iter(scenes.values()))
    for name, references in scenes.items():
        if references != expected:
            raise ValueError(f"`models` must be measured on the same scenes in the same order; {name!r} is not")
    generator = as_generator(rng)
    replicated = {name: mntv_replicates(cells, n_resamples, generator) for name, cells in models.items()}
    differences = []
    for (first, (a, n_a, of_a)), (second, (b, n_b, of_b)) in combinations(replicated.items(), 2):
        low, high, standard_error = _percentiles(of_a - of_b, level)
        differences.append(
            BootstrapDifference(first, second, a - b, low, high, standard_error, level, n_a + n_b, of_a.size)
        )
    return tuple(differences)
