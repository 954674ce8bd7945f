"""The outcomes and labels in a checkout of the authors' repository, compared with those that this package has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from calibench_data.errors import CalibenchError, Problem, Problems, quoted

from . import labels, outcomes, source_files
from .checkout_files import read_json

FOLDER = "analysis"
LABELS = f"{FOLDER}/human_labels.json"
_FOLDERS = {"720p": f"{FOLDER}/seedance720", "5s": f"{FOLDER}/dur5s"}

Names = Mapping[str, str]
# (condition, scene, model) -> outcomes in seed order, and whether the authors released the cell.
Cells = dict[tuple[str, str, str], tuple[list[str | None], bool]]


def compare_figures(root: Path, scenes: Names, models: Names, problems: Problems) -> list[str]:
    """Note every difference between the checkout and the embedded outcomes and labels.

    scenes, models: our name -> the authors'. Returns what else is remarkable: files that call themselves otherwise.
    """
    remarks: list[str] = []
    sets = {row["scene"]: source_files.listed(row["outcomes"]) for row in source_files.rows("calibench/scenes.csv")}
    for (condition, scene, model), (known, released) in _cells().items():
        name, theirs = _place(condition, scenes[scene], models[model])
        if not released and not (root / name).exists():
            continue  # never released: inferred from a printed figure
        named = {"scene": theirs, "model": models[model]}
        for problem in _compare(root, name, named, sets[scene], known, remarks):
            problems.add(problem)
    for problem in _compare_labels(root, scenes, models):
        problems.add(problem)
    return remarks


def _cells() -> Cells:
    cells: Cells = {}
    for row in (row for row in outcomes.records() if row["benchmark"] == "calibench"):
        key = (row["condition"], row["scene"], row["model"])
        cells.setdefault(key, ([], row["source"] == "published"))[0].append(row["outcome"])
    return cells


def _place(condition: str, scene: str, model: str) -> tuple[str, str]:
    """The file of a cell, and the name of its scene in it."""
    kind, _, value = condition.partition("-")
    if kind == "cfg":
        scene = f"{scene}_cfg_{value.replace('.', '_')}"
    elif kind == "target":
        scene = f"{scene}_face_{value}"
    return f"{_FOLDERS.get(condition, FOLDER)}/{scene}_{model}_bins.json", scene


def _compare(
    root: Path, name: str, named: Names, outcome_set: list[str], known: list[str | None], remarks: list[str]
) -> Iterator[Problem]:
    place = str(root / name)
    try:
        cell = read_json(root, name)
    except CalibenchError as error:
        yield from error.problems
        return
    rollouts = cell.get("rollouts") if isinstance(cell, dict) else None
    if not isinstance(rollouts, list) or not all(isinstance(one, dict) and "bin" in one for one in rollouts):
        yield Problem(place, "has no list of rollouts with seed and bin", "{scene, model, num_bins, rollouts}")
        return
    remarks += [
        f"{place}: {field}: found {quoted(cell.get(field))} instead of {value!r}"
        for field, value in named.items()
        if cell.get(field) != value
    ]
    if (bins := cell.get("num_bins")) != len(outcome_set):
        yield Problem(f"{place}: num_bins", f"found {quoted(bins)}", str(len(outcome_set)))
    seeds = [one.get("seed") for one in rollouts]
    if seeds != list(range(len(known))):
        yield Problem(f"{place}: seeds", f"found {quoted(seeds)}", f"0 to {len(known) - 1}, each once, in order")
        return
    for seed, (one, outcome) in enumerate(zip(rollouts, known, strict=True)):
        expected = None if outcome is None else outcome_set.index(outcome) + 1
        if one["bin"] != expected or isinstance(one["bin"], bool):
            allowed = "null" if expected is None else f"{expected} ({outcome})"
            yield Problem(f"{place}: seed {seed}", f"has the bin {quoted(one['bin'])}", f"{allowed}, as released here")


def _compare_labels(root: Path, scenes: Names, models: Names) -> Iterator[Problem]:
    place = str(root / LABELS)
    known = {(scenes[r["scene"]], models[r["model"]], r["seed"]): r["outcome"] for r in labels.records()}
    try:
        listed = read_json(root, LABELS)
    except CalibenchError as error:
        yield from error.problems
        return
    if not isinstance(listed, list):
        yield Problem(place, "is no list", "a list of {scene, model, seed, human_label}")
        return
    seen = set()
    for number, one in enumerate(listed, start=1):
        entry = f"{place}: entry {number}"
        key = _label_key(one)
        if key is None:
            yield Problem(entry, f"found {quoted(one)}", "{scene, model, seed, human_label}")
        elif key in seen or key not in known:
            yield Problem(
                entry, f"labels {quoted(key)}" + (" again" if key in seen else ""), "each released label once"
            )
        elif (label := _text(one["human_label"])) != known[key]:
            allowed = f"{quoted(known[key])}, as released here"
            yield Problem(f"{entry}: {quoted(key)}", f"has the label {quoted(label)}", allowed)
        seen.add(key)
    if missing := sorted(known.keys() - seen):
        yield Problem(place, f"lacks {len(missing)} labels, the first of {quoted(missing[0])}", f"{len(known)} labels")


def _label_key(entry: Any) -> tuple[Any, ...] | None:
    if not isinstance(entry, dict) or "human_label" not in entry:
        return None
    key = tuple(entry.get(field) for field in ("scene", "model", "seed"))
    return key if all(isinstance(part, str | int) for part in key) else None


def _text(label: Any) -> Any:
    """A label as text: the authors give numbers as such."""
    whole = isinstance(label, int) or (isinstance(label, float) and label.is_integer())
    return str(int(label)) if whole and not isinstance(label, bool) else label
