"""Putting a revision into a target that others write to as well."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from pathlib import Path

from calibench_data.errors import CalibenchError, Problem

from .hub_target import HubTarget
from .local import LocalTarget
from .manifest import Release
from .opening import is_hub_name
from .target import MovedOnError, Revision, Target

_TRIES = 20


def target_of(repo: str | Path) -> Target:
    """The target that a user names: the folder of a dataset repository, or `org/name` on the Hub."""
    return HubTarget(str(repo)) if is_hub_name(repo) else LocalTarget(Path(repo))


def land(target: Target, make: Callable[[Release], Revision]) -> tuple[Revision, str]:
    """Make a revision of what the target holds and put it in; made anew whenever another writer was faster.

    make: parent -> revision; it raises CalibenchError where there is none. Returns the revision that landed and where.
    """
    for _ in range(_TRIES):
        parent = target.current()
        try:
            revision = make(parent)
            return revision, target.land(revision)
        except MovedOnError:
            pass
        except CalibenchError:
            # What was read may have been the next release's already: its text, say. Then the fault is none.
            if target.current().digest == parent.digest:
                raise
        time.sleep(random.uniform(0, 0.2))  # two that started together need not meet again
    found = f"was changed by others {_TRIES} times while this revision was made"
    raise CalibenchError([Problem(target.name, found, do="Nothing was written; run again.")])
