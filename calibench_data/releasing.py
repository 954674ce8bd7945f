"""Build a dataset repository from the sources; verify one."""

from __future__ import annotations

from pathlib import Path

from calibench_data.builders import build_tables
from calibench_data.cards.results import Results
from calibench_data.errors import Problem
from calibench_data.queries.connection import open_connection
from calibench_data.release.manifest import EMBEDDED, Release
from calibench_data.release.verify import check_release
from calibench_data.release.write import part_path, write_release

from .presenting import release_texts

DATASET_VERSION = "1.0.0"


def build(out: str | Path) -> Release:
    """Write the release that follows from the committed sources to a folder, new or a dataset repository to replace.

    The same sources give the same bytes. Raises CalibenchError if they break a rule, or the folder holds other things.
    """
    import pyarrow as pa

    built = build_tables()
    parts = {
        name: {part_path(name, part): split[part].num_rows for part in sorted(split)} for name, split in built.items()
    }
    rows = {name: pa.concat_tables(split.values()) for name, split in built.items()}
    with open_connection({}, rows) as connection:
        texts = release_texts(parts, Results(connection), DATASET_VERSION)
    return write_release(Path(out), built, texts, DATASET_VERSION)


def verify(repo: str | Path | None = None) -> list[Problem]:
    """Every problem of a dataset repository, by default the embedded one; an empty list if there is none.

    Digests, schemas, keys, foreign keys and allowed values are checked, and what follows from other columns is
    recomputed. Content is looked at only where all digests hold.
    """
    return check_release(EMBEDDED if repo is None else Path(repo)).found()
