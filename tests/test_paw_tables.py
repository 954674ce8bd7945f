"""PAWBench's tables from released rows and from a file; every printed figure recomputed or explained."""

import json
from collections import Counter
from math import comb

import numpy as np
import paw_database
import paw_release
import pytest
import scipy.stats
from calibench_data.cards.paw import PAW_EXHIBITS
from calibench_data.cards.paw.arithmetic import REASONS, derived
from calibench_data.cards.paw.results import read_results
from paw_release import judged, save

import calibench_data
from calibench_data import CalibenchError, stats

# Table 11 of the paper, left/right/invalid, typed in here; and Table 5, which follows from it.
TABLE_11 = {
    "upright-pencil": "16/33/1 0/36/14 12/25/13 25/9/16 48/1/1 45/0/5",
    "left-leaning-pencil": "27/19/4 1/35/14 17/17/16 30/7/13 50/0/0 48/0/2",
}
TABLE_5 = {
    "upright-pencil": "17.3 50.0 17.6 23.5 48.0 50.0",
    "left-leaning-pencil": "41.3 97.2 50.0 18.9 0.0 0.0",
}
PROFILES = ["base", "lora-0", "lora-20", "lora-50", "lora-80", "lora-100"]


def figures(exhibits):
    return {(one.exhibit, one.item, one.measure): one for exhibit in exhibits for one in exhibit.figures}


@pytest.fixture(scope="module")
def compared():
    return calibench_data.reproduce(paper="pawbench")


@pytest.fixture(scope="module")
def released():
    return figures(calibench_data.tables(list(PAW_EXHIBITS), paper="pawbench"))


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    return paw_release.write(tmp_path_factory.mktemp("paw") / "release")


def test_table_5_from_table_11_is_12_of_12(released):
    for item, texts in TABLE_5.items():
        for profile, text, cell in zip(PROFILES, texts.split(), TABLE_11[item].split(), strict=True):
            left, right, invalid = map(int, cell.split("/"))
            assert released["5", item, f"{profile}/tvd"].printed == text
            reference = 0.5 if item == "upright-pencil" else 1
            assert released["5", item, f"{profile}/tvd"].value == pytest.approx(
                100 * abs(left / (left + right) - reference)
            )
            found = [released["11", item, f"{profile}/{name}"].value for name in ("left", "right", "invalid")]
            assert found == [left, right, invalid]


def test_all_511_printed_figures_are_recomputed_or_say_why_not(compared):
    assert len(compared) == len({(one.exhibit, one.item, one.measure) for one in compared}) == 511
    verdicts = Counter(one.verdict for one in compared)
    assert verdicts == {"as printed": 146, "within rounding of the inputs": 3, "not computable": 362}
    assert all(one.note == REASONS[one.exhibit] for one in compared if one.verdict == "not computable")
    assert {one.exhibit for one in compared if one.verdict == "not computable"} == {
        "1", "2", "3", "4", "fig7", "8", "9", "appendix-c",
    }  # fmt: skip
    by_exhibit = Counter(one.exhibit for one in compared if one.holds)
    assert (by_exhibit["5"], by_exhibit["11"]) == (12, 36)
    # Every pass rate, and the average of every track whose scenes all pass.
    rates = [one for one in compared if one.measure.endswith("/spr")]
    assert len(rates) == 2 * (11 + 5 + 13 + 6)
    assert all(one.verdict == "as printed" for one in rates)
    complete = {(one.exhibit, one.item, one.measure.partition("/")[0]) for one in rates if one.printed == "100.0%"}
    averages = {"calibration": "calibration/tvd", "coverage": "coverage/coverage"}
    holding = {(one.exhibit, one.item, one.measure) for one in compared if one.holds}
    assert {(exhibit, item, averages[track]) for exhibit, item, track in complete} <= holding


def test_a_weighted_mean_by_hand(compared):
    (one,) = [
        one for one in compared if (one.exhibit, one.item, one.measure) == ("1", "happyhorse", "coverage/coverage")
    ]
    assert one.value == pytest.approx((9 * 45.0 + 4 * 36.8 + 8 * 49.0 + 4 * 58.3) / 25)
    assert (one.printed, one.recomputed) == ("47.1", "47.1")
    (rounded,) = [one for one in compared if (one.item, one.measure) == ("seedance-2", "calibration/tvd")]
    assert (rounded.printed, rounded.recomputed) == ("30.5", "30.6")
    assert rounded.value == pytest.approx(30.556)
    assert rounded.verdict == "within rounding of the inputs"


