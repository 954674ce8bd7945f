"""The text of a revision for whoever reviews it, in Markdown: what it adds, and what that does to the leaderboard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from .grid import markdown, markdown_text
from .standings import Standing, grid


class Touched(Protocol):
    """A file that a revision touches."""

    @property
    def path(self) -> str: ...
    @property
    def change(self) -> str: ...
    @property
    def bytes(self) -> int: ...


class Settings(Protocol):
    """The settings of a submission by name."""

    @property
    def values(self) -> Mapping[str, Any]: ...


def opened_text(
    settings: Settings, remarks: Sequence[str], standings: Sequence[Standing], version: str, files: Sequence[Touched]
) -> str:
    """The text of a submission."""
    value = {name: markdown_text(str(given)) for name, given in settings.values.items()}
    lines = [
        f"Adds {value['title']} by {value['provider']} to version {version}.",
        "",
        markdown(grid(standings, f"version {version}")),
        f"Read by {value['reader']} on {value['date']}: {value['attempts']} readings a video, "
        f"{value['edition']} prompts.",
        *(f"- Not comparable: {markdown_text(remark)}" for remark in remarks),
        "",
        f"Contact: {value['person']}, {value['email']}",
    ]
    return "\n".join([*lines, "", *_listed(files)])


def withdrawn_text(model: str, version: str, files: Sequence[Touched]) -> str:
    """The text of a withdrawal."""
    return "\n".join([f"Withdraws {markdown_text(model)} from version {version}.", "", *_listed(files)])


def _listed(files: Sequence[Touched]) -> list[str]:
    return [f"- {file.change}: `{file.path}` ({file.bytes:,} bytes)" for file in files]
