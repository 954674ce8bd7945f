"""From videos to a checked submission, with the real client libraries and a model that sees, and misbehaves."""

import json
import re
import sqlite3
from collections import Counter

import pytest
from calibench_data.builders.call_schedule import Limits
from calibench_data.builders.collection import Progress
from calibench_data.builders.readers import Reply
from submissions import scenes
from vlm.fixture import votes_of
from vlm.scenes import rollouts, scene_film, see
from vlm.server import GEMINI_KEY, OPENAI_KEY

import calibench_data
from calibench_data.verbs.collecting import meter_line

FAST = Limits(backoff_s=0.001)
FEW = {"dice": ["1", "2", "3", "4", "5", "6"], "ball_fork": ["left", "right"]}


def fill_in(folder, reader):
    """What an author does after `submit new`: takes the examples of the comments, but for how the videos were read."""
    path = folder / "submission.toml"
    text = re.sub(r'= (?:""|0)  # e\.g\. (.*)', r"= \1", path.read_text("utf-8"))
    text = re.sub(r"^reader = .*", f'reader = "{reader}"', text, flags=re.M)
    path.write_text(re.sub(r"^edition = .*", 'edition = "open"', text, flags=re.M), "utf-8")


@pytest.fixture
def folder(tmp_path):
    """Two scenes, two seeds each; -> the folder and what the videos show."""
    return tmp_path, rollouts(tmp_path, FEW, 2)


@pytest.mark.parametrize("kind", ["openai", "gemini"])
def test_videos_to_a_checked_submission_by_commands_alone(kind, tmp_path, run, model, small_release):
    run("submit", "new", "mine", "--model", "my-model", cwd=tmp_path, check=0)
    fill_in(tmp_path / "mine", "eye")
    truth = rollouts(tmp_path / "mine", scenes(), 3)
    said = run(
        "collect", "mine", "--reader", f"{kind}:eye", "--data", small_release, "--price", "1,10", cwd=tmp_path, check=0
    ).stderr
    assert "81/81" in said
    assert "this run: 81 calls, 0 of them in vain, $0.09" in said
    votes = votes_of(tmp_path / "mine")
    assert len(votes) == 27 * 3
    assert all((row["outcome"] or None) == truth[row["scene"], int(row["seed"])] for row in votes)
    assert Counter(entry[0] for entry in model.log) == {kind: 81}

    checked = run("submit", "check", "mine", "--data", small_release, "--format", "json", cwd=tmp_path, check=0)
    (mine,) = [row for row in json.loads(checked.stdout) if row["submitted"]]
    assert mine["rollouts"] == 27
    assert mine["valid"] == sum(outcome is not None for outcome in truth.values())
    assert "prompts of the open edition" in checked.stderr
    assert "other prompts" not in checked.stderr


def test_the_manifest_is_filled_from_the_files_and_reaches_the_table(tmp_path, model, small_release):
    from calibench_data.builders.submission import read_submission
    from calibench_data.release.opening import open_release

    from calibench_data.submitting import new_submission, protocol_of

    mine = tmp_path / "mine"
    new_submission(mine, "my-model")
    fill_in(mine, "eye")
    rollouts(mine, scenes(), 3)
    calibench_data.collect(mine, "openai:eye", limits=FAST, repo=small_release)
    manifest = mine / "videos.csv"
    with_address = manifest.read_text("utf-8").replace(
        "physical_board,0,,", "physical_board,0,https://example.org/0,", 1
    )
    manifest.write_text(with_address, "utf-8")
    calibench_data.collect(mine, "openai:eye", limits=FAST, repo=small_release)
    submission = read_submission(mine, protocol_of(open_release(small_release)))
    (row,) = [row for row in submission.tables["videos"].to_pylist() if (row["scene"], row["seed"]) == ("dice", 1)]
    path = next((mine / "videos" / "dice").glob("1.*"))
    assert (row["bytes"], row["width"], row["height"], row["frames"]) == (path.stat().st_size, 220, 80, 8)
    assert (row["fps"], row["duration_s"]) == (pytest.approx(10), pytest.approx(0.8, abs=0.01))
    uris = {(row["scene"], row["seed"]): row["uri"] for row in submission.tables["videos"].to_pylist()}
    assert {place: uri for place, uri in uris.items() if uri} == {("physical_board", 0): "https://example.org/0"}


