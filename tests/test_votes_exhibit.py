"""Agreement of repeated readings, from rows of the votes table worked out by hand."""

import pyarrow as pa
import pytest
from calibench_data.cards.exhibits import EXHIBITS
from calibench_data.cards.results import Results
from calibench_data.queries.connection import open_connection
from calibench_data.release.manifest import EMBEDDED, read_release

from calibench_data.schema import TABLES, arrow_schema


def _votes(readings, videos=None):
    rows = []
    videos = videos or [f"calibench/main/ball_fork/wan-2.7/{seed}" for seed in range(len(readings))]
    for video, answers in zip(videos, readings, strict=True):
        for attempt, answer in enumerate(answers, start=1):
            status = answer if answer in ("null", "error") else "outcome"
            row = dict.fromkeys(TABLES["votes"].names)
            row.update(video=video, reader="vlm", attempt=attempt, status=status)
            row["outcome"] = answer if status == "outcome" else None
            rows.append(row)
    return pa.Table.from_pylist(rows, schema=arrow_schema(TABLES["votes"]))


READINGS = [
    ("left", "left", "left"),
    ("left", "left", "right"),
    ("null", "null", "null"),
    ("right", "right", "error"),
    ("left", "right", "null"),
    ("left", "null", "null"),
    ("left", "left", "null"),
]


@pytest.fixture
def connection():
    with open_connection(read_release(EMBEDDED).parts(), {"votes": _votes(READINGS)}) as opened:
        yield opened


def test_majorities_by_hand(connection):
    found = connection.execute(
        "SELECT seed, answered, errors, status, outcome FROM majorities ORDER BY seed"
    ).fetchall()
    assert found == [
        (0, 3, 0, "outcome", "left"),
        (1, 3, 0, "outcome", "left"),
        (2, 3, 0, "null", None),
        (3, 2, 1, "incomplete", None),  # two alike are no majority of three: the third may never be guessed
        (4, 3, 0, "null", None),  # a tie
        (5, 3, 0, "null", None),  # null is a candidate, and wins
        (6, 3, 0, "outcome", "left"),
    ]


def test_readers_beside_labels(connection):
    query = "SELECT video, outcome FROM labels WHERE scene = 'dice' ORDER BY video LIMIT 4"
    labels = connection.execute(query).fetchall()
    other = {"1": "2"}.get(labels[2][1], "1")
    readings = [(labels[0][1],) * 3, (labels[1][1],) * 3, (other,) * 3, (labels[3][1], labels[3][1], "error")]
    parts = read_release(EMBEDDED).parts()
    with open_connection(parts, {"votes": _votes(readings, [video for video, _ in labels])}) as opened:
        exhibit = EXHIBITS["readers"](Results(opened))
    assert {one.measure: one.value for one in exhibit.figures}["vlm/agreement"] == pytest.approx(2 / 3)
    assert [entry.text for entry in exhibit.grid.rows[0]][2::2] == ["2/3", "1"]


@pytest.fixture
def figures():
    with open_connection(read_release(EMBEDDED).parts(), {"votes": _votes(READINGS[:4])}) as opened:
        exhibit = EXHIBITS["votes"](Results(opened))
    assert {one.item for one in exhibit.figures} == {"ball_fork"}
    return {one.measure.removeprefix("vlm/"): one.value for one in exhibit.figures}


def test_null_is_an_answer_and_an_error_is_missing(figures):
    # Of the three complete videos two are unanimous, the one that is null throughout among them.
    assert figures["unanimous"] == pytest.approx(2 / 3)
    assert figures["missing_votes"] == 1


def test_fleiss_kappa_by_hand(figures):
    # Complete videos: P = (1 + 1/3 + 1) / 3; shares left 5/9, right 1/9, null 3/9.
    observed, expected = (1 + 1 / 3 + 1) / 3, (5 / 9) ** 2 + (1 / 9) ** 2 + (3 / 9) ** 2
    assert figures["fleiss_kappa"] == pytest.approx((observed - expected) / (1 - expected))


def test_krippendorff_alpha_by_hand(figures):
    # Eleven readings: left 5, right 3, null 3. Disagreeing pairs within a video: only (left, left, right) has them,
    # 4 ordered pairs of weight 1/(3 - 1); expected: ordered pairs of unlike readings over 11 * 10.
    observed = (4 / 2) / 11
    expected = (11**2 - 5**2 - 3**2 - 3**2) / (11 * 10)
    assert figures["krippendorff_alpha"] == pytest.approx(1 - observed / expected)


def test_without_votes_the_exhibit_says_why():
    with open_connection(read_release(EMBEDDED).parts()) as opened:
        for number in ("votes", "readers"):
            exhibit = EXHIBITS[number](Results(opened))
            assert exhibit.figures == ()
            assert "These data hold no votes" in exhibit.grid.notes[-1]
