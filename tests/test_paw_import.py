"""The authors' package: what it says replaces what was inferred, and every fault of it is told at once."""

import hashlib
import json
from fractions import Fraction
from types import SimpleNamespace

import paw_package
import pytest
from calibench_data.builders.exact_reference import exact_reference
from calibench_data.builders.pictures import picture_size

import calibench_data
from calibench_data import CalibenchError, verify

ROWS = paw_package.scenes()
DICE = (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)  # pairs of faces by their sum


def import_pawbench(package, out):
    """What `build` writes and tells of a package: contradictions to what was known, and other notices."""
    lines = []
    release = calibench_data.build(out, pawbench=package, tell=lines.append)
    mark = "contradicts what was known: "
    contradictions = tuple(line.removeprefix(mark) for line in lines if line.startswith(mark))
    return SimpleNamespace(
        release=release,
        contradictions=contradictions,
        notices=tuple(line for line in lines if not line.startswith(mark)),
    )


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return paw_package.write(tmp_path_factory.mktemp("package") / "paw")


@pytest.fixture(scope="module")
def imported(package, tmp_path_factory):
    out = tmp_path_factory.mktemp("imported") / "release"
    return out, import_pawbench(package, out)


def changed(scene=None, **fields):
    """All rows, with fields of one scene changed; a field given as `...` is removed."""
    rows = [dict(row) for row in ROWS]
    for row in rows:
        if row["scene_id"] == scene:
            row.update(fields)
            for name in [name for name, value in row.items() if value is ...]:
                del row[name]
    return rows


def faults(folder, out):
    """The faults of a package; nothing may be written."""
    with pytest.raises(CalibenchError) as caught:
        import_pawbench(folder, out)
    assert not out.exists()
    return [str(problem) for problem in caught.value.problems]


def test_the_imported_release_verifies_and_has_every_reference(imported):
    out, found = imported
    assert verify(out) == []
    assert found.release.dataset_version == "2.0.0"
    count = "SELECT count(DISTINCT scene) FROM distributions JOIN scenes USING (benchmark, scene) WHERE track = ?"
    with calibench_data.connect(out) as connection:
        assert connection.execute(f"{count} AND benchmark = 'pawbench'", ["calibration"]).fetchall() == [(25,)]
        assert connection.execute(
            "SELECT numerator, denominator, source FROM distributions WHERE scene = 'A16' ORDER BY position"
        ).fetchall() == [(2, 5, "published"), (3, 10, "published"), (1, 5, "published"), (1, 10, "published")]
        # What the package confirms is known for the reason it was; a third of the decimals is no rounded decimal.
        assert connection.execute(
            "SELECT DISTINCT numerator, denominator, source FROM distributions WHERE scene = 'A-02'"
        ).fetchall() == [(1, 6, "symmetry")]
        assert connection.execute(
            "SELECT family_source, count(*) FROM scenes WHERE benchmark = 'pawbench' GROUP BY 1 ORDER BY 1"
        ).fetchall() == [("imported", 50), ("stated", 2)]


def test_pictures_and_prompts_are_the_packages_own_bytes(imported, package):
    out, _ = imported
    with calibench_data.connect(out) as connection:
        frames = connection.execute(
            "SELECT scene, image.bytes, width, height, sha256 FROM frames "
            "WHERE benchmark = 'pawbench' AND edition = 'paper'"
        ).fetchall()
        assert len(frames) == 50
        for scene, data, width, height, digest in frames:
            original = (package / f"source_images/{scene}.png").read_bytes()
            assert (data, width, height) == (original, 4, 3)
            assert digest == hashlib.sha256(original).hexdigest()
        prompts = dict(
            connection.execute(
                "SELECT scene, text FROM prompts WHERE benchmark = 'pawbench' AND role = 'generation' "
                "AND edition = 'paper'"
            ).fetchall()
        )
    assert prompts == {row["scene_id"]: row["action"] for row in ROWS}


