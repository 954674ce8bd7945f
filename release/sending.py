"""Sending many large files to the Hub, some of which fail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from calibench_data.errors import CalibenchError, Problem

from .hub_errors import client_errors, explained, reason, status_of

if TYPE_CHECKING:
    from huggingface_hub import CommitOperationAdd, HfApi

# Files sent by one call, in each round over those that are missing: in the end each alone, to know which one fails.
_BATCHES = (50, 10, 1)
# So many calls that failed one after the other: the Hub is down, and the others would fail too.
_ENOUGH = 3
# Answers that no other try changes: no such repository, no right to write there.
_FINAL = (401, 403, 404)


def send(api: HfApi, repo: str, additions: Sequence[CommitOperationAdd]) -> None:
    """Send what is to be stored as a large file, before the commit that names it.

    The client tries each file some times, then gives up a whole call; what the Hub holds it does not send again.
    Raises CalibenchError with the files that are missing in the end.
    """
    missing, why = list(additions), ""
    for size in _BATCHES:
        failed: list[CommitOperationAdd] = []
        in_a_row = 0
        for start in range(0, len(missing), size):
            batch = missing[start : start + size]
            if in_a_row < _ENOUGH:
                with explained(repo, "nothing was sent"):
                    try:
                        api.preupload_lfs_files(repo, batch, repo_type="dataset", free_memory=False)
                        in_a_row = 0
                        continue
                    except client_errors() as error:
                        if status_of(error) in _FINAL:
                            raise
                        why = reason(error)
                in_a_row += 1
            failed += batch
        missing = failed
        if not missing or in_a_row == _ENOUGH:
            break
    if missing:
        do = "Run again: what arrived is not sent twice."
        problems = [Problem(f"{repo}: {one.path_in_repo}", f"was not sent: {why}", do=do) for one in missing]
        raise CalibenchError(problems[:50], len(problems))
