"""Faulty judged rows: each named with its place, its model withheld, every other model scored."""

import json

import paw_release
import polars as pl
import pytest
from paw_release import judged, save

import calibench_data
from calibench_data import CalibenchError


@pytest.fixture(scope="module")
def release(tmp_path_factory):
    return paw_release.write(tmp_path_factory.mktemp("paw") / "release")


def line(**changed):
    """The first row of model `bad` as text, with fields changed; a value of `...` removes its field."""
    row = {**judged("bad")[0], **changed}
    return json.dumps({name: value for name, value in row.items() if value is not ...})


GOOD = json.dumps(judged("bad")[0])
# What is wrong -> the first row of model `bad`, and what is said about it.
FAULTS = {
    "label outside the set": (line(outcome_label="edge"), "outcome_label: found 'edge'; allowed: tossing_a, tossing_b"),
    "label of another scene": (line(outcome_label="draw_a"), "outcome_label: found 'draw_a'; allowed: tossing_a"),
    "label in another case": (line(outcome_label="Tossing_a"), "outcome_label: found 'Tossing_a'"),
    "no label": (line(outcome_label=...), "outcome_label: found nothing; allowed: tossing_a, tossing_b"),
    "label on a null row": (
        line(observation="null_observation"),
        "outcome_label: found 'tossing_a'; allowed: no label on a row whose observation is null_observation",
    ),
    "label on a failure": (line(observation="infrastructure_failure", failure_code="x"), "allowed: no label on a row"),
    "no failure code": (
        line(observation="infrastructure_failure", outcome_label=...),
        "failure_code: found nothing; allowed: a code that says why",
    ),
    "empty failure code": (
        line(observation="infrastructure_failure", outcome_label=None, failure_code=""),
        "failure_code: found ''",
    ),
    "duplicate slot": (
        line(repeat_index=1),
        "row 2502, field repeat_index: found 1; allowed: each slot once for a model and scene. "
        "Scene A-tossing-0 of bad has it in row 2501 already.",
    ),
    "slot outside the grid": (line(repeat_index=50), "repeat_index: found 50; allowed: 0 to 49"),
    "negative slot": (line(repeat_index=-1), "repeat_index: found -1; allowed: 0 to 49"),
    "huge slot": (line(repeat_index=10**30), "repeat_index: found 1000000"),
    "boolean slot": (line(repeat_index=False), "repeat_index: found False; allowed: an integer"),
    "float slot": (line(repeat_index=0.0), "repeat_index: found 0.0; allowed: an integer"),
    "text slot": (line(repeat_index="0"), "repeat_index: found '0'; allowed: an integer"),
    "no slot": (line(repeat_index=...), "repeat_index: found nothing; allowed: 0 to 49"),
    "wrong track": (
        line(track="coverage"),
        "track: found 'coverage'; allowed: calibration, the track of scene A-tossing-0",
    ),
    "no track": (line(track=...), "track: found nothing; allowed: calibration"),
    "unknown scene": (line(scene_id="A-tossing-9"), "scene_id: found 'A-tossing-9'; allowed: one of the 50 scenes"),
    "unknown observation": (line(observation="readable"), "observation: found 'readable'; allowed: outcome, null_obs"),
    "label of another type": (line(outcome_label=["tossing_a"]), "outcome_label: found ['tossing_a']; allowed: text"),
    "duplicate key": (GOOD[:-1] + ', "repeat_index": 0}', "row 2501: has the key 'repeat_index' twice"),
    "duplicate key beside": (GOOD[:-1] + ', "note": 1, "note": 2}', "row 2501: has the key 'note' twice"),
    "duplicate key inside": (
        GOOD[:-1] + ', "outcome_readout": {"a": 1, "a": 2}}',
        "row 2501: has the key 'a' twice",
    ),
    "NaN": (line(repeat_index=float("nan")), "row 2501: NaN is no JSON value"),
    "NaN inside": (line(outcome_readout={"p": [float("nan")]}), "row 2501: NaN is no JSON value"),
    "half a character": (line(outcome_label="\ud800"), "outcome_label: found '\\ud800'; allowed: text"),
}
# Lines that cannot be charged to any model: the model lacks the row, which blocks its track.
UNREADABLE = {
    "cut line": (GOOD[:40], "row 2501: is no JSON object"),
    "a list": ("[1]", "row 2501: found [1]; allowed: one object a row"),
    "no object": ("null", "row 2501: found None; allowed: one object a row"),
    "two objects": (GOOD + GOOD, "row 2501: is no JSON object: Extra data"),
}


@pytest.fixture(scope="module")
def clean(release, tmp_path_factory):
    """The lines of a good model, and what it scores alone."""
    path = save(tmp_path_factory.mktemp("clean") / "rows.jsonl", judged("good"))
    return path.read_text("utf-8"), calibench_data.paw_score(path, release)