def test_a_figure_that_cannot_be_right_differs():
    printed = {("1", "m", "coverage/spr"): "90.0%", ("9", "low", "videos"): "10", ("9", "low", "exact_matches"): "5"}
    found = derived({**printed, ("9", "low", "agreement"): "51.0%"})
    assert found["1", "m", "coverage/spr"].printed in ("88.0%", "92.0%")
    assert found["9", "low", "agreement"].printed == "50.0%"
    from calibench_data.reporting import Comparison

    assert Comparison("1", "m", "x", "30.7", "30.6", 30.556, "from groups", 0.05).verdict == "differs"
    assert Comparison("1", "m", "x", "30.6", "30.6", 30.556, "from groups", 0.05).verdict == "as printed"


def test_the_command_reproduces_and_ends_with_0(run):
    done = run("reproduce", "--paper", "pawbench", "--format", "json", check=0)
    assert len(json.loads(done.stdout)) == 511
    assert "146 of 511 as printed" in done.stderr
    assert run("tables", "2", "--paper", "pawbench").returncode == 1


def test_table_1_prints_the_models_of_the_data_as_the_views_have_them(release, tmp_path):
    rows = judged("a", A_draw_0=["draw_a"] * 50) + judged("b", A_draw_0=[TimeoutError()] * 50)
    failing = {f"B_agent_{number}": [None] * 50 for number in range(8)}
    (exhibit,), scores = calibench_data.paw_tables(
        save(tmp_path / "rows.jsonl", rows + judged("c", **failing)), repo=release
    )
    found = figures([exhibit])
    for one in (*scores.tracks, *scores.families):
        measure = {"calibration": "tvd", "coverage": "coverage"}[one.track]
        assert found["1", one.model, f"{one.family or one.track}/{measure}"].value == one.metric
    assert found["1", "b", "draw/tvd"].printed == found["1", "b", "calibration/spr"].printed == "—"
    assert found["1", "c", "agent/coverage"].printed == "/"
    assert found["1", "c", "coverage/spr"].printed == "68.0%"
    assert any("b, calibration: blocked by A-draw-0" in note for note in exhibit.grid.notes)


def test_the_null_of_table_8_has_the_floors_mean(release, tmp_path):
    rows = judged("a", A_tossing_0=["tossing_a"] * 20 + [None] * 30) + judged("b")
    (exhibit,), _ = calibench_data.paw_tables(save(tmp_path / "rows.jsonl", rows), ["8"], release)
    found = figures([exhibit])
    assert found["8", "equal-model", "cells"].value == found["8", "pooled-cells", "cells"].value == 50
    assert found["8", "equal-model-n30", "cells"].value == 49
    sizes = [len(outcomes) for track, _, outcomes in paw_release.ROSTER.values() if track == "calibration"]
    floors = [float(stats.null_floor(50, [1 / k] * k)) for k in sizes]
    assert found["8", "b", "exact_mean"].value == pytest.approx(100 * np.mean(floors))
    assert found["8", "b", "null_mean"].value == pytest.approx(100 * np.mean(floors), abs=0.05)
    # The last row leaves out the cell with 20 readable: observed mean of 24 cells for a, of 25 for b.
    a = found["8", "a", "observed"].value
    without = (25 * a - 50) / 24
    assert found["8", "equal-model-n30", "observed"].value == pytest.approx(
        (without + found["8", "b", "observed"].value) / 2
    )


def test_the_training_mixtures_beside_their_null(released):
    """Two cells a model: the upright pencil's floor by counting, and none for the leaning one, whose end is certain."""
    item = "wan-2.2-lora-50 (training)"
    floor = sum(comb(34, x) / 2**34 * abs(x / 34 - 0.5) for x in range(35))
    assert released["8", item, "exact_mean"].value == pytest.approx(100 * floor / 2)
    assert released["8", item, "observed"].value == pytest.approx((100 * (25 / 34 - 0.5) + 100 * 7 / 37) / 2)
    assert released["8", item, "cells"].value == 2
    assert ("8", "equal-model", "observed") not in released


