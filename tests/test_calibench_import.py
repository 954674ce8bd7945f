"""`build --calibench-repo`: the edition `paper` from a checkout of the authors' repository; nothing in it is run."""

import hashlib
import json
import os
import shutil
import struct
import zlib

import authors_checkout
import pytest
from authors_checkout import SCENES, picture, words
from calibench_data.builders.checkout import read_checkout

import calibench_data
from calibench_data import CalibenchError


@pytest.fixture(scope="module")
def clean(tmp_path_factory):
    """A whole checkout; not to be changed."""
    return authors_checkout.write(tmp_path_factory.mktemp("authors") / "checkout")


@pytest.fixture
def checkout(clean, tmp_path):
    """A whole checkout, to be spoiled."""
    return shutil.copytree(clean, tmp_path / "checkout")


def found(root):
    """The problems of a checkout, as texts from its root on."""
    with pytest.raises(CalibenchError) as caught:
        read_checkout(root)
    return [str(problem).replace(f"{root}{os.sep}", "") for problem in caught.value.problems]


def change(path, old, new):
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


def test_the_import_becomes_rows_of_the_users_own_repository(clean, tmp_path, run):
    out = tmp_path / "mine"
    told = run("build", "--out", out, "--calibench-repo", clean, check=0).stderr
    assert told.count("another wording") == 18  # the synthetic checkout has words of its own
    assert "scenes.py: line 10, SCENES['galton_board_real']['prompt']: has SHA-256" in told
    assert calibench_data.verify(out) == []
    prompts = calibench_data.sql("SELECT scene, role, text, sha256 FROM prompts WHERE edition = 'paper'", out).rows()
    assert {(scene, role): text for scene, role, text, _ in prompts} == {
        (scene, role): words(scene, role) for scene in SCENES for role in ("generation", "reading")
    }
    assert all(sha == hashlib.sha256(text.encode()).hexdigest() for _, _, text, sha in prompts)
    frames = calibench_data.sql("SELECT scene, image, width, height FROM frames WHERE edition = 'paper'", out).rows()
    assert len(frames) == 9
    for scene, image, width, height in frames:
        form = "PNG" if SCENES[scene][1].endswith("png") else "JPEG"
        assert (image["bytes"], width, height) == (picture(scene, form), 16, 9)
    assert [row["image"].size for row in calibench_data.load("frames", repo=out)] == [(16, 9)] * 9 + [(1280, 720)] * 9
    counts = calibench_data.sql("SELECT edition, count(*) FROM prompts GROUP BY edition ORDER BY edition", out).rows()
    assert counts == [("open", 18), ("paper", 18)]
    assert "names no licence" in (out / "README.md").read_text("utf-8")
    assert "names no licence" not in calibench_data.build(tmp_path / "plain").read_text("README.md")


def test_two_imports_give_the_same_release(clean, tmp_path):
    first, second = (calibench_data.build(tmp_path / name, clean) for name in ("a", "b"))
    assert first.digest == second.digest != calibench_data.build(tmp_path / "c").digest


def test_prompts_are_compared_with_the_digests_of_the_known_commit():
    # Of the fact sheet of commit 4533e877, one of each kind.
    from calibench_data.builders.source_files import rows

    known = {row["scene"]: row for row in rows("calibench/authors_scenes.csv")}
    assert known["dice"]["generation_sha256"] == "09f961df91374da946b968a6a52b2225a5d70ecb412a927422038a671dca662e"
    assert known["roulette"]["reading_sha256"] == "ea1525c150a181c82cb7f468aa118596d012a9322a40aff9f6f8256d319ded48"
    digests = [row[f"{role}_sha256"] for row in known.values() for role in ("generation", "reading")]
    assert len(set(digests)) == 18
    assert all(len(bytes.fromhex(digest)) == 32 for digest in digests)


