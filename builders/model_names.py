"""The names that a submitted model may have: it becomes a file name on every system, and part of each video's id."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from calibench_data.errors import Problem, quoted

LONGEST_NAME = 64
_NAME = re.compile(r"[a-z0-9]+([._-][a-z0-9]+)*")
_WINDOWS_DEVICE = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?")
ALLOWED = (
    f"lower-case letters a to z and digits, with single . - _ between them, {LONGEST_NAME} characters at most, "
    "such as my-model-1.0"
)


def check_model_name(place: str, name: str, taken: Collection[str]) -> Iterator[Problem]:
    """What is wrong with a name, given the names that are taken: models, and parts such as a benchmark's.

    Names that differ only by case would be one file on many systems, and one model to most readers.
    """
    same = next((other for other in sorted(taken) if other.casefold() == name.casefold()), None)
    if same is not None:
        how = "is released already" if same == name else f"differs only by case from {same}, which is released"
        yield Problem(place, f"{quoted(name)} {how}", "a new name", "A released model never changes; name the version.")
    elif not _NAME.fullmatch(name) or len(name) > LONGEST_NAME:
        plain = re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-")[:LONGEST_NAME]
        yield Problem(place, f"found {quoted(name)}", ALLOWED, f"Perhaps {plain}." if plain else "")
    elif _WINDOWS_DEVICE.fullmatch(name):
        yield Problem(place, f"{quoted(name)} is a device on Windows and cannot be a file name there", "another name")
    elif near := next((other for other in sorted(taken) if _bare(other) == _bare(name)), None):
        yield Problem(place, f"{quoted(name)} can be mistaken for {near}, which is released", "a name unlike it")


def _bare(name: str) -> str:
    return re.sub(r"[._-]", "", name.casefold())
