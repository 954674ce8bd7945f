"""A dataset repository whose PAWBench scenes are all known, and judged rows of it in the authors' format."""

import json

from calibench_data.builders import build_tables
from calibench_data.builders.source_files import arrow_table
from calibench_data.release.write import write_release

from calibench_data.schema import TABLES

SIZES = {
    "calibration": {"tossing": 8, "rotation": 4, "routing": 9, "draw": 4},
    "coverage": {"collision": 9, "stability": 4, "agent": 8, "material": 4},
}
KEPT = ("published", "conditions", "models")  # of the embedded PAWBench; the rest is replaced or left out
# scene -> (track, family, outcomes); every calibration scene is fair, with two to five outcomes.
ROSTER = {
    f"{'A' if track == 'calibration' else 'B'}-{family}-{number}": (
        track,
        family,
        [f"{family}_{outcome}" for outcome in "abcde"[: 2 + number % 4]],
    )
    for track, sizes in SIZES.items()
    for family, size in sizes.items()
    for number in range(size)
}


def write(folder, unknown=(), rows=()):
    """The embedded tables with these scenes instead of PAWBench's; `unknown`: scenes without reference.

    rows: judged rows of released models, kept as videos and outcomes; a failure is a video without outcome.
    """
    tables = {name: dict(parts) for name, parts in build_tables().items()}
    scenes, references = [], []
    for position, (scene, (track, family, outcomes)) in enumerate(ROSTER.items(), start=1):
        key = {"benchmark": "pawbench", "scene": scene}
        facts = {"title": scene.title(), "track": track, "family": family, "readout": "video", "rollouts": 50}
        row = {**key, "position": position, **facts, "outcomes": outcomes}
        scenes.append({name: row.get(name) for name in TABLES["scenes"].names})
        if track == "calibration" and scene not in unknown:
            size = len(outcomes)
            for place, outcome in enumerate(outcomes, start=1):
                fraction = {"numerator": 1, "denominator": size, "probability": 1 / size, "source": "symmetry"}
                references.append({**key, "outcome": outcome, "position": place, **fraction})
    for name in tables:
        tables[name] = {part: rows for part, rows in tables[name].items() if part != "pawbench" or name in KEPT}
    tables["scenes"]["pawbench"] = arrow_table(TABLES["scenes"], scenes)
    tables["distributions"]["pawbench"] = arrow_table(TABLES["distributions"], references)
    videos, read = [], []
    for row in rows:
        key = {"benchmark": "pawbench", "condition": "main", "scene": row["scene_id"], "model": row["model_or_lane"]}
        key |= {
            "seed": row["repeat_index"],
            "video": "pawbench/main/{scene_id}/{model_or_lane}/{repeat_index}".format(**row),
        }
        videos.append({name: key.get(name) for name in TABLES["videos"].names})
        if row["observation"] != "infrastructure_failure":
            outcome = {**key, "outcome": row.get("outcome_label"), "source": "published"}
            read.append({name: outcome.get(name) for name in TABLES["outcomes"].names})
    if rows:
        tables["videos"]["pawbench"] = arrow_table(TABLES["videos"], videos)
        tables["outcomes"]["pawbench"] = arrow_table(TABLES["outcomes"], read)
    write_release(folder, tables, {"README.md": "A test.\n"}, "1.0.0")
    return folder


def judged(model="m", nulls=0, **changed):
    """50 rows of each scene: outcomes in turn, the last `nulls` null. changed: scene (- as _) -> list of readings.

    A reading is an outcome, None (null) or an error (an Exception).
    """
    rows = []
    for scene, (track, _, outcomes) in ROSTER.items():
        readings = [outcomes[i % len(outcomes)] if i < 50 - nulls else None for i in range(50)]
        for slot, reading in enumerate(changed.get(scene.replace("-", "_"), readings)):
            row = {"sample_id": f"{model}/{scene}/r{slot:03d}", "model_or_lane": model, "track": track}
            row |= {"scene_id": scene, "repeat_index": slot}
            if isinstance(reading, Exception):
                row |= {"observation": "infrastructure_failure", "failure_code": "timeout"}
            elif reading is None:
                row |= {"observation": "null_observation", "outcome_readout": {"why": "occluded"}}
            else:
                row |= {"observation": "outcome", "outcome_label": reading}
                row |= {"trustworthiness_audit": {"action": True, "continuity": False}}
            rows.append(row)
    return rows


def save(path, rows):
    """Rows (dicts, or lines of text) as JSONL, or as a JSON list by the name's ending."""
    if path.suffix == ".json":
        path.write_text(json.dumps(rows), "utf-8")
    else:
        lines = (row if isinstance(row, str) else json.dumps(row) for row in rows)
        path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return path