def test_a_prompt_of_the_known_wording_is_not_remarked_upon(clean, monkeypatch):
    from calibench_data.builders import source_files

    remarks = read_checkout(clean).remarks
    row = dict(source_files.rows("calibench/authors_scenes.csv")[5])
    row["generation_sha256"] = hashlib.sha256(words("dice", "generation").encode()).hexdigest()
    whole = source_files.rows

    def known(name):
        listed = whole(name)
        return [row if one == whole(name)[5] else one for one in listed] if "authors_scenes" in name else listed

    monkeypatch.setattr(source_files, "rows", known)
    assert len(read_checkout(clean).remarks) == len(remarks) - 1 == 17


HOSTILE = [
    "import pathlib; pathlib.Path({marker!r}).touch()\nSCENES = {{}}",
    "SCENES = __import__('pathlib').Path({marker!r}).touch()",
    "SCENES = {{'dice': {{'prompt': open({marker!r}, 'w').name}}}}",
    "SCENES = {{'dice': {{'prompt': f'{{open({marker!r}, chr(119))}}'}}}}",
    "SCENES = {{**{{}}, 'dice': 1}}",
    "SCENES = {{'dice': 1, 'dice': 2}}",
    "SCENES = dict(dice=1)",
    "SCENES = {{}}\nSCENES = {{}}",
    "SCENES: dict",
    "",
    "SCENES = (",
    "\0",
    "# coding: no-such-codec\nSCENES = [",
    *(f"SCENES = {text}" for text in ("(" * 90_000, "-" * 90_000, "a" + ".b" * 90_000, "''" + "+''" * 90_000,
                                      "not " * 90_000, "[" * 50 + "]" * 50, "lambda:" * 90_000)),
]  # fmt: skip


@pytest.mark.parametrize("source", HOSTILE, ids=range(len(HOSTILE)))
def test_a_hostile_scenes_file_does_nothing(source, checkout, tmp_path):
    marker = tmp_path / "was-run"
    text = source.format(marker=str(marker)) if "{marker" in source else source.replace("{{", "{").replace("}}", "}")
    (checkout / "scenes.py").write_text(text, "utf-8")
    problems = found(checkout)
    assert problems
    assert all(problem.startswith("scenes.py") for problem in problems)
    assert not marker.exists()


def test_every_problem_is_told_at_once_and_nothing_is_written(checkout, tmp_path, run):
    (checkout / "extract_bin.py").unlink()
    (checkout / "conditioning_frames" / "dice.jpg").write_bytes(b"no picture")
    change(checkout / "scenes.py", "'cards':", "'cartes':")
    (checkout / "analysis" / "lottery_wan_bins.json").write_text("{", "utf-8")
    (checkout / "analysis" / "human_labels.json").unlink()
    out = tmp_path / "out"
    told = run("build", "--out", out, "--calibench-repo", checkout, check=1).stderr
    for place in ("extract_bin.py: is not there", "dice.jpg: is no picture that can be read", "SCENES['cards']: is not",
                  "lottery_wan_bins.json: is no JSON", "human_labels.json: is not there"):  # fmt: skip
        assert place in told
    assert "5 problems" in told
    assert list(tmp_path.iterdir()) == [checkout]


def test_outcomes_and_labels_that_differ_are_listed_with_their_places(checkout):
    path = checkout / "analysis" / "dice_wan_bins.json"
    cell = json.loads(path.read_text("utf-8"))
    cell["rollouts"][3]["bin"] = 7 if cell["rollouts"][3]["bin"] else 1
    cell["rollouts"][4]["bin"] = "2"
    path.write_text(json.dumps(cell), "utf-8")
    path = checkout / "analysis" / "dur5s" / "cards_wan_bins.json"
    cell = json.loads(path.read_text("utf-8"))
    cell["rollouts"].pop()
    path.write_text(json.dumps(cell), "utf-8")
    (checkout / "analysis" / "seedance720" / "ball_seedance_bins.json").write_text("[]", "utf-8")
    path = checkout / "analysis" / "human_labels.json"
    labels = json.loads(path.read_text("utf-8"))
    labels[0]["human_label"] = 4
    labels[1]["scene"] = "kites"
    labels[2] = labels[3]
    path.write_text(json.dumps([*labels, 7, {"scene": [], "model": {}, "seed": 1, "human_label": 1}]), "utf-8")
    told = "\n".join(found(checkout))
    for text in ("analysis/dice_wan_bins.json: seed 3: has the bin", "dice_wan_bins.json: seed 4: has the bin '2'",
                 "analysis/dur5s/cards_wan_bins.json: seeds: found", "ball_seedance_bins.json: has no list of",
                 "human_labels.json: entry 1: ('dice', 'wan', 28): has the label '4'; allowed: '1'",
                 "entry 2: labels ('kites'", "entry 4: labels", "again; allowed: each released label once",
                 "entry 163: found 7", "entry 164: found", "lacks 2 labels"):  # fmt: skip
        assert text in told, text
    assert told.count("\n") == 9


