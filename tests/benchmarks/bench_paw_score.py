"""`calibench paw score` at the benchmark's size and at a hundred times it, as whole processes and after the start."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import calibench_data

sys.path.insert(0, str(Path(__file__).parent.parent))
import paw_release


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("paw")
    paw_release.write(path / "release")
    text = "".join(json.dumps(row) + "\n" for row in paw_release.judged("MODEL", nulls=5))
    for models in (11, 1000):
        with (path / f"{models}.jsonl").open("w", encoding="utf-8") as file:
            for number in range(models):
                file.write(text.replace("MODEL", f"model-{number}"))
    return path


def test_eleven_models_after_the_start(benchmark, folder):
    arguments = (folder / "11.jsonl", folder / "release")
    scores = benchmark.pedantic(calibench_data.paw_score, args=arguments, rounds=5, warmup_rounds=1)
    assert len(scores.scenes) == 550


@pytest.mark.parametrize(("models", "rounds"), [(11, 5), (1000, 3)])
def test_the_command(benchmark, folder, models, rounds):
    command = [sys.executable, "-m", "calibench_data.cli", "paw", "score", str(folder / f"{models}.jsonl")]
    command += ["--data", str(folder / "release"), "--format", "json"]
    benchmark.pedantic(subprocess.run, (command,), {"check": True, "capture_output": True}, rounds=rounds)
