"""Every table and view, declared once.

From these declarations come the Arrow schema, the `datasets` features, the DuckDB tables (see `relation`), the
validator and the column tables of the dataset card.
"""

from __future__ import annotations

from .relation import DUCKDB_TYPES, Column, ForeignKey, Kind, Relation, arrow_schema, ddl, features
from .schema_tables import TABLES
from .schema_views import VIEWS

__all__ = [
    "DUCKDB_TYPES",
    "NEWER",
    "SCHEMA_VERSION",
    "TABLES",
    "VIEWS",
    "Column",
    "ForeignKey",
    "Kind",
    "Relation",
    "arrow_schema",
    "ddl",
    "features",
]

SCHEMA_VERSION = 1

# What to do about a column that is not known.
NEWER = "If a later schema version wrote it, install a package as new as the data."
