"""Fixtures: the model to test against, and a release in which three rollouts make a cell."""

import csv

import pytest

from .server import serve

# A scene of PAWBench, for a release that has none of them.
Y_TRACK = {
    "benchmark": "pawbench",
    "scene": "A-07",
    "position": None,
    "title": "Y-track branch",
    "track": "calibration",
    "family": "routing",
    "readout": "video",
    "rollouts": 50,
    "outcomes": ["left_path", "right_path"],
}


@pytest.fixture
def model(monkeypatch):
    """A model of the test's own; the environment of this process says where it is."""
    with serve() as server:
        for name, value in server.environment().items():
            monkeypatch.setenv(name, value)
        monkeypatch.delenv("GOOGLE_API_KEY", raising=False)
        yield server


@pytest.fixture(scope="session")
def small_release(tmp_path_factory):
    """A dataset repository whose cells have three rollouts each: the released seeds 0 to 2."""
    import pyarrow as pa
    import pyarrow.compute as pc
    from calibench_data.builders import build_tables
    from calibench_data.release.write import write_release

    def less(name, rows):
        if name == "scenes":
            at = rows.schema.get_field_index("rollouts")
            return rows.set_column(at, rows.schema.field(at), pa.array([3] * rows.num_rows, pa.int64()))
        return rows.filter(pc.less(rows["seed"], 3)) if "seed" in rows.schema.names else rows

    built = build_tables()
    built["scenes"].setdefault("pawbench", pa.Table.from_pylist([Y_TRACK], schema=built["scenes"]["calibench"].schema))
    tables = {name: {part: less(name, rows) for part, rows in parts.items()} for name, parts in built.items()}
    folder = tmp_path_factory.mktemp("small") / "release"
    write_release(folder, tables, {"README.md": "For tests."}, "1.0.0")
    return folder


def votes_of(folder, name="votes.csv"):
    """The rows of a file that `collect` wrote."""
    with (folder / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
