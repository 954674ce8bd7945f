"""Scores of files of outcomes: the released ones as the paper prints them, and what must never change a score."""

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import calibench_data

SCENES = {"ball_fork": ["left", "right"], "dice": list("123456"), "roulette": ["red", "black", "green"]}
ENDINGS = {"csv": pl.DataFrame.write_csv, "jsonl": pl.DataFrame.write_ndjson, "parquet": pl.DataFrame.write_parquet}


def numbers(one):
    return (one.cell.counts, one.cell.nulls, one.tv, one.floor, one.excess, one.score, one.chi2, one.p)


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_released_outcomes_score_as_tables_2_3_and_4_print(tmp_path, ending):
    ENDINGS[ending](
        calibench_data.sql("SELECT scene, model, seed, outcome FROM outcomes WHERE condition = 'main'"),
        tmp_path / f"main.{ending}",
    )
    scores = calibench_data.score(tmp_path / f"main.{ending}")
    found = {(one.cell.scene, one.cell.model): one for one in scores.cells}
    printed = calibench_data.sql(
        "SELECT exhibit, item, measure, printed FROM published WHERE paper = 'calibench' AND exhibit IN ('2', '3', '4')"
    ).rows()
    compared = 0
    for exhibit, scene, measure, text in printed:
        model, _, name = measure.partition("/")
        if (scene, model) not in found:
            continue
        one = found[scene, model]
        value = {"rho": one.scorability, "tv": one.tv, "p": one.p, "score": one.score}[name]
        if text in ("—", "†"):
            assert value != value
        elif text == "<0.001":
            assert value < 0.001
        else:
            assert f"{value:.{len(text.partition('.')[2])}f}" == text, (exhibit, scene, measure)
        compared += 1
    assert compared == 54 + 51 + 54 + 54  # three cells without a valid rollout have no printed TV
    mntv = {text: value for _, item, text, value in printed if item == "mntv"}
    assert {f"{model.model}/mntv": f"{model.mntv:.2f}" for model in scores.models}.items() <= mntv.items()


@st.composite
def rollouts(draw):
    """A small file: some models, each with some rollouts of some scenes, outcomes at random, some null."""
    cells = draw(st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(list(SCENES))), min_size=1, unique=True))
    rows = []
    for model, scene in cells:
        outcomes = st.lists(st.sampled_from([*SCENES[scene], None]), min_size=1, max_size=6)
        rows += [(scene, model, seed, outcome) for seed, outcome in enumerate(draw(outcomes))]
    return rows


@settings(max_examples=8, deadline=None)
@given(rollouts(), st.randoms(use_true_random=False), st.sampled_from(list(ENDINGS)))
def test_order_format_and_names_of_models_never_change_a_cell(tmp_path_factory, rows, random, ending):
    folder = tmp_path_factory.mktemp("rows")
    names = ["scene", "model", "seed", "outcome"]

    def scored(rows, ending, columns):
        frame = pl.DataFrame(
            rows, schema=dict(zip(names, [pl.String, pl.String, pl.Int64, pl.String], strict=True)), orient="row"
        )
        ENDINGS[ending](frame.select(columns), folder / f"rows.{ending}")
        return {
            (one.cell.model, one.cell.scene): repr(numbers(one))
            for one in calibench_data.score(folder / f"rows.{ending}").cells
        }

    plain = scored(rows, "csv", names)
    shuffled, columns = random.sample(rows, len(rows)), random.sample(names, 4)
    assert scored(shuffled, ending, columns) == plain
    renamed = scored([(scene, f"{model}-{scene} [x]", *rest) for scene, model, *rest in rows], ending, names)
    assert renamed == {(f"{model}-{scene} [x]", scene): cell for (model, scene), cell in plain.items()}


def test_a_model_needs_every_scene_at_once(tmp_path):
    """Leaving out the scene with the worst score gives no better mnTV, but none."""
    frame = calibench_data.sql("SELECT scene, model, seed, outcome FROM outcomes WHERE condition = 'main'")
    frame.filter(~((pl.col("scene") == "pendulum") & (pl.col("model") == "wan-2.7"))).write_csv(tmp_path / "rows.csv")
    models = {one.model: one for one in calibench_data.score(tmp_path / "rows.csv").models}
    assert models["wan-2.7"].mntv != models["wan-2.7"].mntv
    assert models["wan-2.7"].missing == ("pendulum",)
    assert round(models["seedance-2.0"].mntv, 2) == 0.39
