"""From a folder of videos to the votes of a submission."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from calibench_data.builders.call_schedule import Limits
from calibench_data.builders.collected_files import LEDGER, VOTES, obstacles, write_videos, write_votes
from calibench_data.builders.collection import Ended, Progress, Task, ask_for
from calibench_data.builders.evidence import EvidenceStore, Kind
from calibench_data.builders.extraction import extract_all
from calibench_data.builders.ledger import Kept, Key, Ledger, Totals
from calibench_data.builders.questions import questions, rollouts_of
from calibench_data.builders.readers import Reader, open_reader
from calibench_data.builders.readers.registry import Parameters, require
from calibench_data.builders.reading_settings import contradictions, stated, unsaid
from calibench_data.builders.video_files import MAIN, VideoFile, video_files
from calibench_data.errors import CalibenchError, Problem

from .database import connect

EVIDENCE = "evidence"
_LOCK = ".collect.lock"
Watch = Callable[[str, Progress], None]
# Of each vote: its video, the number of its attempt, and how to ask for it.
Plan = Mapping[tuple[VideoFile, int], Task]


@dataclass(frozen=True)
class Collected:
    """What there is after a run.

    votes: path of the file. counts: votes by status, and those never asked for as `missing`. errors: reason -> votes
    that it cost. run: the calls of this run, None where nothing was asked. totals: calls and dollars of all runs.
    stopped: why the run ended early, else empty. notices: what its author should know.
    """

    votes: Path
    counts: Mapping[str, int]
    errors: Mapping[str, int]
    run: Progress | None
    totals: Totals
    stopped: str
    notices: tuple[str, ...]

    @property
    def complete(self) -> bool:
        """Whether every vote is there."""
        return not self.counts["missing"] and not self.counts["error"]


def collect(
    folder: str | Path,
    reader: str | Reader,
    attempts: int = 3,
    *,
    benchmark: str = "calibench",
    edition: str | None = None,
    evidence: Kind | None = None,
    limits: Limits | None = None,
    parameters: Parameters | None = None,
    repo: str | Path | None = None,
    revision: str | None = None,
    reparse: bool = False,
    watch: Watch | None = None,
) -> Collected:
    """Have the videos of a submission folder read, `attempts` times each, and write its votes.csv and videos.csv.

    folder: with `videos/SCENE/SEED.mp4`. reader: `gemini:MODEL`, `openai:MODEL`, `cmd:COMMAND`, or an object of the
    protocol `Reader`. edition: whose reading prompts, by default what submission.toml says, else `open`. evidence: to
    show something else than the benchmark asks. reparse: ask nothing, parse the replies in the ledger again. watch: is
    told the stage, `videos` or `votes`, and how far it is.

    Every answer is in `ledger.sqlite` at once, and what was answered is not asked again: an answer counts for an
    evidence, a prompt, a reader with its parameters, and an attempt, wherever and when it was given. An error is
    asked again by the next run. Raises CalibenchError, before anything is asked, for videos that cannot be read and
    whatever else would make the votes worthless.
    """
    root = Path(folder)
    if attempts < 1:
        raise ValueError(f"attempts is {attempts}; allowed: at least 1")
    require("av")
    if not root.is_dir():
        raise CalibenchError([Problem(str(root), "is no folder", "a folder with videos/SCENE/SEED.mp4")])
    chosen = open_reader(reader, parameters, asking=not reparse) if isinstance(reader, str) else reader
    said = stated(root)
    whose = edition or str(said.get("edition", "open"))
    planned: dict[str, str | int] = {"reader": chosen.name, "attempts": attempts, "edition": whose}
    planned["evidence"] = "other" if evidence else "protocol"
    if problems := [*obstacles(root), *contradictions(root, said, planned)]:
        raise CalibenchError(problems)
    with connect(repo, revision) as connection:
        asked = questions(connection, benchmark, whose, evidence)
        conditions = rollouts_of(connection, benchmark)

    def rollouts(condition: str, scene: str) -> int | None:
        return (conditions.get(condition) or asked[scene].rollouts) if scene in asked else None

    files = video_files(root, conditions, rollouts)
    with _alone(root), Ledger(root / LEDGER) as ledger:
        store = EvidenceStore(root / EVIDENCE)
        store.tidy()
        shown = extract_all(files, lambda scene: asked[scene].kind, store, ledger, _staged("videos", watch))
        notice = write_videos(root, {video: facts for video, (_, facts) in shown.items()})
        plan: dict[tuple[VideoFile, int], Task] = {}
        for video, (one, _) in shown.items():
            question = asked[video.scene]
            for attempt in range(1, attempts + 1):
                key = Key(one.sha256, question.prompt_sha256, chosen.key, attempt)
                plan[video, attempt] = Task(key, one, question.prompt, question.parse)
        ended = None
        try:
            if reparse:
                _reparse(plan, chosen, ledger)
            else:
                ended = _ask(plan, chosen, store, ledger, limits or Limits(), watch)
        finally:  # also when it is interrupted
            votes = ledger.votes(chosen.key)
            rows = [(video, task.key, votes[task.key]) for (video, _), task in plan.items() if task.key in votes]
            write_votes(root, rows, chosen.name)
        totals = ledger.totals()
    kept = [votes.get(task.key) for task in plan.values()]
    notices = [*([notice] if notice else []), *_coverage(files, rollouts, asked), *unsaid(root, said, planned)]
    return _collected(root / VOTES, kept, ended, totals, notices)


def _ask(
    plan: Plan, reader: Reader, store: EvidenceStore, ledger: Ledger, limits: Limits, watch: Watch | None
) -> Ended:
    votes = ledger.votes(reader.key)
    there = {key for key, kept in votes.items() if kept.reading.status != "error"}
    # Videos that show the very same are asked for once.
    tasks = list({task.key: task for task in plan.values() if task.key not in there}.values())
    done = len({task.key for task in plan.values()} & there)
    return ask_for(tasks, reader, store, ledger, limits, done, _staged("votes", watch))


def _reparse(plan: Plan, reader: Reader, ledger: Ledger) -> None:
    """Parse the replies of this reader again. What was no answer, for whatever reply came with it, stays an error."""
    tasks = {task.key: task for task in plan.values()}
    for key, kept in list(ledger.kept(reader.key)):
        if key in tasks and kept.call.failure is None:
            reading = tasks[key].parse(kept.call.reply or "")
            if reading != kept.reading:
                ledger.reread(kept.id, reading)


def _staged(stage: str, watch: Watch | None) -> Callable[[Progress], None] | None:
    return None if watch is None else lambda progress: watch(stage, progress)


def _coverage(
    files: Sequence[VideoFile], rollouts: Callable[[str, str], int | None], scenes: Mapping[str, object]
) -> Iterator[str]:
    """What of the benchmark is not in the folder."""
    found = Counter((video.condition, video.scene) for video in files)
    cells = dict.fromkeys([*((MAIN, scene) for scene in scenes), *found])
    lacking = [
        f"{'' if condition == MAIN else condition + ' '}{scene} {found[condition, scene]} of {count}"
        for condition, scene in cells
        if (count := rollouts(condition, scene) or 0) > found[condition, scene]
    ]
    if lacking:
        yield f"not every video is there: {', '.join(lacking)}"


def _collected(
    path: Path, kept: Sequence[Kept | None], ended: Ended | None, totals: Totals, notices: Sequence[str]
) -> Collected:
    counts = dict.fromkeys(("outcome", "null", "error", "missing"), 0)
    errors: Counter[str] = Counter()
    for one in kept:
        counts[one.reading.status if one else "missing"] += 1
        if one and one.reading.status == "error":
            errors[one.reading.error or ""] += 1
    run, stopped = (ended.progress, ended.stopped) if ended else (None, "")
    return Collected(path, counts, dict(errors.most_common()), run, totals, stopped, tuple(notices))


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """One run of a folder at a time: two would ask, and pay, for the same."""
    from filelock import FileLock, Timeout

    lock = FileLock(folder / _LOCK)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise CalibenchError(
            [Problem(str(folder), "is being collected by another process", do="Wait for it.")]
        ) from None
    try:
        yield
    finally:
        lock.release()
