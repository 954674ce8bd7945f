"""A dataset repository in a folder, as something that revisions are put into.

In this order, under the lock: what is intended (`.pending/release.json`), new files under names that nobody looks
at yet, texts that change (`.pending/README.md`), then release.json, replaced in one step: from here on the revision
is in. Last, the texts are moved into place. Stopped before that step, the folder is what it was and verifies; stopped
after it, it is the new release, readers take the text from `.pending`, and the next writer tidies up.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from calibench_data.errors import CalibenchError, Problem

from .history import history, intended
from .manifest import NAME, PENDING, Release, changed, read_release, sha256_of
from .target import MovedOnError, Revision
from .writing import locked, sync_folders, write_synced


@dataclass(frozen=True)
class LocalTarget:
    """The folder of a dataset repository."""

    root: Path

    @property
    def name(self) -> str:
        return str(self.root)

    def current(self) -> Release:
        """The release that release.json names. Raises CalibenchError if there is none, or if it was changed."""
        return read_release(self.root)

    def land(self, revision: Revision) -> str:
        """Write the revision's files and commit it. See `Target.land`."""
        with locked(self.root):
            settle(self.root)
            current = read_release(self.root)
            if current.digest != revision.parent.digest:
                raise MovedOnError(f"{self.root} is at version {current.dataset_version} now")
            _check_untouched(self.root, current, revision)
            _write(self.root, current, revision)
        return f"{self.root}, version {revision.release.dataset_version}"


def _check_untouched(root: Path, current: Release, revision: Revision) -> None:
    problems = [problem for file in current.files if (problem := changed(root, file))]
    for path in revision.added:
        inside = (root / path).parent.resolve()
        if not inside.is_relative_to(root.resolve()) or (root / path).is_symlink():
            problems.append(Problem(str(root / path), "leads out of the repository", do="Remove the symbolic link."))
    if problems:
        raise CalibenchError(problems)


def _write(root: Path, current: Release, revision: Revision) -> None:
    pending = root / PENDING
    texts = {file.path for file in current.files} & set(revision.added)
    write_synced(pending / "intended", revision.release.text().encode())
    (pending / "intended").replace(pending / NAME)
    sync_folders([pending])
    for path, data in revision.added.items():
        if path in texts:
            write_synced(pending / path, data)
        else:
            write_synced(pending / "part", data)
            (root / path).parent.mkdir(parents=True, exist_ok=True)
            (pending / "part").replace(root / path)
    sync_folders({root, *((root / path).parent for path in revision.added)})
    (pending / NAME).replace(root / NAME)
    sync_folders([root])
    settle(root)


def settle(root: Path) -> None:
    """Finish what a stopped writer committed, undo what it did not; to be called under the lock."""
    pending = root / PENDING
    if not pending.is_dir():
        return
    for file in read_release(root).files:
        staged = pending / file.path
        if staged.is_file() and sha256_of(staged) == file.sha256:
            staged.replace(root / file.path)
    if unfinished := intended(root):
        named = {file.path for release in history(root) for file in release.files}
        for file in unfinished.files:
            if file.path not in named:
                (root / file.path).unlink(missing_ok=True)
    shutil.rmtree(pending)
