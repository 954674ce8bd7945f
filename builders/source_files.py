"""Reading the committed source files."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pyarrow as pa

    from calibench_data.schema import Relation

FOLDER = Path(__file__).parent / "sources"


def rows(name: str) -> list[dict[str, str]]:
    """The rows of a source file, such as `calibench/scenes.csv`, as text."""
    with (FOLDER / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def content(name: str) -> bytes:
    """The bytes of a source file that is published as it stands."""
    return (FOLDER / name).read_bytes()


def listed(text: str) -> list[str]:
    """The entries of a field that holds several, separated by bars."""
    return text.split("|")


def arrow_table(table: Relation, records: Sequence[Mapping[str, Any]]) -> pa.Table:
    """Records as an Arrow table with the declared schema; a record with other fields than the table's is refused."""
    import pyarrow as pa

    from calibench_data.schema import arrow_schema

    for record in records:
        if list(record) != table.names:
            raise ValueError(f"{table.name}: a record has the fields {list(record)}, declared are {table.names}")
    return pa.Table.from_pylist([dict(record) for record in records], schema=arrow_schema(table))
