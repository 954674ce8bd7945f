"""The double pendulum: the integrator, the mechanics, and the paper's claim about the marginal of the outer mass."""

import numpy as np
import pytest
from calibench_data.stats.dormand_prince import integrate
from calibench_data.stats.pendulum import (
    PendulumRelease,
    pendulum_marginal,
    pendulum_trajectories,
    skewed_reference,
)
from scipy.integrate import solve_ivp

RELEASE = np.radians([146.0, 215.0])


def lagrange(_t, y, l1=0.15, l2=0.123, g=9.81):
    """The equations by another way: the mass matrix solved numerically."""
    a, b, u, v = y
    mass = np.array([[2 * l1**2, l1 * l2 * np.cos(a - b)], [l1 * l2 * np.cos(a - b), l2**2]])
    force = np.array(
        [
            -l1 * l2 * v**2 * np.sin(a - b) - 2 * g * l1 * np.sin(a),
            l1 * l2 * u**2 * np.sin(a - b) - g * l2 * np.sin(b),
        ]
    )
    return np.concatenate([[u, v], np.linalg.solve(mass, force)])


def energy(y, l1=0.15, l2=0.123, g=9.81):
    """Per unit mass, from Cartesian velocities; 0 at the height of the pivot."""
    a, b, u, v = np.moveaxis(y, -2, 0)
    vx, vy = l1 * u * np.cos(a), l1 * u * np.sin(a)
    wx, wy = vx + l2 * v * np.cos(b), vy + l2 * v * np.sin(b)
    height = -l1 * np.cos(a)
    return 0.5 * (vx**2 + vy**2 + wx**2 + wy**2) + g * (height + height - l2 * np.cos(b))


def oscillators(omega):
    def derivative(y, out):
        out[0], out[1] = y[1], -(omega**2) * y[0]

    return derivative


def test_integrator_solves_the_harmonic_oscillator():
    times = np.array([0.3, 1.0, 2.5])
    phase = np.linspace(0, 6, 50)
    states = integrate(oscillators(3.0), np.stack([np.cos(phase), -3 * np.sin(phase)]), times, rtol=1e-9, atol=1e-12)
    exact = np.cos(3 * times[:, np.newaxis] + phase)
    assert states.shape == (3, 2, 50)
    np.testing.assert_allclose(states[:, 0], exact, atol=1e-7)


def test_integrator_error_falls_with_the_tolerance():
    """A pair of order 4(5) with local extrapolation: error roughly proportional to the tolerance."""
    errors = []
    for rtol in (1e-4, 1e-6, 1e-8):
        end = integrate(oscillators(1.0), np.array([[1.0], [0.0]]), [20.0], rtol=rtol, atol=rtol * 1e-3)[0, 0, 0]
        errors.append(abs(end - np.cos(20.0)))
    assert errors[0] > 20 * errors[1] > 400 * errors[2]


def test_steps_that_fail_the_tolerance_are_taken_again():
    """A force that sets in at once, met with a long step: y' = 0 before t = 1, 1 after it."""

    def onset(y, out):  # the first component is the time
        out[0], out[1] = 1, 0.5 * (1 + np.tanh((y[0] - 1) / 1e-2))

    end = integrate(onset, np.zeros((2, 1)), [2.0], rtol=1e-6, atol=1e-6)[0, :, 0]
    np.testing.assert_allclose(end, [2.0, 1.0], atol=1e-4)


def test_no_member_is_carried_by_the_others():
    """One member in a thousand needs small steps; an error norm over the stack would let it go wrong."""
    stiff = np.zeros(1000)
    stiff[123] = 1.0

    def derivative(y, out):  # a member with y[1] = 1 turns at 200 rad/s, the others at 1
        omega = 1 + 199 * y[2]
        out[0], out[1], out[2] = y[1] * omega, -y[0] * omega, 0

    start = np.stack([np.ones(1000), np.zeros(1000), stiff])
    end = integrate(derivative, start, [1.0], rtol=1e-8, atol=1e-10)[0, 0]
    np.testing.assert_allclose(end, np.cos(np.where(stiff == 1, 200.0, 1.0)), atol=2e-5)


def test_a_trajectory_does_not_depend_on_its_companions():
    theta = RELEASE[:, np.newaxis] + 0.3 * np.random.default_rng(1).standard_normal((2, 40))
    times = [0.4, 0.8, 1.2]
    together = pendulum_trajectories(theta[0], theta[1], times)
    alone = np.concatenate([pendulum_trajectories(a, b, times) for a, b in theta.T], axis=2)
    np.testing.assert_allclose(together, alone, rtol=1e-7, atol=1e-7)


@pytest.mark.parametrize("times", [[], [0.0, 1.0], [1.0, 1.0], [2.0, 1.0], [[1.0]]])
def test_integrator_refuses_times_out_of_order(times):
    with pytest.raises(ValueError, match="`times` must be increasing"):
        integrate(oscillators(1.0), np.ones((2, 1)), times)


