"""`calibench paw score`: the rules of the benchmark on files, and faults that must not hide other models' results."""

import json
import math
from itertools import chain

import paw_release
import polars as pl
import pytest
from paw_release import ROSTER, judged, save

import calibench_data

LOST = TimeoutError()
KEYS = ["level", "model", "track", "family", "scene", "status", "readable", "nulls", "errors", "metric", "spr"]


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    return paw_release.write(tmp_path_factory.mktemp("paw") / "release")


@pytest.fixture
def score(release, tmp_path):
    def score(rows, name="rows.jsonl", **settings):
        return calibench_data.paw_score(save(tmp_path / name, rows), release, **settings)

    return score


def tracks(scores):
    return {(one.model, one.track): (one.status, one.metric, one.spr) for one in scores.tracks}


def scene(scores, name, model="m"):
    (one,) = [one for one in scores.scenes if (one.scene, one.model) == (name, model)]
    return one


def test_the_json_has_exactly_the_keys_that_were_promised(run, release, tmp_path):
    path = save(tmp_path / "rows.jsonl", judged())
    found = json.loads(run("paw", "score", path, "--data", release, "--format", "json", check=0).stdout)
    assert all(list(one) == KEYS for one in found)
    assert [one["level"] for one in found] == ["scene"] * 50 + ["family"] * 8 + ["track"] * 2
    assert {one["family"] for one in found if one["level"] == "track"} == {None}
    assert {one["scene"] for one in found if one["level"] != "scene"} == {None}
    by_scene = {one["scene"]: one for one in found if one["level"] == "scene"}
    assert list(by_scene) == list(ROSTER)
    assert by_scene["A-tossing-1"] == dict(
        zip(KEYS, ["scene", "m", "calibration", "tossing", "A-tossing-1", "pass", 50, 0, 0, None, None], strict=True),
        metric=pytest.approx(100 * 0.5 * (1 / 150 + 1 / 150 + 2 / 150)),  # 17, 17, 16 of 50 against thirds
    )
    assert found[-1]["spr"] == 1
    assert found[-1]["metric"] == 100


def test_the_track_average_is_the_mean_over_scenes_not_over_groups(score):
    """By hand: all four draws always give one outcome of 2 to 5: TVD 50, 66.7, 75, 80; all else is exact or nearly."""
    always = {f"A_draw_{i}": ["draw_a"] * 50 for i in range(4)}
    exact = {
        name.replace("-", "_"): [outcomes[0], outcomes[1]] * 25
        for name, (track, family, outcomes) in ROSTER.items()
        if track == "calibration" and family != "draw" and len(outcomes) == 2
    }
    scores = score(judged(**always, **exact))
    draw = (50 + 200 / 3 + 75 + 80) / 4
    families = {one.family: one.metric for one in scores.families if one.track == "calibration"}
    assert families["draw"] == pytest.approx(draw)
    by_scene = [one.metric for one in scores.scenes if one.track == "calibration"]
    average = tracks(scores)["m", "calibration"][1]
    assert average == pytest.approx(math.fsum(by_scene) / 25)
    assert average == pytest.approx((4 * draw + sum(by_scene[:21])) / 25)
    assert abs(average - sum(families.values()) / 4) > 5


def test_twenty_readable_of_fifty_pass_nineteen_fail_and_thirty_nulls_pass(score):
    passing, failing = ["tossing_a"] * 20 + [None] * 30, ["tossing_a"] * 19 + [None] * 31
    scores = score(judged(A_tossing_0=passing, A_tossing_4=failing))
    assert (scene(scores, "A-tossing-0").status, scene(scores, "A-tossing-0").metric) == ("pass", 50)
    assert (scene(scores, "A-tossing-4").status, scene(scores, "A-tossing-4").metric) == ("fail", None)
    assert tracks(scores)["m", "calibration"][2] == 24 / 25


