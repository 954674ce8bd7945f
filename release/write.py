"""Writing a dataset repository: complete or not at all, and the same bytes from the same tables."""

from __future__ import annotations

import io
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from calibench_data.errors import CalibenchError, Problem
from calibench_data.schema import SCHEMA_VERSION

from .manifest import NAME, Release, ReleaseFile, changed, read_release, sha256_of, unnamed_files
from .protocols import benchmark_protocols
from .validate import check_tables
from .writing import locked, put_back, replace_folder, scratch_prefix, sync_folders, write_synced

if TYPE_CHECKING:
    import pyarrow as pa


def part_path(table: str, part: str) -> str:
    """Where a part of a table lies in a dataset repository."""
    return f"data/{table}/{part}.parquet"


def part_bytes(rows: pa.Table) -> bytes:
    """A Parquet file, Zstandard, without anything that differs from run to run."""
    import pyarrow.parquet as pq

    buffer = io.BytesIO()
    pq.write_table(rows, buffer, compression="zstd", compression_level=9)
    return buffer.getvalue()


def write_part(path: Path, rows: pa.Table) -> None:
    """One Parquet file of a table's rows."""
    write_synced(path, part_bytes(rows))


def write_release(
    root: Path,
    tables: Mapping[str, Mapping[str, pa.Table]],
    texts: Mapping[str, str | bytes],
    dataset_version: str,
    parent: str | None = None,
) -> Release:
    """Write tables (table -> part -> rows) and texts or pictures (path -> content) as the dataset repository `root`.

    Everything is checked before anything is written, and the folder appears, or is replaced, as a whole: whoever is
    stopped leaves the old or the new one. A folder that is this release already is not touched. One that holds
    something else than a dataset repository, or revisions, is left alone: CalibenchError.
    """
    if root.exists() and not (root / NAME).is_file() and (not root.is_dir() or any(root.iterdir())):
        raise CalibenchError(
            [
                Problem(
                    str(root), "exists and is no dataset repository", "a new or empty folder", "Choose another --out."
                )
            ]
        )
    parts = {name: [(part_path(name, part), rows) for part, rows in split.items()] for name, split in tables.items()}
    check_tables(parts).raise_if_any()

    root.parent.mkdir(parents=True, exist_ok=True)
    with locked(root):
        put_back(root)
        scratch = Path(tempfile.mkdtemp(prefix=scratch_prefix(root), dir=root.resolve().parent))
        try:
            made = Release(root, dataset_version, SCHEMA_VERSION, benchmark_protocols(parts), parent, ())
            release = _written(scratch / "new", parts, texts, made)
            if not _holds(root, release):
                sync_folders([scratch, *(path for path in scratch.rglob("*") if path.is_dir())])
                replace_folder(scratch / "new", root.resolve(), scratch)
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
    return release


def _written(
    new: Path, parts: Mapping[str, Sequence[tuple[str, pa.Table]]], texts: Mapping[str, str | bytes], release: Release
) -> Release:
    files = []
    for name, split in parts.items():
        for path, rows in split:
            write_part(new / path, rows)
            files.append(_entry(new, path, name, rows.num_rows))
    for path, text in texts.items():
        write_synced(new / path, text.encode() if isinstance(text, str) else text)
        files.append(_entry(new, path))
    release = replace(release, files=tuple(sorted(files, key=lambda file: file.path)))
    write_synced(new / NAME, release.text().encode())
    return release


def _holds(root: Path, release: Release) -> bool:
    """Whether the folder is this very release, whole. Raises CalibenchError if it holds revisions, not to be lost."""
    if not (root / NAME).is_file():
        return False
    try:
        present = read_release(root)
    except CalibenchError:
        return False  # damaged: to be written anew
    if present.parent is not None and release.parent is None:
        found = f"is at version {present.dataset_version}: it holds revisions, which a new build would drop"
        raise CalibenchError([Problem(str(root), found, "a folder without revisions", "Choose another --out.")])
    same = present.digest == release.digest
    return same and not any(changed(root, file) for file in release.files) and not unnamed_files(root, release.files)


def _entry(root: Path, path: str, table: str | None = None, rows: int | None = None) -> ReleaseFile:
    return ReleaseFile(path, sha256_of(root / path), (root / path).stat().st_size, table, rows)
