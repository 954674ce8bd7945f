"""Which release is meant: the one in the package, a folder's, or one on the Hub; and which version of it."""

from __future__ import annotations

import re
from pathlib import Path

from calibench_data.errors import CalibenchError, Problem

from .history import history, release_at
from .hub import open_hub_history, open_hub_release
from .manifest import EMBEDDED, Release, read_release

_HUB_NAME = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")
_VERSION = re.compile(r"v?\d+\.\d+\.\d+")


def is_hub_name(repo: str | Path) -> bool:
    """Whether `repo` names a Hub repository, `org/name`, and no folder that is there."""
    return isinstance(repo, str) and bool(_HUB_NAME.fullmatch(repo)) and not Path(repo).exists()


def open_release(repo: str | Path | None = None, revision: str | None = None) -> Release:
    """The release that every reading function takes its files from.

    repo: None for the release in the package, the folder of a dataset repository, or `org/name` on the Hub.
    revision: a version, `1.0.0` or `v1.0.0` (on the Hub also a branch, commit or pull request); None for the current.
    The version got is the one asked for: anything else raises CalibenchError, as does a folder that is no release.
    """
    if isinstance(repo, str) and is_hub_name(repo):
        release = open_hub_release(repo, revision)
    else:
        root = EMBEDDED if repo is None else Path(repo)
        release = read_release(root) if revision is None else release_at(root, revision)
    wanted = revision.removeprefix("v") if revision is not None and _VERSION.fullmatch(revision) else None
    if wanted is not None and release.dataset_version != wanted:
        found = f"gave version {release.dataset_version}"
        raise CalibenchError([Problem(str(repo or EMBEDDED), found, f"version {wanted}, which was asked for")])
    return release


def open_history(repo: str | Path | None = None) -> list[Release]:
    """The current release of a repository, named as for `open_release`, and all before it, the newest first."""
    if isinstance(repo, str) and is_hub_name(repo):
        return open_hub_history(repo)
    return history(EMBEDDED if repo is None else Path(repo))
