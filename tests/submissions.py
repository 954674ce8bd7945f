"""A good submission of made-up votes, for tests to use as it is or to spoil."""

import csv
import json
import random
import re
from pathlib import Path

import calibench_data

TOML = """\
[model]
name = "my-model"
title = "My Model 1.0"
provider = "Example Lab"
duration_s = 5.0
resolution = "720p"

[contact]
person = "Ada Example"
email = "ada@example.org"

[reading]
reader = "gemini-3.1-pro-preview"
attempts = 3
edition = "paper"
evidence = "protocol"
date = 2026-01-31
"""


def scenes():
    """Scene -> its outcomes, as the embedded release has them."""
    return dict(calibench_data.sql("SELECT scene, outcomes FROM scenes WHERE benchmark = 'calibench'").iter_rows())


def votes(sets, seed=0):
    """Three votes on each of 32 videos a scene: mostly unanimous, some null, some split."""
    draw = random.Random(seed)
    rows = []
    for scene, outcomes in sets.items():
        for video in range(32):
            first = draw.choice([*outcomes, None])
            for attempt in (1, 2, 3):
                outcome = draw.choice(outcomes) if draw.random() < 0.1 else first
                rows.append(
                    {
                        "scene": scene,
                        "seed": video,
                        "attempt": attempt,
                        "status": "null" if outcome is None else "outcome",
                        "outcome": outcome,
                    }
                )
    return rows


def write(path: Path, rows):
    """Rows as CSV or JSONL, by the name's ending."""
    with path.open("w", encoding="utf-8", newline="") as file:
        if path.suffix == ".jsonl":
            file.writelines(json.dumps(row) + "\n" for row in rows)
        else:
            writer = csv.DictWriter(file, rows[0])
            writer.writeheader()
            writer.writerows(rows)
    return path


def fill_settings(folder: Path):
    """What an author does after `submit new`: fills in the settings as the comments say."""
    path = folder / "submission.toml"
    path.write_text(re.sub(r'= (?:""|0)  # e\.g\. (.*)', r"= \1", path.read_text("utf-8")), "utf-8")


def fill(folder: Path):
    """The settings filled in, and the votes put there."""
    fill_settings(folder)
    write(folder / "votes.csv", votes(scenes()))
    return folder


def submission(folder: Path, name="my-model", rows=None):
    """A folder that can be submitted as it stands."""
    folder.mkdir()
    (folder / "submission.toml").write_text(TOML.replace("my-model", name), "utf-8")
    write(folder / "votes.csv", votes(scenes()) if rows is None else rows)
    return folder
