"""PAWBench in memory: a small roster, whose rollouts are given outcome by outcome."""

import pyarrow as pa
from calibench_data.queries.connection import open_connection

from calibench_data.schema import TABLES, arrow_schema

HALF = [(1, 2), (1, 2)]
# scene -> (track, family, outcomes, reference); two families of unequal size in each track.
ROSTER = {
    "coin": ("calibration", "tossing", ["heads", "tails"], HALF),
    "pencil": ("calibration", "tossing", ["left", "right"], [(1, 1), (0, 1)]),
    "fork": ("calibration", "routing", ["left", "right"], HALF),
    "cat": ("coverage", "agent", ["sits", "runs", "purrs"], None),
    "egg": ("coverage", "material", ["breaks", "holds"], None),
    "bar": ("coverage", "material", ["bends", "snaps"], None),
}
ERROR = "error"  # a video whose reading failed: it has no outcome row


def table(name, rows):
    blank = dict.fromkeys(TABLES[name].names)
    return pa.Table.from_pylist([{**blank, **row} for row in rows], schema=arrow_schema(TABLES[name]))


def opened(cells, roster=ROSTER, conditions=(), votes=(), labels=(), requested=None):
    """cells: (model, scene) or (model, scene, condition) -> the outcome of each rollout.

    requested: scene -> the outcome asked of each of its rollouts.
    """
    scenes, distributions, videos, outcomes = [], [], [], []
    for position, (scene, (track, family, names, reference)) in enumerate(roster.items(), start=1):
        facts = {"title": scene, "readout": "video", "rollouts": 50, "outcomes": names, "position": position}
        scenes.append({"benchmark": "pawbench", "scene": scene, "track": track, "family": family, **facts})
        for place, (name, (n, d)) in enumerate(zip(names, reference or (), strict=False), start=1):
            fraction = {"numerator": n, "denominator": d, "probability": n / d, "source": "symmetry"}
            key = {"benchmark": "pawbench", "scene": scene, "outcome": name, "position": place}
            distributions.append({**key, **fraction})
    for (model, scene, *condition), drawn in cells.items():
        for seed, outcome in enumerate(drawn):
            place = (*condition, "main")[0]
            row = {"benchmark": "pawbench", "condition": place, "scene": scene, "model": model, "seed": seed}
            row["video"] = f"pawbench/{place}/{scene}/{model}/{seed}"
            if requested:
                row["requested"] = requested[scene][seed]
            videos.append(row)
            if outcome != ERROR:
                outcomes.append({**row, "outcome": outcome, "source": "votes"})
    made = {"scenes": scenes, "distributions": distributions, "videos": videos, "outcomes": outcomes}
    made["votes"], made["labels"] = votes, labels
    made["conditions"] = [{"benchmark": "pawbench", "title": "", "change": "", **one} for one in conditions]
    return open_connection({}, {name: table(name, rows) for name, rows in made.items()})


def good(model="m", **changed):
    """All six scenes, 50 readable rollouts each, with the scenes named in `changed` replaced."""
    cells = {
        "coin": ["heads"] * 25 + ["tails"] * 25,
        "pencil": ["left"] * 50,
        "fork": ["left"] * 40 + ["right"] * 10,
        "cat": ["sits"] * 49 + ["runs"],
        "egg": ["holds"] * 50,
        "bar": ["bends", "snaps"] * 25,
    }
    return {(model, scene): drawn for scene, drawn in {**cells, **changed}.items()}
