"""Time of the ensemble of the paper's size; the figures that it gives are kept with the timing."""

import numpy as np
from calibench_data.stats.pendulum import pendulum_marginal


def test_marginal_of_40_000_members(benchmark):
    marginal = benchmark.pedantic(pendulum_marginal, rounds=3)
    late = marginal.times >= 3
    early = pendulum_marginal(np.arange(1, 11) / 10)
    benchmark.extra_info.update(
        p_left_at_5_s=float(marginal.p_left[-1]),
        largest_distance_from_one_half_on_3_to_5_s=float(np.abs(marginal.p_left[late] - 0.5).max()),
        p_left_up_to_1_s=dict(zip(early.times.tolist(), early.p_left.tolist(), strict=True)),
    )
    assert marginal.n == 40_000