@pytest.mark.parametrize("kind", ["openai", "gemini"])
def test_with_three_in_ten_calls_failing_every_vote_is_there(kind, tmp_path, model, small_release):
    truth = rollouts(tmp_path, scenes(), 3)
    model.probability, model.slow = 0.3, 0.9
    found = calibench_data.collect(
        tmp_path,
        f"{kind}:eye",
        limits=FAST,
        parameters=calibench_data.collecting.Parameters(timeout_s=0.6),
        repo=small_release,
    )
    assert found.complete, found
    assert len(model.kinds()) > 8  # all kinds of faults came
    votes = votes_of(tmp_path)
    assert len(votes) == 81
    assert all((row["outcome"] or None) == truth[row["scene"], int(row["seed"])] for row in votes)
    assert found.counts["null"] == 3 * sum(outcome is None for outcome in truth.values())
    assert 81 < model.calls <= 1.5 * 81
    assert found.run.calls == model.calls == found.totals.calls


def test_what_was_answered_is_not_asked_again(folder, model):
    path, _ = folder
    assert calibench_data.collect(path, "openai:eye", limits=FAST).complete
    assert model.calls == 12
    again = calibench_data.collect(path, "openai:eye", limits=FAST)
    assert (again.complete, again.run.calls, model.calls) == (True, 0, 12)
    more = calibench_data.collect(path, "openai:eye", attempts=4, limits=FAST)
    assert (more.complete, model.calls) == (True, 16)
    # Another reader, or other parameters, are other votes; another place or name of the same video is not.
    calibench_data.collect(path, "openai:other-eye", limits=FAST)
    assert model.calls == 28
    warm = calibench_data.collecting.Parameters(temperature=0.7)
    calibench_data.collect(path, "openai:eye", parameters=warm, limits=FAST)
    assert model.calls == 40
    first = next((path / "videos" / "dice").glob("0.*"))
    first.touch()
    first.rename(first.with_stem("r000"))
    calibench_data.collect(path, "openai:eye", limits=FAST)
    assert model.calls == 40
    # Another video of the same name is asked for, and its votes take the place of the old ones.
    scene_film(first.with_name("r000.mp4"), "dice", "5", 77)
    calibench_data.collect(path, "openai:eye", limits=FAST)
    assert model.calls == 43
    assert [row["outcome"] for row in votes_of(path) if (row["scene"], row["seed"]) == ("dice", "0")] == ["5"] * 3


def test_the_prompt_is_blind(folder, model):
    path, _ = folder
    calibench_data.collect(path, "gemini:eye", limits=FAST)
    calibench_data.collect(path, "openai:eye", limits=FAST)
    texts = {row[0] for row in calibench_data.sql("SELECT text FROM prompts WHERE role = 'reading'").iter_rows()}
    assert {entry[2] for entry in model.log} <= texts


def test_no_key_reaches_a_file_or_a_message(folder, model, run, monkeypatch):
    path, _ = folder
    model.answer = lambda data, prompt: f"my key is {OPENAI_KEY}"
    monkeypatch.setenv("SOME_TOKEN", "abcdefgh12345678")
    monkeypatch.setenv("GEMINI_API_KEY", "AIzaWrong9876543210")
    once = Limits(tries=1)
    said = run("collect", path, "--reader", "openai:eye", "--tries", "1", check=1).stderr
    said += str(calibench_data.collect(path, "gemini:other", limits=once))
    said += str(calibench_data.collect(path, 'cmd:sh -c "echo $SOME_TOKEN"', limits=once))
    said += str(calibench_data.collect(path, 'cmd:sh -c "echo $SOME_TOKEN >&2; exit 1"', limits=once))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong-9876543210")
    said += str(calibench_data.collect(path, "openai:other", limits=once))
    assert "HTTP 401" in said
    assert said.count("[hidden]") >= 5
    contents = [file.read_bytes() for file in path.rglob("*") if file.is_file()]
    for key in (OPENAI_KEY, GEMINI_KEY, "sk-wrong-9876543210", "AIzaWrong9876543210", "abcdefgh12345678"):
        assert key not in said
        assert not any(key.encode() in content for content in contents)


