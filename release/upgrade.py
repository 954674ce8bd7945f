"""Rows in the format of an earlier schema version, as the present one has them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from calibench_data.errors import CalibenchError, Problem
from calibench_data.schema import Relation, arrow_schema

if TYPE_CHECKING:
    import pyarrow as pa

# Table -> the nullable columns that schema versions after the first added. A file released before has none of them,
# and lies unchanged in later releases. No column is ever renamed or dropped: each published format loads for ever.
ADDED_LATER: Mapping[str, frozenset[str]] = {}


def upgraded(rows: pa.Table, table: Relation) -> pa.Table:
    """The rows with the columns that were added after their file was released, null. Other faults stay as they are."""
    import pyarrow as pa

    for name in sorted(ADDED_LATER.get(table.name, frozenset()) - set(rows.column_names)):
        field = arrow_schema(table).field(name)
        rows = rows.append_column(field, pa.nulls(len(rows), field.type))
    return rows.select(table.names) if set(rows.column_names) == set(table.names) else rows


def read_part(path: Path, table: Relation) -> pa.Table:
    """The rows of a released file of a table, in the present format.

    Raises CalibenchError for a file that has other columns, as one of a later schema has.
    """
    import pyarrow.parquet as pq

    rows = upgraded(pq.read_table(path, partitioning=None), table)
    if not rows.schema.remove_metadata().equals(arrow_schema(table)):
        found = ", ".join(f"{field.name} {field.type}" for field in rows.schema)
        wanted = ", ".join(f"{field.name} {field.type}" for field in arrow_schema(table))
        do = "If the data are newer than this package, install one as new."
        raise CalibenchError([Problem(str(path), f"has the columns {found}", wanted, do)])
    return rows
