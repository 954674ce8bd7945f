"""Is a dataset repository what its release.json says, and does its content keep the rules?"""

from __future__ import annotations

from pathlib import Path

from calibench_data.errors import CalibenchError, Problem, Problems

from .manifest import changed, read_release, unnamed_files
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
    for path in unnamed_files(root, release.files):
        problems.add(Problem(str(path), "is not named in release.json", do="Remove it, or release it."))
    for file in release.files:
        if difference := changed(root, file):
            problems.add(difference)
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
        parts.setdefault(file.table, []).append((str(root / file.path), rows))
    return problems if problems.total else check_tables(parts)
