"""Putting a dataset repository on the Hub: what changed, in one commit, and a tag that never moves."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from calibench_data.errors import CalibenchError, Problem, Problems

from .history import history
from .hub import manifest_on_hub
from .hub_errors import client_errors, explained, status_of, tried
from .manifest import NAME, Release, ReleaseFile, sha256_of
from .sending import send

if TYPE_CHECKING:
    from huggingface_hub import HfApi


@dataclass(frozen=True)
class Upload:
    """What publishing has to do.

    commit: the head of the Hub's repository, None if there is none. files: those to send, and of these `rewritten` are
    there with other content. held: how many are there already. tagged: whether the version's tag is.
    """

    repo: str
    release: Release
    commit: str | None
    files: tuple[ReleaseFile, ...]
    rewritten: frozenset[str]
    held: int
    tagged: bool

    @property
    def tag(self) -> str:
        return f"v{self.release.dataset_version}"


def plan_upload(repo: str, root: Path) -> Upload:
    """What differs between a folder and a Hub repository.

    Raises CalibenchError where publishing would lose something: the Hub holds a release that this one does not come
    from, a file was changed there by hand, or the version's tag is at another release.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import RepositoryNotFoundError

    releases = history(root)
    wanted = _all_files(root, releases)
    api = HfApi()
    with explained(repo):
        try:
            commit = str(tried(lambda: api.repo_info(repo, repo_type="dataset")).sha)
        except RepositoryNotFoundError:
            return Upload(repo, releases[0], None, wanted, frozenset(), 0, False)
        held = _held(api, repo, commit)
        if NAME in held:
            remote = manifest_on_hub(repo, commit)
            _check_follows(repo, remote, releases)
            _check_untouched(repo, remote, held)
        tagged = _check_tag(api, repo, releases[0])
    files = tuple(file for file in wanted if not _same(root / file.path, file.sha256, held.get(file.path)))
    rewritten = frozenset(file.path for file in files if file.path in held)
    if NAME not in held and rewritten:
        found = f"has no {NAME}, and other files of the same names: {', '.join(sorted(rewritten))}"
        do = "Publish to a new repository, or remove them there."
        raise CalibenchError([Problem(repo, found, "a release, or none of its files", do)])
    return Upload(repo, releases[0], commit, files, rewritten, len(wanted) - len(files), tagged)


def upload(plan: Upload, private: bool = False) -> str:
    """Do it: large files first, then one commit upon the one that was seen, then the tag. Returns the commit.

    Raises CalibenchError that says what is missing; what has been sent is not sent again by the next run.
    """
    from huggingface_hub import HfApi

    api = HfApi()
    if plan.commit is None:
        with explained(plan.repo, "cannot be made"):
            tried(lambda: api.create_repo(plan.repo, repo_type="dataset", private=private, exist_ok=True))
        plan = plan_upload(plan.repo, plan.release.root)
    commit = str(plan.commit)
    if plan.files:
        commit = _commit(api, plan)
    if not plan.tagged:
        _tag(api, plan, commit)
    return commit


def _all_files(root: Path, releases: list[Release]) -> tuple[ReleaseFile, ...]:
    """Every file that the current release or an earlier one names, and release.json itself; of a text the newest."""
    named = {file.path: file for one in reversed(releases) for file in one.files if file.table}
    named |= {file.path: file for file in releases[0].files}
    named[NAME] = ReleaseFile(NAME, sha256_of(root / NAME), (root / NAME).stat().st_size)
    return tuple(named[path] for path in sorted(named))


def _check_follows(repo: str, remote: Release, releases: list[Release]) -> None:
    if remote.digest not in {one.digest for one in releases}:
        found = f"holds version {remote.dataset_version} with digest {remote.digest[:12]}, which publishing would lose"
        allowed = "a version that this one follows: " + ", ".join(
            f"{one.dataset_version} ({one.digest[:12]})" for one in releases
        )
        raise CalibenchError([Problem(repo, found, allowed, "Download it, and make the revision upon it.")])


