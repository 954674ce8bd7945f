"""Revisions of a dataset repository: a submitted model enters, or leaves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from calibench_data.builders.submission import Submission, read_submission
from calibench_data.cards.results import Results
from calibench_data.cards.revision_text import opened_text, withdrawn_text
from calibench_data.cards.standings import Standing, change, standings, without
from calibench_data.queries.connection import open_connection
from calibench_data.release.landing import land, target_of
from calibench_data.release.manifest import Release, ReleaseFile
from calibench_data.release.revise import Texts, add_part, drop_part, next_version, part_of_model
from calibench_data.release.target import Revision
from calibench_data.release.write import part_path
from calibench_data.schema import TABLES

from .presenting import CARD, release_texts
from .submitting import connected, protocol_of


@dataclass(frozen=True)
class RevisionFile:
    """A file that a revision touches: `new`, `rewritten`, or `no longer named` (it stays for earlier versions)."""

    path: str
    change: str
    bytes: int


@dataclass(frozen=True)
class Revised:
    """What a revision does, or, if `landed` says where, has done.

    changes: what happens to the leaderboard, a line each. remarks: what makes scores not comparable.
    """

    message: str
    target: str
    parent: str
    version: str
    files: tuple[RevisionFile, ...]
    standings: tuple[Standing, ...]
    changes: tuple[str, ...]
    remarks: tuple[str, ...]
    landed: str | None


def open_submission(folder: str | Path, to: str | Path, yes: bool = False) -> Revised:
    """Submit a folder to a dataset repository: a new version of a local one, a pull request on the Hub.

    Without `yes` nothing is written. Released files stay as they are. If others write at the same time, the submission
    is checked again against what they made of the repository. Raises CalibenchError with all problems of the folder,
    and where the target is no dataset repository, or was changed by hand.
    """
    seen: list[tuple[Submission, list[Standing]]] = []

    def make(parent: Release) -> Revision:
        submission = read_submission(Path(folder), protocol_of(parent))
        with connected(parent, submission.tables) as connection:
            results = Results(connection, tested=False)
            found = standings(results, submission.model)
            seen.append((submission, found))
            message = f"Add {submission.model}"
            revision = add_part(parent, submission.model, submission.tables, _texts(parent, results), message)
        files = _files(revision)
        text = opened_text(submission.settings, submission.remarks, found, parent.dataset_version, files)
        return replace(revision, description=text)

    revision, landed = _revise(to, make, yes)
    submission, after = seen[-1]
    before = without(after, submission.model)
    return _revised(to, revision, landed, before, after, submission.remarks)


def withdraw(model: str, to: str | Path, yes: bool = False) -> Revised:
    """Take a submitted model out again: a revision that no longer names its files. Earlier versions keep them.

    Without `yes` nothing is written. Raises CalibenchError for a model that was not submitted, and as
    `open_submission` does.
    """
    seen: list[list[Standing]] = []

    def make(parent: Release) -> Revision:
        part = part_of_model(parent, model)
        with connected(parent) as connection:
            seen.append(standings(Results(connection, tested=False)))
        with _without(parent, part) as connection:
            results = Results(connection, tested=False)
            revision = drop_part(parent, part, _texts(parent, results), f"Withdraw {model}")
        return replace(revision, description=withdrawn_text(model, parent.dataset_version, _files(revision)))

    revision, landed = _revise(to, make, yes)
    before = seen[-1]
    return _revised(to, revision, landed, before, without(before, model), ())


def _revise(to: str | Path, make: Callable[[Release], Revision], yes: bool) -> tuple[Revision, str | None]:
    target = target_of(to)
    return land(target, make) if yes else (make(target.current()), None)


def _without(parent: Release, part: str) -> duckdb.DuckDBPyConnection:
    """A connection to a release but the files of one part."""
    dropped = {parent.root / part_path(name, part) for name in TABLES}
    parts = {name: [path for path in paths if path not in dropped] for name, paths in parent.parts().items()}
    return open_connection(parts)


def _texts(parent: Release, results: Results) -> Texts:
    """The texts of a revision, whose rows `results` has; every word of the card that is its own is kept."""

    def texts(files: Sequence[ReleaseFile]) -> dict[str, str]:
        parts: dict[str, dict[str, int]] = {}
        for file in files:
            parts.setdefault(str(file.table), {})[file.path] = file.rows or 0
        present = {file.path for file in parent.files}
        card = parent.read_text(CARD) if CARD in present else None
        return release_texts(parts, results, next_version(parent.dataset_version), card, present)

    return texts


def _files(revision: Revision) -> tuple[RevisionFile, ...]:
    known = {file.path for file in revision.parent.files}
    touched = [
        RevisionFile(path, "rewritten" if path in known else "new", len(data))
        for path, data in sorted(revision.added.items())
    ]
    size = {file.path: file.bytes for file in revision.parent.files}
    return (*touched, *(RevisionFile(path, "no longer named", size[path]) for path in revision.dropped))


def _revised(
    to: str | Path,
    revision: Revision,
    landed: str | None,
    before: Sequence[Standing],
    after: Sequence[Standing],
    remarks: tuple[str, ...],
) -> Revised:
    return Revised(
        revision.message,
        str(to),
        revision.parent.dataset_version,
        revision.release.dataset_version,
        _files(revision),
        tuple(after),
        tuple(change(before, after)),
        remarks,
        landed,
    )
