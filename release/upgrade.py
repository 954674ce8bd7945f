"""Rows in the format of an earlier schema version, as the present one has them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

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