def test_what_agrees_is_no_contradiction_and_what_was_unknown_is_told(imported):
    _, found = imported
    assert found.contradictions == ()
    assert [line.split(":")[0] for line in found.notices] == ["A-04", "A-11", "A16"]
    assert found.notices[0] == "A-04: reference is red 3/4, blue 1/4; it was not known before"


def test_calibench_is_untouched_by_an_import(imported, built):
    out, _ = imported
    for path in sorted((built / "data").rglob("calibench.parquet")):
        assert (out / path.relative_to(built)).read_bytes() == path.read_bytes()
    for name in ("videos", "outcomes", "published"):
        path = f"data/{name}/pawbench.parquet"
        assert (out / path).read_bytes() == (built / path).read_bytes()


def test_each_contradiction_is_a_line(tmp_path, run):
    rows = changed("A17", group="Routing")
    for row in rows:
        if row["scene_id"] == "A-05":
            row["reference_distribution"] = {"left": 0.6, "right": 0.4}
        if row["scene_id"] == "BS-01":
            row["outcome_labels"] = ["upright_on_base", "lying"]
    package = paw_package.write(tmp_path / "paw", rows)
    said = run("build", "--out", tmp_path / "out", "--pawbench", package, check=0).stderr.splitlines()
    before = "contradicts what was known: "
    assert [line.removeprefix(before) for line in said if line.startswith(before)] == [
        "A-05: reference is left 3/5, right 2/5, was left 1/2, right 1/2 (symmetry)",
        "A17: group is routing, was tossing (inferred)",
        "BS-01: outcomes are upright_on_base, lying, were upright_on_base, balanced_on_cap, side_laying, "
        "leaning_against_visible_support",
        "calibration, routing: 10 scenes, where the paper's averages imply 9",
        "calibration, tossing: 7 scenes, where the paper's averages imply 8",
    ]
    assert said[-1].startswith(f"{tmp_path / 'out'}: version 2.0.0, ")
    with calibench_data.connect(tmp_path / "out") as connection:
        assert (
            connection.execute(
                "SELECT source FROM distributions WHERE benchmark = 'pawbench' AND scene = 'A-05'"
            ).fetchall()
            == [("published",)] * 2
        )


def test_another_roster_replaces_the_known_one_and_says_so(tmp_path):
    rows = changed("A-01", scene_id="A-99")
    found = import_pawbench(paw_package.write(tmp_path / "paw", rows), tmp_path / "out")
    assert found.contradictions == (
        "scenes that were not known: A-99",
        "scenes that the package does not have, and that are left out: A-01",
    )


def test_without_groups_the_known_ones_stay_and_are_named(tmp_path):
    rows = [{name: value for name, value in row.items() if name != "group"} for row in ROWS]
    found = import_pawbench(paw_package.write(tmp_path / "paw", rows), tmp_path / "out")
    assert found.contradictions == ()
    assert found.notices[-1].startswith("no group in the package, so those known before stay: A-01, A-02")
    inferred = calibench_data.sql(
        "SELECT count(*) FROM scenes WHERE benchmark = 'pawbench' AND family_source = 'inferred'", tmp_path / "out"
    )
    assert inferred.row(0) == (42,)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"prompt": " Flip it. ", "action": "other"}, "Flip it."),
        ({"generation_prompt": "Flip it."}, "Flip it."),
        ({"prompt_path": "prompts/a.txt", "action": ...}, "From a file."),
    ],
)
def test_a_prompt_stands_under_one_of_several_keys(tmp_path, fields, text):
    package = paw_package.write(tmp_path / "paw", changed("A-01", **fields))
    (package / "prompts").mkdir()
    (package / "prompts/a.txt").write_text("From a file.\n", "utf-8")
    import_pawbench(package, tmp_path / "out")
    (found,) = calibench_data.sql("SELECT text FROM prompts WHERE scene = 'A-01'", tmp_path / "out").row(0)
    assert found == text


