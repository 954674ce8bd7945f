"""From a folder of readings to a model among the released ones."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from calibench_data.builders.model_names import check_model_name
from calibench_data.builders.submission import Submission, read_submission
from calibench_data.builders.submission_settings import FILE, template
from calibench_data.cards.results import Results, ScoredCell
from calibench_data.cards.standings import Standing, standings
from calibench_data.errors import CalibenchError, Problem
from calibench_data.queries.connection import open_connection
from calibench_data.queries.protocol import Protocol, read_protocol
from calibench_data.release.manifest import Release
from calibench_data.release.opening import open_release
from calibench_data.release.upgrade import read_part
from calibench_data.schema import TABLES

if TYPE_CHECKING:
    import duckdb
    import pyarrow as pa

BENCHMARK = "calibench"


@dataclass(frozen=True)
class CheckedSubmission:
    """A submission without faults: its model among the complete models of the release it was checked against.

    cells: the model's cells in condition `main`, in the scenes' order. remarks: what makes its scores not comparable
    with the released ones. notices: what else its author should know, such as what is missing.
    """

    model: str
    version: str
    standings: tuple[Standing, ...]
    cells: tuple[ScoredCell, ...]
    remarks: tuple[str, ...]
    notices: tuple[str, ...]


def new_submission(folder: str | Path, model: str, repo: str | Path | None = None) -> Path:
    """Write a commented submission.toml to a folder, made if need be; returns its path.

    Raises CalibenchError for a name that a model cannot have or another has, and where there is a submission already.
    """
    path = Path(folder) / FILE
    with connected(open_release(repo)) as connection:
        protocol = read_protocol(connection, BENCHMARK)
    problems = list(check_model_name("model name", model, {*protocol.models, BENCHMARK}))
    if path.exists() or path.is_symlink():
        problems.append(Problem(str(path), "is there already", "a folder without submission", "Choose another."))
    elif Path(folder).exists() and not Path(folder).is_dir():
        problems.append(Problem(str(folder), "is no folder", "a folder, new or without submission"))
    if problems:
        raise CalibenchError(problems)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(template(model), "utf-8")
    return path


def check_submission(
    folder: str | Path, repo: str | Path | None = None, revision: str | None = None
) -> CheckedSubmission:
    """Check a submission folder and score it offline against a release, by default the embedded one.

    Raises CalibenchError with all problems of all its files; nothing is written.
    """
    release = open_release(repo, revision)
    submission = read_submission(Path(folder), protocol_of(release))
    with connected(release, submission.tables) as connection:
        results = Results(connection)
        found = tuple(standings(results, submission.model))
        cells = tuple(results.cells[scene, submission.model] for scene in results.scenes)
    version = f"version {release.dataset_version}"
    notices = (*submission.notices, *_missing(submission))
    return CheckedSubmission(submission.model, version, found, cells, submission.remarks, notices)


def protocol_of(release: Release) -> Protocol:
    """What the benchmark asks, as a release says it."""
    with connected(release) as connection:
        return read_protocol(connection, BENCHMARK)


def connected(release: Release, more: dict[str, pa.Table] | None = None) -> duckdb.DuckDBPyConnection:
    """A connection to a release, with rows added to some tables."""
    import pyarrow as pa

    parts = release.parts()
    joined = {
        name: pa.concat_tables([*(read_part(path, TABLES[name]) for path in parts[name]), rows])
        for name, rows in (more or {}).items()
    }
    return open_connection(parts, joined)


def _missing(submission: Submission) -> list[str]:
    """What a submission may have and this one has not."""
    lacking = []
    if "votes" not in submission.tables:
        lacking.append("no single votes: how far the readings agree will not be known")
    if submission.tables["videos"].column("uri").null_count:
        lacking.append("not every video has an address (a file videos with scene, seed, uri): nobody can read it again")
    unset = [
        name
        for name in TABLES["models"].names
        if name not in ("position", "note") and submission.tables["models"].column(name).null_count
    ]
    if unset:
        lacking.append(f"not given in submission.toml: {', '.join(unset)}")
    return lacking
