"""A table of a release as a `datasets.Dataset`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from calibench_data.errors import CalibenchError
from calibench_data.release.opening import open_release
from calibench_data.release.upgrade import read_part
from calibench_data.schema import TABLES, arrow_schema, features

if TYPE_CHECKING:
    import datasets


def load(table: str, revision: str | None = None, repo: str | Path | None = None) -> datasets.Dataset:
    """All rows of a table, with the declared features, in the order of the release's files.

    revision: a version, `1.0.0` or `v1.0.0` (on the Hub also a branch, commit or pull request); by default the current
    one. repo: `org/name` on the Hub, or the folder of a dataset repository; by default the release inside the package.
    The release got is the one asked for, its files have the digests it gives, and no network is needed where they are
    at hand. A table without rows in the release gives no rows.

    Raises CalibenchError for an unknown table or version, and as `connect` does.
    """
    if table not in TABLES:
        raise CalibenchError(f"no table {table!r}; there are {', '.join(TABLES)}")
    import pyarrow as pa
    from datasets import Dataset, DatasetInfo

    release = open_release(repo, revision)
    schema = arrow_schema(TABLES[table])
    parts = [read_part(path, TABLES[table]) for path in release.parts()[table]]
    rows = pa.concat_tables([schema.empty_table(), *parts])
    info = DatasetInfo(features=features(TABLES[table]), version=release.dataset_version)
    return Dataset(rows.cast(info.features.arrow_schema), info=info, fingerprint=f"{table}-{release.digest}")
