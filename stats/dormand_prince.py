"""Many independent initial value problems at once: the Dormand-Prince 4(5) pair with a step size for each of them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from ._validation import FloatArray

Derivative = Callable[[FloatArray, FloatArray], None]

# Dormand & Prince (1980), Table 2: rows of the stages; the last is the fifth-order solution, whose derivative is the
# first stage of the next step. `_ERROR` is that solution minus the embedded one of fourth order.
_STAGES = (
    np.array([1 / 5]),
    np.array([3 / 40, 9 / 40]),
    np.array([44 / 45, -56 / 15, 32 / 9]),
    np.array([19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729]),
    np.array([9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656]),
    np.array([35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84]),
)
_ERROR = np.array([71 / 57600, 0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])
_SAFETY, _SHRINK, _GROW = 0.9, 0.2, 10.0


def _weighted_sum(weights: FloatArray, stages: FloatArray) -> FloatArray:
    """Sum of the leading stages, shape (7, d, m), under the weights, as one matrix product: shape (d, m)."""
    rows = stages[: weights.size].reshape(weights.size, -1)
    return np.asarray(weights @ rows).reshape(stages.shape[1:])


def _root_mean_square(x: FloatArray) -> FloatArray:
    return np.asarray(np.sqrt(np.einsum("ij,ij->j", x, x) / x.shape[0]))


def integrate(
    derivative: Derivative, state: npt.ArrayLike, times: npt.ArrayLike, rtol: float = 1e-6, atol: float = 1e-9
) -> FloatArray:
    """States of m independent members of one autonomous system at the given times, started at time 0.

    derivative: called as `derivative(y, out)` with y and out of shape (d, j), j <= m; writes dy/dt of each column.
    state: shape (d, m); times: shape (t,), increasing, > 0. Returns shape (t, d, m).

    Each member keeps its own clock and step. Its error norm is the root mean square over its own d components,
    relative to atol + rtol |y|, so that no member is carried by the average of the others, and what becomes of it
    does not depend on which members are integrated along with it. Steps are divided to end at the output times.

    Source: J. R. Dormand & P. J. Prince, "A family of embedded Runge-Kutta formulae" (1980); step control as in
    Hairer, Norsett & Wanner, *Solving Ordinary Differential Equations I*, II.4.
    Raises ValueError for times out of order, and FloatingPointError where a member's step becomes too small to move.
    """
    outputs = np.asarray(times, dtype=np.float64)
    if outputs.ndim != 1 or outputs.size == 0 or not (np.diff(outputs, prepend=0.0) > 0).all():
        raise ValueError(f"`times` must be increasing and greater than 0; got {outputs.tolist()}")
    y = np.array(state, dtype=np.float64, order="C")
    if y.ndim != 2:
        raise ValueError(f"`state` must have shape (components, members); got shape {y.shape}")
    if not (rtol > 0 and atol > 0):
        raise ValueError(f"`rtol` and `atol` must be greater than 0; got {rtol!r} and {atol!r}")
    d, m = y.shape
    states = np.empty((outputs.size, d, m))
    member, upcoming, clock = np.arange(m), np.zeros(m, dtype=np.int64), np.zeros(m)
    # Allocated once for each set of members: fresh pages would cost more than the arithmetic.
    stages, trial, spare = np.empty((7, d, m)), np.empty_like(y), np.empty_like(y)
    derivative(y, stages[0])
    with np.errstate(divide="ignore", invalid="ignore"):
        scale = atol + rtol * np.abs(y)
        step = 0.01 * _root_mean_square(y / scale) / _root_mean_square(stages[0] / scale)
    step = np.where(step > 0, np.minimum(step, outputs[0]), 1e-6 * outputs[0])
    while member.size:
        target = outputs[upcoming]
        remaining = target - clock
        pieces = np.ceil(remaining / step)
        h = remaining / pieces
        for i, weights in enumerate(_STAGES, start=1):
            np.multiply(_weighted_sum(weights, stages), h, out=trial)
            trial += y
            derivative(trial, stages[i])
        error = _weighted_sum(_ERROR, stages)
        error *= h
        np.maximum(np.abs(y, out=scale), np.abs(trial, out=spare), out=scale)
        scale *= rtol
        scale += atol
        error /= scale
        norm = _root_mean_square(error)
        accepted = norm <= 1
        with np.errstate(divide="ignore"):
            step = h * np.clip(_SAFETY * norm**-0.2, _SHRINK, _GROW)
        moved = np.where(pieces == 1, target, clock + h)
        if not (moved > clock).all():
            raise FloatingPointError("the step of a member became too small to move its clock")
        np.copyto(y, trial, where=accepted)
        np.copyto(stages[0], stages[6], where=accepted)
        np.copyto(clock, moved, where=accepted)
        arrived = np.flatnonzero(accepted & (pieces == 1))
        if arrived.size == 0:
            continue
        states[upcoming[arrived], :, member[arrived]] = y[:, arrived].T
        upcoming[arrived] += 1
        running = upcoming < outputs.size
        if not running.all():
            member, upcoming, clock, step = member[running], upcoming[running], clock[running], step[running]
            y, first = y[:, running], stages[0][:, running]
            stages, trial, spare, scale = np.empty((7, *y.shape)), *(np.empty_like(y) for _ in range(3))
            stages[0] = first
    return states