def test_a_wrong_key_stops_the_run_at_once(folder, model, monkeypatch):
    path, _ = folder
    monkeypatch.setenv("OPENAI_API_KEY", "sk-wrong-9876543210")
    found = calibench_data.collect(path, "openai:eye", limits=Limits(concurrency=1))
    assert (found.run.calls, found.counts["missing"]) == (1, 11)
    assert found.stopped.startswith("HTTP 401")


def test_an_outage_becomes_no_data(folder, model):
    path, _ = folder
    model.probability, model.faults = 1.0, (500,)
    found = calibench_data.collect(path, "openai:eye", limits=FAST)
    assert found.stopped == "20 calls in a row gave no vote"
    assert found.counts == {"outcome": 0, "null": 0, "error": found.counts["error"], "missing": found.counts["missing"]}
    assert {row["status"] for row in votes_of(path)} == {"error"}


@pytest.mark.parametrize(
    ("fault", "reason"),
    [
        ("refusal", "refused: SAFETY"),
        ("cut", "cut off: MAX_TOKENS"),  # though what came of it names an outcome: 1 of 11
        ("empty", "empty reply, finish reason STOP"),
    ],
)
def test_what_is_no_answer_is_an_error_with_its_reason_and_is_asked_again_by_the_next_run(fault, reason, folder, model):
    path, _ = folder
    model.probability, model.faults = 1.0, (fault,)
    found = calibench_data.collect(path, "gemini:eye", limits=Limits(tries=1))
    assert found.errors == {reason: 12}
    assert {(row["status"], row["outcome"], row["error"]) for row in votes_of(path)} == {("error", "", reason)}
    calibench_data.collect(path, "gemini:eye", reparse=True)
    assert {row["status"] for row in votes_of(path)} == {"error"}
    model.probability = 0
    assert calibench_data.collect(path, "gemini:eye", limits=FAST).complete
    assert model.calls == 24


def test_replies_are_parsed_again_without_asking(folder, model, run, monkeypatch):
    from calibench_data.builders import questions

    path, _ = folder
    model.answer = lambda data, prompt: "it has FOUR pips" if "die" in prompt else "left"
    found = calibench_data.collect(path, "openai:eye", limits=Limits(tries=1))
    assert found.counts == {"outcome": 6, "null": 0, "error": 6, "missing": 0}
    assert {row["reply"] for row in votes_of(path) if row["status"] == "error"} == {"it has FOUR pips"}
    strict = questions.parse_outcome
    monkeypatch.setattr(
        questions, "parse_outcome", lambda reply, outcomes: strict(reply.replace("FOUR", "4"), outcomes)
    )
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name)  # nothing is asked: no key is needed
    found = calibench_data.collect(path, "openai:eye", reparse=True)
    assert found.complete
    assert found.run is None
    assert {row["outcome"] for row in votes_of(path) if row["scene"] == "dice"} == {"4"}
    assert model.calls == 12


def test_after_parsing_again_the_first_reply_counts_not_one_that_was_asked_for_later(folder, model, monkeypatch):
    from calibench_data.builders import questions

    path, _ = folder
    model.script = [None]
    answers = iter(["three"] + ["5"] * 99)
    model.answer = lambda data, prompt: next(answers) if "die" in prompt else "left"
    assert calibench_data.collect(path, "openai:eye", attempts=1, limits=Limits(concurrency=1, backoff_s=0)).complete
    strict = questions.parse_outcome
    monkeypatch.setattr(
        questions, "parse_outcome", lambda reply, outcomes: strict(reply.replace("three", "3"), outcomes)
    )
    calibench_data.collect(path, "openai:eye", attempts=1, reparse=True)
    assert sorted(row["outcome"] for row in votes_of(path) if row["scene"] == "dice") == ["3", "5"]


def test_the_budget_of_calls_and_of_dollars_is_kept_over_all_runs(folder, model):
    path, _ = folder
    found = calibench_data.collect(path, "openai:eye", limits=Limits(max_calls=5))
    assert (model.calls, found.stopped, found.complete) == (5, "the budget is used up", False)
    calibench_data.collect(path, "openai:eye", limits=Limits(max_calls=5))
    assert model.calls == 5
    # A call costs 1,000 tokens read and 10 written: $0.0011 at these prices.
    found = calibench_data.collect(path, "openai:eye", limits=Limits(price=(1.0, 10.0), max_cost=0.005))
    assert found.totals.cost == pytest.approx(0.0044)
    assert model.calls == 9


