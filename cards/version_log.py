"""The log of a dataset repository's versions, as a grid and as records."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from .grid import Entry, Grid
from .printed import decimals

COLUMNS = ("version", "digest", "parent", "change", "item", "before", "after", "why")


class Score(Protocol):
    """The mnTV of a model before and after."""

    @property
    def model(self) -> str: ...
    @property
    def before(self) -> float | None: ...
    @property
    def after(self) -> float | None: ...
    @property
    def why(self) -> str: ...


class Version(Protocol):
    """A version and what it changed."""

    @property
    def version(self) -> str: ...
    @property
    def digest(self) -> str: ...
    @property
    def parent(self) -> str | None: ...
    @property
    def rows(self) -> Mapping[str, int]: ...
    @property
    def scores(self) -> Sequence[Score]: ...


def records(versions: Sequence[Version]) -> Iterator[dict[str, Any]]:
    """An object a change: of `rows` (item: the table; after: rows more or less) or of `mntv` (item: the model)."""
    for one in versions:
        head = {"version": one.version, "digest": one.digest, "parent": one.parent}
        for table, rows in one.rows.items():
            yield {**head, "change": "rows", "item": table, "before": None, "after": rows, "why": ""}
        for score in one.scores:
            numbers = {"before": score.before, "after": score.after, "why": score.why}
            yield {**head, "change": "mntv", "item": score.model, **numbers}


def grid(versions: Sequence[Version]) -> Grid:
    """A row a version; below it one a model whose score is another."""
    rows: list[tuple[Entry, ...]] = []
    for one in versions:
        changed = ", ".join(f"{rows:+,} {table}" for table, rows in one.rows.items()) or "no rows"
        rows.append((Entry(one.version), Entry(changed), Entry(""), Entry(""), Entry(one.digest[:12])))
        for score in one.scores:
            before, after = (decimals(float("nan") if n is None else n) for n in (score.before, score.after))
            rows.append((Entry(""), Entry(f"  {score.model}: {score.why}"), *map(Entry, (before, after, ""))))
    columns = ("Version", "Change", "mnTV before", "after", "digest")
    return Grid("Versions, the newest first", columns, tuple(rows), numeric_from=2)
