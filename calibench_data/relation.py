"""What a table declaration is, and the Arrow schema, `datasets` features and DuckDB table that follow from it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import datasets
    import pyarrow as pa

Kind = Literal["string", "integer", "number", "strings", "integers", "image"]

DUCKDB_TYPES: dict[Kind, str] = {
    "string": "VARCHAR",
    "integer": "BIGINT",
    "number": "DOUBLE",
    "strings": "VARCHAR[]",
    "integers": "BIGINT[]",
    "image": "STRUCT(bytes BLOB, path VARCHAR)",
}


@dataclass(frozen=True)
class Column:
    """One column: its kind, its meaning with unit, whether it may be null, and the values allowed."""

    name: str
    kind: Kind
    meaning: str
    nullable: bool = False
    allowed: tuple[str, ...] = ()
    minimum: float | None = None


@dataclass(frozen=True)
class ForeignKey:
    """Columns whose values, where none is null, must be a key of another table."""

    columns: tuple[str, ...]
    table: str


@dataclass(frozen=True)
class Relation:
    """A table or view: one row a `grain`."""

    name: str
    grain: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    foreign_keys: tuple[ForeignKey, ...] = ()

    @property
    def names(self) -> list[str]:
        return [column.name for column in self.columns]


def arrow_schema(table: Relation) -> pa.Schema:
    """The Arrow schema that every Parquet part of the table has, also where a column is all null."""
    import pyarrow as pa

    types = {
        "string": pa.string(),
        "integer": pa.int64(),
        "number": pa.float64(),
        "strings": pa.list_(pa.string()),
        "integers": pa.list_(pa.int64()),
        "image": pa.struct([("bytes", pa.binary()), ("path", pa.string())]),
    }
    # `datasets` takes a column for a picture only if its field is exactly the one that it would write: nullable.
    fields = [pa.field(c.name, types[c.kind], nullable=c.nullable or c.kind == "image") for c in table.columns]
    # Where `datasets` looks for what an Arrow type does not say: that these bytes are a picture.
    pictures = {c.name: {"_type": "Image"} for c in table.columns if c.kind == "image"}
    if not pictures:
        return pa.schema(fields)
    scalars = {"string": "string", "integer": "int64", "number": "float64"}
    known = {c.name: {"dtype": scalars[c.kind], "_type": "Value"} for c in table.columns if c.kind in scalars}
    described = {c.name: {**known, **pictures}[c.name] for c in table.columns}
    return pa.schema(fields, {"huggingface": json.dumps({"info": {"features": described}})})


def features(table: Relation) -> datasets.Features:
    """The `datasets` features that `load_dataset` gives the table."""
    from datasets import Features, Image, List, Value

    kinds = {
        "string": Value("string"),
        "integer": Value("int64"),
        "number": Value("float64"),
        "strings": List(Value("string")),
        "integers": List(Value("int64")),
        "image": Image(),
    }
    return Features({c.name: kinds[c.kind] for c in table.columns})


def ddl(table: Relation, keyed: bool = True) -> str:
    """`CREATE TABLE` for DuckDB with its non-null columns, its checks and, if `keyed`, its key (an index)."""
    lines = []
    for column in table.columns:
        line = f"{column.name} {DUCKDB_TYPES[column.kind]}"
        line += "" if column.nullable else " NOT NULL"
        if column.allowed:
            listed = ", ".join(f"'{value}'" for value in column.allowed)
            line += f" CHECK ({column.name} IN ({listed}))"
        if column.minimum is not None:
            line += f" CHECK ({column.name} >= {column.minimum})"
        lines.append(line)
    if keyed:
        lines.append(f"PRIMARY KEY ({', '.join(table.key)})")
    return f"CREATE TABLE {table.name} (\n  " + ",\n  ".join(lines) + "\n)"
