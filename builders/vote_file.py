"""The rows that a submission brings, checked against the benchmark's protocol: votes, or outcomes alone."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibench_data.queries.protocol import Protocol

from calibench_data.errors import CalibenchError, Problem, Problems

from . import annotators
from .reading import read_rows
from .row_checks import (
    NULL,
    WHOLE,
    check_once,
    check_outcomes,
    check_scenes,
    check_whole,
    listed,
    missing_column,
    report,
)
from .rows import ROW, Rows

if TYPE_CHECKING:
    import polars as pl

KEY = ("condition", "scene", "seed")
VIDEO_FACTS = ("bytes", "width", "height", "frames", "fps", "duration_s")
REQUIRED = {
    "votes": ("scene", "seed", "attempt", "status", "outcome"),
    "outcomes": ("scene", "seed", "outcome"),
    "videos": ("scene", "seed"),
    "labels": ("scene", "seed", "annotator", "outcome"),
}
OPTIONAL = {
    "votes": ("condition", "model", "reader", "reply", "error", "prompt_sha256", "evidence_sha256", "asked_at"),
    "outcomes": ("condition", "model"),
    "videos": ("condition", "model", "uri", "sha256", *VIDEO_FACTS),
    "labels": ("condition", "model"),
}
LONGEST_REPLY = 100_000
_POSITIVE = r"^(?:[1-9]\d{0,8}(?:\.\d{0,17})?|0\.\d*[1-9]\d*)$"
_DIGEST = r"^[0-9a-f]{64}$"
_TIME = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$"


def read_file(
    path: Path, kind: str, protocol: Protocol, model: str | None, reader: str | None, problems: Problems
) -> pl.DataFrame | None:
    """The rows of a file of votes, outcomes, videos or labels; None if they cannot be looked at. Faults are noted.

    model, reader: what the settings say, None where they are faulty. The frame has all columns of the kind as text,
    null where there is nothing; `condition` is `main` unless given, and `outcome` is null where no outcome can be
    scored.
    """
    import polars as pl

    required, optional = REQUIRED[kind], OPTIONAL[kind]
    try:
        rows = read_rows(path, required + optional)
    except CalibenchError as error:
        problems.add_all(error.total, [(0, problem) for problem in error.problems])
        return None
    missing = [missing_column(path, name, rows.columns, required) for name in required if name not in rows.columns]
    for name in (name for name in rows.columns if name not in required + optional):
        found, do = f"has the unknown column {listed([name])}", "Remove it: nothing of it would be kept."
        problems.add(Problem(str(path), found, ", ".join(required + optional), do))
    for problem in missing:
        problems.add(problem)
    if missing:
        return None
    frame = rows.frame.rename({ROW: "row"})
    frame = frame.with_columns(pl.lit("main" if n == "condition" else None, pl.String).alias(n)
                               for n in optional if n not in frame.columns)  # fmt: skip
    for check in _CHECKS[kind]:
        check(rows, frame, protocol, problems)
    _check_constant(rows, frame, "model", model, problems)
    if kind == "votes":
        _check_constant(rows, frame, "reader", reader, problems)
    if kind in ("votes", "outcomes"):
        _check_complete(rows, frame, protocol, problems)
    if kind != "videos":
        frame = frame.with_columns(outcome=pl.when(~pl.col("outcome").is_in(["", NULL])).then("outcome"))
    return frame


def _check_places(rows: Rows, frame: pl.DataFrame, protocol: Protocol, problems: Problems) -> None:
    import polars as pl

    check_scenes(rows, frame, protocol.outcome_sets, problems)
    unknown = frame.filter(~pl.col("condition").fill_null("").is_in(list(protocol.conditions)))
    report(rows, unknown, "condition", problems, ", ".join(protocol.conditions))
    check_whole(rows, frame, "seed", problems)

    def allowed(fields: dict[str, Any]) -> str:
        return f"0 to {protocol.rollouts(fields['condition'], fields['scene']) - 1}"

    beyond = _placed(frame, protocol).filter(pl.col("seed").cast(pl.Int64) >= pl.col("rollouts"))
    report(rows, beyond, "seed", problems, allowed, "Other seeds are not comparable with the released ones.")


def _placed(frame: pl.DataFrame, protocol: Protocol) -> pl.DataFrame:
    """The rows with a known condition and scene and a readable seed, and how many rollouts their cell has."""
    import polars as pl

    asked = [(c, s, protocol.rollouts(c, s)) for c in protocol.conditions for s in protocol.scenes]
    schema = {"condition": pl.String, "scene": pl.String, "rollouts": pl.Int64}
    known = pl.DataFrame(asked, schema=schema, orient="row")
    return frame.filter(pl.col("seed").fill_null("").str.contains(WHOLE)).join(known, on=["condition", "scene"])


def _check_votes(rows: Rows, frame: pl.DataFrame, protocol: Protocol, problems: Problems) -> None:
    import polars as pl

    attempts = [str(attempt) for attempt in range(1, protocol.attempts + 1)]
    if rows.typed and "attempt" not in rows.numeric:
        check_whole(rows, frame, "attempt", problems)
    else:
        other = frame.filter(~pl.col("attempt").fill_null("").is_in(attempts))
        report(rows, other, "attempt", problems, ", ".join(attempts))
    status, outcome = pl.col("status").fill_null(""), pl.col("outcome").fill_null("")
    nothing = outcome.is_in(["", NULL])
    do = "An error is no answer and no null: ask the reader again, or leave the video's rows out and say so."
    report(rows, frame.filter(status == "error"), "status", problems, "outcome or null", do)
    unknown = frame.filter(~status.is_in(["outcome", "null", "error"]))
    report(rows, unknown, "status", problems, "outcome or null")
    bare = frame.filter((status == "outcome") & nothing)
    report(rows, bare, "outcome", problems, "an outcome, since status is outcome", "Is its status null?")
    both = frame.filter((status == "null") & ~nothing)
    report(rows, both, "outcome", problems, "no outcome, since status is null", "Is its status outcome?")
    said = frame.filter((status != "error") & (pl.col("error").fill_null("") != ""))
    report(rows, said, "error", problems, "nothing, since the reading gave an answer")
    for name in ("prompt_sha256", "evidence_sha256"):
        _check_pattern(rows, frame, name, _DIGEST, "64 hexadecimal digits, lower case", problems)
    long = frame.filter(pl.col("reply").str.len_chars() > LONGEST_REPLY)
    report(rows, long, "reply", problems, f"at most {LONGEST_REPLY:,} characters")
    _check_times(rows, frame, problems)
    check_once(rows, frame, (*KEY, "attempt"), "attempt", "each attempt once for a video", problems)


def _check_times(rows: Rows, frame: pl.DataFrame, problems: Problems) -> None:
    import polars as pl

    time = pl.col("asked_at")
    latest = (datetime.now(UTC) + timedelta(days=1)).isoformat()
    read = time.str.head(19).str.to_datetime("%Y-%m-%dT%H:%M:%S", strict=False)
    wrong = ~time.str.contains(_TIME) | read.is_null() | (time > latest) | (time < "2020")
    allowed = "a time that has come, UTC, such as 2026-01-31T12:00:00Z"
    report(rows, frame.filter(time.fill_null("") != "").filter(wrong), "asked_at", problems, allowed)


def _check_results(rows: Rows, frame: pl.DataFrame, protocol: Protocol, problems: Problems) -> None:
    check_outcomes(rows, frame, protocol.outcome_sets, problems)


def _check_videos_once(rows: Rows, frame: pl.DataFrame, protocol: Protocol, problems: Problems) -> None:
    check_once(rows, frame, KEY, "seed", "each seed once for a condition and scene", problems)


def _check_annotators(rows: Rows, frame: pl.DataFrame, protocol: Protocol, problems: Problems) -> None:
    import polars as pl

    name = pl.col("annotator").fill_null("")
    fine = name.str.contains(annotators.PATTERN) & (name.str.len_chars() <= annotators.LONGEST)
    report(rows, frame.filter(~fine | (name == annotators.TAKEN)), "annotator", problems, annotators.ALLOWED)
    check_once(rows, frame, (*KEY, "annotator"), "annotator", "each annotator once for a video", problems)


def _check_locations(rows: Rows, frame: pl.DataFrame, protocol: Protocol, problems: Problems) -> None:
    import polars as pl

    uri = pl.col("uri").fill_null("")
    fine = uri.str.contains(r"^(https|hf)://[A-Za-z0-9]([A-Za-z0-9.-]*[A-Za-z0-9])?(:\d+)?/[!-~]+$")
    fine &= ~uri.str.to_lowercase().str.contains(r"""/(\.|%2e){1,2}(/|$|[?#])|[\\"'<>`{|}^]""")
    fine &= uri.str.len_chars() <= 2000
    wrong = frame.filter((uri != "") & ~fine)
    report(rows, wrong, "uri", problems, "an address https://... or hf://... without .. and white space")
    _check_pattern(rows, frame, "sha256", _DIGEST, "64 hexadecimal digits, lower case", problems)
    for name in VIDEO_FACTS:
        if name in ("fps", "duration_s"):
            _check_pattern(rows, frame, name, _POSITIVE, "a number above 0", problems)
        else:
            _check_pattern(rows, frame, name, r"^[1-9]\d{0,14}$", "a whole number above 0", problems)


def _check_pattern(rows: Rows, frame: pl.DataFrame, name: str, pattern: str, allowed: str, problems: Problems) -> None:
    import polars as pl

    given = frame.filter(pl.col(name).fill_null("") != "")
    report(rows, given.filter(~pl.col(name).str.contains(pattern)), name, problems, allowed)


def _check_constant(rows: Rows, frame: pl.DataFrame, name: str, value: str | None, problems: Problems) -> None:
    """A column that repeats what the settings say must say the same in every row."""
    import polars as pl

    if name in rows.columns and value is not None:
        other = frame.filter(pl.col(name).fill_null("") != value)
        report(rows, other, name, problems, f"{value}, as in submission.toml", f"A submission has one {name}.")


def _check_complete(rows: Rows, frame: pl.DataFrame, protocol: Protocol, problems: Problems) -> None:
    """Every scene in `main`, every seed of a cell, every attempt of a video: what is lacking is told by cell."""

    placed = _placed(frame, protocol)
    found: dict[tuple[str, str], dict[int, int]] = {}
    for condition, scene, seed, n in placed.group_by(*KEY).len().iter_rows():
        found.setdefault((condition, scene), {})[int(seed)] = n
    given = dict.fromkeys(frame.get_column("condition").to_list())
    cells = [("main", scene) for scene in protocol.scenes] if "main" in given or not found else []
    if "main" not in given:
        problems.add(Problem(str(rows.path), "has no rows of condition main", "all scenes in condition main"))
    for condition, scene in dict.fromkeys([*cells, *sorted(found)]):
        seeds, n = found.get((condition, scene), {}), protocol.rollouts(condition, scene)
        place = f"{rows.path}: condition {condition}, scene {scene}"
        if not seeds:
            problems.add(Problem(place, "is missing", f"{n} rollouts of each scene"))
        elif lacking := [seed for seed in range(n) if seed not in seeds]:
            problems.add(Problem(place, f"lacks seed{'s' * (len(lacking) > 1)} {ranges(lacking)}", f"0 to {n - 1}"))
        if "attempt" in frame.columns:
            few = [seed for seed in range(n) if 0 < seeds.get(seed, 0) < protocol.attempts]
            if few:
                wanted = f"{protocol.attempts} attempts a video"
                problems.add(
                    Problem(place, f"has too few attempts for seed{'s' * (len(few) > 1)} {ranges(few)}", wanted)
                )


def ranges(numbers: Sequence[int]) -> str:
    """Ascending whole numbers on one line, runs as `3-7`."""
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in runs)


_CHECKS = {
    "votes": (_check_places, _check_results, _check_votes),
    "outcomes": (_check_places, _check_results, _check_videos_once),
    "videos": (_check_places, _check_videos_once, _check_locations),
    "labels": (_check_places, _check_results, _check_annotators),
}
