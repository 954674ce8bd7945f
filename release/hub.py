"""Dataset repositories on the Hugging Face Hub."""

from __future__ import annotations

import re
from pathlib import Path

from calibench_data.errors import CalibenchError, Problem

from .history import history
from .manifest import NAME, Release, read_release
from .target import Target

_VERSION = re.compile(r"\d+\.\d+\.\d+")


def open_hub_release(repo: str, revision: str | None) -> Release:
    """The release of a Hub repository at a revision: a version, tag, branch, commit or pull request.

    It is downloaded once, into the cache that all Hub clients share, and then also found offline, under the revision
    it was asked for by. Its files must have the digests that its release.json gives. Raises CalibenchError.
    """
    # Versions are tagged with a `v` before them.
    wanted = f"v{revision}" if revision is not None and _VERSION.fullmatch(revision) else revision
    release = read_release(_snapshot(repo, wanted, [NAME]))
    # The folder is named by the commit: what follows comes from the same one, wherever the branch is by now.
    _snapshot(repo, release.root.name, [file.path for file in release.files if file.table])
    return release


def open_hub_history(repo: str, revision: str | None = None) -> list[Release]:
    """The release of a Hub repository and all before it, the newest first, every file of theirs at hand."""
    release = open_hub_release(repo, revision)
    _snapshot(repo, release.root.name, [file.path for file in release.files])
    found = history(release.root)
    _snapshot(repo, release.root.name, sorted({file.path for one in found for file in one.files if file.table}))
    return found


def _snapshot(repo: str, revision: str | None, paths: list[str]) -> Path:
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import (
        HfHubHTTPError,
        LocalEntryNotFoundError,
        RepositoryNotFoundError,
        RevisionNotFoundError,
    )

    place = repo if revision is None else f"{repo}, revision {revision}"
    try:
        return Path(snapshot_download(repo, repo_type="dataset", revision=revision, allow_patterns=paths))
    except RevisionNotFoundError as error:
        found = "is not on the Hub"
        raise CalibenchError([Problem(place, found, do="Its page there lists tags, branches and commits.")]) from error
    except RepositoryNotFoundError as error:
        found = "is not on the Hub, or you may not see it"
        raise CalibenchError([Problem(place, found, do="Check the name, or log in with `hf auth login`.")]) from error
    except LocalEntryNotFoundError as error:
        found = "cannot be had: the Hub cannot be reached, and this revision is not in the cache"
        raise CalibenchError([Problem(place, found, do="Ask once while online; it then works offline.")]) from error
    except (HfHubHTTPError, OSError, ValueError) as error:
        raise CalibenchError([Problem(place, f"cannot be had: {str(error).strip().splitlines()[0]}")]) from error


def hub_target(repo: str) -> Target:
    """Where a revision of a Hub repository goes: a pull request."""
    found = "is on the Hub, and this version puts revisions into folders only"
    raise CalibenchError([Problem(repo, found, do="Download it, and give the folder.")])
