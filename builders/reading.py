"""Reading rows from a CSV, JSONL or Parquet file as they stand, each with its place, and nothing guessed.

Every field is read as text and checked before it is converted: readers that guess types turn `0.5` into 0 or
`007` into 7 without a word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from calibench_data.errors import SHOWN, Problem, Problems, quoted

from .csv_rows import read_csv
from .json_text import decode, reason
from .rows import ROW, Rows, failure, frame_of, text_of


def read_rows(path: Path, wanted: Sequence[str]) -> Rows:
    """All rows of a file, of its columns those `wanted`; the others may hold anything.

    Raises CalibenchError with every fault of its form: encoding, syntax, ragged rows, types.
    """
    if path.is_dir():
        raise failure(path, "is a folder", "a file", f"Give one of: {', '.join(_READERS)}.")
    if not path.is_file():
        raise failure(path, "is no regular file" if path.exists() else "is not there", "a file that can be read")
    reader = _READERS.get(path.suffix.lower())
    if reader is None:
        raise failure(path, f"ends in {path.suffix or 'nothing'!r}", ", ".join(_READERS), "Name it by its format.")
    if path.stat().st_size == 0:
        raise failure(path, "is empty", "a header and at least one row")
    rows = reader(path, wanted)
    if rows.frame.is_empty():
        raise failure(path, "has no rows", "at least one row")
    return rows


def _read_jsonl(path: Path, wanted: Sequence[str]) -> Rows:
    problems = Problems(SHOWN)
    text = text_of(path)
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line and not line.isspace()]
    records = _plain_jsonl(text, lines) or _careful_jsonl(path, lines, problems)
    row = [number for number, _ in lines]
    problems.raise_if_any()
    keys = set(map(tuple, records))
    names = tuple(dict.fromkeys(name for known in sorted(keys) for name in known))
    lacking = [name for name in wanted if name in names and any(name not in known for known in keys)]
    for number, record in zip(row, records, strict=True) if lacking else ():
        for name in lacking:
            if name not in record:
                place = f"{path}: row {number}"
                problems.add(Problem(place, f"has no {name}", "the same keys in each row"), number)
    problems.raise_if_any()
    return _as_text(path, row, names, {name: [r[name] for r in records] for name in names if name in wanted})


def _plain_jsonl(text: str, lines: Sequence[tuple[int, str]]) -> list[dict[str, Any]] | None:
    """All records in one go, three times as fast as line by line; None where a line might not be a record.

    No string can reach over a line break, no object over one that a brace follows, and of lists there are none.
    """
    if "[" in text or "\\u" in text or not all(line.startswith("{") for _, line in lines):
        return None
    try:
        records = decode("[" + ",\n".join([line for _, line in lines]) + "]")
    except (ValueError, RecursionError):
        return None  # the careful reader says what is wrong, and where
    alike = len(records) == len(lines) and set(map(type, records)) == {dict}
    return records if alike else None


def _careful_jsonl(path: Path, lines: Sequence[tuple[int, str]], problems: Problems) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = []
    for number, line in lines:
        try:
            record = decode(line)
            if not isinstance(record, dict):
                raise ValueError(f"it is {_kind(record)}")
        except (ValueError, RecursionError) as error:
            found = f"is no JSON object: {reason(error)}"
            problems.add(Problem(f"{path}: row {number}", found, "one object a line"), number)
            continue
        records.append(record)
    return records


def _read_parquet(path: Path, wanted: Sequence[str]) -> Rows:
    import polars as pl
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            names = tuple(file.schema_arrow.names)
            if len(set(names)) < len(names):
                raise failure(path, "has a column twice", "each column once")
            table = file.read(columns=[name for name in names if name in wanted])
        table.validate(full=True)
    except (pa.ArrowException, OSError) as error:
        reason = str(error).partition("\n")[0].rstrip(".")
        raise failure(path, f"is no readable Parquet file: {reason}", do="Write it again.") from error
    kinds = dict(zip(table.column_names, table.schema.types, strict=True))
    if not all(_is_text(kind) or pa.types.is_integer(kind) for kind in kinds.values()):
        return _as_text(path, range(1, table.num_rows + 1), names, table.to_pydict())
    frame = pl.DataFrame(
        {name: pl.Series(pl.from_arrow(column.cast(pa.string()))) for name, column in zip(kinds, table, strict=True)},
    ).with_columns(pl.int_range(1, pl.len() + 1).alias(ROW))
    numeric = frozenset(name for name, kind in kinds.items() if pa.types.is_integer(kind))
    return Rows(path, names, frame, typed=True, numeric=numeric)


def _is_text(kind: Any) -> bool:
    import pyarrow as pa

    inner = kind.value_type if pa.types.is_dictionary(kind) else kind
    return any(
        is_kind(inner)
        for is_kind in (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_null)
    )


def _as_text(path: Path, row: Sequence[int], names: tuple[str, ...], columns: dict[str, list[Any]]) -> Rows:
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
            problems.add(Problem(f"{path}: row {at}, column {name}", found, "one type a column"), at)
        elif not kinds <= {str}:
            wrong = [(at, v) for at, v in zip(row, values, strict=True) if v is not None and type(v) not in (int, str)]
            for at, v in wrong[:SHOWN]:
                place, found = f"{path}: row {at}, column {name}", f"found {_kind(v)}: {quoted(v)}"
                problems.add(Problem(place, found, "text or an integer"), at)
            problems.total += max(len(wrong) - SHOWN, 0)
    problems.raise_if_any()
    return Rows(path, names, frame_of(row, columns), typed=True, numeric=frozenset(numeric))


def _kind(value: Any) -> str:
    names = {
        bool: "true or false",
        int: "an integer",
        float: "a number that is no integer",
        str: "text",
        list: "a list",
    }
    names |= {dict: "an object"}
    return "null" if value is None else names.get(type(value), type(value).__name__)


_READERS: dict[str, Callable[[Path, Sequence[str]], Rows]] = {
    ".csv": read_csv,
    ".jsonl": _read_jsonl,
    ".parquet": _read_parquet,
}
