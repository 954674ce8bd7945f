"""How long PAWBench's statistics take at its own size: 11 models, 25 scenes a track, 50 or 100 rollouts."""

from __future__ import annotations

from typing import Any

import numpy as np
from calibench_data.stats.budget import budget_curves
from calibench_data.stats.homogeneity import fisher_freeman_halton
from calibench_data.stats.paw_null import matched_null

DICE = np.array([1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1]) / 36
# The mix of references of the calibration track: coins and forks, dice, boards, spinners, one certain outcome.
REFERENCES = [
    *[np.full(2, 1 / 2)] * 10,
    *[np.full(3, 1 / 3)] * 2,
    *[np.array([1, 2, 1]) / 4] * 4,
    *[np.full(4, 1 / 4)] * 4,
    np.array([1, 4, 6, 4, 1]) / 16,
    *[np.full(6, 1 / 6)] * 2,
    DICE,
    np.array([1.0, 0.0]),
]


def cells(models: int, rollouts: int) -> list[list[tuple[Any, Any]]]:
    generator = np.random.default_rng(0)
    return [
        [(generator.multinomial(generator.integers(0.4 * rollouts, rollouts + 1), p), p) for p in REFERENCES]
        for _ in range(models)
    ]


def test_matched_null_of_eleven_models(benchmark: Any) -> None:
    result = benchmark.pedantic(matched_null, (cells(11, 50),), rounds=5)
    assert result.pooled.cells == 275


def test_matched_null_where_every_rollout_is_readable(benchmark: Any) -> None:
    generator = np.random.default_rng(0)
    models = [[(generator.multinomial(50, p), p) for p in REFERENCES] for _ in range(11)]
    result = benchmark.pedantic(matched_null, (models,), rounds=5)
    assert result.pooled.cells == 275


def test_budget_curves_of_550_cells(benchmark: Any) -> None:
    rows = [cell for model in cells(22, 100) for cell in model]
    counts, references = [c for c, _ in rows], [p for _, p in rows]
    nulls = [100 - int(c.sum()) for c in counts]
    result = benchmark(budget_curves, counts, nulls, references)
    assert result.tvd.shape == (550, 100)


def test_two_samples_of_fifty_over_eleven_outcomes(benchmark: Any) -> None:
    first, second = np.random.default_rng(0).multinomial(50, np.full(11, 1 / 11), size=2)
    assert benchmark(fisher_freeman_halton, first, second).standard_error == 0


def test_two_samples_of_fifty_over_eleven_outcomes_even_columns(benchmark: Any) -> None:
    """The most half tables that 100 rollouts over eleven outcomes can have."""
    first = np.array([5, 5, 5, 5, 5, 5, 4, 4, 4, 4, 4])
    assert benchmark(fisher_freeman_halton, first, first[::-1]).standard_error == 0


def test_two_samples_of_fifty_by_monte_carlo(benchmark: Any) -> None:
    first, second = np.random.default_rng(0).multinomial(50, np.full(11, 1 / 11), size=2)
    assert benchmark(fisher_freeman_halton, first, second, max_rows=0).n_resamples == 50_000
