"""What submission.toml says of the reading, held against how the videos are read."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path

from calibench_data.errors import CalibenchError, Problem, quoted

from .submission_settings import FILE

Reading = Mapping[str, str | int]


def stated(folder: Path) -> dict[str, str | int]:
    """The settings of the section `reading` that are filled in; nothing where there is no submission.toml.

    Raises CalibenchError for a file that is no TOML; what else is wrong with it is found by `submit check`.
    """
    path = folder / FILE
    if not path.exists():
        return {}
    try:
        section = tomllib.loads(path.read_bytes().decode("utf-8-sig")).get("reading", {})
    except (ValueError, RecursionError) as error:
        raise CalibenchError([Problem(str(path), f"is no TOML: {error}")]) from None
    given = section.items() if isinstance(section, dict) else ()
    return {name: value for name, value in given if isinstance(value, str | int) and value}


def contradictions(folder: Path, said: Reading, planned: Reading) -> Iterator[Problem]:
    """The settings that say something else than what is going to be done: to be found before it costs anything."""
    for name, value in planned.items():
        if said.get(name, value) != value:
            place = f"{folder / FILE}: reading.{name}"
            do = "Change it, or what `collect` is told: it says how the votes were made."
            yield Problem(place, f"found {quoted(said[name])}", f"{value}, as the videos are read", do)


def unsaid(folder: Path, said: Reading, planned: Reading) -> Iterator[str]:
    """What submission.toml has still to say of the reading."""
    if not (folder / FILE).exists():
        yield f"{folder / FILE} is not there: `calibench submit new {folder} --model my-model` writes it"
    lacking = [f"{name} = {_toml(value)}" for name, value in planned.items() if name not in said]
    if lacking:
        yield f"{FILE} has to say, under [reading]: {', '.join(lacking)}"


def _toml(value: str | int) -> str:
    if isinstance(value, int):
        return str(value)
    return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
