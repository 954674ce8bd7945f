"""Times of the exact engine: `pytest -o python_files='bench_*.py' tests/benchmarks/bench_exact.py`."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
from calibench_data.stats.detectable import rollouts_needed, smallest_detectable_tv
from calibench_data.stats.exact import exact_pvalues, exact_test, exact_tests, pearson_lattice
from calibench_data.stats.null_distribution import null_band
from pytest_benchmark.fixture import BenchmarkFixture

sys.path.append(str(Path(__file__).parents[1]))
from exact_references import BOARD, CARDS, DICE, HALF, LOTTERY, PLINKO, ROULETTE, TESTED_CELLS, TWO_DICE

SCENES = (BOARD, BOARD, HALF, HALF, HALF, DICE, CARDS, LOTTERY, ROULETTE)


def test_44_cells(benchmark: BenchmarkFixture) -> None:
    results = benchmark.pedantic(lambda: exact_tests(TESTED_CELLS), setup=pearson_lattice.cache_clear, rounds=5)
    assert {r.method for r in results} == {"exact"}


def test_a_million_cells(benchmark: BenchmarkFixture) -> None:
    rng = np.random.default_rng(0)
    cells = []
    for p in SCENES:
        # Half calibrated, half not: many different cells.
        floats = np.array([float(q) for q in p])
        truth = 0.5 * floats + 0.5 * rng.dirichlet(np.ones(len(p)), size=1_000_000 // 9)
        cells.append((rng.multinomial(rng.integers(1, 33, len(truth)), truth), p))
    pvalues = benchmark.pedantic(
        lambda: [exact_pvalues(c, p) for c, p in cells], setup=pearson_lattice.cache_clear, rounds=3
    )
    assert all((p > 0).all() for p in pvalues)


@pytest.mark.parametrize("p", [TWO_DICE, PLINKO, BOARD], ids=["two dice", "plinko", "board"])
def test_one_cell_of_fifty(benchmark: BenchmarkFixture, p: tuple[object, ...]) -> None:
    counts = np.random.default_rng(0).multinomial(50, [float(q) for q in p])  # type: ignore[arg-type]
    result = benchmark.pedantic(lambda: exact_test(counts, p), setup=pearson_lattice.cache_clear, rounds=3)
    assert result.method == "exact"


@pytest.mark.parametrize("statistic", ["tv", "chi_square"])
def test_null_band_of_the_board(benchmark: BenchmarkFixture, statistic: str) -> None:
    band = benchmark.pedantic(
        lambda: null_band(32, BOARD, statistic=statistic),  # type: ignore[arg-type]
        setup=pearson_lattice.cache_clear,
        rounds=3,
    )
    assert band.probability >= 0.95


def test_detectable_tv_of_every_scene(benchmark: BenchmarkFixture) -> None:
    scenes = ((HALF, 0), (ROULETTE, 2), (CARDS, 0), (DICE, 0), (BOARD, 5), (LOTTERY, 0))
    found = benchmark.pedantic(
        lambda: [smallest_detectable_tv(n, p, outcome=j) for p, j in scenes for n in (32, 16)],
        setup=pearson_lattice.cache_clear,
        rounds=3,
    )
    assert all(0 < f.tv < 1 for f in found)


def test_rollouts_needed_by_the_board(benchmark: BenchmarkFixture) -> None:
    found = benchmark.pedantic(
        lambda: rollouts_needed(0.49, BOARD, outcome=5), setup=pearson_lattice.cache_clear, rounds=1
    )
    assert found.n == 32