@pytest.mark.parametrize(
    "lost", [["routing_a"] * 49 + [LOST], ["routing_a"] * 49, []], ids=["failed", "missing", "all"]
)
def test_one_failure_blocks_its_model_and_track_only(score, run, release, tmp_path, lost):
    rows = judged("bad", A_routing_0=lost) + judged("good")
    scores = score(rows)
    found = tracks(scores)
    assert found["bad", "calibration"] == ("blocked", None, None)
    assert found["bad", "coverage"][2] == 1
    assert found["good", "calibration"][2] == 1
    assert all(one.metric is None for one in scores.families if (one.model, one.track) == ("bad", "calibration"))
    blocked = scene(scores, "A-routing-0", "bad")
    assert (blocked.readable, blocked.errors, blocked.missing) == (
        len(lost) - (LOST in lost),
        LOST in lost,
        50 - len(lost),
    )
    done = run("paw", "score", tmp_path / "rows.jsonl", "--data", release, check=0)
    (line,) = [line for line in done.stderr.splitlines() if "blocked" in line]
    assert line.startswith("bad: calibration has no averages and no SPR, blocked by A-routing-0 (")


def test_without_a_reference_no_average_and_a_line_that_says_what_to_import(run, tmp_path):
    folder = paw_release.write(tmp_path / "release", unknown=("A-rotation-0",))
    path = save(tmp_path / "rows.jsonl", judged())
    done = run("paw", "score", path, "--data", folder, "--format", "json", check=0)
    found = {(one["level"], one["family"] or one["track"], one["scene"]): one for one in json.loads(done.stdout)}
    assert found["scene", "rotation", "A-rotation-0"]["status"] == "no-reference"
    for level, name in (("family", "rotation"), ("track", "calibration")):
        assert (found[level, name, None]["status"], found[level, name, None]["metric"]) == ("no-reference", None)
    assert found["track", "calibration", None]["spr"] == 1
    assert found["family", "routing", None]["metric"] is not None
    assert "A-rotation-0" in done.stderr
    assert "calibench build --pawbench DIR" in done.stderr
    # A failing scene enters no average, so its reference is not needed.
    scores = calibench_data.paw_score(save(path, judged(A_rotation_0=[None] * 50)), folder)
    assert tracks(scores)["m", "calibration"] == ("pass", pytest.approx(tracks(scores)["m", "calibration"][1]), 24 / 25)


def test_the_views_give_the_same(score, release):
    """The rules are in SQL once; what the file gives them instead of `cells` must be what `cells` would be."""
    rows = judged(nulls=13, A_draw_2=["draw_a", None] * 25, B_agent_3=["agent_b"] * 50)
    fast = score(rows)
    outcomes = [
        {
            "benchmark": "pawbench", "condition": "main", "scene": row["scene_id"], "model": "m",
            "seed": row["repeat_index"], "outcome": row.get("outcome_label"), "source": "votes",
            "video": f"pawbench/main/{row['scene_id']}/m/{row['repeat_index']}", "requested": None,
        }
        for row in rows
    ]  # fmt: skip
    from calibench_data.builders.source_files import arrow_table
    from calibench_data.queries.connection import open_connection
    from calibench_data.queries.paw import read_paw
    from calibench_data.release.opening import open_release

    from calibench_data.schema import TABLES

    made = arrow_table(TABLES["outcomes"], [{name: row[name] for name in TABLES["outcomes"].names} for row in outcomes])
    videos = arrow_table(
        TABLES["videos"], [{name: row.get(name) for name in TABLES["videos"].names} for row in outcomes]
    )
    parts = {name: open_release(release, None).parts()[name] for name in ("scenes", "distributions")}
    with open_connection(parts, {"outcomes": made, "videos": videos}) as connection:
        slow = read_paw(connection)
    for one, other in zip((*fast.scenes, *fast.families, *fast.tracks), chain.from_iterable(slow), strict=True):
        assert one.metric == pytest.approx(other.metric, abs=1e-12)
        assert {**vars(one), "metric": 0} == {**vars(other), "metric": 0}


