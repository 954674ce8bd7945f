"""From the authors' package and judged rows to PAWBench's main table, through the command line."""

import json
import random
from collections import Counter
from statistics import mean

import paw_package
import pytest

SCENES = paw_package.scenes()


@pytest.fixture(scope="module")
def place(tmp_path_factory, run):
    """A folder with the package, the release that was built of it, and judged rows of two models."""
    place = tmp_path_factory.mktemp("place")
    paw_package.write(place / "package")
    build = run("build", "--out", "release", "--pawbench", "package", cwd=place, check=0)
    assert "A-04: reference is red 3/4, blue 1/4; it was not known before" in build.stderr
    run("verify", "release", cwd=place, check=0)
    (place / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in judged()), "utf-8")
    return place


def judged():
    """50 readings of each scene by two models: outcomes drawn, some null; `careless` leaves one scene unreadable."""
    draw = random.Random(50)
    for model in ("steady", "careless"):
        for number, scene in enumerate(SCENES):
            nulls = 35 if (model, number) == ("careless", 3) else draw.randrange(10)
            for slot in range(50):
                row = {"sample_id": f"{model}/{scene['scene_id']}/r{slot:03d}", "model_or_lane": model}
                row |= {"track": scene["split"], "scene_id": scene["scene_id"], "repeat_index": slot}
                if slot < nulls:
                    yield row | {"observation": "null_observation"}
                else:
                    label = draw.choice(scene["outcome_labels"])
                    yield row | {"observation": "outcome", "outcome_label": label}


def by_hand():
    """(model, scene) -> metric, or None where fewer than 20 of 50 are readable; counted without the package."""
    seen = {}
    for row in judged():
        seen.setdefault((row["model_or_lane"], row["scene_id"]), []).append(row.get("outcome_label"))
    facts = {scene["scene_id"]: scene for scene in SCENES}
    found = {}
    for (model, scene), labels in seen.items():
        readable = [label for label in labels if label is not None]
        if len(readable) < 20:
            found[model, scene] = None
        elif facts[scene]["split"] == "coverage":
            found[model, scene] = 100 * len(set(readable)) / len(facts[scene]["outcome_labels"])
        else:
            counts, reference = Counter(readable), facts[scene]["reference_distribution"]
            found[model, scene] = 50 * sum(abs(counts[x] / len(readable) - p) for x, p in reference.items())
    return found


def test_every_scene_group_and_track_is_scored_as_counted_by_hand(place, run):
    shown = run("paw", "score", "rows.jsonl", "--data", "release", "--format", "json", cwd=place, check=0)
    rows = json.loads(shown.stdout)
    hand = by_hand()
    scenes = {(row["model"], row["scene"]): row for row in rows if row["level"] == "scene"}
    assert len(scenes) == 100
    for key, metric in hand.items():
        assert scenes[key]["status"] == ("fail" if metric is None else "pass")
        assert scenes[key]["metric"] == (None if metric is None else pytest.approx(metric))
    for row in (row for row in rows if row["level"] == "track"):
        own = {s["scene_id"]: hand[row["model"], s["scene_id"]] for s in SCENES if s["split"] == row["track"]}
        passing = [metric for metric in own.values() if metric is not None]
        assert row["metric"] == pytest.approx(mean(passing))
        assert row["spr"] == pytest.approx(len(passing) / 25)
    assert sorted(row["spr"] for row in rows if row["level"] == "track") == pytest.approx([0.96, 1, 1, 1])


def test_the_main_table_has_both_models(place, run):
    table = run("paw", "tables", "rows.jsonl", "1", "--data", "release", "--format", "csv", cwd=place, check=0).stdout
    assert "steady" in table
    assert "careless" in table


def test_without_the_import_three_references_are_not_known_and_it_is_said_what_to_import(place, run):
    shown = run("paw", "score", "rows.jsonl", "--format", "json", cwd=place, check=0)
    rows = json.loads(shown.stdout)
    unknown = {row["scene"] for row in rows if row["level"] == "scene" and row["status"] == "no-reference"}
    assert unknown == {"A-04", "A-11", "A16"}
    assert "calibench build --pawbench" in shown.stderr
