"""The answers of one annotator: a file that only grows, a line an answer, on the disk before the page hears of it."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from calibench_data.release.writing import sync_folders

from calibench_data.errors import CalibenchError, Problem, quoted

FOLDER = "labelling"
SUFFIX = ".jsonl"
# undo takes back the last answer that the annotator gave on the video.
KINDS = ("outcome", "null", "cannot-tell", "unplayable", "undo")


@dataclass(frozen=True)
class Answer:
    """One line: what was answered on a video, of which the file had this SHA-256, and when (UTC, ISO 8601)."""

    video: str
    sha256: str
    answer: str
    outcome: str | None
    at: str


def answered_now(video: str, sha256: str, answer: str, outcome: str | None = None) -> Answer:
    """An answer that is given now."""
    return Answer(video, sha256, answer, outcome, datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"))


def read_answers(path: Path) -> list[Answer]:
    """The answers in a file, none if it is not there. A last line without its end is none: it was never confirmed.

    Raises CalibenchError for any other line that is no answer.
    """
    data = path.read_bytes() if path.exists() else b""
    lines = data.split(b"\n")[:-1]
    return [_parsed(f"{path}: line {number}", line) for number, line in enumerate(lines, 1)]


def _parsed(place: str, line: bytes) -> Answer:
    try:
        fields = json.loads(line)
        answer = Answer(**fields)
    except (ValueError, TypeError):
        raise CalibenchError([Problem(place, f"found {quoted(line)}", "an answer, as JSON")]) from None
    named = isinstance(answer.outcome, str) if answer.answer == "outcome" else answer.outcome is None
    texts = (answer.video, answer.sha256, answer.at)
    if answer.answer not in KINDS or not named or not all(isinstance(text, str) for text in texts):
        raise CalibenchError([Problem(place, f"found {quoted(fields)}", f"an answer: {', '.join(KINDS)}")])
    return answer


def standing(answers: Iterable[Answer]) -> dict[str, Answer]:
    """Video -> the answer that stands, in the order in which they were given."""
    stands: dict[str, Answer] = {}
    for one in answers:
        stands.pop(one.video, None)
        if one.answer != "undo":
            stands[one.video] = one
    return stands


class AnswerFile:
    """The file of one annotator, open for adding. One process at a time has it."""

    def __init__(self, root: Path, annotator: str) -> None:
        """Open or make it. Raises CalibenchError if another process has it, or a line of it is no answer."""
        from filelock import FileLock, Timeout

        self.path = root / FOLDER / f"{annotator}{SUFFIX}"
        self.path.parent.mkdir(exist_ok=True)
        self._lock = FileLock(self.path.parent / f".{annotator}.lock")
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            found = f"another `calibench label` runs for {annotator}"
            raise CalibenchError([Problem(str(self.path), found, do="Stop it, or use its page.")]) from None
        try:
            self.answers = read_answers(self.path)
            self._file = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o644)
            sync_folders([root, self.path.parent])
            self._end = self.path.read_bytes().rfind(b"\n") + 1
        except BaseException:
            self._lock.release()
            raise

    def add(self, answer: Answer) -> None:
        """Add an answer; it is on the disk when this returns. Raises OSError, and then the file is as it was."""
        line = json.dumps(asdict(answer), ensure_ascii=False).encode() + b"\n"
        os.ftruncate(self._file, self._end)  # the torn line of a process that was killed
        os.lseek(self._file, self._end, os.SEEK_SET)
        try:
            written = 0
            while written < len(line):
                written += os.write(self._file, line[written:])
            os.fsync(self._file)
        except OSError:
            os.ftruncate(self._file, self._end)
            raise
        self._end += len(line)
        self.answers.append(answer)

    def close(self) -> None:
        os.close(self._file)
        self._lock.release()

    def __enter__(self) -> AnswerFile:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()
