"""Initial noises that repel each other while each stays standard normal: coupled Gaussians."""

from __future__ import annotations

import numpy as np

from ._validation import FloatArray, Rng, as_generator, as_whole


def coupled_gaussian(groups: int, members: int, shape: int | tuple[int, ...], rng: Rng = None) -> FloatArray:
    """Groups of Gaussian tensors with sum zero, each standard normal by itself (PAWBench Eq. 1; Jia et al. 2026).

    Independent groups of m = `members` independent tensors, centred within the group and scaled by sqrt(m / (m - 1)):
    each entry has mean 0 and variance 1, two members of a group have covariance -1 / (m - 1) entry by entry, and
    different entries and groups are independent. The paper uses 10 groups of 5.

    Returns shape (groups, members, *shape). Raises ValueError for fewer than two members, which leaves nothing to
    centre, and for sizes that are no whole numbers >= 1.
    """
    g = int(as_whole(groups, "groups", minimum=1))
    m = int(as_whole(members, "members", minimum=2))
    size = tuple(int(s) for s in np.atleast_1d(as_whole(shape, "shape", minimum=1)))
    noise = as_generator(rng).standard_normal((g, m, *size))
    noise -= noise.mean(axis=1, keepdims=True)
    noise *= np.sqrt(m / (m - 1))
    return noise
