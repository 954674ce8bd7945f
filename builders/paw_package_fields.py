"""The fields of a row of the authors' scene table, each read by a function that notes what is wrong with it."""

from __future__ import annotations

import difflib
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from calibench_data.errors import Problem, Problems, quoted

from .exact_reference import ExactReference, exact_reference
from .package_files import file_inside, text_inside
from .pictures import picture_size

Row = dict[str, Any]
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_LONGEST = 200  # characters of an outcome, title or group
# The first of these that a row fills is its prompt, as in the authors' own scripts; a path names a text file.
_PROMPTS = ("prompt", "generation_prompt", "prompt_path", "generation_prompt_path", "action")


@dataclass
class Context:
    """Where a row stands, and what was found in it. `notices` are no faults."""

    root: Path
    table: Path
    number: int
    problems: Problems
    notices: list[str] = field(default_factory=list)

    def place(self, name: str) -> str:
        return f"{self.table}: row {self.number}, {name}"

    def fault(self, name: str, found: str, allowed: str, do: str = "") -> None:
        self.problems.add(Problem(self.place(name), found, allowed, do), self.number)


def _scene(context: Context, row: Row, _: Row) -> str | None:
    name = row.get("scene_id")
    if isinstance(name, str) and _NAME.fullmatch(name):
        return name
    context.fault("scene_id", _found(row, "scene_id"), "letters, digits, . _ -, 64 at most, such as BA-01-S1")
    return None


def _track(context: Context, row: Row, _: Row) -> str | None:
    track = row.get("split")
    if track in ("calibration", "coverage"):
        return str(track)
    context.fault("split", _found(row, "split"), "calibration, coverage")
    return None


def _outcomes(context: Context, row: Row, _: Row) -> tuple[str, ...] | None:
    labels = row.get("outcome_labels")
    allowed = "a list of two or more different names, none of them null or empty"
    if not isinstance(labels, list):
        context.fault("outcome_labels", _found(row, "outcome_labels"), allowed)
        return None
    wrong = [label for label in labels if not _is_name(label) or label == "null"]
    if wrong:
        context.fault("outcome_labels", f"found {quoted(wrong[0])}", allowed)
    elif len(set(labels)) < max(len(labels), 2):
        context.fault("outcome_labels", f"found {quoted(labels)}", allowed)
    else:
        return tuple(labels)
    return None


def _text(name: str) -> Any:
    def read(context: Context, row: Row, _: Row) -> str | None:
        value = row.get(name)
        if value is None or _is_name(value):
            return value
        context.fault(name, _found(row, name), "a name, or nothing")
        return None

    return read


def _reference(context: Context, row: Row, fields: Row) -> ExactReference | None:
    name, given, outcomes = "reference_distribution", row.get("reference_distribution"), fields["outcomes"]
    if fields["track"] == "coverage":
        if given:
            context.notices.append(f"{name} is not used: the coverage track has no references")
        return None
    allowed = "for each of outcome_labels its probability, from 0 to 1, in all 1"
    if not isinstance(given, dict):
        context.fault(name, _found(row, name), allowed)
        return None
    before = context.problems.total
    for label, number in given.items():
        if type(number) not in (int, float) or not 0 <= number <= 1:  # a NaN is in no range
            context.fault(f"{name}, {_shown(label)}", f"found {quoted(number)}", "a number from 0 to 1")
        if outcomes is not None and label not in outcomes:
            near = difflib.get_close_matches(label, outcomes, 1)
            do = f"Did you mean {near[0]}?" if near else ""
            context.fault(f"{name}, {_shown(label)}", "is none of outcome_labels", ", ".join(outcomes), do)
    for label in (label for label in outcomes or () if label not in given):
        context.fault(f"{name}, {_shown(label)}", "has no probability", "a number; 0 where it is impossible")
    if outcomes is None or context.problems.total > before:
        return None
    try:
        return exact_reference({label: float(given[label]) for label in outcomes})
    except ValueError as error:
        context.fault(name, str(error), allowed)
        return None


def _prompt(context: Context, row: Row, _: Row) -> str | None:
    before = context.problems.total
    filled = {}
    for name in (name for name in _PROMPTS if row.get(name) is not None):
        text: object = row[name]
        if name.endswith("_path"):
            text = text_inside(context.root, text, context.place(name), context.problems)
        elif not isinstance(text, str):
            context.fault(name, _found(row, name), "text")
        if isinstance(text, str) and text.strip():
            filled[name] = text.strip()
    if context.problems.total > before:
        return None
    if not filled:
        context.fault("prompt", "has no prompt", f"text under one of {', '.join(_PROMPTS)}")
        return None
    used = next(iter(filled))
    for name, text in filled.items():
        if text != filled[used] and name != "action":
            context.notices.append(f"{name} says something else than {used}, which is used")
    return filled[used]


def _picture(context: Context, row: Row, _: Row) -> tuple[bytes, str, int, int] | None:
    place = context.place("source_image_path")
    path = file_inside(context.root, row.get("source_image_path"), place, context.problems)
    if path is None:
        return None
    data = path.read_bytes()
    try:
        return (data, *picture_size(data))
    except ValueError as error:
        context.fault("source_image_path", f"{quoted(row['source_image_path'])} {error}", "a whole PNG or JPEG picture")
        return None


# Field of a scene -> what reads it from a row; a later one may look at what the earlier ones found.
ROW_FIELDS = {
    "scene": _scene,
    "track": _track,
    "outcomes": _outcomes,
    "title": _text("title"),
    "group": _text("group"),
    "reference": _reference,
    "prompt": _prompt,
    "picture": _picture,
}


def _is_name(value: object) -> bool:
    return isinstance(value, str) and 0 < len(value) <= _LONGEST and value.isprintable() and value == value.strip()


def _found(row: Row, name: str) -> str:
    return f"found {quoted(row[name])}" if name in row else "is not there"


def _shown(label: str) -> str:
    return label if _is_name(label) else quoted(label)
