"""The label page in a real browser, and the labels that come of it."""

import csv
import json
import shutil
from collections import Counter

import pytest
from browser import film, models_folder, press, see, served, wait
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from submissions import scenes, votes, write

import calibench_data

SETS = scenes()
MODELS = ("model-a", "brand-b", "label-c", "maker-d", "studio-e", "works-f")
NULL = 21
UNSURE = 22


@pytest.fixture(scope="session")
def films(tmp_path_factory):
    """Number -> a video of its colour: outcome 1 to 20 of a scene, or NULL, or UNSURE. Half are H.264, half VP8."""
    folder = tmp_path_factory.mktemp("films")
    return {n: film(folder / f"{n}.{('mp4', 'webm')[n % 2]}", [n], 3) for n in range(1, 23)}


def number(model, scene, seed):
    """What a made-up video shows."""
    n = len(SETS[scene])
    draw = (MODELS.index(model) * 7 + list(SETS).index(scene) * 5 + seed * 3) % (n + 4)
    return draw + 1 if draw < n else UNSURE if draw == n + 3 else NULL


TRUTH = {(m, s, k): number(m, s, k) for m in MODELS for s in SETS for k in range(4)}


def answers_of(root, annotator):
    return [json.loads(line) for line in (root / "labelling" / f"{annotator}.jsonl").read_text("utf-8").splitlines()]


def read_labels(root):
    """(model, scene, seed) -> (annotator, outcome) rows of all labels.csv below a folder."""
    found = {}
    for path in root.glob("*/labels.csv"):
        for row in csv.DictReader(path.read_text("utf-8").splitlines()):
            key = (path.parent.name, row["scene"], int(row["seed"]))
            found.setdefault(key, []).append((row["annotator"], row["outcome"]))
    return found


def keys(scene_title, seen):
    """What a person types who sees a number in a scene."""
    if seen in (NULL, UNSURE):
        return "x" if seen == NULL else "t"
    scene = next(name for name, title in TITLES.items() if scene_title.startswith(title + ":"))
    outcome = SETS[scene][seen - 1]
    return outcome if outcome.isdecimal() else outcome[0]


TITLES = dict(calibench_data.sql("SELECT scene, title FROM scenes WHERE benchmark = 'calibench'").iter_rows())


def answer(browser, shown):
    press(browser, keys(shown[1], shown[2]), Keys.ENTER)
    return see(browser, shown[0])


def done(browser):
    return browser.find_element(By.ID, "count").text


@pytest.fixture(scope="module")
def labelled(tmp_path_factory, browser, films):
    """A folder of six models whose whole sample was labelled, with reloads and kills on the way; and what was seen."""
    root = models_folder(tmp_path_factory.mktemp("label") / "models", TRUTH, films)
    seen = {"requests": set(), "sources": []}

    def look_behind():
        script = "return performance.getEntriesByType('resource').map((entry) => entry.name)"
        seen["requests"] |= set(browser.execute_script(script))
        seen["sources"].append(browser.execute_script("return document.documentElement.outerHTML"))

    with served(root, "--annotator", "ada") as (address, process):
        browser.get(address)
        shown = see(browser)
        seen["first"] = done(browser)
        for _ in range(30):
            shown = answer(browser, shown)
        look_behind()
        browser.refresh()
        again = see(browser)
        seen["reloaded"] = (done(browser), again == shown)
        press(browser, "u")
        see(browser, again[0])
        seen["undone"] = done(browser)
        shown = answer(browser, see(browser))
        seen["undone and answered"] = (done(browser), shown == again)
        process.kill()
        press(browser, keys(*shown[1:]), Keys.ENTER)
        seen["killed"] = wait(browser, "!document.getElementById('fault').hidden && document.body.innerText")
    with served(root, "--annotator", "ada") as (address, process):
        browser.get(address)
        shown = see(browser)
        seen["after the kill"] = (done(browser), shown[1:] == again[1:])
        for count in range(31, 163):
            shown = answer(browser, shown)
            if count in (60, 120):
                look_behind()
        assert shown is None
        seen["end"] = done(browser)
        seen["summary"] = browser.find_element(By.ID, "summary").text
        seen["first annotator's order"] = answers_of(root, "ada")[0]["video"]
        with served(root, "--annotator", "bob") as (other, _):
            browser.get(other)
            shown = see(browser)
            seen["second"] = (done(browser), shown[1], browser.find_element(By.ID, "work").text)
            undo = browser.find_element(By.CSS_SELECTOR, "#form .undo")
            seen["second's undo"] = undo.is_enabled()
            answer(browser, shown)
            browser.get(address)
            wait(browser, "!document.getElementById('finished').hidden")
            seen["end, after another answered"] = done(browser)
    seen["log"] = [entry for entry in browser.get_log("browser") if "net::ERR_" not in entry["message"]]
    return root, seen


