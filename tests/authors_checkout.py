"""A checkout in the layout of the CaliBench authors' repository: their file names, our own words, small pictures."""

import io
import json
from pathlib import Path

from PIL import Image

import calibench_data

SCENES = {
    "physical_board": ("galton_board_real", "galton_board_final.png"),
    "animated_board": ("galton_board", "galton_board.png"),
    "ball_fork": ("ball", "ball.png"),
    "walking": ("walking", "walking.jpg"),
    "pendulum": ("pendulum", "pendulum_v3.png"),
    "dice": ("dice", "dice.jpg"),
    "cards": ("cards", "cards.jpg"),
    "lottery": ("lottery", "lottery.jpg"),
    "roulette": ("roulette", "roulette_v3.png"),
}
MODELS = {
    "wan-2.7": "wan",
    "seedance-2.0": "seedance",
    "happyhorse-1.0": "happyhorse",
    "veo-3.1": "veo31",
    "runway-gen-4.5": "runway45",
    "cosmos3-super": "cosmos3_super",
}


def words(scene, role):
    """What the synthetic checkout says, with what a reader of literals may trip over."""
    return f'Say "{role}" of {scene}:\n• it\'s one of nine \\ scenes – no more.\t{{x}}'


def python(role, key):
    """A module that assigns SCENES, its texts in implicitly joined pieces, beside code that must not run."""
    lines = ["import os", "from pathlib import Path", "", "raise SystemExit('this was run')", "", "SCENES = {"]
    for scene, (theirs, _) in SCENES.items():
        text = words(scene, role)
        half = len(text) // 2
        lines += [f"    {theirs!r}: {{", f"        'name': {theirs!r}, 'outcome_map': {{1: 'left', 2: None}},"]
        lines += [f"        {key!r}: (", f"            {text[:half]!r}", f"            {text[half:]!r}", "        ),"]
        lines += ["        'frame_pcts': [0.5, 1.0], 'use_video': not True, 'path': Path('x') / os.sep,", "    },"]
    return "\n".join([*lines, "}", "", "def main():", "    return SCENES", ""])


def picture(scene, form):
    """A small picture, another one for each scene."""
    buffer = io.BytesIO()
    Image.new("RGB", (16, 9), (20 * list(SCENES).index(scene), 90, 160)).save(buffer, form)
    return buffer.getvalue()


def place(condition, scene, model):
    """The file of a cell from the checkout's root, and the scene that it names."""
    theirs = SCENES[scene][0]
    folder = {"720p": "analysis/seedance720", "5s": "analysis/dur5s"}.get(condition, "analysis")
    if condition.startswith("cfg-"):
        theirs += "_cfg_" + condition.removeprefix("cfg-").replace(".", "_")
    elif condition.startswith("target-"):
        theirs += "_face_" + condition.removeprefix("target-")
    return f"{folder}/{theirs}_{MODELS[model]}_bins.json", theirs


def write(root: Path):
    """A whole checkout, whose figures are those of the embedded release."""
    for name in ("conditioning_frames", "analysis/seedance720", "analysis/dur5s"):
        (root / name).mkdir(parents=True)
    (root / "scenes.py").write_text(python("generation", "prompt"), "utf-8")
    (root / "extract_bin.py").write_text(python("reading", "vlm_prompt"), "utf-8")
    for scene, (_, file) in SCENES.items():
        form = "PNG" if file.endswith(".png") else "JPEG"
        (root / "conditioning_frames" / file).write_bytes(picture(scene, form))
    sets = dict(calibench_data.sql("SELECT scene, outcomes FROM scenes WHERE benchmark = 'calibench'").rows())
    cells = {}
    rows = calibench_data.sql(
        "SELECT condition, scene, model, seed, outcome FROM outcomes "
        "WHERE benchmark = 'calibench' AND source = 'published' ORDER BY condition, scene, model, seed"
    )
    for condition, scene, model, seed, outcome in rows.rows():
        number = None if outcome is None else sets[scene].index(outcome) + 1
        cells.setdefault((condition, scene, model), []).append({"seed": seed, "bin": number})
    for (condition, scene, model), rollouts in cells.items():
        name, theirs = place(condition, scene, model)
        content = {"scene": theirs, "model": MODELS[model], "num_bins": len(sets[scene]), "rollouts": rollouts}
        (root / name).write_text(json.dumps(content), "utf-8")
    labels = calibench_data.sql("SELECT scene, model, seed, outcome FROM labels WHERE benchmark = 'calibench'").rows()
    listed = [
        {
            "scene": SCENES[scene][0],
            "model": MODELS[model],
            "seed": seed,
            "human_label": int(outcome) if (outcome or "").isdigit() else outcome,
        }
        for scene, model, seed, outcome in labels
    ]
    (root / "analysis" / "human_labels.json").write_text(json.dumps(listed), "utf-8")
    return root
