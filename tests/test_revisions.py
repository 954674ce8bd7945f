"""Revisions of a dataset repository: files are added, none released is changed, and every version stays loadable."""

import shutil

import pyarrow as pa
import pytest
from calibench_data.cards.dataset_card import dataset_card
from calibench_data.release.history import history, release_at
from calibench_data.release.local import LocalTarget
from calibench_data.release.manifest import read_release
from calibench_data.release.revise import add_part, drop_part, part_of_model
from calibench_data.release.target import MovedOnError

import calibench_data
from calibench_data import CalibenchError
from calibench_data.schema import TABLES, arrow_schema

DIE = ["1", "2", "3", "4", "5", "6"]


def rows_of(model, outcomes):
    """The tables of a model with one cell: dice, with these outcomes in seed order."""
    facts = {"benchmark": "calibench", "condition": "main", "scene": "dice", "model": model}
    videos = [
        {
            "video": f"calibench/main/dice/{model}/{seed}",
            **facts,
            "seed": seed,
            "outcome": outcome,
            "source": "submitted",
        }
        for seed, outcome in enumerate(outcomes)
    ]
    records = {
        "models": [{"benchmark": "calibench", "model": model, "title": model}],
        "videos": videos,
        "outcomes": videos,
    }
    made = {}
    for name, given in records.items():
        blank = dict.fromkeys(TABLES[name].names)
        kept = [{column: row.get(column) for column in blank} for row in given]
        made[name] = pa.Table.from_pylist(kept, schema=arrow_schema(TABLES[name]))
    return made


@pytest.fixture
def repository(built, tmp_path):
    return shutil.copytree(built, tmp_path / "repository")


def card(files):
    """The texts of a revision: the card, which names the files of each config."""
    parts = {}
    for file in files:
        parts.setdefault(file.table, {})[file.path] = file.rows
    return {"README.md": dataset_card(parts)}


def add(root, model, outcomes=DIE):
    target = LocalTarget(root)
    target.land(add_part(target.current(), model, rows_of(model, outcomes), card, f"add {model}"))
    return read_release(root)


def test_a_revision_adds_files_and_changes_none(repository):
    before = {path: path.read_bytes() for path in repository.rglob("*.parquet")}
    old = read_release(repository)
    new = add(repository, "mine")
    assert (new.dataset_version, new.parent) == ("1.1.0", old.digest)
    assert all(path.read_bytes() == data for path, data in before.items())
    assert calibench_data.verify(repository) == []
    counts = calibench_data.sql("SELECT counts FROM cells WHERE model = 'mine'", repository)
    assert counts.item().to_list() == [1] * 6


def test_every_version_stays_loadable(repository):
    add(repository, "mine")
    add(repository, "yours", DIE[::-1])
    assert [release.dataset_version for release in history(repository)] == ["1.2.0", "1.1.0", "1.0.0"]
    models = {
        version: set(calibench_data.load("models", revision=version, repo=repository)["model"])
        for version in ("1.0.0", "v1.1.0", "1.2.0")
    }
    assert models["v1.1.0"] - models["1.0.0"] == {"mine"}
    assert models["1.2.0"] - models["v1.1.0"] == {"yours"}
    assert calibench_data.sql("SELECT count(*) FROM models WHERE model = 'mine'", repository, "1.0.0").item() == 0


def test_a_version_that_never_was_names_those_that_were(repository):
    add(repository, "mine")
    with pytest.raises(CalibenchError, match=r"has no version '1\.9\.0'; allowed: 1\.1\.0, 1\.0\.0"):
        calibench_data.connect(repository, "1.9.0")


def test_withdrawing_gives_back_the_earlier_numbers(repository):
    before = calibench_data.sql("SELECT * FROM cells ORDER BY ALL", repository)
    add(repository, "mine")
    target = LocalTarget(repository)
    current = target.current()
    target.land(drop_part(current, part_of_model(current, "mine"), card, "withdraw mine"))
    assert calibench_data.sql("SELECT * FROM cells ORDER BY ALL", repository).equals(before)
    assert calibench_data.verify(repository) == []
    assert calibench_data.sql("SELECT count(*) FROM models WHERE model = 'mine'", repository, "1.1.0").item() == 1


def test_a_revision_made_for_another_release_does_not_land(repository):
    target = LocalTarget(repository)
    late = add_part(target.current(), "late", rows_of("late", DIE), lambda files: {}, "add late")
    add(repository, "first")
    with pytest.raises(MovedOnError):
        target.land(late)
    assert calibench_data.verify(repository) == []


def test_rows_that_break_a_rule_do_not_land(repository):
    target = LocalTarget(repository)
    with pytest.raises(CalibenchError, match="found '7'; allowed: an outcome of the scene"):
        add_part(target.current(), "mine", rows_of("mine", ["7"]), lambda files: {}, "add mine")
    assert read_release(repository).dataset_version == "1.0.0"


def test_an_earlier_manifest_that_was_changed_is_told(repository):
    add(repository, "mine")
    manifest = repository / "releases/1.0.0.json"
    manifest.write_bytes(manifest.read_bytes().replace(b"1.0.0", b"1.0.9", 1))
    assert any("releases/1.0.0.json" in str(problem) for problem in calibench_data.verify(repository))
    with pytest.raises(CalibenchError, match=r"releases/1\.0\.0\.json"):
        release_at(repository, "1.0.0")


def test_the_embedded_release_has_its_own_version():
    assert calibench_data.load("scenes", "1.0.0").num_rows >= 9
    with pytest.raises(CalibenchError, match="has no version"):
        calibench_data.load("scenes", "2.0.0")
    with pytest.raises(CalibenchError, match="no table 'scene'; there are scenes, distributions"):
        calibench_data.load("scene")