def test_curves_end_at_the_metric_and_begin_by_hand(release, tmp_path):
    (exhibit,), scores = calibench_data.paw_tables(save(tmp_path / "rows.jsonl", judged(nulls=5)), ["budget"], release)
    found = figures([exhibit])
    calibration, coverage = scores.tracks
    assert found["budget", "m", "tvd/50"].value == pytest.approx(calibration.metric)
    assert found["budget", "m", "coverage/50"].value == pytest.approx(coverage.metric)
    # One rollout is readable 45 times in 50, and then covers one outcome.
    sizes = [len(outcomes) for track, _, outcomes in paw_release.ROSTER.values() if track == "coverage"]
    assert found["budget", "m", "coverage/1"].value == pytest.approx(100 * 0.9 * np.mean([1 / k for k in sizes]))
    assert ("budget", "m", "tvd/51") not in found
    # Two rollouts of a fair coin, seen 23 and 22 times of 45 readable: both alike or not, by counting.
    cells = {cell.scene: cell for cell in scores.cells}
    assert list(cells["A-tossing-0"].counts) == [23, 22]
    curve = stats.budget_curves([[23, 22]], [5], [[0.5, 0.5]], (2,))
    two, one = comb(45, 2), 45 * 5
    alike = comb(23, 2) + comb(22, 2)
    assert curve.tvd[0, 0] == pytest.approx(50 * (alike + one) / (two + one))


def test_pairs_move_where_they_should(tmp_path):
    """On the real roster: a causal pair that follows its reference, a non-causal one that does not stay."""
    rosters = calibench_data.sql(
        "SELECT scene, track, outcomes FROM scenes WHERE benchmark = 'pawbench' AND track <> 'intervention'"
    ).rows()
    changed = {"A25": ["falls_left"] * 50, "A-12": ["left_path"] * 45 + ["right_path"] * 5, "A23": [None] * 50}
    rows = [
        {
            "sample_id": f"{scene}/{slot}", "model_or_lane": "m", "track": track, "scene_id": scene,
            "repeat_index": slot, "observation": "outcome", "outcome_label": outcomes[slot % len(outcomes)],
        }
        for scene, track, outcomes in rosters for slot in range(50)
    ]  # fmt: skip
    for row in rows:
        if row["scene_id"] in changed:
            row["outcome_label"] = changed[row["scene_id"]][row["repeat_index"]]
            row["observation"] = "outcome" if row["outcome_label"] else "null_observation"
    path = save(tmp_path / "rows.jsonl", rows)
    (exhibit,), _ = calibench_data.paw_tables(path, ["pairs"])
    found = figures([exhibit])
    assert found["pairs", "A-09 -> A25", "m/shift"].value == 50
    assert found["pairs", "A-09 -> A25", "m/reference_shift"].value == 50
    assert found["pairs", "A-09 -> A25", "m/expected_shift"].value == pytest.approx(50)
    moved = found["pairs", "A-07 -> A-12", "m/p"].value
    assert moved == pytest.approx(scipy.stats.fisher_exact([[25, 25], [45, 5]]).pvalue)
    assert found["pairs", "A-07 -> A-12", "m/shift"].value == pytest.approx(40)
    assert found["pairs", "A-07 -> A-12", "m/reference_shift"].value == 0
    assert found["pairs", "A-08 -> A-15", "m/p"].value == 1
    # Unknown references: a shift and a test, nothing expected. A scene that fails: no pair.
    assert found["pairs", "A-05 -> A-11", "m/expected_shift"].value is None
    assert found["pairs", "A-05 -> A-11", "m/shift"].value == 0
    assert ("pairs", "A-01 -> A23", "m/shift") not in found
    assert any("1 pairs of a model are not shown" in note for note in exhibit.grid.notes)


def test_both_benchmarks_on_one_scale(released):
    table_2 = figures(calibench_data.tables(["2"]))
    for scene, model in (("dice", "seedance-2.0"), ("ball_fork", "wan-2.7")):
        assert released["scale", f"calibench/{model}", f"{scene}/tv"].value == table_2["2", scene, f"{model}/tv"].value
    for model in ("wan-2.7", "cosmos3-super"):
        mntv = table_2["2", "mntv", f"{model}/mntv"].value
        assert released["scale", f"calibench/{model}", "mntv"].value == pytest.approx(mntv)
    item = "pawbench/wan-2.2-lora-20 (training)"
    assert ("scale", item, "mntv") not in released
    assert released["scale", item, "upright-pencil/tv"].value == pytest.approx(25 / 37 - 0.5)
    floor = sum(comb(37, x) / 2**37 * abs(x / 37 - 0.5) for x in range(38))
    assert released["scale", item, "upright-pencil/floor"].value == pytest.approx(floor)
    excess = (25 / 37 - 0.5 - floor) / (1 - floor)
    assert released["scale", item, "upright-pencil/excess"].value == pytest.approx(excess)
    assert released["scale", item, "upright-pencil/score"].value == pytest.approx(13 / 50 + 37 / 50 * excess)
    p = scipy.stats.binomtest(12, 37).pvalue
    assert released["scale", item, "upright-pencil/p_exact"].value == pytest.approx(p)
    # A right fall is excluded by the reference of the leaning pencil; without one the model is as it should be.
    assert released["scale", item, "left-leaning-pencil/p_exact"].value == 0
    assert released["scale", "pawbench/wan-2.2-lora-80 (training)", "left-leaning-pencil/p_exact"].value == 1


