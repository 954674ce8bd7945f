"""Reading rows from a CSV, JSONL or Parquet file as they stand, each with its place, and nothing guessed.

Every field is read as text and checked before it is converted: readers that guess types turn `0.5` into 0 or
`007` into 7 without a word.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibench_data.errors import CalibenchError, Problem, Problems, quoted

KINDS = {
    bool: "true or false",
    int: "an integer",
    float: "a number with a decimal point",
    str: "text",
    list: "a list",
    dict: "an object",
}


@dataclass(frozen=True)
class Rows:
    """The fields of a file by column, as text or None, with the row of each record.

    `row` is the line in CSV and JSONL, so the first record of a CSV is in row 2; in Parquet it counts from 1.
    `typed` says whether the format tells text from numbers; `numeric` names columns that hold numbers throughout.
    """

    path: Path
    row: list[int]
    columns: dict[str, list[str | None]]
    typed: bool
    numeric: frozenset[str] = frozenset()

    def place(self, row: int, column: str) -> str:
        return f"{self.path}: row {row}, column {column}"


def read_rows(path: Path) -> Rows:
    """All rows of a file. Raises CalibenchError with every fault of its form: encoding, syntax, ragged rows, types."""
    if path.is_dir():
        raise _failure(path, "is a folder", "a file", f"Give one of: {', '.join(_READERS)}.")
    if not path.is_file():
        raise _failure(path, "is not there")
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise _failure(
            path, f"ends in {path.suffix or 'nothing'!r}", ", ".join(_READERS), "Name the file by its format."
        )
    if path.stat().st_size == 0:
        raise _failure(path, "is empty", "a header and at least one row")
    rows = reader(path)
    if not rows.row:
        raise _failure(path, "has no rows", "at least one row")
    return rows


def _failure(path: Path, found: str, allowed: str = "", do: str = "") -> CalibenchError:
    return CalibenchError([Problem(str(path), found, allowed, do)])


def _text(path: Path) -> str:
    data = path.read_bytes()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _failure(
            path, f"row {line}: byte {data[error.start]:#04x} is not UTF-8", "UTF-8 text", "Save the file as UTF-8."
        ) from None


def _read_csv(path: Path) -> Rows:
    reader = csv.reader(io.StringIO(_text(path), newline=""), strict=True)
    problems = Problems()
    row: list[int] = []
    records: list[list[str]] = []
    start = 1
    blank = 0
    header: list[str] | None = None
    try:
        for record in reader:
            if header is None:
                header = record
            elif not record:
                blank = blank or start
            else:
                if blank:
                    problems.add(Problem(f"{path}: row {blank}", "is blank", "a record", "Remove it."), blank)
                    blank = 0
                if len(record) != len(header):
                    problems.add(
                        Problem(f"{path}: row {start}", f"has {len(record)} fields", f"{len(header)} fields"), start
                    )
                else:
                    row.append(start)
                    records.append(record)
            start = reader.line_num + 1
    except csv.Error as error:
        problems.add(Problem(f"{path}: row {start}", f"is no CSV: {error}"), start)
    header = header or []
    for name in sorted({name for name in header if header.count(name) > 1}):
        problems.add(Problem(f"{path}: row 1", f"has the column {quoted(name)} twice", "each column once"), 1)
    problems.raise_if_any()
    fields: list[list[str | None]] = [list(column) for column in zip(*records, strict=True)] or [[] for _ in header]
    return Rows(path, row, dict(zip(header, fields, strict=True)), typed=False)


def _read_jsonl(path: Path) -> Rows:
    problems = Problems()
    row: list[int] = []
    columns: dict[str, list[Any]] = {}
    for number, line in enumerate(_text(path).split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line, object_pairs_hook=_once, parse_constant=_refuse)
            if not isinstance(record, dict):
                raise ValueError(f"is {KINDS.get(type(record), 'null')}, not an object")
        except RecursionError:
            problems.add(
                Problem(f"{path}: row {number}", "is nested too deeply", "an object with plain fields"), number
            )
            continue
        except ValueError as error:
            problems.add(Problem(f"{path}: row {number}", f"is no JSON object: {error}", "one object a line"), number)
            continue
        row.append(number)
        for name in record.keys() - columns.keys():
            columns[name] = [None] * (len(row) - 1)
        for name, values in columns.items():
            values.append(record.get(name))
    problems.raise_if_any()
    return _as_text(path, row, columns)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("it has a key twice")
    return record


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON value")


def _read_parquet(path: Path) -> Rows:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path, partitioning=None)
        columns = {name: table.column(name).to_pylist() for name in table.column_names}
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _failure(
            path, f"is no readable Parquet file: {str(error).splitlines()[0]}", do="Write it again."
        ) from error
    return _as_text(path, list(range(1, table.num_rows + 1)), columns)


def _as_text(path: Path, row: list[int], columns: dict[str, list[Any]]) -> Rows:
    """Typed columns as text. Text and integers stay as they are; a column of both, or of anything else, is refused."""
    problems = Problems()
    numeric = set()
    for name, values in columns.items():
        kinds = set(map(type, values)) - {type(None)}
        if kinds <= {str}:
            continue
        if kinds == {int}:
            numeric.add(name)
            columns[name] = [None if value is None else str(value) for value in values]
        elif kinds == {int, str}:
            mixed = [(at, value) for at, value in zip(row, values, strict=True) if isinstance(value, int)]
            at, value = mixed[0]
            problems.add(
                Problem(
                    f"{path}: row {at}, column {name}",
                    f"found the integer {value}, but other rows have text: mixed types in one column",
                    "one type a column",
                    "Write all of them as text.",
                ),
                at,
            )
        else:
            _refuse_kinds(path, row, name, values, problems)
    problems.raise_if_any()
    return Rows(path, row, columns, typed=True, numeric=frozenset(numeric))


def _refuse_kinds(path: Path, row: list[int], name: str, values: list[Any], problems: Problems) -> None:
    wrong = [
        (at, value)
        for at, value in zip(row, values, strict=True)
        if value is not None and type(value) not in (int, str)
    ]
    first = [
        (
            at,
            Problem(
                f"{path}: row {at}, column {name}",
                f"found {KINDS.get(type(value), type(value).__name__)}: {quoted(value)}",
                "text, an integer or null",
            ),
        )
        for at, value in wrong[:50]
    ]
    problems.add_all(len(wrong), first)


_READERS: dict[str, Callable[[Path], Rows]] = {".csv": _read_csv, ".jsonl": _read_jsonl, ".parquet": _read_parquet}


def iterate(rows: Rows, *names: str) -> Iterator[tuple[Any, ...]]:
    """(row, field, field, ...) of each record, for the named columns."""
    return zip(rows.row, *(rows.columns[name] for name in names), strict=True)
