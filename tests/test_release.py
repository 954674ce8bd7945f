"""A dataset repository: the same bytes from the same sources, and nothing in it can be changed unseen."""

import json
import shutil

import pyarrow as pa
import pytest
from calibench_data.builders import build_tables
from calibench_data.builders.frames import contact_sheet
from calibench_data.cards.dataset_card import SHEET
from calibench_data.cards.results import Results
from calibench_data.release.manifest import EMBEDDED, read_release
from calibench_data.release.validate import check_tables
from calibench_data.release.write import part_path, write_release

import calibench_data
from calibench_data import CalibenchError, verify
from calibench_data.presenting import release_texts
from calibench_data.schema import TABLES, arrow_schema

TABLES_BUILT = build_tables()


@pytest.fixture
def copy(built, tmp_path):
    return shutil.copytree(built, tmp_path / "copy")


def files(folder):
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())


def lines(folder):
    return [str(problem) for problem in verify(folder)]


def test_two_builds_are_the_same_bytes(built, tmp_path):
    calibench_data.build(tmp_path / "again")
    assert files(built) == files(tmp_path / "again")
    for name in files(built):
        assert (built / name).read_bytes() == (tmp_path / "again" / name).read_bytes(), name


def test_the_embedded_release_is_what_the_sources_give():
    import pyarrow.parquet as pq

    release = read_release(EMBEDDED)
    committed = {file.path for file in release.files if file.table}
    assert committed == {f"data/{name}/{part}.parquet" for name, parts in TABLES_BUILT.items() for part in parts}
    for name, parts in TABLES_BUILT.items():
        for part, rows in parts.items():
            assert pq.read_table(EMBEDDED / f"data/{name}/{part}.parquet").equals(rows), (name, part)
    rows = {
        name: {part_path(name, part): split[part].num_rows for part in sorted(split)}
        for name, split in TABLES_BUILT.items()
    }
    with calibench_data.connect() as connection:
        texts = release_texts(rows, Results(connection), release.dataset_version)
    assert {*texts, SHEET} == {file.path for file in release.files if not file.table}
    for path, text in texts.items():
        assert (EMBEDDED / path).read_text("utf-8") == text, path
    assert (EMBEDDED / SHEET).read_bytes() == contact_sheet()
    assert verify() == []


def test_rows_of_the_release():
    rows = {name: sum(part.num_rows for part in parts.values()) for name, parts in TABLES_BUILT.items()}
    assert rows["scenes"] >= 9
    assert rows["videos"] == rows["outcomes"] >= 3284
    assert rows["labels"] == 162
    assert rows["published"] == 611 + 511
    inferred = calibench_data.sql(
        "SELECT scene, model, condition, count(*) FROM outcomes WHERE source = 'inferred' GROUP BY ALL"
    )
    assert inferred.rows() == [("pendulum", "happyhorse-1.0", "5s", 32)]


@pytest.mark.parametrize("where", ["start", "middle", "end"])
def test_one_flipped_byte_in_any_file_is_named(built, tmp_path, where):
    for name in files(built):
        folder = shutil.copytree(built, tmp_path / "flipped", dirs_exist_ok=True)
        data = bytearray((folder / name).read_bytes())
        position = {"start": 0, "middle": len(data) // 2, "end": len(data) - 1}[where]
        data[position] ^= 1
        (folder / name).write_bytes(data)
        found = lines(folder)
        assert found, name
        assert all(name in line for line in found), (name, found)


def test_every_byte_of_release_json_counts(built, tmp_path):
    folder = shutil.copytree(built, tmp_path / "flipped")
    text = (folder / "release.json").read_bytes()
    for position in range(0, len(text), 17):
        changed = bytearray(text)
        changed[position] ^= 1
        (folder / "release.json").write_bytes(changed)
        assert any("release.json" in line for line in lines(folder)), position


def test_the_command_names_the_file_and_exits_1(copy, run):
    (copy / "data/labels/calibench.parquet").unlink()
    found = run("verify", copy, check=1)
    assert "data/labels/calibench.parquet: is named in release.json but is not there" in found.stderr
    assert run("verify", check=0).stderr == "the embedded release: no problem found\n"


def test_every_problem_is_listed_however_many(tmp_path, run):
    parts = {name: [(f"{name}/{part}", rows) for part, rows in split.items()] for name, split in TABLES_BUILT.items()}
    parts["videos"] = []
    assert len(check_tables(parts).found()) == check_tables(parts).total == 3284 + 162 + 600

    for number in range(60):
        (tmp_path / f"{number}.txt").write_text("x", "utf-8")
    shutil.copytree(EMBEDDED, tmp_path, dirs_exist_ok=True)
    found = run("verify", tmp_path, check=1).stderr.splitlines()
    assert sum("is not named in release.json" in line for line in found) == 60
    assert found[60:] == ["60 problems"]


def test_added_swapped_and_linked_files(copy):
    (copy / "data/extra.parquet").write_bytes(b"x")
    assert lines(copy) == [f"{copy / 'data/extra.parquet'}: is not named in release.json. Remove it, or release it."]
    (copy / "data/extra.parquet").unlink()

    one, other = copy / "data/published/calibench.parquet", copy / "data/published/pawbench.parquet"
    first, second = one.read_bytes(), other.read_bytes()
    one.write_bytes(second)
    other.write_bytes(first)
    assert [line.split(": ")[0] for line in lines(copy)] == [str(one), str(other)]
    other.write_bytes(second)

    one.unlink()
    target = copy.parent / "elsewhere.parquet"
    target.write_bytes(first)
    one.symlink_to(target)
    assert any(str(one) in line for line in lines(copy))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is damaged"),
        ("[1]", "is damaged"),
        ("{}", "is damaged"),
        ("[" * 100_000, "is damaged"),
        ("\xff", "cannot be read"),
    ],
)
def test_a_damaged_release_json(copy, text, message):
    (copy / "release.json").write_bytes(text.encode("latin-1"))
    (line,) = lines(copy)
    assert message in line
    with pytest.raises(CalibenchError, match=message):
        calibench_data.connect(copy)