def test_retry_after_is_obeyed(folder, model):
    path, _ = folder
    model.script, model.retry_after = [429], 1
    found = calibench_data.collect(path, "openai:eye", attempts=1, limits=Limits(concurrency=1, backoff_s=0))
    assert found.complete
    assert found.run.seconds >= 1
    model.script, model.retry_after = [429], 7200
    found = calibench_data.collect(path, "openai:eye", attempts=2, limits=Limits(concurrency=1))
    assert found.stopped == "the service asks to wait 7,200 s; run it again then"


def test_the_bound_of_calls_at_the_same_time(folder, model):
    path, _ = folder
    model.delay = 0.05
    calibench_data.collect(path, "openai:eye", limits=Limits(concurrency=3))
    assert model.most == 3


def test_a_video_that_cannot_be_read_is_named_and_nothing_is_asked(folder, model, run):
    path, _ = folder
    first = next((path / "videos" / "dice").glob("0.*"))
    first.write_bytes(first.read_bytes()[:500])
    second = next((path / "videos" / "ball_fork").glob("1.*"))
    second.write_bytes(b"")
    said = run("collect", path, "--reader", "openai:eye", check=1).stderr
    assert str(first) in said
    assert str(second) in said
    assert model.calls == 0
    assert not (path / "votes.csv").exists()


def test_names_of_files_that_are_no_seeds(tmp_path, model):
    rollouts(tmp_path, {"dice": ["1"]}, 1)
    videos = tmp_path / "videos"
    video = next((videos / "dice").iterdir())
    for name in ("r000.webm", "40.mp4", "3.mp4.part", ".hidden", "one.mp4"):
        (videos / "dice" / name).write_bytes(video.read_bytes())
    (videos / "Dice").mkdir()
    with pytest.raises(calibench_data.CalibenchError) as error:
        calibench_data.collect(tmp_path, "openai:eye")
    places = {problem.place.removeprefix(f"{videos}/") for problem in error.value.problems}
    assert places == {"Dice", "dice/r000.webm", "dice/40.mp4", "dice/3.mp4.part", "dice/one.mp4"}


def test_a_condition_has_its_own_folder(tmp_path, model):
    scene_film_at = tmp_path / "videos" / "5s" / "dice"
    scene_film_at.mkdir(parents=True)
    scene_film(scene_film_at / "r001.mp4", "dice", "2", 1)
    found = calibench_data.collect(tmp_path, "openai:eye", limits=FAST)
    assert {(row["condition"], row["seed"], row["outcome"]) for row in votes_of(tmp_path)} == {("5s", "1", "2")}
    assert "5s dice 1 of 32" in found.notices[0]


def test_settings_that_say_something_else_are_told_before_it_costs(folder, model):
    path, _ = folder
    (path / "submission.toml").write_text('[reading]\nreader = "another"\nattempts = 2\nedition = "open"\n', "utf-8")
    with pytest.raises(calibench_data.CalibenchError, match=r"reading.reader: found 'another'; allowed: eye") as error:
        calibench_data.collect(path, "openai:eye")
    assert "reading.attempts: found 2; allowed: 3" in str(error.value)
    assert model.calls == 0
    (path / "submission.toml").unlink()
    (path / "votes.jsonl").write_text("")
    with pytest.raises(calibench_data.CalibenchError, match=r"votes.jsonl: is there already"):
        calibench_data.collect(path, "openai:eye")


def test_two_runs_at_once_do_not_ask_for_the_same(folder, model):
    from filelock import FileLock

    path, _ = folder
    with (
        FileLock(path / ".collect.lock"),
        pytest.raises(calibench_data.CalibenchError, match="collected by another process"),
    ):
        calibench_data.collect(path, "openai:eye")
    assert model.calls == 0


def test_a_command_is_a_reader(folder, tmp_path, run):
    path, _ = folder
    script = tmp_path / "reader.py"
    script.write_text(
        "import sys\nprompt = sys.stdin.read()\nname = sys.argv[1].rsplit('/', 1)[1]\n"
        "print('left' if 'fork' in prompt and name.startswith('001.') else '3' if name == '001.png' else name)\n",
        "utf-8",
    )
    run("collect", path, "--reader", f"cmd:python3 {script}", check=0)
    votes = votes_of(path)
    assert {(row["scene"], row["outcome"]) for row in votes} == {("dice", "3"), ("ball_fork", "left")}
    assert {row["reader"] for row in votes} == {f"cmd:python3 {script}"}


