"""A revision of a dataset repository, and where it can land."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from .manifest import Release


@dataclass(frozen=True)
class Revision:
    """A change of a release, complete in memory: the parent it was made for, and what the files become.

    added: path -> bytes of each file that is not in the parent, or, for a text such as README.md, that replaces the
    parent's. dropped: paths of the parent that the new release no longer names. message: what it does, in one line;
    description: the same at length, in Markdown, for whoever reviews it.
    """

    parent: Release
    release: Release
    added: Mapping[str, bytes]
    dropped: tuple[str, ...]
    message: str
    description: str = ""


class MovedOnError(Exception):
    """The target no longer is at the parent of a revision: make the revision again from what it is now."""


class Target(Protocol):
    """A dataset repository that revisions can be put into."""

    @property
    def name(self) -> str:
        """As the user gave it."""

    def current(self) -> Release:
        """The release that it holds now, its files at hand. Raises CalibenchError if it holds none."""

    def land(self, revision: Revision) -> str:
        """Put a revision in: all of it or nothing. Returns where it is to be seen.

        Raises MovedOnError if the target is no longer at the revision's parent, CalibenchError if it was tampered with.
        """
