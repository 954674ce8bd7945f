"""Rows in the format of an earlier schema version, as the present one has them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from calibench_data.errors import CalibenchError, Problem
from calibench_data.schema import NEWER, Relation, arrow_schema

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
    """The rows of a file of any schema version, with the present columns.

    Raises CalibenchError for a file that is no Parquet, or has other columns, as that of a later schema version has.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        rows = upgraded(pq.read_table(path, partitioning=None), table)
    except (pa.ArrowException, OSError) as error:
        raise CalibenchError([Problem(str(path), f"is no readable Parquet file: {error}")]) from error
    schema = arrow_schema(table)
    if [(field.name, field.type) for field in rows.schema] != [(field.name, field.type) for field in schema]:
        raise CalibenchError([columns_problem(str(path), rows, table)])
    return rows.cast(schema)


def columns_problem(place: str, rows: pa.Table, table: Relation) -> Problem:
    """That rows have other columns than a table declares; each that differs is named."""
    wanted = {field.name: str(field.type) for field in arrow_schema(table)}
    found = {field.name: str(field.type) for field in rows.schema}
    wrong = [f"the unknown column {name!r}" for name in found if name not in wanted]
    wrong += [f"no column {name}" for name in wanted if name not in found]
    wrong += [f"{name} as {kind}" for name, kind in found.items() if wanted.get(name, kind) != kind]
    allowed = ", ".join(f"{name} {kind}" for name, kind in wanted.items())
    what = ", ".join(wrong) or "its columns in another order, or not null"
    return Problem(place, f"has {what}", allowed, NEWER if set(found) - set(wanted) else "")
