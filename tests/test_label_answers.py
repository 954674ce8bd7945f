"""Which videos are asked, how answers are kept, and what becomes of them as labels."""

import hashlib
import json
import os
import signal
from collections import Counter

import pytest
from browser import press, served, wait
from calibench_data.annotation.answers import AnswerFile, answered_now, read_answers, standing
from calibench_data.annotation.folders import VideoFile, read_folder
from calibench_data.annotation.sample import draw, ordered
from calibench_data.builders.submission import read_submission
from calibench_data.queries.protocol import read_protocol
from selenium.webdriver.common.keys import Keys
from submissions import TOML, scenes, submission, write

import calibench_data
from calibench_data.labelling import label

SETS = scenes()
VIDEO = "calibench/main/dice/my-model/{}"


def videos(counts):
    """Video files of (scene, model) -> how many."""
    return [
        VideoFile(None, "calibench", scene, model, seed) for (scene, model), n in counts.items() for seed in range(n)
    ]


def cells(drawn):
    return Counter((one.scene, one.model) for one in drawn)


def test_eighteen_a_scene_over_six_models_are_three_a_cell():
    counts = {(scene, model): 32 for scene in SETS for model in "abcdef"}
    drawn = draw(videos(counts), 18)
    assert cells(drawn) == dict.fromkeys(counts, 3)
    assert len({one.video for one in drawn}) == 162
    assert len({one.seed for one in drawn}) > 20  # not the first seeds


def test_what_does_not_divide_evenly_falls_to_other_models_by_turns():
    counts = {(scene, model): 32 for scene in SETS for model in "abcd"}
    drawn = cells(draw(videos(counts), 18))
    assert set(drawn.values()) == {4, 5}
    assert {sum(drawn[scene, model] for model in "abcd") for scene in SETS} == {18}
    of_model = [sum(drawn[scene, model] for scene in SETS) for model in "abcd"]
    assert max(of_model) - min(of_model) <= 1


def test_where_a_model_has_too_few_the_others_give_more():
    assert cells(draw(videos({("dice", "a"): 2, ("dice", "b"): 32, ("dice", "c"): 32}), 18)) == {
        ("dice", "a"): 2,
        ("dice", "b"): 8,
        ("dice", "c"): 8,
    }
    assert len(draw(videos({("dice", "a"): 5}), 18)) == 5


def test_the_sample_depends_on_names_alone_and_grows_by_adding():
    many = videos({(scene, model): 32 for scene in SETS for model in "abc"})
    small, large = draw(many, 6), draw(many, 18)
    assert {one.video for one in small} < {one.video for one in large}
    assert draw(many[::-1], 18) == large


def test_annotators_see_the_same_videos_scene_by_scene_in_orders_of_their_own():
    drawn = draw(videos({(scene, model): 32 for scene in SETS for model in "abcdef"}), 18)
    one, other = (ordered(drawn, list(SETS), name) for name in ("ada", "bob"))
    assert [video.scene for video in one] == [scene for scene in SETS for _ in range(18)]
    assert one != other
    assert sorted(video.video for video in one) == sorted(video.video for video in other)
    assert ordered(drawn[::-1], list(SETS), "ada") == one


def folder(root, names=("dice/0.mp4",), model="my-model", content=b"video"):
    root.mkdir(parents=True, exist_ok=True)
    for name in names:
        path = root / "videos" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    (root / "submission.toml").write_text(TOML.replace("my-model", model), "utf-8")
    return root


@pytest.fixture(scope="module")
def protocol():
    with calibench_data.connect() as connection:
        return read_protocol(connection, "calibench")


def test_a_folder_of_models_and_its_names(tmp_path, protocol):
    folder(tmp_path / "one", ["dice/0.mp4", "dice/r007.webm", "cards/31.MOV", "dice/notes.txt"], "one")
    folder(tmp_path / "two", ["dice/0.mp4"], "two-b")
    found = read_folder(tmp_path, protocol)
    assert [(one.model, one.scene, one.seed) for one in found.videos] == [
        ("one", "cards", 31),
        ("one", "dice", 0),
        ("one", "dice", 7),
        ("two-b", "dice", 0),
    ]
    assert found.videos[0].video == "calibench/main/cards/one/31"
    assert any("notes.txt: is no video" in notice for notice in found.notices)
    assert any("has no videos of physical_board, " in notice for notice in found.notices)


@pytest.mark.parametrize(
    ("names", "words"),
    [
        (["Dice/0.mp4"], "Dice: is no scene"),
        (["dice/32.mp4"], "found '32'; allowed: a seed from 0 to 31"),
        (["dice/07.mp4"], "found '07'"),
        (["dice/seed1.mp4"], "found 'seed1'"),
        (["dice/7.mp4", "dice/r007.webm"], r"r007\.webm: stands beside 7\.mp4"),
        ([], "has no video"),
    ],
)
def test_faults_of_a_folder_are_told(tmp_path, protocol, names, words):
    with pytest.raises(calibench_data.CalibenchError, match=words):
        read_folder(folder(tmp_path / "mine", names), protocol)


