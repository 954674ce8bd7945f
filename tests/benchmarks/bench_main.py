"""Whole processes, as a user waits for them: `pytest -o python_files='bench_*.py' tests/benchmarks/bench_main.py`."""

import subprocess
import sys

import numpy as np
import polars as pl
import pytest

import calibench_data

ROWS = 1_000_000
SEEDS = 32


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A million outcomes drawn from the references, a tenth of them null: 31,250 cells of 32 seeds, in each format."""
    scenes = calibench_data.sql("SELECT scene, outcomes FROM scenes WHERE benchmark = 'calibench' ORDER BY position")
    masses = calibench_data.sql("SELECT scene, probability FROM distributions ORDER BY scene, position")
    names, generator = scenes["scene"].to_list(), np.random.default_rng(1)
    cell = np.arange(ROWS) // SEEDS
    outcome = np.empty(ROWS, dtype=object)
    for index, (name, outcomes) in enumerate(scenes.rows()):
        here = cell % len(names) == index
        p = masses.filter(pl.col("scene") == name)["probability"].to_numpy()
        outcome[here] = generator.choice(np.array(outcomes, dtype=object), here.sum(), p=p / p.sum())
    outcome[generator.random(ROWS) < 0.1] = None
    frame = pl.DataFrame(
        {
            "scene": np.array(names, dtype=object)[cell % len(names)].tolist(),
            "model": [f"model-{number}" for number in cell // len(names)],
            "seed": np.arange(ROWS) % SEEDS,
            "outcome": outcome.tolist(),
        }
    )
    path = tmp_path_factory.mktemp("million")
    frame.write_csv(path / "rows.csv")
    frame.write_ndjson(path / "rows.jsonl")
    frame.write_parquet(path / "rows.parquet")
    return path


def calibench(*arguments):
    subprocess.run([sys.executable, "-m", "calibench_data.cli", *arguments], check=True, capture_output=True)


@pytest.mark.parametrize(
    "arguments", [("--help",), ("tables",), ("reproduce",), ("verify",)], ids=lambda arguments: arguments[0]
)
def test_command(benchmark, arguments):
    benchmark.pedantic(calibench, args=arguments, rounds=5, warmup_rounds=1)


@pytest.mark.parametrize("ending", ["csv", "jsonl", "parquet"])
def test_score_a_million_rows(benchmark, folder, ending):
    arguments = ("score", str(folder / f"rows.{ending}"), "--format", "json")
    benchmark.pedantic(calibench, args=arguments, rounds=3, warmup_rounds=1)
