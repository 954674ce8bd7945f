"""Open a release as a database, and ask it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from calibench_data.queries.asking import ask
from calibench_data.queries.connection import open_connection
from calibench_data.release.manifest import EMBEDDED, read_release

if TYPE_CHECKING:
    import duckdb
    import polars as pl


def connect(repo: str | Path | None = None) -> duckdb.DuckDBPyConnection:
    """A DuckDB connection with the tables and views of a release.

    repo: the folder of a dataset repository; by default the release inside the package. Every file is checked
    against the digest that release.json gives. The connection is in memory, yours to close, and cannot reach files,
    network, extensions or settings. Raises CalibenchError for a folder that is no release or was changed.
    """
    return open_connection(read_release(EMBEDDED if repo is None else Path(repo)).parts())


def sql(query: str, repo: str | Path | None = None) -> pl.DataFrame:
    """The rows of one SELECT over the tables and views of a release, as a polars frame.

    Raises CalibenchError for a query that is not one SELECT, is faulty or is interrupted, and as `connect` does.
    """
    with connect(repo) as connection:
        return ask(connection, query)
