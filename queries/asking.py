"""A user's query: one statement that reads, run where it can change nothing."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING

import duckdb

from calibench_data.errors import CalibenchError

if TYPE_CHECKING:
    import polars as pl

_READING = {duckdb.StatementType.SELECT, duckdb.StatementType.EXPLAIN, duckdb.StatementType.MULTI}


def ask(connection: duckdb.DuckDBPyConnection, query: str) -> pl.DataFrame:
    """The rows of one SELECT. Raises CalibenchError for anything else, and with DuckDB's words for a faulty query.

    The transaction is read-only, so a query cannot write even where its text gets past the check. Ctrl-C stops it
    with KeyboardInterrupt, `connection.interrupt()` from another thread with CalibenchError.
    """
    import polars as pl

    try:
        query.encode()
        statements = duckdb.extract_statements(query)
        if len(statements) != 1 or statements[0].type not in _READING:
            kinds = ", ".join(statement.type.name for statement in statements) or "nothing"
            raise CalibenchError(f"a query is one SELECT; found {kinds}. The tables and views are read only.")
        connection.execute("BEGIN TRANSACTION READ ONLY")
        try:
            return _whole_numbers(_interruptible(connection, query))
        finally:
            connection.execute("ROLLBACK")
    except duckdb.InterruptException as error:
        raise CalibenchError("the query was interrupted") from error
    except UnicodeEncodeError as error:
        raise CalibenchError("the query is not UTF-8 text") from error
    except pl.exceptions.PolarsError as error:
        raise CalibenchError(f"a column is of a type that no frame holds; cast it, say to VARCHAR: {error}") from error
    except duckdb.Error as error:
        raise CalibenchError(str(error).strip()) from error


def _interruptible(connection: duckdb.DuckDBPyConnection, query: str) -> pl.DataFrame:
    """Run a query beside the main thread: DuckDB looks for Ctrl-C only between tasks, and one task may take hours."""
    with ThreadPoolExecutor(1) as pool:
        running: Future[pl.DataFrame] = pool.submit(lambda: connection.sql(query).pl())
        try:
            while not wait([running], timeout=0.1).done:
                pass  # a signal that the system hands to another thread is seen only between two waits
        except KeyboardInterrupt:
            connection.interrupt()
            raise
        return running.result()


def _whole_numbers(frame: pl.DataFrame) -> pl.DataFrame:
    """DuckDB sums integers in 128 bits, which arrive as decimals; where they fit, 64-bit integers are what is meant."""
    import polars as pl

    sums = [name for name, kind in frame.schema.items() if kind == pl.Decimal(38, 0)]
    fitting = [name for name in sums if frame[name].is_null().all() or frame[name].abs().max() < 2**63]  # type: ignore[operator]
    return frame.with_columns(pl.col(fitting).cast(pl.Int64))