def test_162_labels_by_keyboard_are_what_the_videos_show(labelled):
    root, seen = labelled
    assert (seen["first"], seen["end"]) == ("0 of 162 answered", "162 of 162 answered")
    answers = answers_of(root, "ada")
    stands = {one["video"]: one for one in answers if one["answer"] != "undo"}
    assert len(stands) == 162
    assert len(answers) == 164  # one taken back and given again
    assert Counter(tuple(video.split("/")[2:4]) for video in stands) == dict.fromkeys(
        [(scene, model) for scene in SETS for model in MODELS], 3
    )
    for video, one in stands.items():
        _, _, scene, model, seed = video.split("/")
        shows = TRUTH[model, scene, int(seed)]
        right = {NULL: ("null", None), UNSURE: ("cannot-tell", None)}
        assert (one["answer"], one["outcome"]) == (right.get(shows) or ("outcome", SETS[scene][shows - 1]))
    labels = {key: dict(rows).get("ada") for key, rows in read_labels(root).items()}
    labels = {key: outcome for key, outcome in labels.items() if outcome}
    unsure = sum(one["answer"] == "cannot-tell" for one in stands.values())
    assert unsure > 5
    assert len(labels) == 162 - unsure
    for (model, scene, seed), outcome in labels.items():
        shows = TRUTH[model, scene, seed]
        assert outcome == ("null" if shows == NULL else SETS[scene][shows - 1])
    nulls = sum(one["answer"] == "null" for one in stands.values())
    summary = f"Outcomes: {162 - nulls - unsure}. Cannot be scored: {nulls}. Cannot tell: {unsure}."
    assert seen["summary"] == summary


def test_a_reload_and_a_kill_lose_nothing(labelled):
    _, seen = labelled
    assert seen["reloaded"] == ("30 of 162 answered", True)
    assert seen["undone"] == "29 of 162 answered"
    assert seen["undone and answered"] == ("30 of 162 answered", True)
    assert "Not saved: no answer from calibench label" in seen["killed"]
    assert seen["after the kill"] == ("30 of 162 answered", True)


def test_a_second_annotator_sees_none_of_the_firsts_answers(labelled):
    root, seen = labelled
    count, title, text = seen["second"]
    assert (count, seen["second's undo"]) == ("0 of 162 answered", False)
    assert title.endswith(": video 1 of 18")
    assert "ada" not in text
    first = answers_of(root, "bob")[0]["video"]
    assert first != seen["first annotator's order"]
    assert seen["end, after another answered"] == "162 of 162 answered"


def test_nothing_that_the_page_gets_tells_model_seed_file_or_vote(labelled):
    root, seen = labelled
    sources = "\n".join(seen["sources"])
    assert len(seen["sources"]) >= 3
    for name in (*MODELS, "My Model", "bob", str(root), ".mp4", ".webm", "calibench/main"):
        assert name not in sources
        assert not any(name in request for request in seen["requests"])
    videos = {request for request in seen["requests"] if "/video/" in request}
    assert len(videos) >= 30
    assert seen["log"] == []


def test_the_labels_are_submitted_and_counted_in_table_8(labelled, tmp_path, built, run):
    root, _ = labelled
    repository = shutil.copytree(built, tmp_path / "repository")
    folder = shutil.copytree(root / "model-a", tmp_path / "model-a")
    write(folder / "votes.csv", votes(SETS))
    run("submit", "open", folder, "--to", repository, "--yes", check=0)
    assert calibench_data.verify(repository) == []
    mine = {
        key[1:]: dict(rows)["ada"]
        for key, rows in read_labels(root).items()
        if key[0] == "model-a"
        if dict(rows).get("ada")
    }
    query = "SELECT scene, seed, outcome, source FROM labels WHERE model = 'model-a' AND annotator = 'ada'"
    rows = calibench_data.sql(query, repository).rows()
    assert {(scene, seed): outcome or "null" for scene, seed, outcome, _ in rows} == mine
    assert {source for *_, source in rows} == {"collected"}
    query = "SELECT scene, seed, outcome FROM outcomes WHERE model = 'model-a'"
    outcomes = {(scene, seed): outcome for scene, seed, outcome in calibench_data.sql(query, repository).rows()}
    agree = sum((outcomes[key] or "null") == outcome for key, outcome in mine.items())
    shown = json.loads(run("tables", "8", "--data", repository, "--format", "json", check=0).stdout)
    printed = {(row["item"], row["measure"]): row["printed"] for row in shown}
    assert printed["total", "agreement"] == "152/162"  # the paper's, as before
    assert printed["ada/total", "agreement"] == f"{agree}/{len(mine)}"
    assert (
        run("tables", "8", "--format", "json").stdout
        == json.dumps([row for row in shown if "/" not in row["item"]], indent=1, ensure_ascii=False) + "\n"
    )
