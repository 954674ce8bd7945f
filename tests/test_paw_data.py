"""PAWBench as rows: the 50 scenes, what is known of their references, and the counts of Table 11."""

from collections import Counter
from fractions import Fraction

import pytest

import calibench_data


@pytest.fixture(scope="module")
def connection():
    with calibench_data.connect() as opened:
        yield opened


@pytest.fixture(scope="module")
def scenes():
    return calibench_data.sql("SELECT * FROM scenes WHERE benchmark = 'pawbench'").to_dicts()


@pytest.fixture(scope="module")
def references(connection):
    found = {}
    for scene, numerator, denominator, _ in connection.execute(
        "SELECT scene, numerator, denominator, source FROM distributions WHERE benchmark = 'pawbench' "
        "ORDER BY scene, position"
    ).fetchall():
        found.setdefault(scene, []).append(Fraction(numerator, denominator))
    return found


def test_two_tracks_of_25_scenes_in_the_groups_that_the_averages_imply(scenes):
    families = Counter((row["track"], row["family"]) for row in scenes if row["track"] != "intervention")
    assert families == {
        ("calibration", "tossing"): 8,
        ("calibration", "rotation"): 4,
        ("calibration", "routing"): 9,
        ("calibration", "draw"): 4,
        ("coverage", "collision"): 9,
        ("coverage", "stability"): 4,
        ("coverage", "agent"): 8,
        ("coverage", "material"): 4,
    }
    assert sorted(row["position"] for row in scenes if row["position"]) == list(range(1, 51))
    assert {row["rollouts"] for row in scenes} == {50}
    assert {row["readout"] for row in scenes} == {"video"}


def test_it_is_told_which_groups_are_inferred(scenes):
    source = {row["scene"]: row["family_source"] for row in scenes}
    assert Counter(source.values()) == {"inferred": 42, "stated": 10}
    assert (source["A-01"], source["A17"], source["BC-01"], source["BS-03"]) == (
        "stated",
        "inferred",
        "stated",
        "inferred",
    )


def test_references_are_exact_and_the_three_unknown_ones_are_absent_with_a_reason(scenes, references):
    assert all(sum(reference) == 1 for reference in references.values())
    calibration = {row["scene"]: row for row in scenes if row["track"] == "calibration"}
    unknown = set(calibration) - set(references)
    assert unknown == {"A-04", "A-11", "A16"}
    for scene, row in calibration.items():
        assert bool(row["note"] and row["note"].startswith("no reference:")) == (scene in unknown), scene
    assert not {row["scene"] for row in scenes if row["track"] == "coverage"} & set(references)
    # Two dice, by counting the 36 pairs of faces; four rows of pegs, by counting the 16 paths; zero mass stays a row.
    pairs = Counter(one + other for one in range(1, 7) for other in range(1, 7))
    assert references["A21"] == [Fraction(pairs[total], 36) for total in range(2, 13)]
    paths = Counter(f"{path:04b}".count("1") for path in range(16))
    assert references["A22"] == [Fraction(paths[right], 16) for right in range(5)]
    assert references["A25"] == [1, 0]


def test_each_reference_has_its_source(connection):
    found = dict(
        connection.execute(
            "SELECT source, count(DISTINCT scene) FROM distributions JOIN scenes USING (benchmark, scene) "
            "WHERE benchmark = 'pawbench' AND track = 'calibration' GROUP BY source"
        ).fetchall()
    )
    assert found == {"published": 3, "symmetry": 14, "combinatorial": 5}


def test_table_5_follows_from_the_rows_of_table_11(connection):
    """Twelve printed figures, half the L1 distance of the readable outcomes, to one decimal."""
    cells = connection.execute(
        "SELECT scene, model, valid, nulls, tv FROM cells WHERE benchmark = 'pawbench' ORDER BY scene, model"
    ).fetchall()
    names = {"wan-2.2": "base"} | {f"wan-2.2-lora-{share}": f"lora-{share}" for share in (0, 20, 50, 80, 100)}
    printed = {
        (item, measure): text
        for item, measure, text in connection.execute(
            "SELECT item, measure, printed FROM published WHERE paper = 'pawbench' AND exhibit = '5'"
        ).fetchall()
    }
    assert len(cells) == len(printed) == 12
    for scene, model, valid, nulls, tv in cells:
        assert valid + nulls == 50
        assert f"{100 * tv:.1f}" == printed[scene, f"{names[model]}/tvd"], (scene, model)


def test_every_count_of_table_11_is_in_the_rows(connection):
    printed = connection.execute(
        "SELECT item, split_part(measure, '/', 1), split_part(measure, '/', 2), CAST(value AS INTEGER) "
        "FROM published WHERE paper = 'pawbench' AND exhibit = '11'"
    ).fetchall()
    assert len(printed) == 36
    rows = connection.execute(
        "SELECT scene, model, coalesce(outcome, 'invalid'), count(*) FROM outcomes WHERE benchmark = 'pawbench' "
        "GROUP BY ALL"
    ).fetchall()
    counts = {(scene, model.removeprefix("wan-2.2-"), outcome): n for scene, model, outcome, n in rows}
    for scene, model, kind, n in printed:
        key = (scene, model.replace("base", "wan-2.2"), kind if kind == "invalid" else f"falls_{kind}")
        assert counts.get(key, 0) == n, key


def test_rows_of_table_11_say_that_their_order_is_arbitrary(connection):
    ordered = connection.execute(
        "SELECT list(coalesce(outcome, '-') ORDER BY seed) FROM outcomes WHERE benchmark = 'pawbench' "
        "GROUP BY scene, model"
    ).fetchall()
    for (outcomes,) in ordered:
        assert outcomes == sorted(outcomes, key=["falls_left", "falls_right", "-"].index)
    ((change,),) = connection.execute(
        "SELECT change FROM conditions WHERE benchmark = 'pawbench' AND condition = 'training'"
    ).fetchall()
    assert "arbitrary order" in change


def test_the_pencils_of_table_11_are_none_of_the_50_scenes(connection):
    assert connection.execute(
        "SELECT DISTINCT track, condition FROM rollouts WHERE benchmark = 'pawbench'"
    ).fetchall() == [("intervention", "training")]


def test_the_models_of_table_1_are_those_whose_figures_are_printed(connection):
    printed = connection.execute(
        "SELECT DISTINCT item FROM published WHERE paper = 'pawbench' AND exhibit = '1'"
    ).fetchall()
    models = connection.execute("SELECT model FROM models WHERE benchmark = 'pawbench' AND position <= 11").fetchall()
    assert sorted(printed) == sorted(models)
    assert len(models) == 11


def test_no_figure_of_the_paper_is_left_out(connection):
    found = dict(
        connection.execute(
            "SELECT exhibit, count(*) FROM published WHERE paper = 'pawbench' GROUP BY exhibit"
        ).fetchall()
    )
    assert found == {
        "1": 132, "2": 60, "3": 156, "4": 72, "5": 12, "8": 21, "9": 12, "11": 36, "appendix-c": 6, "fig7": 4
    }  # fmt: skip
    assert sum(found.values()) == 511
