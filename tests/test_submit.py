"""From nothing to a model among the released ones."""

import json

import pytest
from submissions import fill, scenes, submission, votes, write

import calibench_data
from calibench_data.submitting import check_submission, new_submission


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
    (found,) = check_submission(folder).remarks
    assert remark in found


def test_new_refuses_names_and_folders_that_are_taken(tmp_path):
    with pytest.raises(calibench_data.CalibenchError, match=r"'wan-2\.7' is released already"):
        new_submission(tmp_path / "mine", "wan-2.7")
    assert not (tmp_path / "mine").exists()
    new_submission(tmp_path / "mine", "my-model")
    with pytest.raises(calibench_data.CalibenchError, match="is there already"):
        new_submission(tmp_path / "mine", "my-model")
