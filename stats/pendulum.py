"""Is the double pendulum a fair coin? The marginal of the outer mass over an ensemble of releases (CaliBench 3.1)."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ._validation import FloatArray, Rng, as_generator, as_whole, check_level
from .agreement import wilson_interval
from .dormand_prince import integrate

# Large enough for threads to spend their time inside numpy, small enough for its arrays to stay near the cache.
_MEMBERS_AT_ONCE = 10_000


@dataclass(frozen=True)
class PendulumRelease:
    """A double pendulum of two equal point masses on massless rods, released from rest.

    Angles in degrees from the downward vertical, positive to the right; `noise_deg` is the standard deviation of
    independent Gaussian noise on each of them. `inner_length` in metres, `gravity` in metres per second squared.
    The defaults are the release measured in the conditioning frame of the benchmark's scene.
    """

    theta1_deg: float = 146.0
    theta2_deg: float = 215.0
    length_ratio: float = 0.82
    noise_deg: float = 0.5
    inner_length: float = 0.15
    gravity: float = 9.81

    def __post_init__(self) -> None:
        if not all(np.isfinite(value) for value in vars(self).values()):
            raise ValueError(f"a release must be made of finite numbers; got {self}")
        if min(self.length_ratio, self.inner_length, self.gravity) <= 0 or self.noise_deg < 0:
            raise ValueError(f"lengths and gravity must be greater than 0, the noise at least 0; got {self}")


@dataclass(frozen=True)
class PendulumMarginal:
    """P(left) at each time, with the pointwise interval of a proportion over `n` members of the ensemble.

    Interval and standard error hold the sampling of releases only. Arrays have one entry a time (seconds).
    """

    times: FloatArray
    p_left: FloatArray
    low: FloatArray
    high: FloatArray
    standard_error: FloatArray
    confidence_level: float
    n: int
    rtol: float
    atol: float
    method: str = "Dormand-Prince 4(5), a step for each member; pointwise Wilson score interval"


@dataclass(frozen=True)
class SimulatedReference:
    """A reference over (left, right), shape (2,), read off an ensemble; `low`, `high` bound its P(left)."""

    reference: FloatArray
    low: float
    high: float
    standard_error: float
    confidence_level: float
    n: int
    time: float
    method: str


def _sine_and_cosine(angle: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Both from the tangent of half the angle: numpy's sin and cos would take most of the time of an ensemble."""
    t = np.tan(0.5 * angle)
    square = t * t
    return 2 * t / (1 + square), (1 - square) / (1 + square)


def pendulum_trajectories(
    theta1: npt.ArrayLike,
    theta2: npt.ArrayLike,
    times: npt.ArrayLike,
    release: PendulumRelease | None = None,
    rtol: float = 1e-6,
    atol: float = 1e-9,
) -> FloatArray:
    """Angles (rad) and angular velocities (rad/s) of pendulums let go at rest, by the full nonlinear equations.

    theta1, theta2: radians, shape (m,); times: seconds, shape (t,), increasing, > 0; `release` gives lengths and
    gravity. Returns shape (t, 4, m), in the order theta1, theta2, omega1, omega2. Angles are not wrapped.
    Raises ValueError and FloatingPointError as `dormand_prince.integrate` does.
    """
    system = release or PendulumRelease()
    g, l1 = system.gravity, system.inner_length
    l2 = l1 * system.length_ratio

    def derivative(y: FloatArray, out: FloatArray) -> None:
        # Lagrange's equations for equal masses, with d = theta1 - theta2:
        #   2 l1 w1' + l2 w2' cos d = -l2 w2^2 sin d - 2 g sin theta1
        #   l1 w1' cos d + l2 w2'   =  l1 w1^2 sin d - g sin theta2
        (sin1, sin2), (cos1, cos2) = _sine_and_cosine(y[:2])
        sine, cosine = sin1 * cos2 - cos1 * sin2, cos1 * cos2 + sin1 * sin2
        first = -l2 * y[3] * y[3] * sine - 2 * g * sin1
        second = l1 * y[2] * y[2] * sine - g * sin2
        determinant = 1 + sine * sine
        out[:2] = y[2:]
        out[2] = (first - cosine * second) / (l1 * determinant)
        out[3] = (2 * second - cosine * first) / (l2 * determinant)

    angles = np.stack([np.atleast_1d(np.asarray(a, dtype=np.float64)) for a in (theta1, theta2)])
    return integrate(derivative, np.concatenate([angles, np.zeros_like(angles)]), times, rtol, atol)


