"""What can be answered on a video, and the keys that choose it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# Keys of the page that no outcome may have; see page/label.js.
RESERVED = "xtupe"


@dataclass(frozen=True)
class Choice:
    """An answer as the page offers it: what is typed to choose it, the kind of answer, and its outcome."""

    typed: str
    answer: str
    outcome: str | None


def choices(outcomes: Sequence[str]) -> list[Choice]:
    """The outcomes of a scene, then cannot be scored (x) and cannot tell (t).

    Numbers are typed as they are, words by their first letter if these differ, else by their place in the scene.
    """
    letters = [outcome[:1].casefold() for outcome in outcomes]
    if all(outcome.isascii() and outcome.isdecimal() for outcome in outcomes):
        typed = list(outcomes)
    elif len(set(letters)) == len(letters) and all("a" <= x <= "z" and x not in RESERVED for x in letters):
        typed = letters
    else:
        typed = [str(place) for place in range(1, len(outcomes) + 1)]
    named = [Choice(key, "outcome", outcome) for key, outcome in zip(typed, outcomes, strict=True)]
    return [*named, Choice("x", "null", None), Choice("t", "cannot-tell", None)]
