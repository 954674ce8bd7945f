"""Dataset repositories on the Hugging Face Hub."""

from __future__ import annotations

from calibench_data.errors import CalibenchError, Problem

from .manifest import Release
from .target import Target


def open_hub_release(repo: str, revision: str | None) -> Release:
    """The release of a Hub repository at a revision, downloaded once, its files verified."""
    raise _not_yet(repo)


def hub_target(repo: str) -> Target:
    """Where a revision of a Hub repository goes: a pull request."""
    raise _not_yet(repo)


def _not_yet(repo: str) -> CalibenchError:
    found = "is no folder here, and repositories on the Hub cannot be reached by this version"
    return CalibenchError([Problem(repo, found, do="Download it, and give the folder.")])