def test_a_whole_model_has_a_mean_score(release, tmp_path):
    rows = judged("a") + judged("b", A_draw_0=["draw_a"] * 49)
    (exhibit,), _ = calibench_data.paw_tables(save(tmp_path / "rows.jsonl", rows), ["scale"], release)
    found = figures([exhibit])
    scores = [one.value for key, one in found.items() if key[1] == "pawbench/a" and key[2].endswith("/score")]
    assert len(scores) == 25
    assert found["scale", "pawbench/a", "mntv"].value == pytest.approx(np.mean(scores))
    assert ("scale", "pawbench/b", "mntv") not in found


def test_calibench_cells_under_the_gate(released):
    cells = calibench_data.sql(
        "SELECT model, valid, tv FROM cells WHERE benchmark = 'calibench' AND condition = 'main'"
    ).rows()
    for model in {model for model, *_ in cells}:
        tvd = [100 * tv for name, valid, tv in cells if name == model and valid >= 13]  # 40 % of 32 is 12.8
        assert released["gate", model, "spr"].value == pytest.approx(len(tvd) / 9)
        assert released["gate", model, "tvd"].value == pytest.approx(np.mean(tvd))


def test_dose_response_is_the_one_of_stats(released):
    found = stats.dose_response([0, 20, 50, 80, 100], [[0, 36], [12, 25], [25, 9], [48, 1], [45, 0]], [0.5, 0.5])
    assert released["fig8", "upright-pencil", "slope"].value == found.slope
    assert released["fig8", "upright-pencil", "lora-50/share"].value == pytest.approx(25 / 34)


def test_target_hits_count_unreadable_and_missing_as_misses():
    outcomes = {
        ("m", "coin", "oracle-pe"): ["heads"] * 30 + ["tails"] * 15 + [None] * 5,
        ("m", "cat", "oracle-pe"): ["sits"] * 40,
    }
    requested = {"coin": ["heads"] * 25 + ["tails"] * 25, "cat": ["sits"] * 17 + ["runs"] * 17 + ["purrs"] * 6}
    with paw_database.opened(outcomes, requested=requested) as connection:
        exhibit = PAW_EXHIBITS["fig7"](read_results(connection))
    found = figures([exhibit])
    assert found["fig7", "m", "calibration/target_hit"].value == (25 + 15) / 50
    assert found["fig7", "m", "coverage/target_hit"].value == 17 / 50  # ten are missing
    assert found["fig7", "m", "target_hit"].value == 57 / 100
    assert exhibit.grid.rows[0][-1].text == "cat"  # 17, 17, 6 is not 17, 17, 16


def test_a_human_panel_by_hand():
    """Seven labels a video, null for `cannot tell`: which videos are comparable, and who agrees."""
    panels = [
        ("heads", "h h h h h h h"),  # unanimous, agrees: high
        ("tails", "h h h h h h -"),  # six of seven, does not agree: high
        ("heads", "h h h h h t -"),  # five: moderate
        ("tails", "t t t t h h -"),  # four: low
        ("heads", "t t t h h - -"),  # three: low, does not agree
        ("heads", "h h h t t t -"),  # tie
        ("heads", "- - - - h h h"),  # cannot tell
        ("heads", "h h h - - - t"),  # a tie with cannot tell
        (None, "h h h h h h h"),  # not comparable: no outcome
    ]
    names = {"h": "heads", "t": "tails", "-": None}
    place = {"benchmark": "pawbench", "condition": "main", "scene": "coin", "model": "m"}
    labels = [
        {
            **place, "seed": seed, "video": f"pawbench/main/coin/m/{seed}", "annotator": f"a{person}",
            "outcome": names[answer], "source": "collected",
        }
        for seed, (_, answers) in enumerate(panels) for person, answer in enumerate(answers.split())
    ]  # fmt: skip
    with paw_database.opened({("m", "coin"): [outcome for outcome, _ in panels]}, labels=labels) as connection:
        rows = connection.execute("SELECT verdict, comparable, stratum, agrees FROM panel ORDER BY seed").fetchall()
        exhibit = PAW_EXHIBITS["9"](read_results(connection))
    assert rows == [
        ("decisive", 1, "high", 1),
        ("decisive", 1, "high", 0),
        ("decisive", 1, "moderate", 1),
        ("decisive", 1, "low", 1),
        ("decisive", 1, "low", 0),
        ("tie", 0, "low", None),
        ("cannot tell", 0, "low", None),
        ("tie", 0, "low", None),
        ("decisive", 0, "high", None),
    ]
    found = {key[1:]: one.printed for key, one in figures([exhibit]).items()}
    assert (found["overall", "videos"], found["overall", "agreement"]) == ("5", "60.0%")
    assert (found["low", "agreement"], found["moderate", "agreement"], found["high", "agreement"]) == (
        "50.0%", "100.0%", "50.0%",
    )  # fmt: skip