# Faults of a row's form: each must be noticed where nothing else in the file is wrong.
FORM = [name for name in FAULTS if name.startswith(("duplicate key", "NaN", "half")) or name in (
    "huge slot", "boolean slot", "float slot", "text slot", "label of another type",
)]  # fmt: skip


def check_fault(scores, path, said, model):
    (problem,) = [str(one) for one in scores.problems if said in str(one)]
    assert problem.startswith(f"{path}: row ")
    assert scores.withheld[model] == 1


@pytest.mark.parametrize("name", FORM)
def test_a_fault_of_form_is_named_and_hides_only_its_own_model(name, clean, release, tmp_path):
    text, said = FAULTS[name]
    lines, alone = clean
    path = tmp_path / "rows.jsonl"
    second = json.dumps(judged("bad")[1])
    path.write_text(f"{lines}{text}\n{second}\n", "utf-8")
    scores = calibench_data.paw_score(path, release)
    check_fault(scores, path, said, "bad")
    assert scores.total == 1
    assert (scores.scenes, scores.families, scores.tracks) == (alone.scenes, alone.families, alone.tracks)


def test_faults_of_content_are_named_and_hide_only_their_own_models(clean, release, tmp_path):
    lines, alone = clean
    path = tmp_path / "rows.jsonl"
    faults = {f"bad-{name}".replace(" ", "-"): pair for name, pair in FAULTS.items() if name not in FORM}
    second = json.dumps(judged("bad")[1])
    rows = [row.replace('"bad"', f'"{model}"') for model, (text, _) in faults.items() for row in (text, second)]
    path.write_text(lines + "".join(f"{row}\n" for row in rows), "utf-8")
    scores = calibench_data.paw_score(path, release)
    place = {model: 2501 + 2 * number for number, model in enumerate(faults)}
    for model, (_, said) in faults.items():
        row = place[model] + (model == "bad-duplicate-slot")  # the later of the two is the fault
        said = said.replace("row 2502, ", "").replace("row 2501", f"row {row - 1}").replace(" of bad ", f" of {model} ")
        (problem,) = [str(one) for one in scores.problems if f": row {row}, " in str(one)]
        assert said in problem
        assert scores.withheld[model] == 1
    assert scores.total == len(faults)
    assert (scores.scenes, scores.families, scores.tracks) == (alone.scenes, alone.families, alone.tracks)


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_line_that_is_no_row_is_named_and_missing(name, release, tmp_path):
    text, said = UNREADABLE[name]
    path = save(tmp_path / "rows.jsonl", [*judged("good"), text, *judged("bad")[1:]])
    scores = calibench_data.paw_score(path, release)
    assert scores.total == 1
    assert said in str(scores.problems[0])
    assert scores.withheld == {}
    found = {(one.model, one.track): one.status for one in scores.tracks}
    assert found["bad", "calibration"] == "blocked"
    assert found["bad", "coverage"] == found["good", "calibration"] == "pass"


def test_bytes_that_are_no_text_are_one_rows_fault(release, tmp_path):
    path = save(tmp_path / "rows.jsonl", [*judged("good"), *judged("bad")])
    data = path.read_bytes().split(b"\n")
    data[2500] = b'{"model_or_lane": "\xff"}'
    path.write_bytes(b"\n".join(data))
    scores = calibench_data.paw_score(path, release)
    assert "row 2501: is no JSON object: byte 0xff is not UTF-8 text" in str(scores.problems[0])
    assert {one.model for one in scores.tracks if one.status == "pass"} == {"good", "bad"}


def test_every_fault_of_every_model_is_listed(run, release, tmp_path):
    rows = [*judged("good")]
    # A repeated slot is none here, where its first row is not in the file.
    faults = [text for name, (text, _) in FAULTS.items() if name != "duplicate slot"]
    rows += [text.replace('"bad"', f'"bad-{number}"') for number, text in enumerate(faults)]
    path = save(tmp_path / "rows.jsonl", rows)
    done = run("paw", "score", path, "--data", release, "--format", "json", check=1)
    assert {one["model"] for one in json.loads(done.stdout)} == {"good"}
    for number in range(len(faults)):
        assert f"row {2501 + number}" in done.stderr
        assert f"bad-{number}: withheld" in done.stderr


def test_a_model_of_many_faults_hides_no_other_fault(run, release, tmp_path):
    wrong = [{**row, "track": "calibration"} for row in judged("wrong")]  # 1,250 rows of coverage scenes
    path = save(tmp_path / "rows.jsonl", [*wrong, line(repeat_index=77), *judged("good")])
    scores = calibench_data.paw_score(path, release)
    assert (scores.total, scores.withheld) == (1251, {"wrong": 1250, "bad": 1})
    assert len(scores.problems) == 21
    assert "row 2501, field repeat_index: found 77" in str(scores.problems[-1])
    done = run("paw", "score", path, "--data", release, check=1)
    assert "and 1,230 more problems" in done.stderr
    assert "wrong: withheld, 1,250 faults in its rows" in done.stderr