def pendulum_marginal(
    times: npt.ArrayLike | None = None,
    release: PendulumRelease | None = None,
    n: int = 40_000,
    rng: Rng = 0,
    rtol: float = 1e-6,
    atol: float = 1e-9,
    confidence_level: float = 0.95,
    workers: int = 2,
) -> PendulumMarginal:
    """P(the outer mass is left of the pivot) against time, over `n` releases that differ by unseen noise.

    times: seconds, increasing, > 0, shape (t,); by default 1.0, 1.1, ..., 5.0. The noise on theta1 is drawn before
    that on theta2. `workers` threads share the ensemble; neither they nor its division change a trajectory.

    The motion is chaotic: with the default tolerances two in five members are at 5 s on the other side than tighter
    ones put them, as members of another draw would be, and P(left) moves as between draws, which the interval covers.
    In 600,000 members, tolerances 100 times tighter moved P(left) by at most 0.0012 at any time from 1 to 5 s, within
    two standard errors of no bias; up to 2 s, where hardly any member changes side, by at most 0.00004.

    Source: CaliBench section 3.1, *Reference Distributions and Dynamical Regime*.
    Raises ValueError for an ensemble below one member, and as `pendulum_trajectories` does.
    """
    level = check_level(confidence_level)
    size, threads = int(as_whole(n, "n", minimum=1)), int(as_whole(workers, "workers", minimum=1))
    system = release or PendulumRelease()
    outputs = np.arange(10, 51) / 10 if times is None else np.asarray(times, dtype=np.float64)
    generator = as_generator(rng)
    theta1, theta2 = (
        np.radians(angle + generator.normal(0, system.noise_deg, size))
        for angle in (system.theta1_deg, system.theta2_deg)
    )

    def left(start: int) -> npt.NDArray[np.int64]:
        part = slice(start, start + _MEMBERS_AT_ONCE)
        states = pendulum_trajectories(theta1[part], theta2[part], outputs, system, rtol, atol)
        position = np.sin(states[:, 0]) + system.length_ratio * np.sin(states[:, 1])
        return np.asarray((position < 0).sum(axis=-1))

    with ThreadPoolExecutor(threads) as pool:
        on_the_left = sum(pool.map(left, range(0, size, _MEMBERS_AT_ONCE)), np.zeros(outputs.size, dtype=np.int64))
    interval = wilson_interval(on_the_left, size, level)
    p_left = on_the_left / size
    return PendulumMarginal(
        times=outputs,
        p_left=p_left,
        low=interval.low,
        high=interval.high,
        standard_error=np.sqrt(p_left * (1 - p_left) / size),
        confidence_level=level,
        n=size,
        rtol=rtol,
        atol=atol,
    )


def skewed_reference(
    theta1_deg: float,
    theta2_deg: float,
    time: float,
    length_ratio: float = 0.82,
    noise_deg: float = 0.5,
    n: int = 40_000,
    rng: Rng = 0,
    confidence_level: float = 0.95,
) -> SimulatedReference:
    """The distribution over (left, right) at one time of a pendulum released elsewhere: a simulated reference.

    theta1_deg, theta2_deg: degrees; time: seconds. Early times and low releases give any skew, late times of high
    ones a fair coin. Its band is that of `pendulum_marginal`: a reference known only to that accuracy.
    Source: CaliBench section 3.1, named there as future work. Raises ValueError as `pendulum_marginal` does.
    """
    release = PendulumRelease(theta1_deg, theta2_deg, length_ratio, noise_deg)
    marginal = pendulum_marginal([time], release, n, rng, confidence_level=confidence_level)
    p_left = marginal.p_left[0]
    return SimulatedReference(
        reference=np.array([p_left, 1 - p_left]),
        low=float(marginal.low[0]),
        high=float(marginal.high[0]),
        standard_error=float(marginal.standard_error[0]),
        confidence_level=marginal.confidence_level,
        n=marginal.n,
        time=float(time),
        method=marginal.method,
    )
