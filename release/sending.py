"""Sending many large files to the Hub, some of which fail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from calibench_data.errors import SHOWN, CalibenchError, Problem

from .hub_errors import client_errors, explained, reason, status_of

if TYPE_CHECKING:
    from huggingface_hub import CommitOperationAdd, HfApi

# Files sent by one call, in each round over those that are missing: in the end each alone, to know which one fails.
_BATCHES = (50, 10, 1)
# So many calls that failed one after the other end a round: the Hub is down, and the others would fail too.
_ENOUGH = 5
# Answers that no other try changes: no such repository, no right to write there.
_FINAL = (401, 403, 404)


def send(api: HfApi, repo: str, additions: Sequence[CommitOperationAdd]) -> None:
    """Send what is to be stored as a large file, before the commit that names it.

    The client tries each file some times, then gives up a whole call; what the Hub holds it does not send again.
    Raises CalibenchError with the files that are missing in the end.
    """
    missing = list(additions)
    why: dict[str, str] = {}
    for size in _BATCHES:
        wanted, missing, why, in_a_row = missing, [], {}, 0
        for start in range(0, len(wanted), size):
            batch = wanted[start : start + size]
            if in_a_row < _ENOUGH:
                failure = _sent(api, repo, batch)
                if failure is None:
                    in_a_row = 0
                    continue
                in_a_row += 1
                why |= {one.path_in_repo: failure for one in batch}
            missing += batch
    if missing:
        problems = [Problem(f"{repo}: {path}", *_told(why.get(path))) for path in (one.path_in_repo for one in missing)]
        raise CalibenchError(problems[:SHOWN], len(problems))


def _sent(api: HfApi, repo: str, batch: list[CommitOperationAdd]) -> str | None:
    """Send some files by one call; returns why it failed, None if it did not."""
    with explained(repo, "nothing was sent"):
        try:
            api.preupload_lfs_files(repo, batch, repo_type="dataset", free_memory=False)
        except client_errors() as error:
            if status_of(error) in _FINAL:
                raise
            return reason(error)
    return None


def _told(failure: str | None) -> tuple[str, str, str]:
    do = "Run again: what arrived is not sent twice."
    return (f"was not sent: {failure}" if failure else "may be missing: the Hub failed too often to go on"), "", do
