"""From nothing to a model among the released ones."""

import json
import shutil
from concurrent.futures import ThreadPoolExecutor

import pytest
from click.testing import CliRunner
from datasets import load_dataset
from submissions import fill, scenes, submission, votes, write

import calibench_data
from calibench_data.cli import cli
from calibench_data.submitting import check_submission, new_submission


@pytest.fixture(scope="module")
def run():
    """`calibench ARGS...` in this process: how it runs in one of its own is for the tests of the command line."""

    def run(*arguments, check):
        done = CliRunner().invoke(cli, [str(argument) for argument in arguments])
        assert done.exit_code == check, done.output
        return done

    return run


def test_new_then_filled_in_as_its_comments_say_is_without_fault(tmp_path, run):
    folder = tmp_path / "mine"
    said = run("submit", "new", folder, "--model", "my-model", check=0).stderr
    assert "scene, seed, attempt, status, outcome" in said
    found = run("submit", "check", fill(folder), "--format", "json", check=0)
    (mine,) = [row for row in json.loads(found.stdout) if row["submitted"]]
    assert (mine["model"], mine["rollouts"]) == ("my-model", 288)
    assert "no fault found" in found.stderr


def test_votes_are_scored_as_their_majorities_are(tmp_path):
    rows = votes(scenes())
    by_votes = check_submission(submission(tmp_path / "votes", rows=rows))
    majorities = []
    for first, second, third in zip(*[iter(rows)] * 3, strict=True):
        given = [first["outcome"], second["outcome"], third["outcome"]]
        winner = next((outcome for outcome in given if given.count(outcome) > 1), None)
        majorities.append({"scene": first["scene"], "seed": first["seed"], "outcome": winner})
    folder = submission(tmp_path / "outcomes", rows=rows)
    (folder / "votes.csv").unlink()
    write(folder / "outcomes.jsonl", majorities)
    by_outcomes = check_submission(folder)
    assert by_outcomes.standings == by_votes.standings
    assert [cell.cell for cell in by_outcomes.cells] == [cell.cell for cell in by_votes.cells]
    assert any("no single votes" in notice for notice in by_outcomes.notices)
    scored = calibench_data.score(write(tmp_path / "s.jsonl", [row | {"model": "my-model"} for row in majorities]))
    (mine,) = [one for one in by_votes.standings if one.submitted]
    assert mine.mntv == scored.models[0].mntv


def test_released_models_stand_as_in_the_leaderboard(tmp_path):
    found = check_submission(submission(tmp_path / "mine"))
    (leaderboard,) = calibench_data.tables(["leaderboard"])
    value = {(figure.item, figure.measure): figure.value for figure in leaderboard.figures}
    released = [one for one in found.standings if not one.submitted]
    assert len(released) == 6
    for one in released:
        assert (one.mntv, one.corrected) == (value[one.model, "mntv"], value[one.model, "corrected"])


@pytest.mark.parametrize(
    ("before", "after", "remark"),
    [
        ('reader = "gemini-3.1-pro-preview"', 'reader = "my-reader"', "read by my-reader"),
        ('edition = "paper"', 'edition = "open"', "prompts of the open edition"),
        ('evidence = "protocol"', 'evidence = "other"', "something else than the last frame"),
    ],
)
def test_what_is_not_comparable_is_said_and_kept(tmp_path, before, after, remark):
    folder = submission(tmp_path / "mine")
    toml = folder / "submission.toml"
    toml.write_text(toml.read_text("utf-8").replace(before, after), "utf-8")
    assert any(remark in found for found in check_submission(folder).remarks)


def test_new_refuses_names_and_folders_that_are_taken(tmp_path):
    with pytest.raises(calibench_data.CalibenchError, match=r"'wan-2\.7' is released already"):
        new_submission(tmp_path / "mine", "wan-2.7")
    assert not (tmp_path / "mine").exists()
    new_submission(tmp_path / "mine", "my-model")
    with pytest.raises(calibench_data.CalibenchError, match="is there already"):
        new_submission(tmp_path / "mine", "my-model")


@pytest.fixture
def repository(built, tmp_path):
    return shutil.copytree(built, tmp_path / "repository")