def test_integrator_refuses_other_bad_arguments():
    with pytest.raises(ValueError, match="components, members"):
        integrate(oscillators(1.0), np.ones(2), [1.0])
    with pytest.raises(ValueError, match="`rtol` and `atol`"):
        integrate(oscillators(1.0), np.ones((2, 1)), [1.0], rtol=0.0)


def test_integrator_stops_at_a_singularity():
    def blow_up(y, out):  # y' = y^2, y(0) = 1 is infinite at t = 1
        out[:] = y * y

    with pytest.raises(FloatingPointError, match="too small"), np.errstate(all="ignore"):
        integrate(blow_up, np.ones((1, 1)), [2.0])


@pytest.mark.parametrize("offset", [(0.0, 0.0), (0.01, -0.005), (-1.0, 0.7)])
def test_trajectories_agree_with_an_eighth_order_method(offset):
    start = RELEASE + offset
    times = np.arange(1, 11) / 10
    exact = solve_ivp(lagrange, (0, 1), [*start, 0, 0], method="DOP853", t_eval=times, rtol=1e-12, atol=1e-12).y.T
    ours = pendulum_trajectories([start[0]], [start[1]], times)[..., 0]
    np.testing.assert_allclose(ours[:, :2], exact[:, :2], atol=2e-3)
    tight = pendulum_trajectories([start[0]], [start[1]], times, rtol=1e-11, atol=1e-13)[..., 0]
    np.testing.assert_allclose(tight, exact, atol=1e-6)


def test_energy_is_conserved():
    theta = RELEASE[:, np.newaxis] + np.radians(0.5) * np.random.default_rng(0).standard_normal((2, 200))
    states = pendulum_trajectories(theta[0], theta[1], np.arange(1, 11) / 2)
    start = energy(np.concatenate([theta, np.zeros_like(theta)]))
    scale = 9.81 * (2 * 0.15 + 0.123)
    assert np.abs(energy(states) - start).max() / scale < 1e-3
    assert np.abs(np.median(energy(states)[-1] - start)) / scale < 1e-4


@pytest.mark.parametrize(("sign", "amplitude"), [(-1, np.sqrt(2)), (1, -np.sqrt(2))])
def test_small_swings_are_the_two_normal_modes(sign, amplitude):
    """Equal masses and lengths: omega^2 = (2 -+ sqrt 2) g / l with theta2 = +- sqrt 2 theta1."""
    release = PendulumRelease(length_ratio=1.0, inner_length=0.5)
    omega = np.sqrt((2 + sign * np.sqrt(2)) * release.gravity / release.inner_length)
    times, small = np.arange(1, 31) / 10, 1e-4
    states = pendulum_trajectories([small], [small * amplitude], times, release, rtol=1e-10, atol=1e-15)
    np.testing.assert_allclose(states[:, 0, 0], small * np.cos(omega * times), atol=1e-6 * small)
    np.testing.assert_allclose(states[:, 1, 0], small * amplitude * np.cos(omega * times), atol=1e-6 * small)