@pytest.mark.parametrize("path", ["../outside", "/etc/passwd", "data/../../outside", "data\\x"])
def test_a_path_that_leaves_the_folder(copy, path):
    content = json.loads((copy / "release.json").read_text("utf-8"))
    content["files"][0]["path"] = path
    (copy / "release.json").write_text(json.dumps(content), "utf-8")
    assert "leaves the folder" in lines(copy)[0]


def test_a_later_schema_version_says_what_to_do(copy):
    content = json.loads((copy / "release.json").read_text("utf-8"))
    content["schema_version"] = 99
    (copy / "release.json").write_text(json.dumps(content), "utf-8")
    with pytest.raises(
        CalibenchError, match="schema version 99, but this package reads versions up to 1; install a package"
    ):
        calibench_data.connect(copy)


def test_a_folder_that_is_no_release(tmp_path):
    with pytest.raises(CalibenchError, match="is no dataset repository; `calibench build` makes one"):
        calibench_data.connect(tmp_path)


def test_a_changed_file_is_not_read(copy):
    (copy / "data/scenes/calibench.parquet").write_bytes(b"x")
    with pytest.raises(CalibenchError, match="It was changed after the release"):
        calibench_data.connect(copy)


def test_build_leaves_a_folder_of_other_things_alone(tmp_path, run):
    (tmp_path / "mine.txt").write_text("mine", "utf-8")
    found = run("build", "--out", tmp_path, check=1)
    assert "exists and is no dataset repository" in found.stderr
    assert files(tmp_path) == ["mine.txt"]


def test_a_failed_build_leaves_the_old_release(copy):
    before = {name: (copy / name).read_bytes() for name in files(copy)}
    broken = {**TABLES_BUILT, "labels": {"calibench": TABLES_BUILT["labels"]["calibench"].slice(0, 0)}}
    broken["scenes"] = {"calibench": pa.concat_tables([TABLES_BUILT["scenes"]["calibench"]] * 2)}
    with pytest.raises(CalibenchError, match="each key once"):
        write_release(copy, broken, {}, "9.9.9")
    assert {name: (copy / name).read_bytes() for name in files(copy)} == before
    assert [path.name for path in copy.parent.iterdir()] == ["copy"]


def broken(table, row, **fields):
    """The problems of the built tables with one row of a table changed."""
    parts = {name: [(f"{name}/{part}", rows) for part, rows in split.items()] for name, split in TABLES_BUILT.items()}
    rows = [dict(record) for record in parts.get(table, [("", pa.table({}))])[0][1].to_pylist()]
    blank = dict.fromkeys(TABLES[table].names)
    if row is None:
        rows.append({**blank, **fields})
    elif fields:
        rows[row].update(fields)
    else:
        del rows[row]
    schema = pa.schema([field.with_nullable(True) for field in arrow_schema(TABLES[table])])
    changed = pa.Table.from_pylist(rows, schema=schema).cast(schema)
    changed = pa.Table.from_arrays(changed.columns, schema=arrow_schema(TABLES[table]))
    parts[table] = [(f"{table}/calibench", changed), *parts.get(table, [])[1:]]
    return [str(problem) for problem in check_tables(parts).found()]


