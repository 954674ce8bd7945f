"""The counting views on toy rows counted by hand."""

import pyarrow as pa
import pytest
from calibench_data.queries.connection import open_connection

from calibench_data.schema import TABLES, arrow_schema


def table(name, rows):
    blank = dict.fromkeys(TABLES[name].names)
    return pa.Table.from_pylist([{**blank, **row} for row in rows], schema=arrow_schema(TABLES[name]))


def scene(name, outcomes, benchmark="calibench", track="calibration"):
    facts = {"title": name, "family": "toy", "readout": "video", "rollouts": 4, "track": track}
    return {"benchmark": benchmark, "scene": name, "outcomes": outcomes, **facts}


def reference(name, outcome, position, numerator, denominator):
    return {
        "benchmark": "calibench",
        "scene": name,
        "outcome": outcome,
        "position": position,
        "numerator": numerator,
        "denominator": denominator,
        "probability": numerator / denominator,
        "source": "symmetry",
    }


def rollout(scene, seed, outcome="unread", requested=None, benchmark="calibench"):
    facts = {"benchmark": benchmark, "condition": "main", "scene": scene, "model": "m", "seed": seed}
    video = f"{benchmark}/main/{scene}/m/{seed}"
    return {"video": video, **facts, "requested": requested, "outcome": outcome, "source": "votes"}


@pytest.fixture(scope="module")
def connection():
    rollouts = [
        *[rollout("coin", seed, outcome) for seed, outcome in enumerate(["heads", "heads", "heads", None])],
        rollout("coin", 4),
        *[rollout("die", seed, outcome, "b") for seed, outcome in enumerate(["b", "c", None])],
        rollout("die", 3, requested="b"),
        *[rollout("empty", seed, None) for seed in range(3)],
        *[rollout("cat", seed, outcome, benchmark="pawbench") for seed, outcome in enumerate(["sits", "sits"])],
    ]
    labels = [("coin", 0, "heads"), ("coin", 1, "tails"), ("coin", 2, None), ("coin", 3, "heads"), ("empty", 0, None)]
    replaced = {
        "scenes": table(
            "scenes",
            [
                scene("coin", ["heads", "tails"]),
                scene("die", ["a", "b", "c"]),
                scene("empty", ["heads", "tails"]),
                scene("cat", ["sits", "runs"], "pawbench", "coverage"),
            ],
        ),
        "distributions": table(
            "distributions",
            [
                *[reference("coin", outcome, i, 1, 2) for i, outcome in enumerate(["heads", "tails"], 1)],
                *[reference("empty", outcome, i, 1, 2) for i, outcome in enumerate(["heads", "tails"], 1)],
                reference("die", "a", 1, 1, 2),
                reference("die", "b", 2, 1, 4),
                reference("die", "c", 3, 1, 4),
            ],
        ),
        "videos": table(
            "videos", [{k: v for k, v in row.items() if k not in ("outcome", "source")} for row in rollouts]
        ),
        "outcomes": table("outcomes", [row for row in rollouts if row["outcome"] != "unread"]),
        "labels": table(
            "labels",
            [
                {
                    **{k: v for k, v in rollout(name, seed).items() if k != "requested"},
                    "annotator": "me",
                    "outcome": label,
                    "source": "collected",
                }
                for name, seed, label in [*labels, ("coin", 4, "heads")]
            ],
        ),
    }
    with open_connection({}, replaced) as opened:
        yield opened


def cell(connection, scene):
    result = connection.execute("SELECT * FROM cells WHERE scene = ?", [scene])
    names = [column[0] for column in result.description]
    (row,) = result.fetchall()
    return dict(zip(names, row, strict=True))


def test_an_unread_video_is_neither_valid_nor_null(connection):
    found = cell(connection, "coin")
    assert (found["rollouts"], found["unread"], found["valid"], found["nulls"]) == (4, 1, 3, 1)
    assert found["scorability"] == 3 / 4
    assert found["counts"] == [3, 0]
    assert found["tv"] == 0.5


def test_counts_stand_in_the_order_of_the_scene_zeros_included(connection):
    assert cell(connection, "die")["counts"] == [0, 1, 1]
    assert cell(connection, "die")["tv"] == pytest.approx(0.5 * (0.5 + 0.25 + 0.25))
    rows = connection.execute("SELECT outcome, n FROM cell_counts WHERE scene = 'die' ORDER BY position").fetchall()
    assert rows == [("a", 0), ("b", 1), ("c", 1)]


def test_a_cell_without_a_valid_rollout_has_no_tv(connection):
    found = cell(connection, "empty")
    assert (found["valid"], found["counts"], found["tv"], found["scorability"]) == (0, [0, 0], None, 0)


def test_a_scene_without_a_reference_has_no_tv(connection):
    found = cell(connection, "cat")
    assert (found["counts"], found["tv"]) == ([2, 0], None)


def test_nothing_is_lost_or_doubled(connection):
    (videos,) = connection.execute("SELECT count(*) FROM rollouts").fetchone()
    read, unread = connection.execute("SELECT sum(rollouts), sum(unread) FROM cells").fetchone()
    assert (videos, read, unread) == (14, 12, 2)
    counted = connection.execute(
        "SELECT cells.scene FROM cells WHERE list_sum(counts) <> valid OR valid + nulls <> rollouts"
    ).fetchall()
    assert counted == []


def test_agreement_by_hand(connection):
    result = connection.execute(
        "SELECT labels, unread, exact, label_valid, label_null, false_null, missed_null, wrong_label "
        "FROM agreement WHERE scene = 'coin'"
    ).fetchall()
    # seed 0 agrees; 1: heads against tails; 2: heads against null; 3: null against heads; 4 has no outcome.
    assert result == [(4, 1, 1, 3, 1, 1, 1, 1)]
    assert connection.execute("SELECT exact, label_null FROM agreement WHERE scene = 'empty'").fetchall() == [(1, 1)]


def test_compliance_and_confusion_by_hand(connection):
    assert connection.execute("SELECT requests, valid, complied, share FROM compliance").fetchall() == [(3, 2, 1, 0.5)]
    rows = connection.execute("SELECT outcome, n FROM confusion ORDER BY position NULLS LAST").fetchall()
    assert rows == [("a", 0), ("b", 1), ("c", 1), (None, 1)]


def test_a_view_gives_the_same_digits_each_time():
    import calibench_data

    with calibench_data.connect() as opened:
        once = opened.execute("SELECT * FROM cells ORDER BY ALL").fetchall()
        for _ in range(60):
            assert opened.execute("SELECT * FROM cells ORDER BY ALL").fetchall() == once
