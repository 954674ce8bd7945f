"""Asking a reader for votes: from several threads, each answer in the ledger before anything else is done with it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .call_schedule import Limits, Schedule
from .evidence import Evidence, EvidenceStore
from .ledger import Call, Key, Ledger, now
from .readers import Reader, Reply, Show, Unanswered
from .readers.secrecy import hide
from .reply_parsing import Reading

Parse = Callable[[str], Reading]


@dataclass(frozen=True)
class Task:
    """A vote to ask for."""

    key: Key
    evidence: Evidence
    prompt: str
    parse: Parse

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Task) and self.key == other.key


@dataclass(frozen=True)
class Progress:
    """How far a run is. done: votes that are there, of `wanted`. calls, cost: of this run. failed: calls in vain."""

    done: int
    wanted: int
    calls: int
    failed: int
    cost: float
    seconds: float

    @property
    def rate(self) -> float:
        """Votes a minute, in this run."""
        return 60 * (self.calls - self.failed) / self.seconds if self.seconds > 0 else 0.0

    @property
    def left_s(self) -> float | None:
        """Seconds until the last vote, at this rate; None while that is not known."""
        return 60 * (self.wanted - self.done) / self.rate if self.rate else None


@dataclass(frozen=True)
class Ended:
    """How a run ended. stopped: why before its end, else empty."""

    progress: Progress
    stopped: str


def ask_for(
    tasks: Sequence[Task],
    reader: Reader,
    store: EvidenceStore,
    ledger: Ledger,
    limits: Limits,
    done: int = 0,
    watch: Callable[[Progress], None] | None = None,
) -> Ended:
    """Ask for each task until it has a vote or its tries are used up. done: votes that are there already.

    watch: is told about twice a second how far it is. An interrupt from the keyboard lets the calls under way end,
    since they are paid for; a second one does not.
    """
    run = _Run(tasks, reader, store, ledger, limits, done)
    run.start(min(limits.concurrency, len(tasks)))
    interrupted = False
    # Not `Thread.join`: before Python 3.13 an interrupt within it takes the thread for ended.
    while run.working:
        try:
            run.wait(0.5)
            if watch:
                watch(run.progress())
        except KeyboardInterrupt:
            if interrupted:
                raise
            interrupted = True
            run.stop("interrupted")
    if run.failure is not None:
        raise run.failure
    return Ended(run.progress(), run.stopped)


class _Run:
    def __init__(
        self, tasks: Sequence[Task], reader: Reader, store: EvidenceStore, ledger: Ledger, limits: Limits, done: int
    ) -> None:
        spent = ledger.totals()
        self._reader, self._store, self._ledger, self._limits = reader, store, ledger, limits
        self._schedule = Schedule(tasks, limits, spent.calls, spent.cost, spent.dearest)
        self._before, self._wanted, self._done, self._failed = spent, done + len(tasks), done, 0
        self._changed = threading.Condition()
        self.working = 0
        self._begun = time.monotonic()
        self.failure: BaseException | None = None

    def start(self, workers: int) -> None:
        self.working = workers
        for _ in range(workers):
            threading.Thread(target=self.work, daemon=True).start()

    def wait(self, seconds: float) -> None:
        """Until all workers have ended, at most for so long."""
        with self._changed:
            self._changed.wait_for(lambda: not self.working, seconds)

    @property
    def stopped(self) -> str:
        return self._schedule.stopped

    def stop(self, reason: str) -> None:
        with self._changed:
            self._schedule.stop(reason)
            self._changed.notify_all()

    def progress(self) -> Progress:
        with self._changed:
            calls, cost = self._schedule.calls - self._before.calls, self._schedule.cost - self._before.cost
            return Progress(self._done, self._wanted, calls, self._failed, cost, time.monotonic() - self._begun)

    def work(self) -> None:
        try:
            while (task := self._next()) is not None:
                self._ask(task)
        except BaseException as error:  # such as a full disk: an answer that cannot be kept ends the run
            self.failure = error
            self.stop(f"{type(error).__name__}")
        finally:
            with self._changed:
                self.working -= 1
                self._changed.notify_all()

    def _next(self) -> Task | None:
        with self._changed:
            while True:
                task, wait = self._schedule.take(time.monotonic())
                if task is not None:
                    return task
                if self._schedule.over or self._schedule.stopped:
                    self._changed.notify_all()
                    return None
                self._changed.wait(None if wait == float("inf") else wait)

    def _ask(self, task: Task) -> None:
        asked_at, begun = now(), time.monotonic()
        failure, remedy, wait = None, "again", None
        reply: Reply | None
        try:
            reply = self._reader.read(self._shown(task.evidence), task.prompt)
        except Unanswered as error:
            failure, remedy, wait, reply = error.reason, error.remedy, error.retry_after, error.reply
        except Exception as error:  # of a reader that does not keep to the protocol
            failure, reply = f"{type(error).__name__}: {error}", None
        call = self._call(asked_at, time.monotonic() - begun, reply, failure)
        reading = Reading("error", error=call.failure) if call.failure is not None else task.parse(call.reply or "")
        self._ledger.record(task.key, call, reading)
        got_vote = reading.status != "error"
        with self._changed:
            self._done += got_vote
            self._failed += not got_vote
            if remedy == "stop":
                self._schedule.stop(call.failure or "")
            self._schedule.finish(task, time.monotonic(), got_vote, remedy == "again", call.cost, wait)
            self._changed.notify_all()

    def _shown(self, evidence: Evidence) -> list[Show]:
        try:
            return [
                Show(self._store.read(part), part.mime, self._store.part_path(part), part.caption)
                for part in evidence.parts
            ]
        except (OSError, ValueError) as error:
            raise Unanswered(f"the evidence cannot be shown: {error}", "leave") from None

    def _call(self, asked_at: str, seconds: float, reply: Reply | None, failure: str | None) -> Call:
        def safe(text: str) -> str:
            whole = text.encode("utf-8", "replace").decode().replace("\0", "�")
            return hide(whole, self._reader.secrets)

        said = None if failure is None else safe(failure)
        if reply is None:
            return Call(asked_at, seconds, failure=said)
        cost = self._limits.cost(reply.tokens_in, reply.tokens_out)
        return Call(
            asked_at, seconds, safe(reply.text), safe(reply.finish), said, reply.tokens_in, reply.tokens_out, cost
        )