def test_table_9_from_rows_with_its_totals():
    """888 comparable videos made up to the printed totals give the printed table."""
    strata = {"low": (213, 125, 4), "moderate": (154, 119, 5), "high": (521, 478, 7)}
    outcomes, labels = [], []
    for videos, matches, mode in strata.values():
        for number in range(videos):
            seed = len(outcomes)
            outcomes.append("heads" if number < matches else "tails")
            key = {"benchmark": "pawbench", "condition": "main", "scene": "coin", "model": "m", "seed": seed}
            labels += [
                {
                    **key, "video": f"pawbench/main/coin/m/{seed}", "annotator": f"a{person}",
                    "outcome": "heads" if person < mode else None, "source": "collected",
                }
                for person in range(7)
            ]  # fmt: skip
    with paw_database.opened({("m", "coin"): outcomes}, labels=labels) as connection:
        found = figures([PAW_EXHIBITS["9"](read_results(connection))])
    printed = calibench_data.sql(
        "SELECT item, measure, printed FROM published WHERE paper = 'pawbench' AND exhibit = '9'"
    )
    assert printed.height == 12
    for item, measure, text in printed.rows():
        assert found["9", item, measure].printed == text


def test_an_unknown_table_is_named(tmp_path):
    with pytest.raises(CalibenchError, match="no table 9 of judged rows; there are 1, 8, budget, pairs, scale"):
        calibench_data.paw_tables(tmp_path / "rows.jsonl", [9])
    with pytest.raises(CalibenchError, match="no table 2; there are 1, 5"):
        calibench_data.tables([2], paper="pawbench")


def test_scenes_of_experiments_are_in_no_track(released):
    rows = calibench_data.sql("SELECT count(*) AS n FROM paw_scenes").item()
    assert rows == 0  # the released rollouts are all of the training mixtures
    assert not any(key[0] == "1" for key in released)


def test_released_rows_and_a_file_of_them_give_one_table(run, tmp_path):
    """The same rollouts as tables of a release and as judged rows: same main table, same null, by the command."""
    rows = judged("happyhorse", nulls=4, A_draw_1=["draw_a"] * 50) + judged("wan-2.2", B_agent_2=[TimeoutError()] * 50)
    release = paw_release.write(tmp_path / "release", rows=rows)
    path = save(tmp_path / "rows.jsonl", rows)
    asked = ("--data", release, "--format", "json")
    table = json.loads(run("tables", "--paper", "pawbench", "1", "8", "budget", *asked, check=0).stdout)
    assert table == json.loads(run("paw", "tables", path, "1", "8", "budget", *asked, check=0).stdout)
    scored = json.loads(run("paw", "score", path, *asked, check=0).stdout)
    query = "SELECT model, track, status, metric, spr FROM paw_tracks WHERE condition = 'main' ORDER BY ALL"
    tracks = json.loads(run("sql", query, *asked, check=0).stdout)
    assert [row["status"] for row in tracks] == ["pass", "pass", "pass", "blocked"]
    assert tracks == [{name: one[name] for name in tracks[0]} for one in scored if one["level"] == "track"]
    # What the data give is held against the paper, and made-up rollouts do not give its figures.
    done = run("reproduce", "--paper", "pawbench", *asked, check=1)
    found = {(one["item"], one["measure"]): one for one in json.loads(done.stdout) if one["exhibit"] == "1"}
    assert found["happyhorse", "calibration/tvd"]["verdict"] == "differs"
    assert found["happyhorse", "coverage/spr"]["recomputed"] == "100.0%"
    assert found["wan-2.2", "coverage/coverage"]["verdict"] == "not computable"
    assert "DIFFER" in done.stderr
