"""Reading a CSV file: fast where a line is a record, else field by field."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from calibench_data.errors import SHOWN, Problem, Problems, quoted

from .rows import ROW, Rows, failure, frame_of, text_of

if TYPE_CHECKING:
    import polars as pl


def read_csv(path: Path, wanted: Sequence[str]) -> Rows:
    """The rows of a CSV file, the wanted columns of them; a row is named by the line it starts in."""
    text = text_of(path)
    header = next(csv.reader(io.StringIO(text, newline="")), [])
    if not header and text.strip("\r\n"):
        raise failure(path, "row 1: is blank", "the names of the columns")
    if len(header) == 1 and (other := next((sign for sign in ";\t|" if sign in header[0]), None)):
        found = f"row 1: has a single column, {quoted(header[0])}"
        raise failure(path, found, "fields with commas between them", f"Write commas for {quoted(other)}.")
    if len(set(header)) == len(header):
        frame = _plain_csv(text, header, wanted)
        if frame is not None:
            return Rows(path, tuple(header), frame)
    return _careful_csv(path, text, wanted)


def _plain_csv(text: str, header: list[str], wanted: Sequence[str]) -> pl.DataFrame | None:
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
                column_types=dict.fromkeys(header, pa.string()),
                strings_can_be_null=False,
                null_values=[],
                include_columns=[name for name in header if name in wanted],
            ),
        )
    except pa.ArrowInvalid:
        return None  # the careful reader says what is wrong, and where
    return pl.DataFrame(pl.from_arrow(table)).with_columns(pl.int_range(2, pl.len() + 2).alias(ROW))


def _careful_csv(path: Path, text: str, wanted: Sequence[str]) -> Rows:
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    problems = Problems(SHOWN)
    row: list[int] = []
    records: list[list[str]] = []
    start, blank = 1, 0
    header: list[str] | None = None
    try:
        for record in reader:
            if header is None:
                header = record
                for name in sorted(name for name, times in Counter(header).items() if times > 1):
                    found = f"has the column {quoted(name)} twice"
                    problems.add(Problem(f"{path}: row 1", found, "each column once"), 1)
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
                    found = f"has {len(record)} field" + ("s" if len(record) > 1 else "")
                    problems.add(Problem(f"{path}: row {start}", found, f"{len(header)} fields"), start)
            start = reader.line_num + 1
    except csv.Error as error:
        problems.add(Problem(f"{path}: row {start}", f"is no CSV: {error}"), start)
    problems.raise_if_any()
    header = header or []
    columns = {name: [record[at] for record in records] for at, name in enumerate(header) if name in wanted}
    return Rows(path, tuple(header), frame_of(row, columns))
