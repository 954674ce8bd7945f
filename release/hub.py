"""Dataset repositories on the Hugging Face Hub."""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from calibench_data.errors import CalibenchError, Problem

from .history import history
from .hub_errors import client_errors, explained
from .manifest import NAME, Release, ReleaseFile, changed, read_release

_VERSION = re.compile(r"\d+\.\d+\.\d+")


def open_hub_release(repo: str, revision: str | None) -> Release:
    """The release of a Hub repository at a revision: a version, tag, branch, commit or pull request.

    It is downloaded once, into the cache that all Hub clients share, and then also found offline, under the revision
    it was asked for by. Its files must have the digests that its release.json gives. Raises CalibenchError.
    """
    # Versions are tagged with a `v` before them.
    wanted = f"v{revision}" if revision is not None and _VERSION.fullmatch(revision) else revision
    release = manifest_on_hub(repo, wanted)
    # The folder is named by the commit: what follows comes from the same one, wherever the branch is by now.
    _fetch(repo, release, [file for file in release.files if file.table])
    return release


def manifest_on_hub(repo: str, revision: str | None) -> Release:
    """What release.json says on the Hub at a revision; its root is the cache's folder of that commit.

    Raises CalibenchError if there is none, or none that can be read.
    """
    from huggingface_hub import hf_hub_download
    from huggingface_hub.errors import RemoteEntryNotFoundError

    def root(again: bool) -> Path:
        place = hf_hub_download(repo, NAME, repo_type="dataset", revision=revision, force_download=again)
        return Path(place).parent

    with explained(_place(repo, revision)):
        try:
            found = root(again=False)
        except RemoteEntryNotFoundError as error:
            do = "Name one that `calibench publish` made; `datasets.load_dataset` reads any other."
            raise CalibenchError(
                [Problem(_place(repo, revision), f"has no {NAME}: it is no release", do=do)]
            ) from error
        try:
            return read_release(found)
        except CalibenchError as damaged:  # on its way, it may be: then it is there whole
            with suppress(*client_errors()):
                return read_release(root(again=True))
            raise CalibenchError(damaged.problems) from damaged


def open_hub_history(repo: str, revision: str | None = None) -> list[Release]:
    """The release of a Hub repository and all before it, the newest first, every file of theirs at hand."""
    release = open_hub_release(repo, revision)
    _fetch(repo, release, release.files)
    found = history(release.root)
    _fetch(repo, release, [file for one in found for file in one.files if file.table])
    return found


def _fetch(repo: str, release: Release, files: Sequence[ReleaseFile]) -> None:
    """Have files of a release at hand. One that was damaged on its way is fetched again, once."""
    from huggingface_hub import hf_hub_download

    commit = release.root.name
    _snapshot(repo, commit, sorted({file.path for file in files}))
    for file in files:
        if (release.root / file.path).exists() and changed(release.root, file):
            with suppress(CalibenchError), explained(repo):  # offline it stays damaged: whoever reads it is told
                hf_hub_download(repo, file.path, repo_type="dataset", revision=commit, force_download=True)


def _snapshot(repo: str, revision: str | None, paths: list[str]) -> Path:
    from huggingface_hub import snapshot_download

    with explained(_place(repo, revision)):
        return Path(snapshot_download(repo, repo_type="dataset", revision=revision, allow_patterns=paths))


def _place(repo: str, revision: str | None) -> str:
    return repo if revision is None else f"{repo}, revision {revision}"
