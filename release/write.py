"""Writing a dataset repository: complete or not at all, and the same bytes from the same tables."""

from __future__ import annotations

import io
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from calibench_data.errors import CalibenchError, Problem
from calibench_data.schema import SCHEMA_VERSION

from .manifest import NAME, Release, ReleaseFile, sha256_of
from .validate import check_tables

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
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(part_bytes(rows))


def write_release(
    root: Path,
    tables: Mapping[str, Mapping[str, pa.Table]],
    texts: Mapping[str, str],
    dataset_version: str,
    parent: str | None = None,
) -> Release:
    """Write tables (table -> part -> rows) and texts (path -> content) as the dataset repository `root`.

    Everything is checked before anything is written, and the folder appears, or is replaced, as a whole. A folder
    that holds something else than a dataset repository is left alone. Raises CalibenchError.
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
    with tempfile.TemporaryDirectory(prefix=f".{root.name}.", dir=root.parent) as scratch:
        new = Path(scratch, "new")
        files = []
        for name, split in parts.items():
            for path, rows in split:
                write_part(new / path, rows)
                files.append(_entry(new, path, name, rows.num_rows))
        for path, text in texts.items():
            (new / path).write_bytes(text.encode("utf-8"))
            files.append(_entry(new, path))
        release = Release(
            root, dataset_version, SCHEMA_VERSION, parent, tuple(sorted(files, key=lambda file: file.path))
        )
        (new / NAME).write_bytes(release.text().encode("utf-8"))
        if root.exists():
            root.rename(Path(scratch, "old"))
        try:
            new.rename(root)
        except OSError:
            if Path(scratch, "old").exists():
                shutil.move(Path(scratch, "old"), root)
            raise
    return release


def _entry(root: Path, path: str, table: str | None = None, rows: int | None = None) -> ReleaseFile:
    return ReleaseFile(path, sha256_of(root / path), (root / path).stat().st_size, table, rows)