def test_every_format_gives_the_same_scores(score, release, tmp_path):
    rows = judged("a", nulls=7, A_draw_2=["draw_a"] * 48 + [LOST, None]) + judged("b")
    statuses = {"outcome": "outcome", "null_observation": "null"}
    wanted = score(rows)
    assert score(rows, "rows.json").scenes == wanted.scenes
    table = pl.DataFrame(
        {
            "scene": [row["scene_id"] for row in rows],
            "model": [row["model_or_lane"] for row in rows],
            "seed": [row["repeat_index"] for row in rows],
            "status": [statuses.get(row["observation"], "error") for row in rows],
            "outcome": [row.get("outcome_label") for row in rows],
        }
    )
    table.write_csv(tmp_path / "votes.csv")
    table.write_ndjson(tmp_path / "votes.jsonl")
    table.write_parquet(tmp_path / "votes.parquet")
    for ending in ("csv", "jsonl", "parquet"):
        assert calibench_data.paw_score(tmp_path / f"votes.{ending}", release).scenes == wanted.scenes
    # A table of outcomes leaves the video out whose reading failed: it is missing then, and blocks as well.
    read = table.filter(pl.col("status") != "error").drop("status")
    read.write_csv(tmp_path / "outcomes.csv")
    found = calibench_data.paw_score(tmp_path / "outcomes.csv", release)
    assert tracks(found) == tracks(wanted)
    assert (scene(found, "A-draw-2", "a").errors, scene(found, "A-draw-2", "a").missing) == (0, 1)
    video = pl.format("pawbench/main/{}/{}/{}", "scene", "model", "seed").alias("video")
    table.select(video, "status", "outcome", attempt=pl.lit(1)).write_parquet(tmp_path / "ours.parquet")
    assert calibench_data.paw_score(tmp_path / "ours.parquet", release).scenes == wanted.scenes


def test_a_model_in_another_condition_is_another_lane(release, tmp_path):
    rows = [("main", row) for row in judged()] + [("pe", row) for row in judged(A_draw_0=["draw_a"] * 50)]
    frame = pl.DataFrame(
        {
            "condition": [condition for condition, _ in rows],
            "scene": [row["scene_id"] for _, row in rows],
            "model": ["m"] * len(rows),
            "seed": [row["repeat_index"] for _, row in rows],
            "outcome": [row["outcome_label"] for _, row in rows],
        }
    )
    frame.write_csv(tmp_path / "outcomes.csv")
    scores = calibench_data.paw_score(tmp_path / "outcomes.csv", release)
    assert [scene(scores, "A-draw-0", model).metric for model in ("m", "m+pe")] == [0, 50]


def test_other_settings_are_marked(score, run, release, tmp_path):
    stricter = score(judged(nulls=25), least_readable=30)
    assert not stricter.comparable
    assert tracks(stricter)["m", "calibration"] == ("fail", None, 0)
    assert score(judged(nulls=25)).comparable
    ten = [row for row in judged(nulls=0) if row["repeat_index"] < 10]
    scores = score(ten, rollouts=10)
    assert (scores.least_readable, tracks(scores)["m", "coverage"][2]) == (4, 1)
    done = run("paw", "score", save(tmp_path / "ten.jsonl", ten), "--rollouts", 10, "--data", release, check=0)
    assert "not comparable with published figures" in done.stderr
    assert "NOT the benchmark's own settings" in done.stdout
    for wrong in (("--rollouts", 0), ("--least-readable", 51), ("--rollouts", 10, "--least-readable", 11)):
        assert run("paw", "score", tmp_path / "ten.jsonl", *wrong, "--data", release).returncode == 2


def test_what_an_audit_says_or_fails_to_say_changes_nothing(score):
    """A malformed audit throws away no outcome."""
    audits = [None, "no JSON {", ["action"], {"action": None}, 3.5, {"action": {"deep": [1, "two", {}]}}]
    rows = judged()
    spoilt = [{**row, "trustworthiness_audit": audits[i % 6], "note": [i, "x"][i % 2]} for i, row in enumerate(rows)]
    assert score(spoilt).scenes == score(rows).scenes
    assert score(spoilt).total == 0
