"""What mnTV a perfect model gets: its distribution under calibration, with every rollout scoreable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ._validation import Reference, Rng, as_generator, as_reference, as_whole, check_level
from .distance import null_floor, total_variation


@dataclass(frozen=True)
class NullBaseline:
    """mnTV of calibrated, fully scoreable models: moments, median and central interval of `n_resamples` of them.

    `low` and `high` hold the share `confidence_level` of such models; `standard_error` is that of `mean`.
    `n` rollouts a model in all scenes.
    """

    mean: float
    median: float
    low: float
    high: float
    standard_error: float
    confidence_level: float
    n: int
    n_resamples: int
    method: str = "Monte Carlo draws from the references, rho = 1"


def null_mntv(
    references: Sequence[Reference],
    rollouts: npt.ArrayLike = 32,
    n_resamples: int = 50_000,
    rng: Rng = 0,
    confidence_level: float = 0.95,
) -> NullBaseline:
    """The null distribution of mnTV (CaliBench Appendix A, *Null mnTV Baseline*).

    references: one distribution a scene, shape (k,) each; rollouts: of every scene, or one number a scene. The floor
    is E[TV] itself, so that the mean is 0 but for Monte Carlo error. With the nine scenes of CaliBench at 32 rollouts
    the central 95 % lie within about -0.04 and 0.04.

    Raises ValueError without references, and for another number of `rollouts` than of references.
    """
    level = check_level(confidence_level)
    size = int(as_whole(n_resamples, "n_resamples", minimum=1))
    if not len(references):
        raise ValueError("`references` must hold one distribution a scene; got none")
    numbers = as_whole(rollouts, "rollouts", minimum=1)
    if numbers.ndim > 1 or (numbers.ndim == 1 and numbers.size != len(references)):
        raise ValueError(
            f"`rollouts` must be one number, or one a scene; got shape {numbers.shape} for {len(references)} scenes"
        )
    generator = as_generator(rng)
    scores = np.zeros(size)
    per_scene = np.broadcast_to(numbers, len(references))
    for reference, n in zip(references, per_scene, strict=True):
        p = as_reference(reference)
        floor = null_floor(n, p)
        scores += (total_variation(generator.multinomial(n, p, size=size), p) - floor) / (1 - floor)
    scores /= len(references)
    low, high = np.quantile(scores, [(1 - level) / 2, (1 + level) / 2])
    return NullBaseline(
        mean=float(scores.mean()),
        median=float(np.median(scores)),
        low=float(low),
        high=float(high),
        standard_error=float(scores.std(ddof=1) / np.sqrt(size)) if size > 1 else np.nan,
        confidence_level=level,
        n=int(per_scene.sum()),
        n_resamples=size,
    )