def test_a_json_list_is_read_with_the_same_faults(release, tmp_path):
    rows = [*judged("good"), json.loads(line(repeat_index=True)), *judged("bad")[1:]]
    scores = calibench_data.paw_score(save(tmp_path / "rows.json", rows), release)
    assert "row 2501, field repeat_index: found True" in str(scores.problems[0])
    assert {one.model for one in scores.tracks} == {"good"}


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("rows.jsonl", "", "is empty"),
        ("rows.json", "{", "is no JSON"),
        ("rows.json", '{"a": 1}', "is no JSON list"),
        ("rows.csv", "scene,model\n1,2\n", "has no column seed"),
        ("rows.txt", "x", "ends in '.txt'"),
        ("absent.jsonl", None, "is not there"),
    ],
)
def test_a_file_that_is_none_is_refused(name, text, said, run, release, tmp_path):
    if text is not None:
        (tmp_path / name).write_text(text, "utf-8")
    assert said in run("paw", "score", tmp_path / name, "--data", release, check=1).stderr


def test_faults_of_a_table(release, tmp_path):
    rows = [
        (row["scene_id"], model, row["repeat_index"], row["outcome_label"]) for model in "abcdef" for row in judged()
    ]
    frame = pl.DataFrame(rows, schema=["scene", "model", "seed", "outcome"], orient="row").cast({"seed": pl.String})
    first = pl.int_range(pl.len()) % 2500 == 0
    spoilt = {"a": ("seed", "0.0"), "b": ("seed", "1"), "c": ("scene", "nowhere"), "d": ("outcome", "edge")}
    for model, (column, value) in spoilt.items():
        here = first & (pl.col("model") == model)
        frame = frame.with_columns(pl.when(here).then(pl.lit(value)).otherwise(column).alias(column))
    frame = frame.with_columns(benchmark=pl.when(first & (pl.col("model") == "e")).then(pl.lit("calibench")))
    frame.with_columns(pl.col("benchmark").fill_null("pawbench")).write_csv(tmp_path / "rows.csv")
    scores = calibench_data.paw_score(tmp_path / "rows.csv", release)
    assert {one.model for one in scores.tracks} == {"f"}
    assert scores.withheld == dict.fromkeys("abcde", 1)
    said = "\n".join(map(str, scores.problems))
    for text in (
        "row 2, column seed: found '0.0'",
        "row 2503, column seed: found 1; allowed: each slot once",
        "row 5002, column scene: found 'nowhere'",
        "row 7502, column outcome: found 'edge'",
        "row 10002, column benchmark: found 'calibench'",
    ):
        assert text in said


def test_a_release_without_pawbench_says_so(tmp_path, release):
    from calibench_data.builders import build_tables
    from calibench_data.release.write import write_release

    tables = {name: {p: t for p, t in parts.items() if p != "pawbench"} for name, parts in build_tables().items()}
    write_release(tmp_path / "bare", tables, {"README.md": "x\n"}, "1.0.0")
    with pytest.raises(CalibenchError, match="no scenes of PAWBench"):
        calibench_data.paw_score(save(tmp_path / "rows.jsonl", judged()), tmp_path / "bare")


def test_a_model_name_that_is_none(release, tmp_path):
    rows = [*judged("good"), *judged(" padded"), line(model_or_lane=""), line(model_or_lane=...)]
    scores = calibench_data.paw_score(save(tmp_path / "rows.jsonl", rows), release)
    assert {one.model for one in scores.tracks} == {"good"}
    assert scores.total == 2502
    assert scores.withheld == {" padded": 2500}


@pytest.mark.parametrize("size", [5_000, 300_000])
def test_a_large_file_is_read_in_parts_that_change_nothing(size, release, tmp_path, monkeypatch):
    from calibench_data.builders import paw_json

    rows = [*judged("a"), FAULTS["NaN"][0], *judged("b", A_draw_2=["draw_a"] * 50), "", line(repeat_index=0.5)]
    path = save(tmp_path / "rows.jsonl", rows)
    whole = calibench_data.paw_score(path, release)
    monkeypatch.setattr(paw_json, "_CHUNK", size)
    assert calibench_data.paw_score(path, release) == whole
    assert [str(one).partition(",")[0].partition(": ")[2] for one in whole.problems] == [
        "row 2501: NaN is no JSON value; allowed: one JSON object",
        "row 5003",
    ]
