"""`kill -9` at random moments: nothing that was answered is asked again, nothing is lost.

A few times here; `CALIBENCH_KILLS=50 python -m pytest tests/test_collect_killed.py` does it fifty times.
"""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from calibench_data.builders.call_schedule import Limits
from vlm.fixture import votes_of
from vlm.scenes import rollouts

import calibench_data

KILLS = int(os.environ.get("CALIBENCH_KILLS", "3"))
CONCURRENCY = 4
ROOT = str(Path(calibench_data.__file__).parent.parent)


def recorded(folder):
    """The calls in the ledger, in their order, read as another program would: with the journal that is there."""
    if not (folder / "ledger.sqlite").exists():
        return []
    connection = sqlite3.connect(folder / "ledger.sqlite")
    try:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'calls'").fetchone():
            return []  # killed before the tables were made
        return connection.execute("SELECT * FROM calls JOIN readings ON readings.call = calls.id ORDER BY 1").fetchall()
    finally:
        connection.close()


def start(folder, attempts, **pipes):
    command = [sys.executable, "-m", "calibench_data.cli", "collect", str(folder), "--reader", "openai:eye"]
    command += ["--attempts", str(attempts), "--concurrency", str(CONCURRENCY)]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": ROOT}, **pipes)


def test_an_interrupt_lets_the_calls_under_way_end(tmp_path, model):
    rollouts(tmp_path, {"dice": ["1", "2", "3"]}, 4)
    model.delay = 0.2
    with start(tmp_path, 9, stderr=subprocess.PIPE, text=True) as process:
        while process.poll() is None and model.calls < 6:
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
    assert process.returncode == 1
    assert "stopped: interrupted" in said
    assert "Traceback" not in said
    assert 6 <= len(recorded(tmp_path)) == model.calls == model.answered < 36
    assert len(votes_of(tmp_path)) == model.calls


def test_kill_at_random_moments(tmp_path, model):
    draw = random.Random(1)
    truth = rollouts(tmp_path, {"dice": ["1", "2", "3"], "ball_fork": ["left", "right"]}, 4)
    attempts = 3 + KILLS
    model.delay = 0.03
    before, killed_while_asking = [], 0
    for number in range(KILLS):
        asked_before, there = model.calls, Counter(row[1] for row in before)
        by_time = number % 5 == 2
        goal, delay = model.answered + draw.randint(0, 6), draw.uniform(0, 0.05)
        process = start(tmp_path, attempts, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if by_time:
            time.sleep(draw.uniform(0, 2))
        else:
            while process.poll() is None and (model.calls == asked_before or model.answered < goal):
                time.sleep(0.002)
            time.sleep(delay)
        process.kill()
        process.wait()
        killed_while_asking += model.calls > asked_before

        after = recorded(tmp_path)
        assert after[: len(before)] == before  # nothing is lost, nothing was changed
        deadline = time.monotonic() + 10
        while model.now and time.monotonic() < deadline:
            time.sleep(0.01)
        asked = model.log[asked_before:]
        again = Counter(digest for entry in asked for digest in entry[1])
        assert all(again[digest] + there[digest] <= attempts for digest in again)
        assert len(asked) - (len(after) - len(before)) <= CONCURRENCY  # lost are the calls under way at most
        before = after
    assert killed_while_asking > KILLS / 2

    asked_before = model.calls
    found = calibench_data.collect(tmp_path, "openai:eye", attempts=attempts, limits=Limits(concurrency=CONCURRENCY))
    assert found.complete
    wanted = len(truth) * attempts
    assert model.calls - asked_before == wanted - len(before)
    assert recorded(tmp_path)[: len(before)] == before
    assert len(recorded(tmp_path)) == len(votes_of(tmp_path)) == wanted
    assert all((row["outcome"] or None) == truth[row["scene"], int(row["seed"])] for row in votes_of(tmp_path))
    print(f"{KILLS} kills, {killed_while_asking} while asking: {wanted} votes, {model.calls} calls")