def test_a_probability_that_is_no_fraction_is_noted_where_it_is_used(tmp_path):
    root = 0.7071067811865476
    rows = changed("A-04", reference_distribution={"red": root, "blue": 1 - root})
    found = import_pawbench(paw_package.write(tmp_path / "paw", rows), tmp_path / "out")
    assert any("A-04: red: 0.7071067811865476 stands for no simple fraction" in line for line in found.notices)
    (note,) = calibench_data.sql("SELECT note FROM scenes WHERE scene = 'A-04'", tmp_path / "out").row(0)
    assert "stands for no simple fraction" in note
    assert verify(tmp_path / "out") == []


@pytest.mark.parametrize(
    ("given", "exact", "rounded"),
    [
        ([1 / 6] * 6, [Fraction(1, 6)] * 6, 0),
        ([pairs / 36 for pairs in DICE], [Fraction(pairs, 36) for pairs in DICE], 0),
        ([1.0, 0.0], [1, 0], 0),
        ([0.3333, 0.3333, 0.3334], [Fraction(3333, 10000), Fraction(3333, 10000), Fraction(3334, 10000)], 0),
        ([0.1 + 0.2, 0.7], [Fraction(3, 10), Fraction(7, 10)], 1),
    ],
)
def test_decimals_as_exact_fractions(given, exact, rounded):
    found = exact_reference({str(place): number for place, number in enumerate(given)})
    assert list(found.probabilities) == exact
    assert len(found.rounded) == rounded


@pytest.mark.parametrize("given", [[0.333, 0.333, 0.333], [0.5, 0.4999], [0.3333333333] * 3, [0.6, 0.6], [0.0, 0.0]])
def test_a_missing_digit_is_not_rounded_away(given):
    with pytest.raises(ValueError, match="sums to"):
        exact_reference({str(place): number for place, number in enumerate(given)})


@pytest.mark.parametrize(
    ("scene", "fields", "message"),
    [
        ("A-03", {"reference_distribution": {"red": 0.5, "blue": 0.499}}, "reference_distribution: sums to 0.999; "),
        ("A-03", {"reference_distribution": {"red": 1.5, "blue": -0.5}}, "reference_distribution, blue: found -0.5; "),
        (
            "A-03",
            {"reference_distribution": {"red": 0.5, "bleu": 0.5}},
            "bleu: is none of outcome_labels; allowed: red, blue. Did you mean blue?",
        ),
        ("A25", {"reference_distribution": {"falls_left": 1}}, "falls_right: has no probability; allowed: a number; 0"),
        ("A-03", {"reference_distribution": ...}, "reference_distribution: is not there"),
        ("A-03", {"reference_distribution": {"red": True, "blue": 0}}, "red: found True; allowed: a number"),
        ("A-03", {"reference_distribution": {"red": "1/2", "blue": 0.5}}, "red: found '1/2'; allowed: a number"),
        ("A-03", {"scene_id": "../A"}, "scene_id: found '../A'"),
        ("A-03", {"scene_id": 3}, "scene_id: found 3"),
        ("A-03", {"scene_id": "A-01"}, "scene_id: 'A-01' stands in row 1 already"),
        ("A-03", {"scene_id": "a-01"}, "scene_id: 'a-01' stands in row 1 already, as 'A-01'"),
        ("A-03", {"split": "test"}, "split: found 'test'; allowed: calibration, coverage"),
        ("A-03", {"split": "coverage"}, "split: has 24 calibration, 26 coverage scenes; allowed: 25 a track"),
        ("A-03", {"outcome_labels": ["red", "red"]}, "outcome_labels: found ['red', 'red']"),
        ("A-03", {"outcome_labels": "red"}, "outcome_labels: found 'red'; allowed: a list"),
        ("A-03", {"outcome_labels": ["red", "blue\n"]}, "outcome_labels: found 'blue\\n'"),
        ("A-03", {"group": 7}, "group: found 7"),
        ("A-03", {"action": ...}, "prompt: has no prompt; allowed: text under one of prompt, generation_prompt"),
        ("A-03", {"source_image_path": "../secret.png"}, "source_image_path: found '../secret.png'"),
        ("A-03", {"source_image_path": "/etc/passwd"}, "source_image_path: found '/etc/passwd'"),
        ("A-03", {"source_image_path": "a\\..\\b.png"}, "source_image_path: found 'a"),
        ("A-03", {"source_image_path": "C:/x.png"}, "source_image_path: found 'C:/x.png'"),
        ("A-03", {"source_image_path": "source_images"}, "'source_images' is no regular file"),
        ("A-03", {"source_image_path": "source_images/no.png"}, "'source_images/no.png' is not there"),
        ("A-03", {"source_image_path": "manifest.json"}, "'manifest.json' is no PNG or JPEG picture"),
        ("A-03", {"source_image_path": ...}, "source_image_path: found None"),
        ("A-03", {"prompt_path": "../../etc/passwd"}, "prompt_path: found '../../etc/passwd'"),
    ],
)
def test_a_fault_of_a_row(tmp_path, scene, fields, message):
    place = f"{tmp_path / 'paw' / 'scenes.jsonl'}: "
    found = faults(paw_package.write(tmp_path / "paw", changed(scene, **fields)), tmp_path / "out")
    assert any(line.startswith(place) and message in line for line in found), found


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ('{"scene_id": "A-03", "scene_id": "A-04"}', "row 3: is no JSON object: it has a key twice"),
        ('{"scene_id": "A-03", "reference_distribution": {"red": NaN}}', "NaN is no JSON value"),
        ('{"scene_id": ' + "[" * 100_000, "row 3: is no JSON object: it is nested too deeply"),
        ('{"scene_id": "A-03"', "row 3: is no JSON object: "),
        ("[1]", "row 3: is no JSON object"),
        ('{"scene_id": "\\ud800"}', "half of a surrogate pair"),
        ('{"scene_id": ' + "9" * 5000 + "}", "row 3: is no JSON object: "),
    ],
)
def test_a_row_that_is_no_json_object(tmp_path, row, message):
    rows = [*ROWS[:2], row, *ROWS[3:]]
    found = faults(paw_package.write(tmp_path / "paw", rows), tmp_path / "out")
    assert len(found) == 1
    assert message in found[0]


