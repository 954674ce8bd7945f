"""PAWBench's gate, metric and averages in SQL, on a small roster counted by hand."""

import pytest
from paw_database import ERROR, ROSTER, good, opened


def rows(connection, view, columns, where="true"):
    return connection.execute(f"SELECT {columns} FROM {view} WHERE {where} ORDER BY ALL").fetchall()


def test_metrics_and_averages_by_hand():
    with opened(good()) as connection:
        assert rows(connection, "paw_scenes", "scene, status, readable, seen, metric") == [
            ("bar", "pass", 50, 2, 100),
            ("cat", "pass", 50, 2, pytest.approx(200 / 3)),
            ("coin", "pass", 50, 2, 0),
            ("egg", "pass", 50, 1, 50),
            ("fork", "pass", 50, 2, pytest.approx(30)),
            ("pencil", "pass", 50, 1, 0),
        ]
        assert rows(connection, "paw_families", "family, scenes, passing, metric") == [
            ("agent", 1, 1, pytest.approx(200 / 3)),
            ("material", 2, 2, 75),
            ("routing", 1, 1, pytest.approx(30)),
            ("tossing", 2, 2, 0),
        ]
        # The mean over the three scenes is 10; the mean of the two groups would be 15.
        assert rows(connection, "paw_tracks", "track, status, metric, spr") == [
            ("calibration", "pass", pytest.approx(10), 1),
            ("coverage", "pass", pytest.approx((200 / 3 + 150) / 3), 1),
        ]


def test_twenty_readable_of_fifty_pass_and_nineteen_fail():
    cells = good(fork=["left"] * 20 + [None] * 30, egg=["holds"] * 19 + [None] * 31)
    with opened(cells) as connection:
        assert rows(connection, "paw_scenes", "status, metric, nulls", "scene = 'fork'") == [("pass", 50, 30)]
        assert rows(connection, "paw_scenes", "status, metric, nulls", "scene = 'egg'") == [("fail", None, 31)]
        # A failing scene leaves the averages, not the denominator of the pass rate.
        assert rows(connection, "paw_families", "status, passing, metric", "family = 'material'") == [("pass", 1, 100)]
        (coverage,) = rows(connection, "paw_tracks", "metric, spr", "track = 'coverage'")
        assert coverage == (pytest.approx((200 / 3 + 100) / 2), pytest.approx(2 / 3))


def test_a_group_without_a_passing_scene_has_no_value():
    with opened(good(fork=[None] * 50)) as connection:
        assert rows(connection, "paw_families", "status, passing, metric", "family = 'routing'") == [("fail", 0, None)]
        assert rows(connection, "paw_tracks", "status, metric, spr", "track = 'calibration'") == [
            ("pass", 0, pytest.approx(2 / 3))
        ]
    nothing = dict.fromkeys(["coin", "pencil", "fork"], [None] * 50)
    with opened(good(**nothing)) as connection:
        assert rows(connection, "paw_tracks", "status, metric, spr", "track = 'calibration'") == [("fail", None, 0)]


@pytest.mark.parametrize(
    "fork",
    [["left"] * 49 + [ERROR], ["left"] * 49, [ERROR] + [None] * 49, ["left"] * 51, ["left"] * 50 + [ERROR], []],
    ids=str,
)
def test_a_failure_or_a_missing_row_blocks_its_model_and_track_only(fork):
    cells = {**good("ok"), **good("bad", fork=fork)}
    with opened(cells) as connection:
        assert rows(connection, "paw_scenes", "model, scene, metric", "status = 'blocked'") == [("bad", "fork", None)]
        blocked = rows(connection, "paw_tracks", "model, track, metric, spr", "status = 'blocked'")
        assert blocked == [("bad", "calibration", None, None)]
        # Every group of the track is withheld; the scenes keep their metric.
        assert rows(connection, "paw_families", "model, family", "metric IS NULL") == [
            ("bad", "routing"),
            ("bad", "tossing"),
        ]
        assert rows(connection, "paw_scenes", "count(metric)", "model = 'bad'") == [(5,)]


def test_an_error_is_no_null_and_a_missing_rollout_is_neither():
    with opened(good(fork=["left"] * 40 + [None] * 5 + [ERROR] * 3)) as connection:
        found = rows(connection, "paw_scenes", "asked, readable, nulls, errors", "scene = 'fork'")
        assert found == [(50, 40, 5, 3)]


def test_without_a_reference_there_is_no_average_but_a_pass_rate():
    roster = {**ROSTER, "coin": (*ROSTER["coin"][:3], None)}
    with opened(good(), roster) as connection:
        assert rows(connection, "paw_scenes", "scene, metric", "status = 'no-reference'") == [("coin", None)]
        assert rows(connection, "paw_families", "family, metric", "status = 'no-reference'") == [("tossing", None)]
        assert rows(connection, "paw_families", "metric", "family = 'routing'") == [(pytest.approx(30),)]
        (track,) = rows(connection, "paw_tracks", "status, metric, passing, spr", "track = 'calibration'")
        assert track == ("no-reference", None, 3, 1)
    # A scene that fails the gate needs no reference: it enters no average.
    with opened(good(coin=[None] * 50), roster) as connection:
        assert rows(connection, "paw_scenes", "status", "scene = 'coin'") == [("fail",)]
        assert rows(connection, "paw_families", "status, metric", "family = 'tossing'") == [("pass", 0)]


def test_conditions_stay_apart_and_scale_the_gate():
    short = [{"condition": "short", "rollouts": 5}]
    cells = {**good(), ("m", "coin", "short"): ["heads"] * 2 + [None] * 3, ("m", "cat", "short"): ["sits"] + [None] * 4}
    with opened(cells, conditions=short) as connection:
        found = rows(connection, "paw_scenes", "scene, status, asked", "condition = 'short' AND readable > 0")
        assert found == [("cat", "fail", 5), ("coin", "pass", 5)]
        assert rows(connection, "paw_tracks", "metric", "condition = 'main' AND track = 'calibration'") == [
            (pytest.approx(10),)
        ]


def test_a_vote_in_error_makes_no_outcome_and_no_null():
    votes = [
        {"video": f"pawbench/main/fork/m/{seed}", "reader": "r", "attempt": 1, "status": status, "outcome": outcome}
        for seed, (status, outcome) in enumerate([("outcome", "left"), ("null", None), ("error", None)])
    ]
    with opened(good(fork=["left", None, ERROR]), votes=votes) as connection:
        assert rows(connection, "majorities", "seed, status") == [(0, "outcome"), (1, "null"), (2, "incomplete")]
        found = rows(connection, "paw_scenes", "status, readable, nulls, errors", "scene = 'fork'")
        assert found == [("blocked", 1, 1, 1)]


def test_other_benchmarks_are_not_in_the_roster():
    with opened({}) as connection:
        assert rows(connection, "paw_scenes", "count(*)") == [(0,)]