def contents(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_dry_run_lists_what_would_be_done_and_writes_nothing(tmp_path, repository, run):
    folder, before = submission(tmp_path / "mine"), contents(repository)
    found = run("submit", "open", folder, "--to", repository, check=0)
    assert "new: data/votes/my-model.parquet" in found.stderr
    assert "rewritten: README.md" in found.stderr
    assert "My Model 1.0 enters at place" in found.stderr
    assert "nothing is written without --yes" in found.stderr
    assert contents(repository) == before


def test_from_nothing_to_a_landed_revision_and_back(tmp_path, repository, run):
    before = {view: everything(view, repository) for view in ("cells", "majorities", "models")}
    tables = run("tables", "2", "3", "8", "--data", repository, "--format", "json", check=0).stdout
    folder = tmp_path / "mine"
    run("submit", "new", folder, "--model", "my-model", check=0)
    fill(folder)
    checked = run("submit", "check", folder, "--data", repository, "--format", "json", check=0)
    run("submit", "open", folder, "--to", repository, "--yes", check=0)
    assert calibench_data.verify(repository) == []

    # In the tables, in SQL, in load and in plain load_dataset.
    (mine,) = [row for row in json.loads(checked.stdout) if row["submitted"]]
    shown = json.loads(run("tables", "leaderboard", "--data", repository, "--format", "json", check=0).stdout)
    assert {row["measure"]: row["value"] for row in shown if row["item"] == "my-model"}["mntv"] == mine["mntv"]
    count = "SELECT count(*) FROM votes JOIN videos USING (video) WHERE model = 'my-model'"
    assert calibench_data.sql(count, repository).item() == 288 * 3
    assert calibench_data.load("votes", "1.1.0", repository).num_rows == 288 * 3
    loaded = load_dataset(str(repository), "outcomes", split="train", cache_dir=str(tmp_path / "cache"))
    assert loaded.filter(lambda row: row["model"] == "my-model").num_rows == 288

    entered, first = calibench_data.log(repository)
    assert (entered.version, entered.parent) == ("1.1.0", first.digest)
    assert entered.rows == {"models": 1, "protocols": 1, "videos": 288, "votes": 864, "outcomes": 288}
    assert [(one.model, one.before, one.after, one.why) for one in entered.scores] == [
        ("my-model", None, mine["mntv"], "new")
    ]

    run("submit", "withdraw", "my-model", "--to", repository, "--yes", check=0)
    assert calibench_data.verify(repository) == []
    assert {view: everything(view, repository) for view in before} == before
    assert run("tables", "2", "3", "8", "--data", repository, "--format", "json", check=0).stdout == tables
    assert calibench_data.log(repository)[0].scores[0].why == "withdrawn"


def everything(view, repository):
    return calibench_data.sql(f"SELECT * FROM {view} ORDER BY ALL", repository).to_dict(as_series=False)


def test_two_at_once_both_land(tmp_path, repository):
    folders = [submission(tmp_path / name, name) for name in ("first-model", "second-one", "third")]
    with ThreadPoolExecutor() as pool:
        landed = list(pool.map(lambda folder: calibench_data.open_submission(folder, repository, yes=True), folders))
    assert sorted(one.version for one in landed) == ["1.1.0", "1.2.0", "1.3.0"]
    assert calibench_data.verify(repository) == []
    models = calibench_data.sql("SELECT model FROM models", repository)["model"].to_list()
    assert {"first-model", "second-one", "third"} <= set(models)


def test_words_of_the_card_survive_and_a_card_edited_by_hand_is_told(tmp_path, repository):
    folder = submission(tmp_path / "mine")
    card = repository / "README.md"
    card.write_text(card.read_text("utf-8") + "By hand.\n", "utf-8")
    before = contents(repository)
    with pytest.raises(calibench_data.CalibenchError, match=r"README\.md: has \d+ bytes; allowed: \d+ bytes"):
        calibench_data.open_submission(folder, repository, yes=True)
    assert contents(repository) == before


def test_a_name_that_was_withdrawn_can_come_back_with_other_votes(tmp_path, repository):
    calibench_data.open_submission(submission(tmp_path / "one"), repository, yes=True)
    calibench_data.withdraw("my-model", repository, yes=True)
    again = submission(tmp_path / "two", rows=votes(scenes(), seed=1))
    revised = calibench_data.open_submission(again, repository, yes=True)
    assert "data/votes/my-model~2.parquet" in [file.path for file in revised.files]
    assert calibench_data.verify(repository) == []
    assert len(calibench_data.log(repository)) == 4


def test_only_what_was_submitted_can_be_withdrawn(repository):
    with pytest.raises(calibench_data.CalibenchError, match="came with the benchmark"):
        calibench_data.withdraw("veo-3.1", repository, yes=True)
    with pytest.raises(calibench_data.CalibenchError, match=r"is no model of version 1\.0\.0"):
        calibench_data.withdraw("my-model", repository, yes=True)


def test_what_is_not_comparable_stands_in_the_table(tmp_path, repository):
    folder = submission(tmp_path / "mine")
    toml = folder / "submission.toml"
    toml.write_text(toml.read_text("utf-8").replace('edition = "paper"', 'edition = "open"'), "utf-8")
    calibench_data.open_submission(folder, repository, yes=True)
    note = calibench_data.sql("SELECT note FROM models WHERE model = 'my-model'", repository).item()
    assert "prompts of the open edition" in note
