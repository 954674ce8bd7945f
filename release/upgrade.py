"""Rows in the format of an earlier schema version, as the present one has them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from calibench_data.schema import SCHEMA_VERSION, Relation, arrow_schema

if TYPE_CHECKING:
    import pyarrow as pa


def upgraded(rows: pa.Table, table: Relation, schema_version: int) -> pa.Table:
    """The rows with the columns that later schema versions added, null. Those of the present version are as they are.

    A schema version adds nullable columns and allowed values, and never renames or drops any: so each published
    format loads for ever.
    """
    if schema_version == SCHEMA_VERSION:
        return rows
    import pyarrow as pa

    added = [f for f in arrow_schema(table) if f.name not in rows.column_names and f.nullable]
    for field in added:
        rows = rows.append_column(field, pa.nulls(len(rows), field.type))
    return rows.select([name for name in table.names if name in rows.column_names])
