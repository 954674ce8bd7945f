"""A Hub repository as something that revisions are put into: as pull requests, for its owner to merge."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from calibench_data.errors import Problem, Problems

from .hub import open_hub_history
from .hub_errors import explained, tried
from .manifest import NAME, Release, changed
from .target import MovedOnError, Revision

_NOTE = (
    "\n\nThis revision follows the version named above. If another one was merged since, it conflicts in "
    "`release.json`: close it, and run the same command again."
)


@dataclass(frozen=True)
class HubTarget:
    """A dataset repository `org/name` on the Hub."""

    repo: str

    @property
    def name(self) -> str:
        return self.repo

    def current(self) -> Release:
        """The release at the head of `main`, every file of its history at hand, each with the digest it should have."""
        release = open_hub_history(self.repo)[0]
        problems = Problems()
        for file in release.files:
            if problem := changed(release.root, file):
                found = problem.found.replace("is named", "on the Hub is named")
                do = "It was changed there by hand: its owner has to undo that before anything can follow."
                problems.add(Problem(f"{self.repo}: {file.path}", found, problem.allowed, do))
        problems.raise_if_any()
        return release

    def land(self, revision: Revision) -> str:
        """Open a pull request of one commit upon the parent's; returns its address.

        One that brings this very release is found again: a lost answer, or a second call, opens no second one.
        """
        from huggingface_hub import CommitOperationAdd, HfApi

        api, commit = HfApi(), revision.parent.root.name
        with explained(self.repo, "no pull request was opened"):
            if api.repo_info(self.repo, repo_type="dataset").sha != commit:
                raise MovedOnError(f"{self.repo} is no longer at commit {commit}")
            if found := self._opened(revision):
                return f"{found} (open already)"
            files = {**revision.added, NAME: revision.release.text().encode()}
            operations = [CommitOperationAdd(path, data) for path, data in files.items()]

            def commit_it() -> str:
                made = api.create_commit(
                    self.repo,
                    operations,
                    repo_type="dataset",
                    commit_message=revision.message,
                    commit_description=revision.description + _NOTE,
                    create_pr=True,
                    parent_commit=commit,
                )
                return str(made.pr_url)

            return tried(commit_it, lambda: self._opened(revision))

    def _opened(self, revision: Revision) -> str | None:
        """The address of an open pull request whose release.json is this revision's; None if there is none."""
        from huggingface_hub import HfApi, hf_hub_download
        from huggingface_hub.errors import EntryNotFoundError

        api = HfApi()
        pulls = api.get_repo_discussions(
            self.repo, repo_type="dataset", discussion_type="pull_request", discussion_status="open"
        )
        for pull in pulls:
            if pull.title != revision.message:
                continue
            try:
                head = api.repo_info(self.repo, repo_type="dataset", revision=f"refs/pr/{pull.num}").sha
                held = Path(hf_hub_download(self.repo, NAME, repo_type="dataset", revision=head)).read_bytes()
            except EntryNotFoundError:
                continue
            if held == revision.release.text().encode():
                return str(pull.url)
        return None
