"""A submission folder, as the tables of a model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from calibench_data.queries.connection import open_connection
from calibench_data.queries.protocol import Protocol

from calibench_data.errors import CalibenchError, Problem, Problems
from calibench_data.schema import TABLES, arrow_schema

from .source_files import arrow_table
from .submission_protocol import submitted_protocol
from .submission_settings import FILE, SETTINGS, Settings, read_settings
from .vote_file import VIDEO_FACTS, read_file

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa

SUFFIXES = (".csv", ".jsonl", ".parquet")
_ROWS = ("votes", "outcomes", "videos", "labels")


@dataclass(frozen=True)
class Submission:
    """A checked submission: the rows of its model for each table.

    remarks: what makes its scores not comparable with released ones. notices: what else its author should know.
    """

    settings: Settings
    tables: dict[str, pa.Table]
    remarks: tuple[str, ...]
    notices: tuple[str, ...]

    @property
    def model(self) -> str:
        return str(self.settings["name"])


def read_submission(folder: Path, protocol: Protocol) -> Submission:
    """Read and check a folder with submission.toml and either votes or outcomes (CSV, JSONL or Parquet).

    A file `videos` may say where the videos are, a file `labels` what people saw in some of them. Raises CalibenchError
    with all problems of all files.
    """
    if not folder.is_dir():
        do = f"`calibench submit new {folder} --model my-model` makes one."
        raise CalibenchError([Problem(str(folder), "is no folder", "the folder of a submission", do)])
    problems = Problems()
    files, others = _files(folder, problems)
    settings = Settings(dict.fromkeys(one.name for one in SETTINGS))
    if problems.total == 0 or FILE in files:
        try:
            taken = {*protocol.models, protocol.benchmark}
            settings = read_settings(folder / FILE, taken, problems)
        except CalibenchError as error:
            problems.add_all(error.total, [(0, problem) for problem in error.problems])
    given: dict[str, pl.DataFrame] = {}
    for kind in _ROWS:
        if kind in files:
            frame = read_file(files[kind], kind, protocol, settings["name"], settings["reader"], problems)
            if frame is not None:
                given[kind] = frame
    attempts = settings["attempts"]
    if "votes" in files and attempts not in (None, protocol.attempts):
        problems.add(Problem(f"{folder / FILE}: reading.attempts", f"found {attempts}", str(protocol.attempts)))
    if "labels" in given:
        _check_labelled(files["labels"], given, problems)
    problems.raise_if_any()
    row, remarks = submitted_protocol(settings, given.get("votes"), protocol)
    notices = tuple(f"{folder / name}: is no part of a submission, and stays here" for name in others)
    tables = _tables(settings, given, protocol, remarks)
    tables["protocols"] = arrow_table(TABLES["protocols"], [row])
    return Submission(settings, tables, remarks, notices)


def _files(folder: Path, problems: Problems) -> tuple[dict[str, Path], list[str]]:
    """The files of a submission by what they are, and the names of others. Links and doubles are noted as faults."""
    found: dict[str, Path] = {}
    others = []
    for path in sorted(folder.iterdir()):
        kind = path.stem if path.suffix.lower() in SUFFIXES else path.name
        if path.is_symlink():
            do = "Put the file itself here."
            problems.add(Problem(str(path), "is a symbolic link", "files of the folder's own", do))
        elif kind not in (*_ROWS, FILE) or path.is_dir():
            others.append(path.name)
        elif kind in found:
            problems.add(Problem(str(path), f"stands beside {found[kind].name}", f"one file of {kind}", "Remove one."))
        else:
            found[kind] = path
    suffixes = ", ".join(SUFFIXES)
    if "votes" in found and "outcomes" in found:
        place, do = str(found["outcomes"]), "Remove it: outcomes are counted from the votes."
        problems.add(Problem(place, f"stands beside {found['votes'].name}", "votes or outcomes, not both", do))
        del found["outcomes"]
    elif not problems.total and "votes" not in found and "outcomes" not in found:
        problems.add(Problem(str(folder), "has no votes and no outcomes", f"a file votes or outcomes ({suffixes})"))
    return found, others


def _check_labelled(path: Path, given: dict[str, pl.DataFrame], problems: Problems) -> None:
    """Every labelled condition is one that was read too: a label is held against the outcome of its video."""
    read = next((given[kind] for kind in ("votes", "outcomes") if kind in given), None)
    if read is not None:
        known = read.get_column("condition").unique().sort().to_list()
        for condition in given["labels"].get_column("condition").unique().sort().to_list():
            if condition not in known:
                found = f"has labels of condition {condition}, of which nothing was read"
                problems.add(Problem(str(path), found, ", ".join(known)))


def _tables(
    settings: Settings, given: dict[str, pl.DataFrame], protocol: Protocol, remarks: tuple[str, ...]
) -> dict[str, pa.Table]:
    import polars as pl

    name = settings["name"]
    ids = {"benchmark": pl.lit(protocol.benchmark), "model": pl.lit(name), "seed": pl.col("seed").cast(pl.Int64)}
    path = pl.concat_str(pl.lit(protocol.benchmark), "condition", "scene", pl.lit(name), "seed", separator="/")
    frames = {kind: frame.with_columns(**ids, video=path) for kind, frame in given.items()}
    read = "votes" if "votes" in frames else "outcomes"
    videos = frames[read].unique(["video"])
    if "videos" in frames:
        kinds = {column.name: column.kind for column in TABLES["videos"].columns}
        measured = [
            pl.col(name).replace("", None).cast({"integer": pl.Int64, "number": pl.Float64}.get(kinds[name], pl.String))
            for name in ("uri", "sha256", *VIDEO_FACTS)
        ]
        videos = videos.join(frames["videos"].select("video", *measured), "video", "left")
    order = ["condition", "scene", "seed"]
    tables = {"videos": _table("videos", videos.sort(order))}
    if read == "votes":
        votes = frames["votes"].with_columns(
            pl.lit(settings["reader"]).alias("reader"),
            pl.col("attempt").cast(pl.Int64),
            *(pl.col(column).replace("", None) for column in _EMPTY_IS_NULL),
        )
        tables["votes"] = _table("votes", votes.sort([*order, "attempt"]))
        with open_connection({}, {"videos": tables["videos"], "votes": tables["votes"]}) as connection:
            counted = pl.DataFrame(connection.sql("SELECT video, outcome FROM majorities").to_arrow_table())
        outcomes = videos.drop("outcome").join(counted, on="video").with_columns(source=pl.lit("votes"))
    else:
        outcomes = videos.with_columns(source=pl.lit("submitted"))
    tables["outcomes"] = _table("outcomes", outcomes.sort(order))
    if "labels" in frames:
        labels = frames["labels"].with_columns(source=pl.lit("collected"))
        tables["labels"] = _table("labels", labels.sort([*order, "annotator"]))
    note = "; ".join(text for text in (settings["note"], *remarks) if text)
    facts = {**settings.values, "model": name, "benchmark": protocol.benchmark, "note": note or None}
    tables["models"] = arrow_table(TABLES["models"], [_record(facts)])
    return tables


_EMPTY_IS_NULL = ("reply", "error", "prompt_sha256", "evidence_sha256", "asked_at")


def _record(facts: dict[str, object]) -> dict[str, object]:
    numbers = {column.name for column in TABLES["models"].columns if column.kind == "number"}
    row = {name: facts.get(name) for name in TABLES["models"].names}
    return {name: float(str(v)) if name in numbers and v is not None else v for name, v in row.items()}


def _table(name: str, frame: pl.DataFrame) -> pa.Table:
    """The columns that a table declares; those that the frame lacks are null."""
    import polars as pl

    schema = arrow_schema(TABLES[name])
    absent = [pl.lit(None).alias(column) for column in schema.names if column not in frame.columns]
    return frame.with_columns(absent).select(schema.names).to_arrow().cast(schema)
