"""The ledger of a collection: every call that was made and what came of it, in SQLite, added to and never changed."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType

from calibench_data.errors import CalibenchError, Problem

from .evidence import Evidence, Part
from .reply_parsing import PARSER, Reading
from .video_decoding import VideoFacts

_VERSION = 1
_TABLES = f"""
CREATE TABLE calls (
  id INTEGER PRIMARY KEY, evidence_sha256 TEXT NOT NULL, prompt_sha256 TEXT NOT NULL, reader TEXT NOT NULL,
  attempt INTEGER NOT NULL, asked_at TEXT NOT NULL, seconds REAL NOT NULL, reply TEXT, finish TEXT, failure TEXT,
  tokens_in INTEGER, tokens_out INTEGER, cost REAL);
CREATE TABLE readings (
  id INTEGER PRIMARY KEY, call INTEGER NOT NULL REFERENCES calls, parser INTEGER NOT NULL, parsed_at TEXT NOT NULL,
  status TEXT NOT NULL, outcome TEXT, error TEXT, audit TEXT NOT NULL);
CREATE TABLE evidence (
  video_sha256 TEXT NOT NULL, extraction TEXT NOT NULL, evidence TEXT NOT NULL, facts TEXT NOT NULL);
CREATE INDEX calls_key ON calls (reader);
CREATE INDEX readings_call ON readings (call);
CREATE INDEX evidence_video ON evidence (video_sha256);
{"".join(
    f"CREATE TRIGGER {table}_{verb} BEFORE {verb} ON {table} BEGIN SELECT RAISE(ABORT, 'append only'); END;"
    for table in ("calls", "readings", "evidence") for verb in ("UPDATE", "DELETE")
)}
PRAGMA user_version = {_VERSION};
"""  # fmt: skip


@dataclass(frozen=True)
class Key:
    """What makes two readings the same: neither paths nor times."""

    evidence_sha256: str
    prompt_sha256: str
    reader: str
    attempt: int


@dataclass(frozen=True)
class Call:
    """One call. failure: why there is no answer; reply: what came, also then. cost: in dollars, None if unknown."""

    asked_at: str
    seconds: float
    reply: str | None = None
    finish: str | None = None
    failure: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None


@dataclass(frozen=True)
class Kept:
    """A call in the ledger with its latest reading."""

    id: int
    call: Call
    reading: Reading


@dataclass(frozen=True)
class Totals:
    """All calls of a ledger: how many, and what those of known cost have cost, in dollars; the dearest of them."""

    calls: int
    cost: float
    dearest: float


class Ledger:
    """An open ledger, made if need be. It may be used from several threads.

    Each record is on the disk before `record` returns: whoever is killed loses what was not yet answered.
    """

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        try:
            self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=30)
            self._connection.execute("PRAGMA synchronous = FULL")
            (version,) = self._connection.execute("PRAGMA user_version").fetchone()
            if version == 0:
                self._connection.executescript(f"BEGIN; {_TABLES} COMMIT;")
            elif version != _VERSION:
                raise CalibenchError([Problem(str(path), f"has version {version}", str(_VERSION))])
        except sqlite3.DatabaseError as error:
            do = "Move it away to begin anew; what it holds was paid for."
            raise CalibenchError([Problem(str(path), f"is no ledger: {error}", do=do)]) from None

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._connection.close()

    def record(self, key: Key, call: Call, reading: Reading) -> int:
        """Keep a call with its reading; returns its number."""
        with self._lock, self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            number = self._connection.execute(
                f"INSERT INTO calls VALUES (NULL{', ?' * 12})", [*asdict(key).values(), *asdict(call).values()]
            ).lastrowid
            assert number is not None
            self._insert(number, reading)
        return number

    def reread(self, call: int, reading: Reading) -> None:
        """Keep another reading of a call that was kept before; from now on it is the one that counts."""
        with self._lock, self._connection:
            self._connection.execute("BEGIN IMMEDIATE")
            self._insert(call, reading)

    def _insert(self, call: int, reading: Reading) -> None:
        values = [reading.status, reading.outcome, reading.error, json.dumps(reading.audit)]
        self._connection.execute(f"INSERT INTO readings VALUES (NULL{', ?' * 7})", [call, PARSER, now(), *values])

    def kept(self, reader: str) -> Iterator[tuple[Key, Kept]]:
        """All calls of a reader, in the order in which they were recorded."""
        rows = self._connection.execute(
            "SELECT c.*, r.status, r.outcome, r.error, r.audit FROM calls c JOIN readings r ON r.id = "
            "(SELECT max(id) FROM readings WHERE call = c.id) WHERE c.reader = ? ORDER BY c.id",
            [reader],
        ).fetchall()
        for number, *rest in rows:
            reading = Reading(rest[12], rest[13], rest[14], json.loads(rest[15]))
            yield Key(*rest[:4]), Kept(number, Call(*rest[4:12]), reading)

    def votes(self, reader: str) -> dict[Key, Kept]:
        """The call that counts for each key: the first that gave an answer, else the last."""
        found: dict[Key, Kept] = {}
        for key, kept in self.kept(reader):
            if key not in found or found[key].reading.status == "error":
                found[key] = kept
        return found

    def totals(self) -> Totals:
        """What was spent, by all readers."""
        row = self._connection.execute(
            "SELECT count(*), coalesce(sum(cost), 0), coalesce(max(cost), 0) FROM calls"
        ).fetchone()
        return Totals(*row)

    def evidence(self, video_sha256: str, extraction: str) -> tuple[Evidence, VideoFacts] | None:
        """The evidence that was taken from a video before."""
        row = self._connection.execute(
            "SELECT evidence, facts FROM evidence WHERE video_sha256 = ? AND extraction = ? ORDER BY rowid DESC",
            [video_sha256, extraction],
        ).fetchone()
        if row is None:
            return None
        said, facts = json.loads(row[0]), VideoFacts(**json.loads(row[1]))
        parts = tuple(Part(**part) for part in said.pop("parts"))
        return Evidence(**said, parts=parts), facts

    def keep_evidence(self, extraction: str, evidence: Evidence, facts: VideoFacts) -> None:
        """Remember what was taken from a video, so that it need not be decoded again."""
        row = [facts.sha256, extraction, json.dumps(asdict(evidence)), json.dumps(asdict(facts))]
        with self._lock:
            self._connection.execute("INSERT INTO evidence VALUES (?, ?, ?, ?)", row)


def now() -> str:
    """The time, UTC, as the table `votes` has it."""
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
