"""Making a revision: files are added or no longer named, and none that was released is changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from calibench_data.errors import CalibenchError, Problem
from calibench_data.schema import SCHEMA_VERSION, TABLES

from .history import history, manifest_path
from .manifest import Release, ReleaseFile
from .target import Revision
from .upgrade import upgraded
from .validate import check_tables
from .write import part_bytes, part_path

if TYPE_CHECKING:
    import pyarrow as pa

# The files of the new release that hold rows -> its texts, path -> content.
Texts = Callable[[Sequence[ReleaseFile]], Mapping[str, str]]


def add_part(parent: Release, part: str, tables: Mapping[str, pa.Table], texts: Texts, message: str) -> Revision:
    """The revision that adds a part of some tables, such as the rows of one model.

    The part's file names are `part`, or `part~2` and so on where an earlier release has files of that name with other
    content. Raises CalibenchError if the tables of the new release break a rule.
    """
    contents = {name: part_bytes(rows) for name, rows in tables.items() if rows.num_rows}
    released = {file.path: file.sha256 for release in history(parent.root) for file in release.files}
    number, stem = 1, part
    while any(released.get(part_path(name, stem), _digest(data)) != _digest(data) for name, data in contents.items()):
        number += 1
        stem = f"{part}~{number}"
    files = [
        ReleaseFile(part_path(name, stem), _digest(data), len(data), name, tables[name].num_rows)
        for name, data in contents.items()
    ]
    added = {part_path(name, stem): data for name, data in contents.items()}
    return _revision(parent, (*parent.files, *files), added, texts, message)


def drop_part(parent: Release, part: str, texts: Texts, message: str) -> Revision:
    """The revision without a part. Its files stay for the releases that name them."""
    kept = [file for file in parent.files if file.table is None or file.path != part_path(file.table, part)]
    return _revision(parent, kept, {}, texts, message)


def next_version(version: str) -> str:
    """The version after one whose rows change: the minor number counts up."""
    major, minor, _ = version.split(".")
    return f"{major}.{int(minor) + 1}.0"


def _revision(
    parent: Release, files: Collection[ReleaseFile], added: dict[str, bytes], texts: Texts, message: str
) -> Revision:
    parts = sorted((file for file in files if file.table), key=lambda file: file.path)
    check_tables(_rows(parent, parts, added)).raise_if_any()
    added |= {path: text.encode() for path, text in texts(parts).items()}
    added[manifest_path(parent.dataset_version)] = parent.text().encode()
    rewritten = [
        ReleaseFile(path, _digest(data), len(data))
        for path, data in added.items()
        if path not in {file.path for file in parts}
    ]
    kept = {file.path: file for file in files} | {file.path: file for file in rewritten}
    ordered = tuple(sorted(kept.values(), key=lambda file: file.path))
    release = Release(parent.root, next_version(parent.dataset_version), SCHEMA_VERSION, parent.digest, ordered)
    dropped = tuple(file.path for file in parent.files if file.path not in kept)
    return Revision(parent, release, added, dropped, message)


def _rows(
    parent: Release, files: Sequence[ReleaseFile], added: Mapping[str, bytes]
) -> dict[str, list[tuple[str, pa.Table]]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    parent.parts()  # only what still has its digest is built upon
    rows: dict[str, list[tuple[str, pa.Table]]] = {}
    for file in files:
        source = pa.BufferReader(added[file.path]) if file.path in added else parent.root / file.path
        table = pq.read_table(source, partitioning=None)
        name = str(file.table)
        rows.setdefault(name, []).append((file.path, upgraded(table, TABLES[name])))
    return rows


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def part_of_model(parent: Release, model: str) -> str:
    """The part that holds a submitted model and nothing else.

    Raises CalibenchError if there is no such model, or it came with the benchmark and not as a submission.
    """
    import pyarrow.parquet as pq

    known: list[str] = []
    for file, path in zip((f for f in parent.files if f.table == "models"), parent.parts()["models"], strict=True):
        names = pq.read_table(path, partitioning=None, columns=["model"]).column("model").to_pylist()
        known += names if len(names) == 1 else []
        if names == [model]:
            return file.path.rsplit("/", 1)[1].removesuffix(".parquet")
        if model in names:
            found = f"is one of the {len(names)} models of {file.path}, which came with the benchmark"
            raise CalibenchError([Problem(model, found, "a submitted model" + _listed(known))])
    raise CalibenchError([Problem(model, f"is no model of version {parent.dataset_version}", _listed(known) or "none")])


def _listed(names: Sequence[str]) -> str:
    return f": {', '.join(names)}" if names else ""