def test_a_file_that_calls_its_cell_otherwise_is_remarked_upon(checkout):
    change(checkout / "analysis" / "dice_face_2_wan_bins.json", '"dice_face_2"', '"dice"')
    (remark,) = [one for one in read_checkout(checkout).remarks if "wording" not in one]
    assert remark.endswith("dice_face_2_wan_bins.json: scene: found 'dice' instead of 'dice_face_2'")


def test_links_out_of_the_checkout_are_refused(checkout, tmp_path):
    secret = tmp_path / "secret.json"
    secret.write_text("{}", "utf-8")
    for name in ("analysis/dice_wan_bins.json", "scenes.py", "conditioning_frames/ball.png"):
        (checkout / name).unlink()
        (checkout / name).symlink_to(secret)
    (checkout / "extract_bin.py").unlink()
    (checkout / "extract_bin.py").symlink_to("extract_bin.py")
    outside = tmp_path / "dur5s"
    shutil.move(checkout / "analysis" / "dur5s", outside)
    (checkout / "analysis" / "dur5s").symlink_to(outside)
    problems = found(checkout)
    assert sum("is a symbolic link out of the checkout" in problem for problem in problems) >= 3 + 26
    assert any(problem.startswith("extract_bin.py: ") for problem in problems)


def bomb(width, height):
    """A small PNG of many pixels."""

    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    body = zlib.compress(b"\0" * 1_000_000)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", body) + chunk(b"IEND", b"")


@pytest.mark.parametrize(
    "data",
    [
        bomb(60_000, 60_000),
        bomb(9_000, 9_000),
        picture("ball_fork", "PNG")[:-30],
        picture("ball_fork", "GIF"),
        b"",
        b"\0" * 30_000_001,
    ],
    ids=["bomb", "large", "cut", "gif", "empty", "long"],
)
def test_what_is_no_whole_picture_of_bounded_size_is_refused(data, checkout):
    (checkout / "conditioning_frames" / "ball.png").write_bytes(data)
    (problem,) = found(checkout)
    assert problem.startswith("conditioning_frames/ball.png: is ")


BAD_JSON = [
    "[" * 400_000,
    "x" * 1_000_001,
    '{"a": 1, "a": 2}',
    "\ud800".encode("utf-8", "surrogatepass"),
    "9" * 5000,
    "null",
    '{"rollouts": [1]}',
    '{"rollouts": [{"seed": 0}]}',
]


@pytest.mark.parametrize("text", BAD_JSON, ids=range(len(BAD_JSON)))
def test_json_that_is_none_or_of_no_bounded_size_is_refused(text, checkout):
    path = checkout / "analysis" / "walking_veo31_bins.json"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8"))
    (problem,) = found(checkout)
    assert problem.startswith("analysis/walking_veo31_bins.json")


def test_a_folder_that_is_no_checkout(tmp_path):
    assert "is no folder" in found(tmp_path / "absent")[0]
    with pytest.raises(CalibenchError) as caught:
        calibench_data.build(tmp_path / "out", tmp_path)
    assert caught.value.total == 2 + 9 + 132 + 1  # two Python files, the frames, the released cells, the labels
    assert not (tmp_path / "out").exists()
