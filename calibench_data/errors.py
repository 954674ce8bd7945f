"""What is wrong with an input, said so that its author can mend it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

SHOWN = 50


@dataclass(frozen=True)
class Problem:
    """One fault: where it is, what was found there, what is allowed, and what to do about it."""

    place: str
    found: str
    allowed: str = ""
    do: str = ""

    def __str__(self) -> str:
        text = f"{self.place}: {self.found}"
        if self.allowed:
            text += f"; allowed: {self.allowed}"
        if self.do:
            text += f". {self.do}"
        return visible(text)


class CalibenchError(ValueError):
    """A known failure. `problems` lists the first faults by place, `total` counts all of them."""

    def __init__(self, problems: Sequence[Problem] | str, total: int | None = None) -> None:
        self.problems = [Problem("", problems)] if isinstance(problems, str) else list(problems)
        self.total = len(self.problems) if total is None else total
        super().__init__(problems if isinstance(problems, str) else self._report())

    def _report(self) -> str:
        shown = self.problems[:SHOWN]
        lines = [str(problem) for problem in shown]
        if self.total > len(shown):
            lines.append(f"... and {self.total - len(shown):,} more problems")
        return "\n".join(lines)


class Problems:
    """Collects the faults of one input until all checks have run.

    keep: of the faults noted one by one only the first `keep` are spelled out, the rest is counted, so that a file
    of a million faults needs no memory for them; None keeps all.
    """

    def __init__(self, keep: int | None = None) -> None:
        self._found: list[tuple[int, Problem]] = []
        self._keep = keep
        self.total = 0

    def add(self, problem: Problem, row: int = 0) -> None:
        """Note one fault; faults are reported by their row."""
        self.total += 1
        if self._keep is None or len(self._found) < self._keep:
            self._found.append((row, problem))

    def add_all(self, total: int, first: Sequence[tuple[int, Problem]]) -> None:
        """Note `total` faults of one kind, of which the `first` ones are spelled out as (row, problem)."""
        self.total += total
        self._found.extend(first)

    def found(self) -> list[Problem]:
        """The problems that are spelled out, by row."""
        return [problem for _, problem in sorted(self._found, key=lambda pair: pair[0])]

    def raise_if_any(self) -> None:
        """Raise CalibenchError with all that was noted."""
        if self.total:
            raise CalibenchError(self.found()[:SHOWN], self.total)


def quoted(value: object, longest: int = 60) -> str:
    """A value as it was found, on one line, cut where it is very long."""
    text = repr(value)
    return text if len(text) <= longest else f"{text[:longest]}... ({len(str(value))} characters)"


def visible(text: str) -> str:
    """The text with control and direction characters written as escapes, so that no name can rewrite a terminal."""
    return "".join(c if c.isprintable() or c == " " else c.encode("unicode_escape").decode() for c in text)
