"""The first published format of each table loads for ever; that of a later schema version is told apart."""

import hashlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from calibench_data.release import upgrade
from datasets import load_dataset

import calibench_data
from calibench_data.schema import TABLES, Column

FIXTURE = Path(__file__).parent / "fixtures" / "schema_v1"
DIGEST = "5ef8f5b398dfea2e276751622ae5e0613101f7b4617eda6c5406a187ae54f2f1"
ROWS = {
    "scenes": 1,
    "distributions": 6,
    "models": 2,
    "protocols": 2,
    "conditions": 2,
    "frames": 1,
    "prompts": 1,
    "videos": 4,
    "votes": 6,
    "outcomes": 4,
    "labels": 1,
    "published": 1,
}


def test_it_is_what_was_committed_and_no_later_package_made_it_anew():
    assert calibench_data.log(FIXTURE)[0].digest == DIGEST
    assert json.loads((FIXTURE / "release.json").read_text("utf-8"))["schema_version"] == 1
    assert set(ROWS) <= set(TABLES)


def test_it_verifies():
    assert calibench_data.verify(FIXTURE) == []


@pytest.mark.parametrize("table", ROWS)
def test_every_table_loads_by_sql_load_and_load_dataset(table, tmp_path):
    assert calibench_data.sql(f"SELECT count(*) FROM {table}", FIXTURE).item() == ROWS[table]
    loaded = calibench_data.load(table, repo=FIXTURE)
    assert (loaded.num_rows, loaded.column_names) == (ROWS[table], TABLES[table].names)
    plain = load_dataset(str(FIXTURE), table, split="train", cache_dir=str(tmp_path))
    assert plain.num_rows == ROWS[table]


def test_values_are_those_that_were_written():
    video, without = calibench_data.load("videos", "1.0.0", FIXTURE)
    assert video["video"] == "calibench/main/dice/first-model/0"
    assert (video["uri"], video["bytes"], video["fps"]) == ("https://example.org/0.mp4", 5, 24.0)
    assert (without["seed"], without["uri"], without["requested"]) == (1, None, None)
    vote = calibench_data.load("votes", repo=FIXTURE)[0]
    assert (vote["status"], vote["outcome"], vote["reply"]) == ("outcome", "6", "I see 6.")
    assert calibench_data.load("frames", repo=FIXTURE)[0]["image"].size == (1, 1)
    assert calibench_data.load("scenes", repo=FIXTURE)[0]["outcomes"] == ["1", "2", "3", "4", "5", "6"]


def test_views_tabulate_it():
    cells = "SELECT model, counts, valid, rollouts FROM cells ORDER BY model"
    assert calibench_data.sql(cells, FIXTURE).rows() == [
        ("first-model", [0, 0, 0, 0, 0, 1], 1, 2),
        ("second-model", [1, 1, 0, 0, 0, 0], 2, 2),
    ]
    assert calibench_data.sql("SELECT count(*) FROM cells", FIXTURE, "1.0.0").item() == 1
    majorities = calibench_data.sql("SELECT outcome, errors FROM majorities ORDER BY video", FIXTURE)
    assert majorities["errors"].to_list() == [1, 1]


def test_the_versions_of_it_are_known():
    assert [(one.version, one.rows.get("videos")) for one in calibench_data.log(FIXTURE)] == [
        ("1.1.0", 2),
        ("1.0.0", 2),
    ]


@pytest.fixture
def later(tmp_path):
    """The fixture with a column more in one file of `models`, as a later schema version might add it."""
    root = shutil.copytree(FIXTURE, tmp_path / "later")
    path = root / "data/models/second-model.parquet"
    rows = pq.read_table(path, partitioning=None)
    pq.write_table(rows.append_column("licence", pa.array(["MIT"])), path)
    content = json.loads((root / "release.json").read_text("utf-8"))
    (entry,) = [entry for entry in content["files"] if entry["path"] == "data/models/second-model.parquet"]
    entry |= {"sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "bytes": path.stat().st_size}
    del content["digest"]
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    text = json.dumps({**content, "digest": digest}, indent=2, ensure_ascii=False) + "\n"
    (root / "release.json").write_text(text, "utf-8", newline="\n")
    return root


def test_a_file_of_a_later_schema_version_is_an_error_that_says_what_to_do(later):
    message = "install a package as new as the data"
    with pytest.raises(calibench_data.CalibenchError, match=f"unknown column 'licence'.*{message}"):
        calibench_data.load("models", repo=later)
    with pytest.raises(calibench_data.CalibenchError, match=f"table models does not fit.*licence.*{message}"):
        calibench_data.sql("SELECT * FROM models", later)
    found = [str(problem) for problem in calibench_data.verify(later)]
    assert any("second-model.parquet: has the unknown column 'licence'" in line and message in line for line in found)


def test_a_later_package_reads_files_of_both_versions_together(later, monkeypatch):
    licence = Column("licence", "string", "of the weights", True)
    table = TABLES["models"]
    monkeypatch.setitem(TABLES, "models", replace(table, columns=(*table.columns, licence)))
    monkeypatch.setattr(upgrade, "ADDED_LATER", {"models": frozenset({"licence"})})
    asked = calibench_data.sql("SELECT model, licence FROM models ORDER BY model", later)
    assert asked.rows() == [("first-model", None), ("second-model", "MIT")]
    assert calibench_data.load("models", repo=later)["licence"] == [None, "MIT"]
    assert calibench_data.load("models", repo=FIXTURE)["licence"] == [None, None]
    assert calibench_data.verify(FIXTURE) == []
