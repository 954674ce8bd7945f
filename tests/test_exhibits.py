"""The exhibits beyond the papers' figures: counts from views by hand, and statistics against other routes."""

import pytest
from calibench_data.cards.exhibits import EXHIBITS

import calibench_data
from calibench_data import stats
from calibench_data.planning import plan


@pytest.fixture(scope="module")
def values():
    found = {}
    for exhibit in calibench_data.tables(
        ["3", "5", "leaderboard", "differences", "null", "evalue", "fig4", "fig15", "2"]
    ):
        for one in exhibit.figures:
            found[one.exhibit, one.item, one.measure] = one.value
    return found


def test_every_printed_figure_of_the_paper_is_reproduced():
    compared = calibench_data.reproduce()
    assert len(compared) == 611
    verdicts = [one.verdict for one in compared]
    assert verdicts.count("as printed") == 610
    (simulated,) = [one for one in compared if one.verdict == "within simulation error"]
    # The authors' rule gives 0.3655 where the paper prints 0.36.
    assert (simulated.exhibit, simulated.item, simulated.measure) == ("5", "cards", "min_tv_n16")
    assert simulated.value == pytest.approx(0.3655, abs=1e-3)


def test_exact_p_lies_beside_the_monte_carlo_one(values):
    # Ball fork, WAN-2.7: 24 of 32 on one side; the exact test of two equal outcomes is the two-sided binomial test.
    assert values["3", "ball_fork", "wan-2.7/p_exact"] == pytest.approx(0.00700, abs=5e-6)
    tested = [key for key in values if key[0] == "3" and key[2].endswith("/p_exact")]
    assert len(tested) == 44
    for _, scene, measure in tested:
        exact, simulated = values["3", scene, measure], values["3", scene, measure.removesuffix("_exact")]
        assert abs(simulated - exact) < 4 * (exact * (1 - exact) / 50_000) ** 0.5 + 2 / 50_001


def test_leaderboard_and_differences_say_the_same(values):
    models = sorted({item for exhibit, item, _ in values if exhibit == "leaderboard"})
    assert len(models) == 6
    alike = dict.fromkeys(models, 0)
    for exhibit, item, measure in values:
        if exhibit == "differences" and measure == "corrected_low":
            first, second = item.split(" - ")
            low, high = values[exhibit, item, measure], values[exhibit, item, "corrected_high"]
            difference = values["leaderboard", first, "corrected"] - values["leaderboard", second, "corrected"]
            assert values[exhibit, item, "corrected"] == pytest.approx(difference, abs=1e-12)
            if low <= 0 <= high:
                alike[first] += 1
                alike[second] += 1
    assert alike == {model: values["leaderboard", model, "cannot_be_told_apart_from"] for model in models}


def test_null_baseline_is_the_papers(values):
    # Appendix A: mean and median about 0, central 95 % about [-0.04, 0.04].
    assert values["null", "mntv", "mean"] == pytest.approx(0, abs=5e-4)
    assert values["null", "mntv", "low"] == pytest.approx(-0.04, abs=5e-3)
    assert values["null", "mntv", "high"] == pytest.approx(0.04, abs=5e-3)


def test_e_values_count_null_rollouts_as_rollouts(values):
    # Veo 3.1's die shows 1 every time: (1/2 + j) / (3 + j) / (1/6) multiplied over j = 0, 1, 2, 3 first passes 20.
    product, needed = 1.0, 0
    while product < 20:
        product *= 6 * (0.5 + needed) / (3 + needed)
        needed += 1
    assert values["evalue", "dice", "veo-3.1/rollouts"] == needed
    # Roulette, Cosmos3-Super: the fifth valid outcome is the thirteenth rollout.
    assert values["evalue", "roulette", "cosmos3-super/rollouts"] == 13
    assert values["evalue", "pendulum", "wan-2.7/rollouts"] is None


def test_empirical_distributions_are_counts_over_valid(values):
    assert values["fig4", "physical_board/6", "wan-2.7"] == pytest.approx(21 / 22)
    assert values["fig4", "physical_board/6", "reference"] == pytest.approx(252 / 1024)
    for model in ("wan-2.7", "veo-3.1"):
        total = sum(v for (e, i, m), v in values.items() if e == "fig4" and i.startswith("animated") and m == model)
        assert total == pytest.approx(1)


def test_confusion_holds_every_requested_video_once(values):
    # Figure 15: WAN-2.7 asked for 6 shows 1 once, 5 three times, nothing scoreable once.
    row = {face: values["fig15", "wan-2.7/6", face] for face in ("1", "2", "3", "4", "5", "6", "null")}
    assert row == {"1": 1, "2": 0, "3": 0, "4": 0, "5": 3, "6": 0, "null": 1}
    assert sum(value for (exhibit, _, _), value in values.items() if exhibit == "fig15") == 180


def test_condition_pairs_hold_each_varied_cell_with_its_main_one():
    frame = calibench_data.sql(
        "SELECT condition, count(*) AS n, min(main_rollouts) AS least FROM condition_pairs GROUP BY condition"
    )
    found = dict(zip(frame["condition"], frame["n"], strict=True))
    assert found["720p"] == 9
    assert found["5s"] == 27
    assert found["cfg-6.0"] == 1
    assert found["target-1"] == 6
    assert "main" not in found
    assert set(frame["least"]) == {32}


def test_every_exhibit_prints_and_every_cell_has_a_place():
    for exhibit in calibench_data.tables([number for number in EXHIBITS if number != "pendulum"]):
        width = len(exhibit.grid.columns)
        assert exhibit.grid.rows or exhibit.number in ("votes", "readers")
        assert all(len(row) in (1, width) for row in exhibit.grid.rows), exhibit.number
        assert len({(one.item, one.measure) for one in exhibit.figures}) == len(exhibit.figures)


def test_plan_answers_both_ways():
    (forward,) = plan(["dice"], rollouts=32)
    assert forward.tv == pytest.approx(0.2650, abs=5e-4)
    (back,) = plan(["dice"], tv=forward.tv)
    assert back.rollouts is not None
    assert abs(back.rollouts - 32) <= 3
    reference = [1 / 6] * 6
    alternative = [1 / 6 - forward.tv / 5] * 6
    alternative[0] = 1 / 6 + forward.tv
    assert stats.exact_power(32, reference, alternative).power == pytest.approx(0.8, abs=1e-6)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"scenes": ["dcie"]}, "unknown scene dcie"),
        ({"scenes": ["dice"], "tv": 1.5}, "`tv` must lie in"),
        ({"scenes": ["dice"], "tv": 0.2, "rollouts": 3}, "not both"),
        ({"scenes": ["dice"], "outcome": "7"}, "no outcome 7"),
        ({"scenes": ["dice"], "power": 1.5}, "`power` must"),
        ({"scenes": ["dice"], "rollouts": -1}, "`n` must"),
    ],
)
def test_plan_refuses(arguments, message):
    with pytest.raises(calibench_data.CalibenchError, match=message):
        plan(**arguments)


def test_unknown_table_names_those_there_are():
    with pytest.raises(calibench_data.CalibenchError, match="no table 13; there are 2, 3, 4"):
        calibench_data.tables([13])


def test_released_outcomes_are_counted_once():
    frame = calibench_data.sql(
        "SELECT condition = 'main' AS main, sum(rollouts) AS n, count(*) AS cells FROM cells GROUP BY 1"
    )
    assert {row[0]: row[1:] for row in frame.rows()} == {True: (1728, 54), False: (1556, 79)}
