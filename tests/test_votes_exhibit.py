"""Agreement of repeated readings, from rows of the votes table worked out by hand."""

import pyarrow as pa
import pytest
from calibench_data.cards.exhibits import EXHIBITS
from calibench_data.cards.results import Results
from calibench_data.queries.connection import open_connection
from calibench_data.release.manifest import EMBEDDED, read_release

from calibench_data.schema import TABLES, arrow_schema


def _votes(readings):
    rows = []
    for seed, answers in enumerate(readings):
        for attempt, answer in enumerate(answers, start=1):
            status = answer if answer in ("null", "error") else "outcome"
            row = dict.fromkeys(TABLES["votes"].names)
            row.update(video=f"calibench/main/ball_fork/wan-2.7/{seed}", reader="vlm", attempt=attempt, status=status)
            row["outcome"] = answer if status == "outcome" else None
            rows.append(row)
    return pa.Table.from_pylist(rows, schema=arrow_schema(TABLES["votes"]))


@pytest.fixture
def figures():
    readings = [
        ("left", "left", "left"),
        ("left", "left", "right"),
        ("null", "null", "null"),
        ("right", "right", "error"),
    ]
    parts = read_release(EMBEDDED).parts()
    with open_connection(parts, {"votes": _votes(readings)}) as connection:
        exhibit = EXHIBITS["votes"](Results(connection))
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
    with open_connection(read_release(EMBEDDED).parts()) as connection:
        exhibit = EXHIBITS["votes"](Results(connection))
    assert exhibit.figures == ()
    assert "only majorities were released" in exhibit.grid.notes[-1]
