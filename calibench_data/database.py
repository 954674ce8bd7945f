"""Open a release as a database, and ask it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from calibench_data.queries.asking import ask
from calibench_data.queries.connection import open_connection
from calibench_data.release.opening import open_release

if TYPE_CHECKING:
    import duckdb
    import polars as pl


def connect(repo: str | Path | None = None, revision: str | None = None) -> duckdb.DuckDBPyConnection:
    """A DuckDB connection with the tables and views of a release.

    repo: the folder of a dataset repository, or `org/name` on the Hub; by default the release inside the package.
    revision: the version to read, `1.0.0` or `v1.0.0`; by default the current one. Every file is checked against the
    digest that release.json gives. The connection is in memory, yours to close, and cannot reach files, network,
    extensions or settings. Raises CalibenchError for a folder that is no release or was changed, and for a version
    that it does not have.
    """
    return open_connection(open_release(repo, revision).parts())


def sql(query: str, repo: str | Path | None = None, revision: str | None = None) -> pl.DataFrame:
    """The rows of one SELECT over the tables and views of a release, as a polars frame.

    Raises CalibenchError for a query that is not one SELECT, is faulty or is interrupted, and as `connect` does.
    """
    with connect(repo, revision) as connection:
        return ask(connection, query)
