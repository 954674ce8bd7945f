"""JSON as it stands: a key given twice, a constant that is no JSON value or half a character is a fault."""

from __future__ import annotations

import json
from typing import Any


def decode(text: str) -> Any:
    """The value of a JSON text. Raises ValueError or RecursionError; `reason` puts either in words."""
    value = _DECODER.decode(text)
    if "\\u" in text:
        json.dumps(value, ensure_ascii=False).encode()
    return value


def reason(error: Exception) -> str:
    """Why a text is no JSON, on one line."""
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, UnicodeEncodeError):
        return "it holds half of a surrogate pair, which is no character"
    if isinstance(error, json.JSONDecodeError):
        return f"{error.msg} (character {error.colno})"
    return str(error).partition(";")[0]


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) < len(pairs):
        raise ValueError("it has a key twice")
    return record


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is no JSON value")


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_refuse)