VIDEO = "calibench/main/dice/wan-2.7/0"
VOTE = {"video": VIDEO, "reader": "vlm", "attempt": 1, "status": "outcome", "outcome": "6"}
PROMPT = {
    "benchmark": "calibench",
    "scene": "dice",
    "role": "reading",
    "edition": "paper",
    "text": "x",
    "sha256": "0" * 64,
}


@pytest.mark.parametrize(
    ("table", "row", "fields", "message"),
    [
        ("outcomes", 0, {"outcome": "12"}, "row 1, column outcome: found '12'; allowed: an outcome of the scene"),
        ("outcomes", 0, {"source": "guessed"}, "column source: found 'guessed'; allowed: votes, published, inferred"),
        ("outcomes", 0, {"seed": -1}, "column seed: found -1; allowed: at least 0"),
        ("outcomes", 0, {"scene": None}, "column scene: found None; allowed: a value"),
        ("outcomes", 1, {"video": "calibench/main/physical_board/wan-2.7/0", "seed": 0}, "each key once"),
        ("outcomes", 0, {"seed": 31}, "allowed: benchmark/condition/scene/model/seed of the same row"),
        ("outcomes", 0, {"video": "x"}, "column video: found 'x'; allowed: a row of videos"),
        (
            "videos",
            0,
            {"model": "nobody"},
            "benchmark, model: found 'calibench', 'nobody'; allowed: a row of models",
        ),
        ("videos", 0, {"scene": "nowhere"}, "allowed: a row of scenes"),
        ("videos", 0, {"condition": "never"}, "allowed: a row of conditions"),
        (
            "videos",
            0,
            {"seed": 32},
            "seed: found 32; allowed: seeds from 0 to one less than the cell's rollouts",
        ),
        ("videos", 0, {"requested": "7x"}, "column requested: found '7x'; allowed: an outcome of the scene"),
        ("videos", 0, {"fps": float("nan")}, "column fps: found nan; allowed: a finite number"),
        ("videos", 0, {"width": 0}, "column width: found 0; allowed: at least 1"),
        ("labels", 0, {"outcome": "8"}, "column outcome: found '8'; allowed: an outcome of the scene"),
        (
            "distributions",
            0,
            {"numerator": 2},
            "probability: found 0.0009765625; allowed: numerator / denominator",
        ),
        ("distributions", 0, {"numerator": 2, "probability": 2 / 1024}, "allowed: a sum of 1 over the scene"),
        ("distributions", 0, {"outcome": "12"}, "allowed: the scene's outcome at this position"),
        ("distributions", 0, {}, "allowed: a row for every outcome of the scene"),
        ("scenes", 0, {"outcomes": ["1", "1"]}, "allowed: at least one outcome, each once"),
        ("scenes", 0, {"track": "other"}, "column track: found 'other'; allowed: calibration, coverage, intervention"),
        ("votes", None, {**VOTE, "outcome": None}, "allowed: an outcome exactly where status is outcome"),
        ("votes", None, {**VOTE, "status": "null"}, "allowed: an outcome exactly where status is outcome"),
        ("votes", None, {**VOTE, "outcome": "7"}, "column outcome: found '7'; allowed: an outcome of the scene"),
        ("votes", None, {**VOTE, "video": "x"}, "allowed: a row of videos"),
        ("votes", None, {**VOTE, "attempt": 0}, "column attempt: found 0; allowed: at least 1"),
        ("published", 0, {"value": 0.7}, "column value: found 0.7; allowed: the number that is printed"),
        ("prompts", None, PROMPT, "allowed: the SHA-256 of the text"),
    ],
)
def test_a_broken_rule_is_told(table, row, fields, message):
    found = broken(table, row, **fields)
    assert any(message in line for line in found), found


def test_a_vote_that_keeps_the_rules_is_no_problem():
    assert broken("votes", None, **VOTE) == []
    assert broken("votes", None, **{**VOTE, "status": "error", "outcome": None, "error": "refused"}) == []


def test_a_part_with_other_columns_is_told():
    parts = {name: [(f"{name}/{part}", rows) for part, rows in split.items()] for name, split in TABLES_BUILT.items()}
    label, rows = parts["labels"][0]
    parts["labels"] = [(label, rows.rename_columns({"annotator": "who"}))]
    (line,) = [str(problem) for problem in check_tables(parts).found()]
    assert line.startswith(
        "labels/calibench: has the unknown column 'who', no column annotator; allowed: video string, "
    )
