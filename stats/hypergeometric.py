"""The hypergeometric probability mass: how many of some rollouts fall into a random part of a cell."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from ._validation import FloatArray


@lru_cache(maxsize=256)
def _log_factorials(n: int) -> FloatArray:
    return np.append(0.0, np.cumsum(np.log(np.arange(1, n + 1))))


def hypergeometric_pmf(x: npt.ArrayLike, total: int, marked: int, drawn: npt.ArrayLike) -> FloatArray:
    """P(x of the `drawn` are marked), when `drawn` of `total` rollouts are taken and `marked` of them are marked.

    x, drawn: whole numbers that broadcast, drawn at most total. 0 for an impossible x. Relative error below 1e-12 up
    to a total of some hundred; the logarithms of its factorials, about total log(total), set it.
    """
    x, drawn = np.broadcast_arrays(np.asarray(x), np.asarray(drawn))
    logs = _log_factorials(total)
    possible = (x >= 0) & (x <= marked) & (x <= drawn) & (drawn - x <= total - marked)
    # Placeholders keep the formula finite where the answer is 0.
    a, d = np.where(possible, x, 0), np.where(possible, drawn, 0)
    b = np.where(possible, d - a, 0)
    exponent = (
        (logs[marked] - logs[a] - logs[marked - a])
        + (logs[total - marked] - logs[b] - logs[total - marked - b])
        - (logs[total] - logs[d] - logs[total - d])
    )
    return np.where(possible, np.exp(exponent), 0.0)
