"""Files that cannot be scored: every fault is told with its place, what was found and what is allowed."""

import json
import os

import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import calibench_data
from calibench_data import CalibenchError, score
from calibench_data.errors import SHOWN, Problem, Problems

HEADER = "scene,model,seed,outcome\n"
GOOD = HEADER + "dice,m,0,6\ncards,m,0,hearts\n"


def faults(path, text):
    """The problems of a file with this content, as lines."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(CalibenchError) as caught:
        score(path)
    return str(caught.value).splitlines()


@pytest.fixture
def csv_file(tmp_path):
    return tmp_path / "rows.csv"


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("dice,m,1,7", "row 4, column outcome: found '7'; allowed: 1, 2, 3, 4, 5, 6; empty or null where"),
        ("dice,m,1,6.0", "row 4, column outcome: found '6.0'; allowed: 1, 2"),
        ("ball_fork,m,1, Left ", "row 4, column outcome: found ' Left '; allowed: left, right"),
        ("roulette,m,1,Red", "Write red if that is meant."),
        ("dice,m,1,NA", "row 4, column outcome: found 'NA'"),
        ("dice,m,1,None", "row 4, column outcome: found 'None'"),
        ("dcie,m,1,6", "row 4, column scene: found 'dcie'; allowed: physical_board, "),
        ("dcie,m,1,6", "Did you mean dice?"),
        ("Dice,m,1,6", "row 4, column scene: found 'Dice'"),
        (",m,1,6", "row 4, column scene: found ''"),
        ("dice,m,0,5", "row 4, column seed: found '0'; allowed: each seed once for a condition, scene and model"),
        ("dice,m,0,5", "dice m seed 0 stands in row 2 already."),
        ("dice,m,-1,6", "row 4, column seed: found '-1'; allowed: a whole number from 0"),
        ("dice,m,1.5,6", "row 4, column seed: found '1.5'"),
        ("dice,m,one,6", "row 4, column seed: found 'one'"),
        ("dice,m,007,6", "row 4, column seed: found '007'"),
        ("dice,m,1e3,6", "row 4, column seed: found '1e3'"),
        ("dice,m,٣,6", "row 4, column seed: found '٣'"),
        ("dice,m,99999999999999999999,6", "row 4, column seed: found '99999999999999999999'"),
        ("dice,m,,6", "row 4, column seed: found ''"),
        ("dice,,1,6", "row 4, column model: found ''"),
        ("dice, m,1,6", "row 4, column model: found ' m'"),
        ("dice,a/b,1,6", "row 4, column model: found 'a/b'; allowed: a name of 1 to 200 characters without slash"),
        ("dice,m,1", "row 4: has 3 fields; allowed: 4 fields"),
        ("dice,m,1,6,x", "row 4: has 5 fields; allowed: 4 fields"),
        ('dice,m,1,"6', "row 4: is no CSV"),
        ("\ndice,m,1,6", "row 4: is blank"),
    ],
)
def test_a_faulty_row_is_named(csv_file, row, message):
    found = faults(csv_file, GOOD + row + "\n")
    assert len(found) == 1
    assert message in found[0]
    assert found[0].startswith(f"{csv_file}: row 4")


def test_all_faults_of_a_file_at_once_in_the_order_of_its_rows(csv_file):
    found = faults(csv_file, HEADER + "dcie,m,0,1\ndice,m,x,1\ndice,m,1,9\ndice,m,1,2\n")
    assert [line.split(": ")[1] for line in found] == [
        "row 2, column scene",
        "row 3, column seed",
        "row 4, column outcome",
        "row 5, column seed",
    ]


def test_at_most_fifty_are_shown_and_the_rest_counted(csv_file):
    found = faults(csv_file, HEADER + "".join(f"dice,m,{seed},7\n" for seed in range(120)))
    assert len(found) == 51
    assert "row 51, column outcome" in found[49]
    assert found[50] == "... and 70 more problems"


def test_a_fault_far_down_is_found(csv_file):
    rows = "".join(f"dice,m,{seed},6\n" for seed in range(30_000))
    found = faults(csv_file, HEADER + rows + "dice,m,0.5,6\n")
    (line,) = found
    assert line.startswith(
        f"{csv_file}: row 30002, column seed: found '0.5'; allowed: a whole number from 0 to 10^18 - 1"
    )


@pytest.mark.parametrize("name", ["scene", "model", "seed", "outcome"])
def test_a_missing_column(csv_file, name):
    columns = [column for column in ("scene", "model", "seed", "outcome") if column != name]
    (found,) = faults(csv_file, ",".join(columns) + "\ndice,m,0\n")
    assert f"has no column {name}; its columns are" in found


def test_a_misspelt_column_is_guessed_at_but_not_taken(csv_file):
    (found,) = faults(csv_file, "scene,model,seeds,outcome\ndice,m,0,6\n")
    assert "Is it the column 'seeds'?" in found


def test_a_column_twice(csv_file):
    assert "has the column 'seed' twice" in faults(csv_file, "scene,model,seed,seed,outcome\ndice,m,0,0,6\n")[0]


@pytest.mark.parametrize(("text", "message"), [("", "is empty"), (HEADER, "has no rows"), ("\n\n", "has no")])
def test_an_empty_file(csv_file, text, message):
    assert message in faults(csv_file, text)[0]


def test_other_bytes_than_utf_8(csv_file):
    (found,) = faults(csv_file, GOOD.encode() + "dice,modèle,1,6\n".encode("latin-1"))
    assert "row 4: byte 0xe8 is not UTF-8" in found
    assert "row 1: byte 0xff is not UTF-8" in faults(csv_file, GOOD.encode("utf-16"))[0]


def test_a_folder_a_file_that_is_not_there_and_an_unknown_ending(tmp_path):
    for path, message in (
        (tmp_path, "is a folder"),
        (tmp_path / "none.csv", "is not there"),
    ):
        with pytest.raises(CalibenchError, match=message):
            score(path)
    assert "allowed: .csv, .jsonl, .parquet" in faults(tmp_path / "rows.xlsx", "x")[0]


def test_a_truncated_parquet_file(tmp_path):
    path = tmp_path / "rows.parquet"
    pl.DataFrame({"scene": ["dice"], "model": ["m"], "seed": [0], "outcome": ["6"]}).write_parquet(path)
    data = path.read_bytes()
    for part in (data[: len(data) // 2], data[:4], b"no parquet at all"):
        assert "is no readable Parquet file" in faults(path, part)[0]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"scene": "dice", "model": "m", "seed": 1, "outcome": "6", "outcome": "5"}', "it has a key twice"),
        ('{"scene": "dice", "model": "m", "seed": 1, "outc', "row 2: is no JSON object"),
        ("[1, 2]", "row 2: is no JSON object: it is a list"),
        ('{"scene": "dice", "model": "m", "seed": NaN, "outcome": "6"}', "NaN is no JSON value"),
        ('{"scene": "dice", "model": "m", "seed": 1, "outcome": 6.5}', "column outcome: found a number that is no int"),
        ('{"scene": "dice", "model": "m", "seed": 1.0, "outcome": "6"}', "column seed: found a number that is no int"),
        ('{"scene": "dice", "model": "m", "seed": true, "outcome": "6"}', "column seed: found true or false: True"),
        ('{"scene": ["dice"], "model": "m", "seed": 1, "outcome": "6"}', "column scene: found a list: ['dice']"),
        ('{"scene": "dice", "model": "m", "seed": 1, "outcome": 6}', "found the integer 6, but other rows have text"),
        ("[" * 100_000, "row 2: is no JSON object: it is nested too deeply"),
    ],
)
def test_faulty_lines_of_jsonl(tmp_path, line, message):
    found = faults(tmp_path / "rows.jsonl", '{"scene": "dice", "model": "m", "seed": 0, "outcome": "6"}\n' + line)
    assert len(found) == 1
    assert message in found[0]


def test_a_seed_column_of_text_in_a_typed_file(tmp_path):
    (found,) = faults(tmp_path / "rows.jsonl", '{"scene": "dice", "model": "m", "seed": "0", "outcome": "6"}')
    assert "column seed: the column holds text; allowed: a whole number from 0" in found
    assert found.endswith("stored as an integer")


@pytest.mark.parametrize(
    ("column", "values", "message"),
    [
        ("seed", [0.0, 1.0], "row 1, column seed: found a number that is no integer: 0.0"),
        ("seed", [0, -1], "row 2, column seed: found '-1'"),
        ("seed", [0, 2**63 - 1], "row 2, column seed: found '9223372036854775807'"),
        ("outcome", [6.0, None], "row 1, column outcome: found a number that is no integer: 6.0"),
        ("outcome", [b"6", b"5"], "row 1, column outcome: found bytes"),
        ("outcome", [["6"], ["5"]], "row 1, column outcome: found a list"),
        ("outcome", [True, False], "row 1, column outcome: found true or false"),
        ("model", [None, "m"], "row 1, column model: found null"),
    ],
)
def test_faulty_columns_of_parquet(tmp_path, column, values, message):
    path = tmp_path / "rows.parquet"
    rows = {"scene": ["dice", "dice"], "model": ["m", "m"], "seed": [0, 1], "outcome": ["6", "5"], column: values}
    pl.DataFrame(rows).write_parquet(path)
    assert message in faults(path, path.read_bytes())[0]


def test_a_column_without_any_value_is_a_column_of_nulls(tmp_path):
    path = tmp_path / "rows.parquet"
    frame = pl.DataFrame({"scene": ["dice", "dice"], "model": ["m", "m"], "seed": [0, 1], "outcome": [None, None]})
    assert frame.schema["outcome"] == pl.Null
    frame.write_parquet(path)
    (cell,) = score(path).cells
    assert (cell.cell.valid, cell.cell.nulls, cell.score) == (0, 2, 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("scene;model;seed;outcome\ndice;m;0;6\n", "row 1: has a single column, 'scene;model;seed;outcome'"),
        ("scene\tmodel\tseed\toutcome\ndice\tm\t0\t6\n", "Write commas for '\\t'"),
        ("\n" + GOOD, "row 1: is blank; allowed: the names of the columns"),
        (GOOD.encode("utf-16-le"), "row 1: byte 0x00 is not UTF-8 text"),
        (GOOD + "dice,m\0,1,6\n", "row 4: byte 0x00 is not UTF-8 text"),
        (GOOD + f"dice,{'m' * 201},1,6\n", "(201 characters); allowed: a name of 1 to 200 characters"),
        ("scene,model,seed,outcome,note,note\ndice,m,0,6,a,b\n", "has the column 'note' twice"),
    ],
)
def test_files_that_only_look_like_what_is_wanted(csv_file, text, message):
    (found,) = faults(csv_file, text)
    assert message in found


def test_a_row_whose_key_is_faulty_is_no_duplicate(csv_file):
    assert len(faults(csv_file, HEADER + "dice,m,,6\ndice,m,,6\n")) == 2


def test_what_is_no_file(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    with pytest.raises(CalibenchError, match="is no regular file"):
        score(tmp_path / "pipe.csv")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"scene": "dice", "model": "m", "seed": 1}', "row 2: has no outcome; allowed: the same keys in each row"),
        ('{"scene": "dice", "model": "\\ud800", "seed": 1, "outcome": "6"}', "row 2: is no JSON object: it holds half"),
        ('{"scene": "dice", "model": "m", "seed": %s, "outcome": "6"}' % ("9" * 5000), "row 2: is no JSON object"),
        ('{"scene": "dice", "model": "m", "seed": null, "outcome": "6"}', "row 2, column seed: found null"),
    ],
)
def test_more_faulty_lines_of_jsonl(tmp_path, line, message):
    found = faults(tmp_path / "rows.jsonl", '{"scene": "dice", "model": "m", "seed": 0, "outcome": "6"}\n' + line)
    assert len(found) == 1
    assert message in found[0]


def test_parquet_with_a_column_twice_and_with_text_that_is_no_utf_8(tmp_path):
    path = tmp_path / "rows.parquet"
    names, values = ["scene", "model", "seed", "outcome"], [["dice"], ["m"], [0], ["6"]]
    pq.write_table(pa.Table.from_arrays([pa.array(v) for v in [*values, ["5"]]], names=[*names, "outcome"]), path)
    assert "has a column twice" in faults(path, path.read_bytes())[0]
    no_text = pa.Array.from_buffers(pa.string(), 1, [None, pa.py_buffer(b"\0\0\0\0\1\0\0\0"), pa.py_buffer(b"\xff")])
    pq.write_table(pa.Table.from_arrays([*map(pa.array, values[:3]), no_text], names=names), path)
    assert "Invalid UTF8" in faults(path, path.read_bytes())[0]


@pytest.mark.parametrize("kind", [pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())])
def test_every_way_in_which_parquet_holds_text(tmp_path, kind):
    texts = {"scene": "dice", "model": "m", "outcome": "6"}
    columns = {name: pa.array([text]).cast(kind) for name, text in texts.items()}
    pq.write_table(pa.table({**columns, "seed": pa.array([0], pa.uint8())}), tmp_path / "rows.parquet")
    assert score(tmp_path / "rows.parquet").cells[0].cell.counts == [0, 0, 0, 0, 0, 1]


def test_a_column_that_is_not_wanted_may_hold_anything(tmp_path):
    known = {"scene": ["dice"] * 2, "model": ["m"] * 2, "seed": [0, 1], "outcome": ["6", "5"]}
    extra = {"row": [7, 8], "share": [0.5, 1.0], "first": [["a"], []], "reply": [{"text": "six"}, {"text": "five"}]}
    pq.write_table(pa.table({**known, **extra}), tmp_path / "rows.parquet")
    pl.DataFrame({**known, **extra}).write_ndjson(tmp_path / "rows.jsonl")
    (tmp_path / "rows.csv").write_text(HEADER.strip() + ",row,\ndice,m,0,6,1,\ndice,m,1,5,x,y\n", "utf-8")
    for ending, named in (("parquet", list(extra)), ("jsonl", list(extra)), ("csv", ["row", ""])):
        found = score(tmp_path / f"rows.{ending}")
        assert found.cells[0].cell.counts == [0, 0, 0, 0, 1, 1]
        assert found.notices[0].endswith(f"columns ignored: {', '.join(map(repr, named))}")


def test_many_columns_are_named_in_one_line(csv_file):
    names = [f"c{number}" for number in range(3_000)]
    csv_file.write_text(",".join([HEADER.strip(), *names]) + "\ndice,m,0,6" + "," * 3_000 + "\n", "utf-8")
    assert score(csv_file).notices[0].endswith("'c49' and 2,950 more")


def test_the_faults_of_a_million_rows_are_counted_not_kept():
    problems = Problems(SHOWN)
    for row in range(1_000):
        problems.add(Problem(f"row {row}", "is wrong"), row)
    assert problems.total == 1_000
    assert [problem.place for problem in problems.found()] == [f"row {row}" for row in range(SHOWN)]


def test_rows_of_another_benchmark_are_refused(csv_file):
    text = "benchmark,scene,model,seed,outcome\npawbench,dice,m,0,6\n"
    assert "column benchmark: found 'pawbench'; allowed: calibench" in faults(csv_file, text)[0]


def test_the_command_says_it_on_standard_error_and_writes_nothing(csv_file, run):
    csv_file.write_text(GOOD + "dice,m,1,7\ndice,m,2,8\n", "utf-8")
    found = run("score", csv_file, "--format", "json", check=1)
    assert found.stdout == ""
    assert found.stderr.count("column outcome") == 2
    assert found.stderr.endswith("2 problems\n")


@pytest.mark.parametrize(
    "text",
    [
        "\ufeff" + GOOD,
        GOOD.replace("\n", "\r\n"),
        GOOD.rstrip("\n"),
        GOOD + "\n\n",
        "outcome,seed,model,scene\n6,0,m,dice\nhearts,0,m,cards\n",
        'scene,model,seed,outcome\n"dice","m","0","6"\ncards,m,0,hearts\n',
    ],
)
def test_spellings_of_the_same_rows_are_the_same(csv_file, text):
    csv_file.write_bytes(text.encode())
    cells = {one.cell.scene: tuple(one.cell.counts) for one in score(csv_file).cells}
    assert cells == {"dice": (0, 0, 0, 0, 0, 1), "cards": (1, 0, 0, 0)}


def test_an_extra_column_is_ignored_with_a_notice(csv_file, run):
    csv_file.write_text("scene,model,seed,outcome,reply\ndice,m,0,6,a die\n", "utf-8")
    found = run("score", csv_file, check=0)
    assert "column ignored: 'reply'" in found.stderr


def test_names_that_look_like_missing_values_are_names(csv_file):
    csv_file.write_text(HEADER + "dice,NA,0,6\ndice,null,0,6\ndice,None,0,\ndice,nan,0,null\n", "utf-8")
    valid = {one.cell.model: one.cell.valid for one in score(csv_file).cells}
    assert valid == {"NA": 1, "null": 1, "None": 0, "nan": 0}


def test_a_row_number_counts_lines_behind_a_quoted_line_break(csv_file):
    text = 'scene,model,seed,outcome,reply\ndice,m,0,6,"one\ntwo"\ndice,m,1,9,three\n'
    assert "row 4, column outcome: found '9'" in faults(csv_file, text)[0]


def test_a_control_character_in_a_name_cannot_reach_the_terminal(csv_file):
    (found,) = faults(csv_file, HEADER + "dice,\x1b[31mm,0,6\n")
    assert "\x1b" not in found
    assert "\\x1b[31mm" in found


def test_a_model_without_every_scene_has_no_mntv(csv_file, run):
    csv_file.write_text(GOOD, "utf-8")
    found = run("score", csv_file, "--format", "json", check=0)
    records = json.loads(found.stdout)
    assert [record["scene"] for record in records] == ["dice", "cards"]
    assert "m (main): no mnTV, missing scenes: physical_board, animated_board, ball_fork, walking" in found.stderr


def test_problems_are_there_for_programs(csv_file):
    csv_file.write_text(GOOD + "dice,m,1,7\n", "utf-8")
    with pytest.raises(ValueError, match="found '7'") as caught:
        score(csv_file)
    (problem,) = caught.value.problems
    assert isinstance(problem, calibench_data.Problem)
    assert problem.allowed.startswith("1, 2, 3, 4, 5, 6")


GOOD_LINE = '{"scene": "dice", "model": "m", "seed": 0, "outcome": "6"}'


@pytest.mark.parametrize(
    "text",
    [
        f"{GOOD_LINE},{GOOD_LINE}",
        f"{GOOD_LINE},\n{GOOD_LINE}",
        GOOD_LINE.replace("}", ', "x": {"a": 1}\n"y": 1}') + "\n{},{}",
        GOOD_LINE.replace("m", "m}\n{"),
    ],
)
def test_a_record_of_jsonl_is_one_line_and_a_line_one_record(tmp_path, text):
    assert "is no JSON object" in faults(tmp_path / "rows.jsonl", text)[0]
