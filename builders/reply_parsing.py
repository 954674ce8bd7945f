"""From a reader's reply to a vote: one outcome of the scene, or null; whatever is less plain than that is an error."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from calibench_data.errors import quoted

Status = Literal["outcome", "null", "error"]
NULL = "null"
# To be raised when replies are parsed in another way: `calibench collect --reparse` then reads the kept ones anew.
PARSER = 1
_WORD = re.compile(r"[+-]?\d+(?:[.,:/]\d+)*%?(?![\w'’-])|\w+(?:['’-]\w+)*")
_NUMBER = re.compile(r"[+-]?\d.*")
_NEGATIONS = frozenset(("not", "no", "never", "neither", "nor", "cannot", "cant", "without", "except", "nothing"))


@dataclass(frozen=True)
class Reading:
    """What a reply says. error: why it says nothing, where the status is `error`. audit: flags beside the outcome."""

    status: Status
    outcome: str | None = None
    error: str | None = None
    audit: dict[str, str] = field(default_factory=dict)


def parse_outcome(reply: str, outcomes: Sequence[str]) -> Reading:
    """The one outcome that a reply names as a whole word, whatever its case, or null.

    A reply is an error that names none, or more than one (null counts as one), or a number that is no outcome where
    outcomes are numbers, or that denies: `not left` is no reading of left.
    """
    words = _words(reply)
    if not words:
        return Reading("error", error="empty reply")
    names = {tuple(_words(one)): one for one in (*outcomes, NULL)}
    longest = max(map(len, names))
    numeric = all(_NUMBER.fullmatch(one) for one in outcomes)
    found: list[str] = []
    at = 0
    while at < len(words):
        # The longest name first: `dark red` is not red.
        spans = (words[at : at + length] for length in range(longest, 0, -1))
        span = next((span for span in spans if tuple(span) in names), None)
        if span is not None:
            found.append(names[tuple(span)])
        elif numeric and _NUMBER.fullmatch(words[at]):
            return Reading("error", error=f"names {words[at]}, which is no outcome: {quoted(reply)}")
        at += len(span or [words[at]])
    if len(set(found)) > 1:
        return Reading("error", error=f"names more than one outcome ({', '.join(dict.fromkeys(found))})")
    if not found:
        return Reading("error", error=f"names no outcome: {quoted(reply)}")
    denied = [word for word in words if word in _NEGATIONS or word.endswith(("n't", "n’t"))]
    if denied and (found[0] != NULL or words[max(0, words.index(NULL) - 1)] in denied):
        return Reading("error", error=f"names {found[0]} with {quoted(denied[0])}: {quoted(reply)}")
    return Reading("null") if found[0] == NULL else Reading("outcome", found[0])


def _words(text: str) -> list[str]:
    return [word for found in _WORD.findall(text) if (word := found.casefold().strip("_"))]
