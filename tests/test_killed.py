"""Writers killed at any moment leave what was before or what comes after, whole.

CALIBENCH_KILLS says how many of each to kill (CONTRIBUTING.md): half of them at any moment of the process, half while
it writes. The normal run kills a few.
"""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from calibench_data.builders import build_tables
from calibench_data.release.manifest import read_release
from calibench_data.release.write import write_release
from submissions import submission

import calibench_data

KILLS = int(os.environ.get("CALIBENCH_KILLS", "4"))
ROOT = str(Path(calibench_data.__file__).parent.parent)


def started(*arguments):
    command = [sys.executable, "-m", "calibench_data.cli", *map(str, arguments)]
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": ROOT}, **quiet)


def durations(writing, *arguments):
    """Seconds that the command takes, and those from the moment at which `writing` holds to its end."""
    begin = time.perf_counter()
    process = started(*arguments)
    first = None
    while process.poll() is None:
        if first is None and writing():
            first = time.perf_counter()
        time.sleep(0.0005)
    assert process.returncode == 0
    assert first is not None
    return time.perf_counter() - begin, time.perf_counter() - first


def killed(writing, whole, part, draw, *arguments):
    """Run the command and kill it: at any moment of the whole, or, by a toss, at one after the writing began."""
    process = started(*arguments)
    if draw.random() < 0.5:
        time.sleep(draw.uniform(0, whole))
    else:
        while process.poll() is None and not writing():
            time.sleep(0.0005)
        time.sleep(draw.uniform(0, part))
    process.send_signal(signal.SIGKILL)
    process.wait()


def count(name, seen):
    print(f"{name}: {len(seen)} killed, {seen.count(False)} before, {seen.count(True)} after")


def test_submit_open(built, tmp_path):
    folder, draw = submission(tmp_path / "mine"), random.Random(4)
    repository = tmp_path / "repository"
    begin = [("submit", "open", folder, "--to", repository, "--yes"), (repository / ".pending").exists]
    shutil.copytree(built, repository)
    whole, part = durations(begin[1], *begin[0])
    seen = []
    for _ in range(KILLS):
        shutil.rmtree(repository)
        shutil.copytree(built, repository)
        killed(begin[1], whole, part, draw, *begin[0])
        assert calibench_data.verify(repository) == []
        landed = read_release(repository).dataset_version == "1.1.0"
        models = calibench_data.sql("SELECT count(*) FROM models WHERE model = 'my-model'", repository).item()
        assert models == landed
        seen.append(landed)
        if landed:  # the next writer finds no trace
            calibench_data.withdraw("my-model", repository, yes=True)
        else:
            calibench_data.open_submission(folder, repository, yes=True)
        assert calibench_data.verify(repository) == []
        assert not (repository / ".pending").exists()
    count("submit open", seen)


@pytest.mark.parametrize("over", ["nothing", "an older release"])
def test_build(over, tmp_path):
    draw, out = random.Random(over), tmp_path / "place" / "release"
    arguments = ("build", "--out", out)

    def fresh():
        shutil.rmtree(out.parent, ignore_errors=True)
        out.parent.mkdir()
        if over != "nothing":
            write_release(out, build_tables(), {"README.md": "older\n"}, "0.9.0")

    def writing():
        return any(out.parent.glob(".release.new-*"))

    fresh()
    whole, part = durations(writing, *arguments)
    after, seen = read_release(out).digest, []
    for _ in range((KILLS + 1) // 2):
        fresh()
        before = read_release(out).digest if over != "nothing" else None
        killed(writing, whole, part, draw, *arguments)
        digest = read_release(out).digest if out.exists() else None
        assert digest in (before, after)
        if digest:
            assert calibench_data.verify(out) == []
        seen.append(digest == after)
        calibench_data.build(out)
        assert calibench_data.verify(out) == []
        left = {path.name for path in out.parent.iterdir()}
        assert left <= {"release", ".release.lock"}
    count(f"build over {over}", seen)
