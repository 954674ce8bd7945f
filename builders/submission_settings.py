"""submission.toml: what a submitted model is, who answers for it, and how its videos were read.

Each setting is declared once; the file that `submit new` writes and the checks of `submit check` follow from it.
"""

from __future__ import annotations

import difflib
import math
import re
import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

from calibench_data.errors import CalibenchError, Problem, Problems, quoted

from .model_names import check_model_name

FILE = "submission.toml"
LONGEST = 300
_LARGEST_FILE = 100_000


@dataclass(frozen=True)
class Setting:
    """One setting: its kind, what it is, and an example of what to write."""

    section: str
    name: str
    kind: Literal["text", "number", "whole", "date"]
    meaning: str
    example: str
    required: bool = False
    allowed: tuple[str, ...] = ()
    minimum: float = 0
    maximum: float = math.inf


_SECTIONS = {
    "model": "The model, as a row of the table `models` (Table 1 of the paper).",
    "contact": "Who answers questions. It stands in the text of the pull request and in no table.",
    "reading": "How the videos were read. What differs from the benchmark makes scores not comparable.",
}

SETTINGS = (
    Setting("model", "name", "text", "lower case; names the files and the rows", '"my-model"', True),
    Setting("model", "title", "text", "as people write it", '"My Model 1.0"', True),
    Setting("model", "provider", "text", "who makes it", '"Example Lab"', True),
    Setting("model", "api_id", "text", "identifier at the service, or of the weights", '"example/my-model-i2v"'),
    Setting("model", "duration_s", "number", "length of a video in seconds", "5.0", True, minimum=0.1, maximum=3600),
    Setting("model", "resolution", "text", "720p, or width x height in pixels", '"720p"', True),
    Setting("model", "prompt_expansion", "text", "whether the service rewrites the prompt", '"yes"'),
    Setting("model", "negative_prompt", "text", "set or unset", '"unset"'),
    Setting("model", "audio", "text", "", '"off"', allowed=("on", "off")),
    Setting("model", "steps", "whole", "denoising steps", "50", minimum=1, maximum=100_000),
    Setting("model", "guidance", "number", "classifier-free guidance scale", "6.0", maximum=1000),
    Setting("model", "note", "text", "anything else a reader must know", '"run locally"'),
    Setting("contact", "person", "text", "", '"Ada Example"', True),
    Setting("contact", "email", "text", "", '"ada@example.org"', True),
    Setting("reading", "reader", "text", "what read the videos", '"gemini-3.1-pro-preview"', True),
    Setting("reading", "attempts", "whole", "readings of each video", "3", True, minimum=1, maximum=1000),
    Setting("reading", "edition", "text", "whose prompts", '"paper"', True, ("paper", "open", "other")),
    Setting(
        "reading",
        "evidence",
        "text",
        "what the reader was shown: protocol is the last frame, or the whole video "
        "where the scene's readout says video",
        '"protocol"',
        True,
        ("protocol", "other"),
    ),
    Setting("reading", "date", "date", "when", "2026-01-31", True),
)


@dataclass(frozen=True)
class Settings:
    """The settings of a submission by name; those that were not given are None."""

    values: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


def template(model: str) -> str:
    """The submission.toml to start from: required settings to fill in, the others as comments."""
    lines = ["# A model for CaliBench. Fill in what is empty; take the # away from what applies.", ""]
    for section, meaning in _SECTIONS.items():
        lines += [f"# {meaning}", f"[{section}]"]
        for one in (one for one in SETTINGS if one.section == section):
            allowed = ", ".join(one.allowed)
            remark = "; ".join(text for text in (one.meaning, allowed and f"one of: {allowed}") if text)
            lines += [f"# {remark}"] if remark else []
            value = f'"{model}"' if one.name in ("name", "title") else "" if one.required else one.example
            if one.required and not value:
                lines.append(f"{one.name} = {_blank(one)}  # e.g. {one.example}")
            else:
                lines.append(f"{one.name} = {value}" if one.required else f"# {one.name} = {value}")
        lines.append("")
    return "\n".join(lines)


def _blank(setting: Setting) -> str:
    return '""' if setting.kind in ("text", "date") else "0"


