"""PAWBench's judged rows as their authors write them: JSONL, or one JSON list.

A file is read in one go where every line is a plain object of the expected types; else line by line, and whatever is
wrong with a line is told with its row and, where it can be seen, charged to the model whose row it is.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibench_data.errors import quoted

from .rows import failure

if TYPE_CHECKING:
    import polars as pl

# Field of the authors' rows -> how it is called here.
FIELDS = {
    "model_or_lane": "model",
    "track": "track",
    "scene_id": "scene",
    "repeat_index": "slot",
    "observation": "observation",
    "outcome_label": "label",
    "failure_code": "failure",
}
_MARKS = tuple(f'"{name}"'.encode() for name in ("model_or_lane", "scene_id", "repeat_index", "observation"))
_CHUNK = 1 << 24
_HEAD = 1 << 20  # bytes in which one of them must occur
# A fault of one row: its row, its model (None where that cannot be told), the field or "", what was found, what is due.
Fault = tuple[int, str | None, str, str, str]


def is_authors(path: Path) -> bool:
    """Whether a JSON or JSONL file names any field that only the authors' rows have."""
    if path.suffix.lower() != ".jsonl" or not path.is_file():
        return path.suffix.lower() == ".json"
    with path.open("rb") as file:
        head = file.read(_HEAD)
    return any(mark in head for mark in _MARKS)


def read_authors(path: Path) -> tuple[pl.DataFrame, list[Fault]]:
    """The rows as a frame with the columns row, model, track, scene, slot (integer), observation, label, failure.

    A field that a row lacks is null. Rows that are no JSON object, name a key twice or hold another type are left out
    of the frame and told as faults. Raises CalibenchError where the file as a whole cannot be read.
    """
    import polars as pl

    if not path.is_file():
        raise failure(path, "is not there", "a file that can be read")
    data = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
    if not data or data.isspace():
        raise failure(path, "is empty", "at least one row")
    if path.suffix.lower() == ".json":
        return _framed(enumerate(_json_list(path, data), start=1))
    frames: list[pl.DataFrame] = []
    faults: list[Fault] = []
    before = 0
    for chunk in _chunks(data):
        plain = _plain(chunk)
        frame, found = (plain, []) if plain is not None else _framed(_lines(chunk))
        frames.append(frame.with_columns(pl.col("row") + before))
        faults += [(row + before, model, field, what, due) for row, model, field, what, due in found]
        before += chunk.count(b"\n")
    return pl.concat(frames), faults


def _chunks(data: bytes) -> Iterator[bytes]:
    """Whole lines, some megabytes at a time: a fault makes only its own chunk slow to read."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start + _CHUNK) + 1 or len(data)
        yield data[start:end]
        start = end


def _plain(data: bytes) -> pl.DataFrame | None:
    """All rows at once; None where a line might not be exactly one object, or hold another type or a key twice."""
    import polars as pl
    import pyarrow as pa
    import pyarrow.json as pj

    lines = data.count(b"\n") + (not data.endswith(b"\n"))
    # Every line begins and ends with a brace, so none is part of an object, and as many objects as lines are one each.
    within = data.count(b"}\n{") + data.count(b"}\r\n{") + 1
    if within != lines or not data.startswith(b"{") or not data[-4:].rstrip().endswith(b"}") or b"\0" in data:
        return None
    if b"NaN" in data or b"Inf" in data or not _is_utf8(data):
        return None  # Arrow takes the former for numbers, and looks at no byte
    kinds = [(name, pa.int64() if name == "repeat_index" else pa.string()) for name in FIELDS]
    # Other fields are inferred, not ignored: so a key that one of them repeats is noticed.
    options = pj.ParseOptions(explicit_schema=pa.schema(kinds), unexpected_field_behavior="infer")
    try:
        table = pj.read_json(pa.BufferReader(data), pj.ReadOptions(block_size=1 << 22), options)
    except pa.ArrowException:
        return None
    if table.num_rows != lines:
        return None
    frame = pl.DataFrame(pl.from_arrow(table.select(list(FIELDS)))).rename(FIELDS)
    return frame.select(pl.int_range(1, lines + 1, dtype=pl.Int64).alias("row"), *FIELDS.values())


def _is_utf8(data: bytes) -> bool:
    try:
        return data.isascii() or bool(data.decode())
    except UnicodeDecodeError:
        return False


class _Faulty(dict[str, Any]):
    """An object that says something twice, or holds what is no JSON value."""

    why = ""


class _Constant:
    """NaN or an infinity, which Python's reader takes and JSON has not."""

    def __init__(self, name: str) -> None:
        self.why = f"{name} is no JSON value"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    why = next(
        (value.why for _, value in pairs for value in _flat(value) if isinstance(value, _Faulty | _Constant)), ""
    )
    if len(record) < len(pairs):
        names = [name for name, _ in pairs]
        why = f"has the key {quoted(next(name for name in names if names.count(name) > 1))} twice"
        record = {name: value for name, value in record.items() if names.count(name) == 1}
    if not why:
        return record
    faulty = _Faulty(record)
    faulty.why = why
    return faulty


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for one in value:
            yield from _flat(one)
    else:
        yield value


_DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_Constant)


def _json_list(path: Path, data: bytes) -> list[Any]:
    try:
        whole = _DECODER.decode(data.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise failure(path, f"is no JSON: {_reason(error)}", "a list of rows") from error
    if isinstance(whole, dict) and isinstance(whole.get("rows"), list):
        whole = whole["rows"]
    if not isinstance(whole, list):
        raise failure(path, "is no JSON list", "a list of rows, or an object with the list `rows`")
    return whole


def _lines(data: bytes) -> Iterator[tuple[int, Any]]:
    for number, line in enumerate(data.split(b"\n"), start=1):
        if line.strip():
            try:
                yield number, _DECODER.decode(line.decode("utf-8"))
            except (ValueError, RecursionError) as error:
                yield number, error


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return f"byte {error.object[error.start]:#04x} is not UTF-8 text"
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} (character {error.pos + 1})"
    return "it is nested too deeply" if isinstance(error, RecursionError) else str(error)


def _framed(rows: Iterable[tuple[int, Any]]) -> tuple[pl.DataFrame, list[Fault]]:
    import polars as pl

    faults: list[Fault] = []
    kept: list[tuple[Any, ...]] = []
    for number, row in rows:
        if not isinstance(row, dict):
            found = f"is no JSON object: {_reason(row)}" if isinstance(row, Exception) else f"found {quoted(row)}"
            faults.append((number, None, "", found, "one object a row"))
            continue
        name = row.get("model_or_lane")
        model = name if isinstance(name, str) and name else None
        own = list(_faults(number, model, row))
        faults += own
        if not own:
            kept.append((number, *(row.get(field) for field in FIELDS)))
    columns = ["row", *FIELDS.values()]
    schema = {name: pl.Int64 if name in ("row", "slot") else pl.String for name in columns}
    return pl.DataFrame(kept, schema=schema, orient="row"), faults


def _faults(number: int, model: str | None, row: dict[str, Any]) -> Sequence[Fault]:
    if isinstance(row, _Faulty):
        return [(number, model, "", row.why, "one JSON object, each key once")]
    found: list[Fault] = []
    for field in FIELDS:
        value = row.get(field)
        if field == "repeat_index":
            # True is an integer to Python, and 3.0 equals 3; a slot is neither. Beyond 64 bits it is no slot either.
            if value is not None and (type(value) is not int or abs(value) >= 2**63):
                found.append((number, model, field, f"found {quoted(value)}", "an integer"))
        elif value is not None and (not isinstance(value, str) or not _is_text(value)):
            found.append((number, model, field, f"found {quoted(value)}", "text"))
    return found


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:  # half of a surrogate pair
        return False
    return True
