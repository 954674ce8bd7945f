"""A benchmark package of 50 scenes in the PAWBench authors' format, made up around the known scenes."""

import json
import struct
import zlib
from pathlib import Path

import calibench_data

SCHEMA = "pawbench.benchmark_inputs/v1"
# What the released sources do not know, made up.
MADE_UP = {"A-04": [0.75, 0.25], "A-11": [0.3, 0.7], "A16": [0.4, 0.3, 0.2, 0.1]}


def png(shade=128, width=4, height=3):
    """A small grey PNG picture."""

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    pixels = b"".join(b"\0" + bytes([shade]) * width for _ in range(height))
    size = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size) + chunk(b"IDAT", zlib.compress(pixels)) + chunk(b"IEND", b"")


def scenes():
    """The 50 rows of scenes.jsonl: the known scenes with their known references as floats, the others made up."""
    known = calibench_data.sql(
        "SELECT scene, track, family, outcomes FROM scenes WHERE benchmark = 'pawbench' AND track <> 'intervention' "
        "ORDER BY position"
    ).rows()
    references = dict(
        calibench_data.sql(
            "SELECT scene, list(probability ORDER BY position) FROM distributions "
            "WHERE benchmark = 'pawbench' GROUP BY scene"
        ).rows()
    )
    rows = []
    for scene, track, family, outcomes in known:
        row = {"scene_id": scene, "split": track, "group": family, "outcome_labels": outcomes}
        row |= {"source_image_path": f"source_images/{scene}.png", "action": f"Act once on {scene}."}
        if track == "calibration":
            row["reference_distribution"] = dict(zip(outcomes, references.get(scene) or MADE_UP[scene], strict=True))
        rows.append(row)
    return rows


def write(folder, rows=None, manifest=None):
    """Write a package; `rows` may hold text in place of a row, `manifest` replaces fields of the manifest."""
    folder = Path(folder)
    rows = scenes() if rows is None else rows
    (folder / "source_images").mkdir(parents=True)
    content = {"schema_version": SCHEMA, "scene_table": "scenes.jsonl", **(manifest or {})}
    (folder / "manifest.json").write_text(json.dumps(content), "utf-8")
    lines = [row if isinstance(row, str) else json.dumps(row) for row in rows]
    (folder / "scenes.jsonl").write_text("".join(f"{line}\n" for line in lines), "utf-8")
    for shade, row in enumerate(scenes()):
        (folder / row["source_image_path"]).write_bytes(png(shade))
    return folder
