"""The names that annotators may have: each becomes a file name, and stands in the published labels."""

from __future__ import annotations

import re
from collections.abc import Iterator

from calibench_data.errors import Problem, quoted

ALLOWED = "lower-case letters a to z and digits, with single . - _ between them, 40 characters at most, such as ada"
PATTERN = r"^[a-z0-9]+([._-][a-z0-9]+)*$"
LONGEST = 40
# Who labelled the released videos.
TAKEN = "authors"


def check_annotator(place: str, name: str) -> Iterator[Problem]:
    """What is wrong with an annotator's name."""
    if name == TAKEN:
        yield Problem(place, f"{quoted(name)} are those of the benchmark", "another name")
    elif not re.fullmatch(PATTERN, name) or len(name) > LONGEST:
        yield Problem(place, f"found {quoted(name)}", ALLOWED)