def test_videos_that_show_the_very_same_are_asked_for_once(tmp_path, model):
    rollouts(tmp_path, {"dice": ["4"]}, 1, nulls=0)
    video = next((tmp_path / "videos" / "dice").iterdir())
    video.with_stem("1").write_bytes(video.read_bytes())
    found = calibench_data.collect(tmp_path, "openai:eye", limits=FAST)
    assert (found.counts["outcome"], model.calls) == (6, 3)


def test_the_evidence_is_kept_and_checked(folder, model):
    path, _ = folder
    calibench_data.collect(path, "openai:eye", attempts=1, limits=FAST)
    shown = {digest for entry in model.log for digest in entry[1]}
    kept = {file.stem for file in (path / "evidence").rglob("*.*") if file.is_file()}
    assert kept == shown == {row["evidence_sha256"] for row in votes_of(path)}
    for file in (path / "evidence").rglob("*.png"):
        file.write_bytes(b"other")
    calls = model.calls
    found = calibench_data.collect(path, "openai:eye", attempts=2, limits=FAST)
    assert model.calls == calls + 2  # the fork's videos are whole
    assert {row["error"] for row in votes_of(path) if row["status"] == "error"} == {
        f"the evidence cannot be shown: {file}: was changed; remove it, so that it is made anew"
        for file in (path / "evidence").rglob("*.png")
    }
    assert found.counts["error"] == 2


def test_the_ledger_can_only_grow(folder, model):
    path, _ = folder
    calibench_data.collect(path, "openai:eye", attempts=1, limits=FAST)
    connection = sqlite3.connect(path / "ledger.sqlite")
    for statement in ("DELETE FROM calls", "UPDATE readings SET outcome = '1'"):
        with pytest.raises(sqlite3.IntegrityError, match="append only"):
            connection.execute(statement)
    connection.close()


def test_a_reader_of_ones_own(folder):
    class Mine:
        name, key, secrets = "mine", "mine/1", ()

        def read(self, shown, prompt):
            return Reply("null\ud800\0" if "die" in prompt else "right")

    path, _ = folder
    found = calibench_data.collect(path, Mine(), limits=FAST)
    assert found.counts == {"outcome": 6, "null": 6, "error": 0, "missing": 0}


def test_pawbench_has_two_parts_and_the_audit_changes_no_outcome(tmp_path, model, small_release):
    place = tmp_path / "videos" / "A-07"
    place.mkdir(parents=True)
    truth = ["left", "right", None]
    for seed, outcome in enumerate(truth):
        scene_film(place / f"r{seed:03}.mp4", "ball_fork", outcome, seed, frames=16)
    audits = iter(["ok", "violated", "who knows", ["?"]] * 9)

    def answer(data, prompt):
        assert "Y-track branch" in prompt
        seen = see(data, "fork")
        found = {"outcome": None if seen == "null" else f"{seen}_path", "action": next(audits), "process": "ok"}
        return f"```json\n{json.dumps(found)}\n```"

    model.answer = answer
    found = calibench_data.collect(
        tmp_path, "gemini:eye", benchmark="pawbench", limits=Limits(concurrency=1), repo=small_release
    )
    assert found.counts == {"outcome": 6, "null": 3, "error": 0, "missing": 0}
    votes = votes_of(tmp_path)
    assert [row["outcome"] for row in votes] == ["left_path"] * 3 + ["right_path"] * 3 + [""] * 3
    flags = [row["action"] for row in votes_of(tmp_path, "audits.csv")]
    assert flags == ["ok", "violated", "missing", "missing", "ok", "violated", "missing", "missing", "ok"]
    assert {row["continuity"] for row in votes_of(tmp_path, "audits.csv")} == {"missing"}
    # Two frames a second, the first, the middle and the last, of 1.5 s.
    assert {len(entry[1]) for entry in model.log} == {5}
    assert len({entry[2] for entry in model.log}) == 1  # one prompt, whatever the video and model


def test_the_meter():
    line = meter_line("votes", Progress(30, 90, 40, 10, 1.5, 60.0))
    assert line == "votes [######              ] 30/90, 30 a minute, 40 calls, 10 in vain, $1.50 spent, 0:02:00 left"
