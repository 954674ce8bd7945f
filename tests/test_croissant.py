"""croissant.json: valid for the reference implementation, and the same rows come through it."""

import json
import math
import shutil
import warnings

import pytest
from calibench_data.cards.croissant import croissant
from calibench_data.release.manifest import EMBEDDED
from submissions import submission

import calibench_data
from calibench_data.schema import TABLES

READ = ("scenes", "distributions", "models", "conditions", "labels", "published")


@pytest.fixture(scope="module")
def dataset(built):
    return opened(built)


def opened(root):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # mlcroissant uses what its own libraries call deprecated
        import mlcroissant

        return mlcroissant.Dataset(root / "croissant.json")


def records(dataset, name):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [
            {field.partition("/")[2]: plain(value) for field, value in row.items()} for row in dataset.records(name)
        ]


def plain(value):
    """A value as Python has it: mlcroissant gives texts as bytes and numbers as numpy's."""
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, list):
        return [plain(one) for one in value]
    value = value.item() if hasattr(value, "item") else value
    return None if isinstance(value, float) and math.isnan(value) else value


def test_no_issue_is_found(dataset):
    issues = dataset.metadata.ctx.issues
    assert not issues.errors
    assert not issues.warnings, issues.report()


def test_fields_are_the_declared_columns(dataset):
    import numpy as np

    kinds = {"string": bytes, "strings": bytes, "integer": np.int64, "integers": np.int64, "number": np.float64}
    found = {records.uuid: records for records in dataset.metadata.record_sets}
    filled = [name for name in TABLES if (EMBEDDED / "data" / name).exists()]
    assert list(found) == filled
    for name in filled:
        fields = {field.name: field for field in found[name].fields}
        assert list(fields) == TABLES[name].names
        for column in TABLES[name].columns:
            if column.kind in kinds:
                assert fields[column.name].data_type in (kinds[column.kind], *([str] if column.kind[0] == "s" else []))
            assert bool(fields[column.name].is_array) == (column.kind in ("strings", "integers"))


@pytest.mark.parametrize("name", READ)
def test_the_same_rows(dataset, name):
    columns = ", ".join(TABLES[name].names)
    expected = calibench_data.sql(f"SELECT {columns} FROM {name}").to_dicts()
    got = records(dataset, name)
    key = TABLES[name].key
    assert len(got) == len(expected)
    assert {tuple(row[k] for k in key): row for row in got} == {tuple(row[k] for k in key): row for row in expected}


def test_the_rows_of_a_landed_submission_and_not_those_of_a_withdrawn_one(tmp_path, built):
    repo = shutil.copytree(built, tmp_path / "repo")
    calibench_data.open_submission(submission(tmp_path / "mine"), repo, yes=True)
    assert "my-model" in {row["model"] for row in records(opened(repo), "models")}
    assert len(records(opened(repo), "votes")) == 9 * 32 * 3
    assert json.loads((repo / "croissant.json").read_text("utf-8"))["version"] == "1.1.0"
    calibench_data.withdraw("my-model", repo, yes=True)
    assert (repo / "data/models/my-model.parquet").exists()
    assert "my-model" not in {row["model"] for row in records(opened(repo), "models")}
    assert json.loads((repo / "croissant.json").read_text("utf-8"))["version"] == "1.2.0"


def test_every_table_can_be_described(tmp_path):
    parts = {name: {f"data/{name}/a.parquet": 1} for name in TABLES}
    (tmp_path / "croissant.json").write_text(croissant(parts, "1.0.0", "2026-01-31"), "utf-8")
    assert not opened(tmp_path).metadata.ctx.issues.errors
    assert croissant(parts, "1.0.0", "2026-01-31") == croissant(dict(reversed(parts.items())), "1.0.0", "2026-01-31")