def _held(api: HfApi, repo: str, commit: str) -> dict[str, str]:
    """Path -> SHA-256 of a large file, or Git's digest of another."""
    entries = tried(lambda: list(api.list_repo_tree(repo, recursive=True, revision=commit, repo_type="dataset")))
    found: dict[str, str] = {}
    for entry in entries:
        if large := getattr(entry, "lfs", None):
            found[entry.path] = large.sha256
        elif blob := getattr(entry, "blob_id", None):
            found[entry.path] = blob
    return found


def _same(path: Path, sha256: str, held: str | None) -> bool:
    """Whether the Hub holds the content of a file, whose SHA-256 is given."""
    if held is None or len(held) == len(sha256):
        return held == sha256
    data = path.read_bytes()
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest() == held


def _check_untouched(repo: str, remote: Release, held: Mapping[str, str]) -> None:
    """A file that the Hub's own release names, and that is another there, was changed by hand: it is not lost."""
    from huggingface_hub import hf_hub_download

    problems = Problems()
    for file in remote.files:
        place, digest = f"{repo}: {file.path}", held.get(file.path)
        if digest is None:
            problems.add(Problem(place, "was removed there by hand", do="Undo that first."))
            continue
        if len(digest) != len(file.sha256):  # a small file, of which the Hub does not tell the SHA-256
            commit = remote.root.name
            digest = sha256_of(Path(hf_hub_download(repo, file.path, repo_type="dataset", revision=commit)))
        if digest != file.sha256:
            do = "Undo that there first: publishing would lose the change."
            problems.add(Problem(place, f"was changed there by hand: SHA-256 {digest}", file.sha256, do))
    problems.raise_if_any()


def _check_tag(api: HfApi, repo: str, release: Release) -> bool:
    """Whether the version's tag is there. Raises CalibenchError if it is at another release."""
    tag = f"v{release.dataset_version}"
    refs = tried(lambda: api.list_repo_refs(repo, repo_type="dataset"))
    at = {one.name: one.target_commit for one in refs.tags}
    if tag not in at:
        return False
    place = f"{repo}, tag {tag}"
    try:
        digest = manifest_on_hub(repo, at[tag]).digest
    except CalibenchError as error:
        found = f"is at commit {at[tag]}, which cannot be seen to be this release: {error.problems[0].found}"
        raise CalibenchError([Problem(place, found, do="A tag never moves: make a new version.")]) from error
    if digest != release.digest:
        found = f"is at commit {at[tag]}, which holds another release: digest {digest[:12]}"
        do = "A tag never moves: make a new version."
        raise CalibenchError([Problem(place, found, f"digest {release.digest[:12]}", do)])
    return True


def _commit(api: HfApi, plan: Upload) -> str:
    from huggingface_hub import CommitOperationAdd

    root = plan.release.root
    additions = [CommitOperationAdd(file.path, str(root / file.path)) for file in plan.files]
    send(api, plan.repo, additions)

    def commit_it() -> str:
        message = f"Version {plan.release.dataset_version}"
        made = api.create_commit(
            plan.repo, additions, repo_type="dataset", commit_message=message, parent_commit=plan.commit
        )
        return str(made.oid)

    def landed() -> str | None:
        head = str(tried(lambda: api.repo_info(plan.repo, repo_type="dataset")).sha)
        return head if head != plan.commit and manifest_on_hub(plan.repo, head).digest == plan.release.digest else None

    with explained(plan.repo, "the large files were sent, but not committed"):
        try:
            return tried(commit_it, landed)
        except client_errors() as error:
            if status_of(error) != 412:
                raise
            found, do = "was changed by somebody else while this was sent", "Nothing was lost; run again."
            raise CalibenchError([Problem(plan.repo, found, do=do)]) from error


def _tag(api: HfApi, plan: Upload, commit: str) -> None:
    def tag_it() -> str:
        api.create_tag(plan.repo, repo_type="dataset", tag=plan.tag, revision=commit)
        return commit

    # A tag that is there already may be ours, its answer lost, or that of somebody who was faster.
    with explained(f"{plan.repo}, tag {plan.tag}", "could not be set, though the files are there (run again)"):
        tried(tag_it, lambda: commit if _check_tag(api, plan.repo, plan.release) else None)
