"""Only scores of the same protocol compare: what is recorded, printed, and ranked."""

import hashlib
import json
import shutil

import pyarrow.parquet as pq
import pytest
from calibench_data.release.manifest import EMBEDDED, read_release
from calibench_data.release.validate import check_tables
from submissions import submission

import calibench_data
from calibench_data.schema import TABLES

OWN = "SELECT DISTINCT protocol FROM protocols WHERE benchmark = 'calibench'"


@pytest.fixture
def repository(tmp_path):
    """The embedded release, and a model whose prompts and frames are of our edition."""
    repository = shutil.copytree(EMBEDDED, tmp_path / "repository")
    folder = submission(tmp_path / "mine")
    toml = folder / "submission.toml"
    toml.write_text(toml.read_text("utf-8").replace('edition = "paper"', 'edition = "open"'), "utf-8")
    calibench_data.open_submission(folder, repository, yes=True)
    return repository


def test_the_released_models_share_one_protocol_that_the_release_names():
    assert dict(read_release(EMBEDDED).protocols)["calibench"] == calibench_data.sql(OWN).item()
    counts = calibench_data.sql(
        "SELECT (SELECT attempts FROM benchmarks WHERE benchmark = 'calibench'), min(attempts), max(attempts), "
        "count(*) FROM protocols WHERE benchmark = 'calibench'"
    )
    assert counts.row(0) == (3, 3, 3, 6)


def test_the_digest_follows_from_the_other_columns_by_hand():
    found = {one.field: one.value for one in calibench_data.protocol()}
    lines = (
        f"benchmark: calibench\nscenes_sha256: {found['scenes_sha256']}\nseeds: 0-31\nattempts: 3\n"
        "reader: gemini-3.1-pro-preview\nevidence: protocol\nframe_edition: paper\nframes_sha256: \n"
        "prompt_edition: paper\nprompts_sha256: "
    )
    assert found["protocol"] == hashlib.sha256(lines.encode()).hexdigest()


def test_the_digest_of_the_scenes_follows_from_their_rows():
    rows = calibench_data.sql(
        "SELECT concat_ws(chr(9), scene, readout) AS line FROM scenes WHERE benchmark = 'calibench' UNION ALL "
        "SELECT concat_ws(chr(9), scene, outcome, numerator, denominator) FROM distributions "
        "WHERE benchmark = 'calibench'"
    )
    digest = hashlib.sha256("\n".join(sorted(rows["line"])).encode()).hexdigest()
    assert calibench_data.protocol()[1].value == digest


def test_a_row_whose_digest_does_not_follow_is_a_fault():
    rows = {}
    for name, paths in read_release(EMBEDDED).parts().items():
        if name in ("scenes", "models", "protocols"):
            rows[name] = [(str(path), pq.read_table(path, partitioning=None)) for path in paths]
    (_, table), place = rows["protocols"][0], TABLES["protocols"].names.index("reader")
    other = table.set_column(place, table.schema.field(place), [["somebody"] * len(table)])
    assert check_tables(rows).total == 0
    rows["protocols"] = [("protocols", other)]
    problems = check_tables(rows).found()
    assert len(problems) == 6
    assert "the SHA-256 over the columns after it" in str(problems[0])


def test_another_protocol_is_recorded_listed_apart_and_moves_no_place(repository, run):
    assert calibench_data.verify(repository) == []
    fields = {one.field: one for one in calibench_data.protocol("my-model", repo=repository)}
    differing = [name for name, one in fields.items() if not one.same]
    assert differing == ["protocol", "frame_edition", "frames_sha256", "prompt_edition", "prompts_sha256"]
    assert read_release(repository).protocols == read_release(EMBEDDED).protocols

    shown = json.loads(run("tables", "leaderboard", "--data", repository, "--format", "json", check=0).stdout)
    places = {row["item"]: row["value"] for row in shown if row["measure"] == "place"}
    assert places.pop("my-model") is None
    assert sorted(places.values()) == [1, 2, 3, 4, 5, 6]
    table = run("tables", "leaderboard", "--data", repository, check=0).stdout
    assert table.index("Another protocol, not ranked") < table.index("My Model 1.0  ")
    assert "My Model 1.0 does not compare: frame_edition open, not paper" in table
    (mntv,) = [line for line in run("tables", "4", "--data", repository, check=0).stdout.splitlines() if "mean" in line]
    assert mntv.count("*") == 1


def test_prompts_that_are_not_those_of_the_edition_are_another_protocol(tmp_path):
    folder = submission(tmp_path / "mine")
    toml = folder / "submission.toml"
    toml.write_text(toml.read_text("utf-8").replace('edition = "paper"', 'edition = "open"\nframes = "paper"'), "utf-8")
    path = folder / "votes.csv"
    lines = path.read_text("utf-8").splitlines()
    path.write_text("\n".join([lines[0] + ",prompt_sha256", *(f"{line},{'0' * 64}" for line in lines[1:])]), "utf-8")
    remarks = calibench_data.check_submission(folder).remarks
    assert any("prompts of the other edition" in remark for remark in remarks)
    assert any("other prompts than those of the open edition: " in remark for remark in remarks)


def test_two_are_compared_on_the_command_line(run):
    assert "Scores compare." in run("protocol", "veo-3.1", "wan-2.7", check=0).stdout
    assert "has no row in the table protocols" in run("protocol", "nobody", check=1).stderr
