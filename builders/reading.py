"""Reading rows from a CSV, JSONL or Parquet file as they stand, each with its place, and nothing guessed.

Every field is read as text and checked before it is converted: readers that guess types turn `0.5` into 0 or
`007` into 7 without a word.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibench_data.errors import SHOWN, CalibenchError, Problem, Problems, quoted

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class Rows:
    """The fields of a file as text, null where it has none, a frame with one column more: `row`.

    `row` is the line in CSV and JSONL, so the first record of a CSV is in row 2; in Parquet it counts from 1.
    `typed` says whether the format tells text from numbers; `numeric` names the columns that hold integers.
    """

    path: Path
    frame: pl.DataFrame
    typed: bool = False
    numeric: frozenset[str] = frozenset()

    @property
    def columns(self) -> list[str]:
        return [name for name in self.frame.columns if name != ROW]

    def place(self, row: int, column: str) -> str:
        return f"{self.path}: row {row}, column {column}"


ROW = "\0row"  # no file can have a column of this name


def read_rows(path: Path) -> Rows:
    """All rows of a file. Raises CalibenchError with every fault of its form: encoding, syntax, ragged rows, types."""
    if path.is_dir():
        raise _failure(path, "is a folder", "a file", f"Give one of: {', '.join(_READERS)}.")
    if not path.is_file():
        raise _failure(path, "is not there")
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise _failure(path, f"ends in {path.suffix or 'nothing'!r}", ", ".join(_READERS), "Name it by its format.")
    if path.stat().st_size == 0:
        raise _failure(path, "is empty", "a header and at least one row")
    rows = reader(path)
    if rows.frame.is_empty():
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


def _frame(row: Sequence[int], columns: Mapping[str, Any]) -> pl.DataFrame:
    import polars as pl

    return pl.DataFrame(
        {ROW: pl.Series(row, dtype=pl.Int64), **{name: pl.Series(c, dtype=pl.String) for name, c in columns.items()}}
    )


def _read_csv(path: Path) -> Rows:
    text = _text(path)
    header = next(csv.reader(io.StringIO(text, newline="")), [])
    if ROW not in header and len(set(header)) == len(header):
        frame = _plain_csv(text, header)
        if frame is not None:
            return Rows(path, frame)
    return _careful_csv(path, text)


def _plain_csv(text: str, header: list[str]) -> pl.DataFrame | None:
    """The rows of a CSV without quotes, in which a line is a record, read fast; None if it is not as plain as that."""
    import polars as pl
    import pyarrow as pa
    import pyarrow.csv as pacsv

    if '"' in text or text.count("\r") != text.count("\r\n"):
        return None
    body = text.rstrip("\r\n").partition("\n")[2]
    if not body or body.startswith(("\n", "\r\n")) or "\n\n" in body or "\n\r\n" in body:
        return None
    try:
        table = pacsv.read_csv(
            io.BytesIO(body.encode()),
            read_options=pacsv.ReadOptions(column_names=header),
            parse_options=pacsv.ParseOptions(quote_char=False, ignore_empty_lines=False),
            convert_options=pacsv.ConvertOptions(
                column_types=dict.fromkeys(header, pa.string()), strings_can_be_null=False, null_values=[]
            ),
        )
    except pa.ArrowInvalid:
        return None  # the careful reader says what is wrong, and where
    return pl.DataFrame(pl.from_arrow(table)).with_columns(pl.int_range(2, pl.len() + 2).alias(ROW))


def _careful_csv(path: Path, text: str) -> Rows:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    problems = Problems()
    row: list[int] = []
    records: list[list[str]] = []
    start, blank = 1, 0
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
                if len(record) == len(header):
                    row.append(start)
                    records.append(record)
                else:
                    found = f"has {len(record)} fields"
                    problems.add(Problem(f"{path}: row {start}", found, f"{len(header)} fields"), start)
            start = reader.line_num + 1
    except csv.Error as error:
        problems.add(Problem(f"{path}: row {start}", f"is no CSV: {error}"), start)
    header = header or []
    for name in sorted({name for name in header if header.count(name) > 1}):
        problems.add(Problem(f"{path}: row 1", f"has the column {quoted(name)} twice", "each column once"), 1)
    problems.raise_if_any()
    columns = list(zip(*records, strict=True)) or [()] * len(header)
    return Rows(path, _frame(row, dict(zip(header, columns, strict=True))))


def _read_jsonl(path: Path) -> Rows:
    problems = Problems()
    row: list[int] = []
    records: list[dict[str, Any]] = []
    decode = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_refuse).decode
    for number, line in enumerate(_text(path).split("\n"), start=1):
        if not line or line.isspace():
            continue
        try:
            record = decode(line)
            if not isinstance(record, dict):
                raise ValueError(f"it is {_kind(record)}, not an object")
        except (ValueError, RecursionError) as error:
            reason = "it is nested too deeply" if isinstance(error, RecursionError) else str(error)
            problems.add(Problem(f"{path}: row {number}", f"is no JSON object: {reason}", "one object a line"), number)
            continue
        row.append(number)
        records.append(record)
    problems.raise_if_any()
    names = dict.fromkeys(name for keys in dict.fromkeys(map(tuple, records)) for name in keys)
    return _as_text(path, row, {name: [record.get(name) for record in records] for name in names})


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("it has a key twice")
    return record


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON value")


def _read_parquet(path: Path) -> Rows:
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        table = pq.read_table(path, partitioning=None)
    except (pa.ArrowException, OSError, ValueError) as error:
        raise _failure(
            path, f"is no readable Parquet file: {str(error).splitlines()[0]}", do="Write it again."
        ) from error
    plain = {
        name: table.column(name).cast(pa.string())
        for name, kind in zip(table.column_names, table.schema.types, strict=True)
        if _is_text(kind) or pa.types.is_integer(kind)
    }
    if len(set(table.column_names)) < table.num_columns:
        raise _failure(path, "has a column twice", "each column once")
    if len(plain) < table.num_columns:
        return _as_text(path, range(1, table.num_rows + 1), table.to_pydict())
    numeric = frozenset(name for name in plain if pa.types.is_integer(table.schema.field(name).type))
    frame = pl.DataFrame(pl.from_arrow(pa.table(plain))).with_columns(pl.int_range(1, pl.len() + 1).alias(ROW))
    return Rows(path, frame, typed=True, numeric=numeric)


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    inner = kind.value_type if pa.types.is_dictionary(kind) else kind
    return any(
        is_kind(inner)
        for is_kind in (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_null)
    )


def _as_text(path: Path, row: Sequence[int], columns: dict[str, list[Any]]) -> Rows:
    """Typed columns as text. Text and integers stay as they are; a column of both, or of anything else, is refused."""
    problems = Problems()
    numeric = set()
    for name, values in columns.items():
        kinds = set(map(type, values)) - {type(None)}
        if kinds == {int}:
            numeric.add(name)
            columns[name] = [None if value is None else str(value) for value in values]
        elif kinds == {int, str}:
            at, value = next((at, value) for at, value in zip(row, values, strict=True) if isinstance(value, int))
            found = f"found the integer {value}, but other rows have text: mixed types in one column"
            place = f"{path}: row {at}, column {name}"
            problems.add(Problem(place, found, "one type a column", "Write all of them as text."), at)
        elif not kinds <= {str}:
            wrong = [(at, v) for at, v in zip(row, values, strict=True) if v is not None and type(v) not in (int, str)]
            first = [
                (
                    at,
                    Problem(f"{path}: row {at}, column {name}", f"found {_kind(v)}: {quoted(v)}", "text or an integer"),
                )
                for at, v in wrong[:SHOWN]
            ]
            problems.add_all(len(wrong), first)
    problems.raise_if_any()
    return Rows(path, _frame(row, columns), typed=True, numeric=frozenset(numeric))


def _kind(value: Any) -> str:
    names = {bool: "true or false", float: "a number that is no integer", list: "a list", dict: "an object"}
    return "null" if value is None else names.get(type(value), type(value).__name__)


_READERS: dict[str, Callable[[Path], Rows]] = {".csv": _read_csv, ".jsonl": _read_jsonl, ".parquet": _read_parquet}