def test_lengths_scale_time():
    """Four times the length: everything takes twice as long."""
    angles = ([RELEASE[0]], [RELEASE[1]])
    short = pendulum_trajectories(*angles, [0.5], rtol=1e-10, atol=1e-12)
    long = pendulum_trajectories(*angles, [1.0], PendulumRelease(inner_length=0.6), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(long[0, :2], short[0, :2], rtol=1e-6)
    np.testing.assert_allclose(2 * long[0, 2:], short[0, 2:], rtol=1e-6)


@pytest.fixture(scope="module")
def marginal():
    return pendulum_marginal(np.arange(1, 51) / 10, n=4_000)


def test_paper_claims_a_fair_coin_from_three_seconds_on(marginal):
    """Within 0.05 of one half on [3, 5] s; 21 times share a band at the Bonferroni level."""
    late = marginal.times >= 3
    band = 3.04 * 0.5 / np.sqrt(marginal.n)  # normal quantile at 1 - 0.05 / (2 * 21)
    assert late.sum() == 21
    assert np.abs(marginal.p_left[late] - 0.5).max() < 0.05
    assert np.abs(marginal.p_left[late] - 0.5).max() < 0.022 + band  # the authors' figure at 40,000
    assert abs(marginal.p_left[-1] - 0.501) < band


def test_paper_claims_a_settled_outcome_below_one_second(marginal):
    """Near-deterministic up to 0.8 s: the outer mass swings across, nearly all members together; then it mixes."""
    early = marginal.times < 0.85
    doubt = np.minimum(marginal.p_left, 1 - marginal.p_left)
    assert doubt[early].max() < 0.07
    assert marginal.p_left[early].max() == 1
    assert (doubt[~early] > 0.3).all()


def test_marginal_reports_how_it_was_made(marginal):
    assert (marginal.n, marginal.confidence_level, marginal.rtol, marginal.atol) == (4_000, 0.95, 1e-6, 1e-9)
    assert (marginal.low <= marginal.p_left).all()
    assert (marginal.p_left <= marginal.high).all()
    np.testing.assert_allclose(marginal.standard_error[-1], 0.5 / np.sqrt(4_000), rtol=0.01)
    default = pendulum_marginal(n=1)
    np.testing.assert_array_equal(default.times, np.round(np.arange(1.0, 5.05, 0.1), 10))


def test_noise_on_the_first_angle_is_drawn_first():
    rng = np.random.default_rng(7)
    first, second = (np.radians(a + rng.normal(0, 0.5, 300)) for a in (146, 215))
    y = pendulum_trajectories(first, second, [1.0])[0]
    left = (0.15 * np.sin(y[0]) + 0.123 * np.sin(y[1]) < 0).mean()
    assert 0 < left < 1
    assert pendulum_marginal([1.0], n=300, rng=7).p_left[0] == left


def test_threads_and_parts_do_not_change_the_result(monkeypatch):
    times = [0.5, 1.0, 1.5]
    one = pendulum_marginal(times, n=600, workers=1)
    monkeypatch.setattr("calibench_data.stats.pendulum._MEMBERS_AT_ONCE", 101)
    np.testing.assert_allclose(pendulum_marginal(times, n=600, workers=3).p_left, one.p_left, atol=2 / 600)


def test_step_control_does_not_move_the_marginal():
    """Default tolerances against 100 times tighter ones, the same releases.

    Early, members agree one by one. Late, chaos sends a share of them elsewhere; if that is by chance, the members
    that changed to the left and those that changed to the right balance, with standard deviation sqrt(share / n).
    """
    n, times = 1_500, np.arange(5, 51) / 10
    rng = np.random.default_rng(3)
    theta = [np.radians(a + rng.normal(0, 0.5, n)) for a in (146, 215)]

    def left(rtol, atol):
        y = pendulum_trajectories(*theta, times, rtol=rtol, atol=atol)
        return np.sin(y[:, 0]) + 0.82 * np.sin(y[:, 1]) < 0

    default, tight = left(1e-6, 1e-9), left(1e-8, 1e-11)
    difference = default.mean(axis=1) - tight.mean(axis=1)
    changed = (default != tight).mean(axis=1)
    assert changed[times <= 2].max() < 0.005
    assert np.abs(difference[times <= 2]).max() <= 0.002
    assert changed[-1] > 0.1  # else the next line would claim more than it tests
    assert (np.abs(difference) <= 0.002 + 3.3 * np.sqrt(changed / n)).all()
    assert abs(difference[times >= 3].mean()) < 0.01


def test_a_release_symmetric_about_the_vertical_is_a_fair_coin():
    """Hanging straight up, noise alone decides, and it has no side."""
    reference = skewed_reference(180, 180, 0.5, n=2_000)
    assert reference.low < 0.5 < reference.high


def test_mirrored_release_mirrors_the_reference():
    one = skewed_reference(146, 215, 0.5, n=2_000)
    other = skewed_reference(-146, -215, 0.5, n=2_000, rng=1)
    assert one.reference[0] > 0.9
    assert abs(one.reference[0] - other.reference[1]) < 4 * np.hypot(one.standard_error, other.standard_error)


def test_skewed_reference_is_a_distribution_with_a_band():
    reference = skewed_reference(146, 215, 1.1, n=2_000, confidence_level=0.9)
    assert reference.reference.sum() == 1
    assert reference.reference[0] == pytest.approx(0.66, abs=0.04)
    assert reference.low < reference.reference[0] < reference.high
    assert reference.high - reference.low == pytest.approx(2 * 1.645 * reference.standard_error, rel=0.01)
    assert (reference.n, reference.time, reference.confidence_level) == (2_000, 1.1, 0.9)


def test_without_noise_the_outcome_is_certain():
    assert skewed_reference(146, 215, 1.1, noise_deg=0.0, n=20).reference.tolist() in ([0.0, 1.0], [1.0, 0.0])
    wide, narrow = (skewed_reference(146, 215, 0.6, noise_deg=noise, n=2_000) for noise in (5.0, 0.5))
    assert narrow.reference[0] < 0.05 < 0.1 < wide.reference[0]


def test_a_gentle_release_keeps_its_side():
    """Released at rest on the right, a small swing in the slow mode is still on the right an eighth period later."""
    assert skewed_reference(20, 28, 0.05, n=500).reference.tolist() == [0.0, 1.0]
    assert skewed_reference(20, 28, 0.05, n=500).high > 0


@pytest.mark.parametrize("field", ["length_ratio", "inner_length", "gravity"])
def test_impossible_pendulums_are_refused(field):
    with pytest.raises(ValueError, match="greater than 0"):
        PendulumRelease(**{field: 0.0})
    with pytest.raises(ValueError, match="finite"):
        PendulumRelease(**{field: np.nan})


def test_marginal_refuses_bad_arguments():
    with pytest.raises(ValueError, match="`n` must be a whole number >= 1"):
        pendulum_marginal(n=0)
    with pytest.raises(ValueError, match="at least 0"):
        PendulumRelease(noise_deg=-1.0)
    with pytest.raises(ValueError, match="`confidence_level`"):
        pendulum_marginal(confidence_level=1.0)
