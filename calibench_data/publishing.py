"""Put a dataset repository on the Hub as a version that everybody can name."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from calibench_data.errors import CalibenchError, Problem
from calibench_data.release.manifest import EMBEDDED
from calibench_data.release.opening import is_hub_name
from calibench_data.release.publish import plan_upload, upload

from .releasing import verify
from .revising import RevisionFile


@dataclass(frozen=True)
class Published:
    """What publishing does, or, if `commit` is given, has done.

    new: whether the repository is made. files: those that the Hub lacks, `new` or `rewritten`. held: how many it has.
    tag: the version's tag; tagged: whether it was there before.
    """

    repo: str
    version: str
    new: bool
    files: tuple[RevisionFile, ...]
    held: int
    tag: str
    tagged: bool
    commit: str | None


def publish(to: str, repo: str | Path | None = None, yes: bool = False, private: bool = False) -> Published:
    """Upload what changed to the Hub repository `to` in one commit, and tag the version there.

    repo: the folder to publish, by default the embedded release. Its earlier manifests and their files go along; only
    the current version is tagged. Without `yes` nothing is written. A repository that does not exist is made. If the
    Hub fails, the next run sends what is missing.

    Raises CalibenchError for a folder that `verify` rejects; where the Hub holds a release that this one does not
    follow, a file changed by hand, or the version's tag at another release; and with what is missing if the Hub fails.
    """
    if not is_hub_name(to):
        raise CalibenchError([Problem(to, "is no name of a Hub repository, or a folder here", "org/name")])
    root = EMBEDDED if repo is None else Path(repo)
    if problems := verify(root):
        raise CalibenchError(problems)
    plan = plan_upload(to, root)
    commit = upload(plan, private) if yes else None
    files = tuple(
        RevisionFile(file.path, "rewritten" if file.path in plan.rewritten else "new", file.bytes)
        for file in plan.files
    )
    version = plan.release.dataset_version
    return Published(to, version, plan.commit is None, files, plan.held, plan.tag, plan.tagged, commit)