@pytest.mark.parametrize("number", [49, 51])
def test_a_package_of_another_number_of_scenes(tmp_path, number):
    rows = [*ROWS, {**ROWS[-1], "scene_id": "extra"}][:number]
    found = faults(paw_package.write(tmp_path / "paw", rows), tmp_path / "out")
    assert found == [f"{tmp_path / 'paw/scenes.jsonl'}: has {number} scenes; allowed: 50 scenes, one a line"]


@pytest.mark.parametrize(
    ("manifest", "message"),
    [
        (None, "manifest.json' is not there"),
        (b"{", "manifest.json: is no JSON: "),
        (b"\xff", "byte 0xff is not UTF-8"),
        (b"[]", "is no JSON object"),
        (b'{"schema_version": "a", "schema_version": "b"}', "it has a key twice"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"schema_version": "pawbench.benchmark_inputs/v2", "scene_table": "scenes.jsonl"}', "schema_version: found"),
        (b'{"schema_version": "pawbench.benchmark_inputs/v1"}', "scene_table: found ''"),
        (
            b'{"schema_version": "pawbench.benchmark_inputs/v1", "scene_table": "../s.jsonl"}',
            "scene_table: found '../s",
        ),
        (b'{"schema_version": "pawbench.benchmark_inputs/v1", "scene_table": ["x"]}', "scene_table: found ['x']"),
    ],
)
def test_a_faulty_manifest(tmp_path, manifest, message):
    package = paw_package.write(tmp_path / "paw")
    (package / "manifest.json").unlink()
    if manifest is not None:
        (package / "manifest.json").write_bytes(manifest)
    found = faults(package, tmp_path / "out")
    assert len(found) == 1
    assert message.removeprefix("manifest.json' ") in found[0]
    assert "manifest.json" in found[0]


