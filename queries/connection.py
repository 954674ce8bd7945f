"""A DuckDB connection that holds the tables and the numbered views, and can reach nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from calibench_data.errors import CalibenchError
from calibench_data.schema import NEWER, TABLES, VIEWS, ddl

_VIEW_FILE = re.compile(r"\d+_(?P<name>\w+)\.sql")


def view_files() -> dict[str, str]:
    """The views in the order in which they build on each other: name -> the SELECT that defines it."""
    files = sorted(Path(__file__).parent.glob("*.sql"))
    return {match["name"]: path.read_text("utf-8") for path in files if (match := _VIEW_FILE.fullmatch(path.name))}


def open_connection(
    parts: Mapping[str, Sequence[Path]], replaced: Mapping[str, Any] | None = None
) -> duckdb.DuckDBPyConnection:
    """An in-memory database with every table of the schema, filled, and every view; then locked.

    parts: table name -> its Parquet files, of which some may lack columns added later; a table without files is empty.
    replaced: name of a table or view -> Arrow table to use instead of its files or its query; its keys were checked by
    whoever made it. Rows that break the schema raise CalibenchError.

    The connection cannot reach files, network, extensions, settings or the caller's Python variables.
    """
    connection = duckdb.connect(
        config={
            "python_enable_replacements": "false",
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "allow_community_extensions": "false",
            "temp_directory": "",
        }
    )
    replaced = replaced or {}
    stored = {**TABLES, **{name: view for name, view in VIEWS.items() if name in replaced}}
    for name, table in stored.items():
        connection.execute(ddl(table, keyed=name not in replaced))
        try:
            if name in replaced:
                connection.register("incoming", replaced[name])
                connection.execute(f"INSERT INTO {name} BY NAME SELECT * FROM incoming")
                connection.unregister("incoming")
            elif files := [str(path) for path in parts.get(name, ())]:
                connection.execute(
                    f"INSERT INTO {name} BY NAME SELECT * FROM read_parquet(?, union_by_name = true)", [files]
                )
        except duckdb.Error as error:
            found = f"table {name} does not fit its schema: {str(error).splitlines()[0]}"
            raise CalibenchError(f"{found}. {NEWER}" if isinstance(error, duckdb.BinderException) else found) from error
    for name, select in view_files().items():
        if name not in replaced:
            connection.execute(f"CREATE VIEW {name} AS {select}")
    connection.execute("SET enable_external_access = false")
    connection.execute("SET lock_configuration = true")
    return connection
