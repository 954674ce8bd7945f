"""The PAWBench authors' benchmark package: manifest.json, the scene table it names, and the pictures."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from calibench_data.errors import Problem, Problems, quoted

from .json_text import decode, reason
from .package_files import text_inside
from .paw_package_fields import ROW_FIELDS, Context

SCHEMA = "pawbench.benchmark_inputs/v1"
MANIFEST = "manifest.json"
SCENES, TRACK = 50, 25


@dataclass(frozen=True)
class Picture:
    """A source picture, as it is in the package; `suffix` is `png` or `jpg`."""

    data: bytes
    suffix: str
    width: int
    height: int


@dataclass(frozen=True)
class PackageScene:
    """A row of the scene table. `reference`: in the order of the outcomes; None in the coverage track.

    rounded: outcome -> what was made of a probability that is no exact fraction. notices: what was not used, and why.
    """

    scene: str
    track: str
    outcomes: tuple[str, ...]
    title: str | None
    group: str | None
    reference: tuple[Fraction, ...] | None
    rounded: dict[str, str]
    prompt: str
    picture: Picture
    notices: tuple[str, ...]


@dataclass(frozen=True)
class Package:
    """A checked package: its 50 scenes in the order of the table, and the SHA-256 of that table."""

    scenes: tuple[PackageScene, ...]
    sha256: str


def read_package(folder: Path) -> Package:
    """Read and check a package. Raises CalibenchError with every problem of all its files, each with its place."""
    problems = Problems()
    if not folder.is_dir():
        problems.add(Problem(str(folder), "is no folder", "the folder of the authors' package"))
        problems.raise_if_any()
    table = _scene_table(folder, problems)
    text = text_inside(folder, table, f"{folder / MANIFEST}: scene_table", problems) if table is not None else None
    scenes = _scenes(folder, folder / str(table), text, problems) if text is not None else []
    problems.raise_if_any()
    return Package(tuple(scenes), hashlib.sha256((folder / str(table)).read_bytes()).hexdigest())


def _scene_table(folder: Path, problems: Problems) -> object:
    """What the manifest names; where the manifest is at fault, `scenes.jsonl` if it is there, to be checked as well."""
    usual = "scenes.jsonl" if (folder / "scenes.jsonl").is_file() else None
    place = str(folder / MANIFEST)
    text = text_inside(folder, MANIFEST, place, problems)
    if text is None:
        return usual
    try:
        manifest = decode(text)
    except (ValueError, RecursionError) as error:
        problems.add(Problem(place, f"is no JSON: {reason(error)}", "one JSON object"))
        return usual
    if not isinstance(manifest, dict):
        problems.add(Problem(place, "is no JSON object", "an object with schema_version and scene_table"))
        return usual
    if (version := manifest.get("schema_version")) != SCHEMA:
        do = "Another version of the package needs another version of calibench-data."
        problems.add(Problem(f"{place}: schema_version", f"found {quoted(version)}", SCHEMA, do))
    return manifest.get("scene_table", "")


def _scenes(root: Path, table: Path, text: str, problems: Problems) -> list[PackageScene]:
    rows: list[tuple[int, dict[str, Any]]] = []
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    for number, line in lines:
        try:
            value = decode(line)
            if not isinstance(value, dict):
                raise ValueError("it is another value")
            rows.append((number, value))
        except (ValueError, RecursionError) as error:
            found = f"is no JSON object: {reason(error)}"
            problems.add(Problem(f"{table}: row {number}", found, "one object a line"), number)
    if len(lines) != SCENES:
        problems.add(Problem(str(table), f"has {len(lines)} scenes", f"{SCENES} scenes, one a line"))
    _check_whole(table, rows, problems)
    scenes = (_scene(Context(root, table, number, problems), row) for number, row in rows)
    return [scene for scene in scenes if scene is not None]


def _check_whole(table: Path, rows: list[tuple[int, dict[str, Any]]], problems: Problems) -> None:
    first: dict[str, tuple[int, str]] = {}
    for number, row in rows:
        name = row.get("scene_id")
        if isinstance(name, str):
            at, same = first.setdefault(name.casefold(), (number, name))
            if at != number:
                found = f"{quoted(name)} stands in row {at} already" + ("" if same == name else f", as {quoted(same)}")
                place = f"{table}: row {number}, scene_id"
                problems.add(Problem(place, found, "each scene once, also without regard to case"), number)
    tracks = Counter(row["split"] for _, row in rows if row.get("split") in ("calibration", "coverage"))
    if len(rows) == SCENES == tracks.total() and set(tracks.values()) != {TRACK}:
        found = ", ".join(f"{n} {track}" for track, n in sorted(tracks.items()))
        problems.add(Problem(f"{table}: split", f"has {found} scenes", f"{TRACK} a track"))


def _scene(context: Context, row: dict[str, Any]) -> PackageScene | None:
    before = context.problems.total
    fields: dict[str, Any] = {}
    readers: dict[str, Callable[[Context, dict[str, Any], dict[str, Any]], Any]] = ROW_FIELDS
    for name, read in readers.items():
        fields[name] = read(context, row, fields)
    if context.problems.total > before:
        return None
    exact, picture = fields["reference"], fields["picture"]
    return PackageScene(
        fields["scene"],
        fields["track"],
        fields["outcomes"],
        fields["title"],
        fields["group"],
        exact.probabilities if exact else None,
        dict(exact.rounded) if exact else {},
        fields["prompt"],
        Picture(*picture),
        tuple(context.notices),
    )