def test_every_fault_of_all_files_is_told_at_once_and_nothing_is_written(tmp_path, run):
    rows = changed("A-03", reference_distribution={"red": 0.5, "blue": 0.499})
    rows[0] = {**rows[0], "split": "x", "source_image_path": "/x"}
    rows[1] = "{"
    package = paw_package.write(tmp_path / "paw", rows[:-1], {"schema_version": "v0"})
    (package / "source_images/A-05.png").write_bytes(paw_package.png()[:-20])
    done = run("build", "--out", tmp_path / "out", "--pawbench", package, check=1)
    lines = done.stderr.splitlines()
    assert lines[-1] == "7 problems"
    for part in (
        "schema_version: found 'v0'",
        "has 49 scenes",
        "row 1, split",
        "row 1, source_image_path",
        "row 2: is no",
        "row 3, reference_distribution: sums to 0.999",
        "row 5, source_image_path",
    ):
        assert any(part in line for line in lines), part
    assert [path.name for path in tmp_path.iterdir()] == ["paw"]


def test_a_table_that_is_not_utf_8(tmp_path):
    package = paw_package.write(tmp_path / "paw")
    (package / "scenes.jsonl").write_bytes((package / "scenes.jsonl").read_bytes().replace(b"heads", b"he\xffds", 1))
    (line,) = faults(package, tmp_path / "out")
    assert "row 1: byte 0xff is not UTF-8 text" in line


def test_no_link_is_followed(tmp_path):
    package = paw_package.write(tmp_path / "paw")
    secret = tmp_path / "secret.png"
    secret.write_bytes(paw_package.png())
    (package / "source_images/A-01.png").unlink()
    (package / "source_images/A-01.png").symlink_to(secret)
    (line,) = faults(package, tmp_path / "out")
    assert "row 1, source_image_path: 'source_images/A-01.png' leads over a symbolic link" in line


@pytest.mark.parametrize("out", ["paw", "paw/inside", "."])
def test_the_package_itself_is_never_written_to(tmp_path, out):
    package = paw_package.write(tmp_path / "paw")
    before = sorted(package.rglob("*"))
    with pytest.raises(CalibenchError, match="a folder apart from the package"):
        import_pawbench(package, tmp_path / out)
    assert sorted(package.rglob("*")) == before


def test_no_package_at_all(tmp_path):
    assert faults(tmp_path / "nowhere", tmp_path / "out") == [
        f"{tmp_path / 'nowhere'}: is no folder; allowed: the folder of the authors' package"
    ]


JPEG = (
    b"\xff\xd8\xff\xe0\0\x10JFIF\0\1\1\0\0\1\0\1\0\0"
    b"\xff\xc0\0\x0b\x08\0\3\0\4\1\1\x11\0\xff\xda\0\x08\1\1\0\0\x3f\0\0\xff\xd9"
)


def test_the_size_of_a_picture():
    assert picture_size(paw_package.png(width=7, height=5)) == ("png", 7, 5)
    assert picture_size(JPEG) == ("jpg", 4, 3)


@pytest.mark.parametrize("cut", range(0, len(paw_package.png()) - 1, 7))
def test_a_cut_picture_is_no_picture(cut):
    with pytest.raises(ValueError, match="is "):
        picture_size(paw_package.png()[:cut])


@pytest.mark.parametrize("at", range(8, len(paw_package.png()) - 8, 5))
def test_a_damaged_picture_is_no_picture(at):
    data = bytearray(paw_package.png())
    data[at] ^= 1
    with pytest.raises(ValueError, match="is a "):
        picture_size(bytes(data))


@pytest.mark.parametrize("cut", [0, 1, 2, 5, 30, len(JPEG) - 1])
def test_a_cut_jpeg_is_no_picture(cut):
    with pytest.raises(ValueError, match="is "):
        picture_size(JPEG[:cut])


def test_the_same_package_gives_the_same_bytes(imported, package, tmp_path):
    out, found = imported
    again = import_pawbench(package, tmp_path / "again")
    assert again.release.digest == found.release.digest
    manifest = json.loads((out / "release.json").read_text("utf-8"))
    table = hashlib.sha256((package / "scenes.jsonl").read_bytes()).hexdigest()
    assert table in (out / "README.md").read_text("utf-8")
    assert manifest["dataset_version"] == "2.0.0"
