"""Is a dataset repository what its release.json says, and does its content keep the rules?"""

from __future__ import annotations

from pathlib import Path

from calibench_data.errors import CalibenchError, Problem, Problems
from calibench_data.schema import TABLES

from .history import history, intended
from .manifest import Release, changed, read_release, unnamed_files
from .upgrade import upgraded
from .validate import check_tables


def check_release(root: Path) -> Problems:
    """Every problem of the dataset repository at `root`: digests first; content only where the digests hold."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    problems = Problems()
    try:
        release = read_release(root)
    except CalibenchError as error:
        for problem in error.problems:
            problems.add(problem)
        return problems
    releases = _history(root, release, problems)
    named = {file.path: file for one in reversed(releases) for file in one.files}
    unfinished = intended(root)
    for path in unnamed_files(root, (*named.values(), *(unfinished.files if unfinished else ()))):
        problems.add(Problem(str(path), "is not named in release.json", do="Remove it, or release it."))
    # A table's file is the same in every release that names it; of a text only the present one is kept.
    for file in (file for file in named.values() if file.table or file in release.files):
        if difference := changed(root, file):
            problems.add(difference)
        elif (root / file.path).is_symlink():  # as in a client's cache: what it points at may change behind our back
            problems.add(Problem(str(root / file.path), "is a symbolic link", "a file"))
    if problems.total:
        return problems

    parts: dict[str, list[tuple[str, pa.Table]]] = {}
    for file in release.files:
        if file.table is None:
            continue
        try:
            rows = pq.read_table(root / file.path, partitioning=None)
        except (pa.ArrowException, OSError) as error:
            problems.add(Problem(str(root / file.path), f"is no readable Parquet file: {error}"))
            continue
        if rows.num_rows != file.rows:
            problems.add(Problem(str(root / file.path), f"has {rows.num_rows} rows", f"{file.rows} rows"))
        parts.setdefault(file.table, []).append((str(root / file.path), upgraded(rows, TABLES[file.table])))
    return problems if problems.total else check_tables(parts)


def _history(root: Path, release: Release, problems: Problems) -> list[Release]:
    """The releases that the folder has been. A table's file with another digest than it once had is a problem."""
    try:
        releases = history(root)
    except CalibenchError as error:
        for problem in error.problems:
            problems.add(problem)
        return [release]
    first: dict[str, tuple[str, str]] = {}
    for one in reversed(releases):
        for file in (file for file in one.files if file.table):
            digest, version = first.setdefault(file.path, (file.sha256, one.dataset_version))
            if digest != file.sha256:
                place = f"{root / file.path}, version {one.dataset_version}"
                problems.add(Problem(place, "is another file than released before", f"that of version {version}"))
    return releases