def test_more_faults_of_a_folder_are_told_at_once(tmp_path, protocol):
    folder(tmp_path / "one")
    folder(tmp_path / "two")
    folder(tmp_path / "three", ["dice/0.mp4"], "three", b"")
    (folder(tmp_path / "four") / "submission.toml").write_text("model = 1", "utf-8")
    (folder(tmp_path / "five") / "submission.toml").write_text("[", "utf-8")
    folder(tmp_path / "six", model="../six")
    with pytest.raises(calibench_data.CalibenchError) as error:
        read_folder(tmp_path, protocol)
    for words in ("names my-model, as", "0.mp4: is empty", "model.name: is missing", "is no TOML", "found '../six'"):
        assert words in str(error.value)
    with pytest.raises(calibench_data.CalibenchError, match=r"nowhere: has no submission\.toml"):
        read_folder(tmp_path / "nowhere", protocol)


@pytest.mark.parametrize("name", ["authors", "Ada", "a/b", "..", "ada ", "", "=cmd", "a" * 41, "<b>"])
def test_names_that_no_annotator_may_have(tmp_path, name):
    with pytest.raises(calibench_data.CalibenchError, match="annotator: "):
        label(folder(tmp_path / "mine"), name)
    assert not (tmp_path / "mine" / "labelling").exists()


def test_answers_are_there_when_add_returns_and_a_torn_line_is_none(tmp_path):
    given = [answered_now(VIDEO.format(seed), "0" * 64, "outcome", "6") for seed in range(3)]
    with AnswerFile(tmp_path, "ada") as file:
        for count, one in enumerate(given, 1):
            file.add(one)
            assert read_answers(file.path) == given[:count]
    whole = file.path.read_bytes()
    for cut in range(len(whole)):
        file.path.write_bytes(whole[:cut])
        kept = whole[:cut].count(b"\n")
        assert read_answers(file.path) == given[:kept]
        if cut % 40 == 0:
            file.path.write_bytes(whole[:cut] + b"x" * 1000)
            with AnswerFile(tmp_path, "ada") as again:
                again.add(given[0])
            assert read_answers(file.path) == [*given[:kept], given[0]]


def test_an_answer_that_cannot_be_written_leaves_the_file_as_it_was(tmp_path, monkeypatch):
    with AnswerFile(tmp_path, "ada") as file:
        file.add(answered_now(VIDEO.format(0), "0" * 64, "null"))
        before = file.path.read_bytes()

        def full(descriptor):
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as patched:
            patched.setattr(os, "fsync", full)
            with pytest.raises(OSError, match="No space left"):
                file.add(answered_now(VIDEO.format(1), "0" * 64, "null"))
        assert file.path.read_bytes() == before
        assert len(file.answers) == 1


@pytest.mark.parametrize(
    "line",
    [
        "nonsense",
        "[]",
        '{"video": "v", "sha256": "0", "answer": "maybe", "outcome": null, "at": ""}',
        '{"video": "v", "sha256": "0", "answer": "null", "outcome": "6", "at": ""}',
        '{"video": "v", "sha256": "0", "answer": "outcome", "outcome": null, "at": ""}',
        '{"video": "v", "answer": "null", "outcome": null, "at": ""}',
    ],
)
def test_a_line_that_is_no_answer_is_told_with_its_number(tmp_path, line):
    path = tmp_path / "labelling" / "ada.jsonl"
    path.parent.mkdir()
    good = json.dumps(answered_now("v", "0", "null").__dict__)
    path.write_text(f"{good}\n{line}\n{good}\n", "utf-8")
    with pytest.raises(calibench_data.CalibenchError, match=r"ada\.jsonl: line 2: found "):
        AnswerFile(tmp_path, "ada")


def test_what_was_taken_back_does_not_stand():
    given = [answered_now(video, "0", answer) for video, answer in
             (("a", "null"), ("b", "null"), ("a", "undo"), ("b", "undo"), ("b", "cannot-tell"))]  # fmt: skip
    assert {video: one.answer for video, one in standing(given).items()} == {"b": "cannot-tell"}


def test_one_process_at_a_time_has_an_annotator(tmp_path):
    mine = folder(tmp_path / "mine")
    with label(mine, "ada"):
        with pytest.raises(calibench_data.CalibenchError, match="another `calibench label` runs for ada"):
            label(mine, "ada")
        with label(mine, "bob") as other:
            assert other.counts["all"] == 1
    with label(mine, "ada"):
        pass


def test_a_port_that_is_taken_is_told_and_frees_the_annotator(tmp_path):
    mine = folder(tmp_path / "mine")
    with label(mine, "ada") as page:
        port = int(page.address.split(":")[2].split("/")[0])
        with pytest.raises(calibench_data.CalibenchError, match=f"port {port}: Address already in use"):
            label(mine, "bob", port=port)
        with label(mine, "bob"):
            pass


