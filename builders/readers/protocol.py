"""The protocol of a reader: evidence and prompt in, a reply out, or the reason why there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, Protocol

Remedy = Literal["again", "stop", "leave"]


@dataclass(frozen=True)
class Show:
    """One picture or video to show: its content, its type, and what is said of it. path: where it lies."""

    data: bytes
    mime: str
    path: Path
    caption: str = ""


@dataclass(frozen=True)
class Reply:
    """What a reader answered, in full. tokens: read and written, as it counts them; None where it does not say."""

    text: str
    finish: str = ""
    tokens_in: int | None = None
    tokens_out: int | None = None


class Unanswered(Exception):
    """No answer was got. What it says is safe to keep: it holds no key.

    remedy: `again`, another try may help; `leave`, it will not help for this evidence; `stop`, it will help for none
    (a wrong key, an empty account). retry_after: seconds to wait first, where the service says so. reply: what came
    nevertheless, with its tokens.
    """

    def __init__(
        self, reason: str, remedy: Remedy = "again", retry_after: float | None = None, reply: Reply | None = None
    ) -> None:
        super().__init__(reason)
        self.reason, self.remedy, self.retry_after, self.reply = reason, remedy, retry_after, reply


class Reader(Protocol):
    """Something that reads. It is asked from several threads at once.

    name: as the votes name it. key: the name with every parameter that can change a reply. secrets: texts that must
    appear nowhere.
    """

    @property
    def name(self) -> str: ...

    @property
    def key(self) -> str: ...

    @property
    def secrets(self) -> tuple[str, ...]: ...

    def read(self, shown: Sequence[Show], prompt: str) -> Reply:
        """Ask once, without trying again. Raises Unanswered."""
        ...
