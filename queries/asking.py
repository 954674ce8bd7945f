"""A user's query: one statement that reads, run where it can change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import duckdb

from calibench_data.errors import CalibenchError

if TYPE_CHECKING:
    import polars as pl

_READING = {duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN, duckdb.StatementType.MULTI}


def ask(connection: duckdb.DuckDBPyConnection, query: str) -> pl.DataFrame:
    """The rows of one SELECT. Raises CalibenchError for anything else, and with DuckDB's words for a faulty query.

    The transaction is read-only, so a query cannot write even where its text gets past the check. Interrupting
    (Ctrl-C, or `connection.interrupt()` from another thread) stops it.
    """
    try:
        statements = duckdb.extract_statements(query)
        if len(statements) != 1 or statements[0].type not in _READING:
            kinds = ", ".join(statement.type.name for statement in statements) or "nothing"
            raise CalibenchError(f"a query is one SELECT; found {kinds}. The tables and views are read only.")
        connection.execute("BEGIN TRANSACTION READ ONLY")
        try:
            return _whole_numbers(connection.sql(query).pl())
        finally:
            connection.execute("ROLLBACK")
    except duckdb.InterruptException as error:
        raise CalibenchError("the query was interrupted") from error
    except RuntimeError as error:
        # What DuckDB makes of Ctrl-C while a query runs.
        if "interrupted" in str(error):
            raise KeyboardInterrupt from error
        raise
    except duckdb.Error as error:
        raise CalibenchError(str(error).strip()) from error


def _whole_numbers(frame: pl.DataFrame) -> pl.DataFrame:
    """DuckDB sums integers in 128 bits, which arrive as decimals; where they fit, 64-bit integers are what is meant."""
    import polars as pl

    sums = [name for name, kind in frame.schema.items() if kind == pl.Decimal(38, 0)]
    fitting = [name for name in sums if frame[name].is_null().all() or frame[name].abs().max() < 2**63]  # type: ignore[operator]
    return frame.with_columns(pl.col(fitting).cast(pl.Int64))