def add(root, annotator, *answers):
    with AnswerFile(root, annotator) as file:
        for one in answers:
            file.add(one)


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def test_only_outcomes_and_nulls_of_the_present_files_are_labels(tmp_path):
    mine = folder(tmp_path / "mine", [f"dice/{seed}.mp4" for seed in range(6)])
    sha = digest(mine / "videos" / "dice" / "0.mp4")
    say = [("outcome", "6"), ("null", None), ("cannot-tell", None), ("unplayable", None), ("outcome", "1")]
    given = [answered_now(VIDEO.format(seed), sha, *one) for seed, one in enumerate(say)]
    add(mine, "ada", *given, answered_now(VIDEO.format(9), "f" * 64, "outcome", "2"))
    add(mine, "bob", given[1])
    (mine / "videos" / "dice" / "4.mp4").write_bytes(b"another")
    with label(mine, "ada") as page:
        # Unplayable and replaced videos are asked again.
        assert dict(page.counts) == {"outcome": 1, "null": 1, "cannot-tell": 1, "all": 6}
        assert any("4.mp4: was replaced since" in notice for notice in page.notices)
    # The video of seed 9 is no longer here, and its label still is.
    rows = (mine / "labels.csv").read_text("utf-8")
    assert rows == "scene,seed,annotator,outcome\ndice,0,ada,6\ndice,1,ada,null\ndice,1,bob,null\ndice,9,ada,2\n"


def test_labels_of_others_are_not_written_over(tmp_path):
    mine = folder(tmp_path / "mine")
    rows = "scene,seed,annotator,outcome\ndice,0,eve,6\n"
    (mine / "labels.csv").write_text(rows, "utf-8")
    with pytest.raises(calibench_data.CalibenchError, match="has labels by eve, who did not answer here"):
        label(mine, "ada")
    assert (mine / "labels.csv").read_text("utf-8") == rows


def test_a_video_that_the_browser_cannot_play_is_no_null(tmp_path, browser):
    mine = folder(tmp_path / "mine", ["dice/0.mp4", "dice/1.mp4"], content=b"no video at all")
    with served(mine, "--annotator", "ada") as (address, process):
        browser.get(address)
        wait(browser, "!document.getElementById('unplayable').hidden")
        press(browser, "6", Keys.ENTER, "x", Keys.ENTER)  # nothing can be answered
        assert "cannot play" in browser.execute_script("return document.getElementById('fault').textContent")
        for count in (1, 2):
            wait(browser, "!document.getElementById('unplayable').hidden")
            browser.execute_script("document.getElementById('unplayable').click()")
            wait(browser, "document.getElementById('count').textContent === arguments[0]", f"{count} of 2 answered")
        wait(browser, "!document.getElementById('finished').hidden")
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
    assert "0 of 2 videos answered: outcomes 0, cannot be scored 0" in said
    assert said.count("the browser could not play it: no answer") == 2
    assert not (mine / "labels.csv").exists()
    browser.get_log("browser")


LABELS = [{"scene": "dice", "seed": 0, "annotator": "ada", "outcome": "6"},
          {"scene": "dice", "seed": 1, "annotator": "ada", "outcome": "null"}]  # fmt: skip


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"outcome": "7"}, r"row 3, column outcome: found '7'"),
        ({"outcome": "cannot-tell"}, r"column outcome: found 'cannot-tell'"),
        ({"seed": 32}, "column seed: found '32'"),
        ({"seed": 0}, "column annotator: found 'ada'; allowed: each annotator once for a video"),
        ({"scene": "die"}, "column scene: found 'die'"),
        ({"annotator": "authors"}, "column annotator: found 'authors'"),
        ({"annotator": "=ada"}, "column annotator: found '=ada'"),
        ({"annotator": ""}, "column annotator: found ''"),
        ({"condition": "720p"}, "has labels of condition 720p, of which nothing was read"),
        ({"condition": "nope"}, "column condition: found 'nope'"),
    ],
)
def test_faults_of_labels_are_told_with_their_places(tmp_path, protocol, change, words):
    mine = submission(tmp_path / "mine")
    write(mine / "labels.csv", [{"condition": "main", **LABELS[0]}, {"condition": "main", **LABELS[1], **change}])
    with pytest.raises(calibench_data.CalibenchError, match=words):
        read_submission(mine, protocol)


def test_labels_are_a_file_of_a_submission(tmp_path, protocol):
    mine = submission(tmp_path / "mine")
    write(mine / "labels.jsonl", LABELS)
    folder(mine)  # the videos may lie there too
    found = read_submission(mine, protocol)
    assert [notice.split(": ")[0] for notice in found.notices] == [str(mine / "videos")]
    common = {"annotator": "ada", "benchmark": "calibench", "condition": "main", "scene": "dice", "model": "my-model"}
    assert found.tables["labels"].to_pylist() == [
        {"video": VIDEO.format(0), **common, "seed": 0, "outcome": "6", "source": "collected"},
        {"video": VIDEO.format(1), **common, "seed": 1, "outcome": None, "source": "collected"},
    ]
