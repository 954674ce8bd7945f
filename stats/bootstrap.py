"""The paper's percentile interval of mnTV."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ._validation import Reference, Rng, as_counts, as_generator, as_reference, as_whole, check_level
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
    if not cells:
        raise ValueError("`cells` must hold one (counts, nulls, reference) a scene; got none")
    level = check_level(confidence_level)
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
    replicates /= len(cells)
    low, high = np.quantile(replicates, [(1 - level) / 2, (1 + level) / 2])
    return BootstrapInterval(
        estimate=estimate / len(cells),
        low=float(low),
        high=float(high),
        standard_error=float(replicates.std(ddof=1)) if size > 1 else np.nan,
        confidence_level=level,
        n=rollouts_of_all,
        n_resamples=size,
    )