def read_settings(path: Path, taken: Collection[str], problems: Problems) -> Settings:
    """The settings in a file; every fault is noted in `problems`. Raises CalibenchError for a file that is no TOML.

    taken: the names of the models in the release.
    """
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise CalibenchError([Problem(str(path), f"has {path.stat().st_size:,} bytes", f"{_LARGEST_FILE:,}")])
        content = tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        do = "`calibench submit new` writes one to fill in."
        raise CalibenchError([Problem(str(path), "is not there", do=do)]) from None
    except (ValueError, RecursionError) as error:  # ValueError: of TOML, of UTF-8, and of numbers too long to read
        if isinstance(error, CalibenchError):
            raise
        raise CalibenchError([Problem(str(path), f"is no TOML: {error}")]) from error
    for problem in _unknown(path, content):
        problems.add(problem)
    values: dict[str, Any] = {}
    for setting in SETTINGS:
        section = content.get(setting.section)
        value = section.get(setting.name) if isinstance(section, dict) else None
        place = f"{path}: {setting.section}.{setting.name}"
        if value is None or value == "" or (value == 0 and setting.minimum > 0 and setting.kind != "text"):
            values[setting.name] = None
            if setting.required:
                problems.add(Problem(place, "is missing", do=f"Write, for example, {setting.name} = {setting.example}"))
        elif fault := _fault(setting, value):
            values[setting.name] = None
            problems.add(Problem(place, f"found {quoted(value)}", fault))
        else:
            values[setting.name] = value
    if name := values["name"]:
        for problem in check_model_name(f"{path}: model.name", name, taken):
            problems.add(problem)
    return Settings(values)


def _unknown(path: Path, content: dict[str, Any]) -> Iterator[Problem]:
    for section, keys in content.items():
        if section not in _SECTIONS or not isinstance(keys, dict):
            yield Problem(str(path), f"has the unknown key {quoted(section)}", ", ".join(_SECTIONS))
            continue
        names = [one.name for one in SETTINGS if one.section == section]
        for key in (key for key in keys if key not in names):
            near = difflib.get_close_matches(key, names, 1)
            do = f"Did you mean {near[0]}?" if near else ""
            yield Problem(f"{path}: [{section}]", f"has the unknown key {quoted(key)}", ", ".join(names), do)


def _fault(setting: Setting, value: Any) -> str:
    """What is allowed instead of a value; empty if it is fine."""
    if setting.kind == "date":
        return "" if _is_past(value) else "a day that has come, such as 2026-01-31"
    if setting.kind == "text":
        return _text_fault(setting, value)
    kinds = int if setting.kind == "whole" else int | float
    fine = isinstance(value, kinds) and not isinstance(value, bool) and setting.minimum <= value <= setting.maximum
    number = "a whole number" if setting.kind == "whole" else "a number"
    least = f"from {setting.minimum:g}" + (f" to {setting.maximum:g}" if setting.maximum < math.inf else "")
    return "" if fine else f"{number} {least}, without quotes"


def _is_past(value: Any) -> bool:
    # A day's grace: where the submitter lives it may be tomorrow already.
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        try:
            value = date.fromisoformat(value)
        except ValueError:
            return False
    latest = (datetime.now(UTC) + timedelta(days=1)).date()
    return isinstance(value, date) and not isinstance(value, datetime) and date(2020, 1, 1) <= value <= latest


def _text_fault(setting: Setting, value: Any) -> str:
    if not isinstance(value, str):
        return "text in quotes"
    if setting.allowed and value not in setting.allowed:
        return ", ".join(setting.allowed)
    if len(value) > LONGEST:
        return f"at most {LONGEST} characters"
    if not value.isprintable() or value != value.strip() or not any(c.isalnum() for c in value):
        return "printable text on one line, with a letter or digit, without surrounding white space"
    if value[0] in "=+@" or (value[0] == "-" and not value[1:2].isdigit()):
        return "text that no spreadsheet takes for a formula: not starting with = + - @"
    if setting.name == "email" and not re.fullmatch(r"[^@\s]+@[^@\s]+\.[^@\s]+", value):
        return "an address, such as ada@example.org"
    return ""
