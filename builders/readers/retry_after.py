"""How long a service asks to wait, and what its status says of another try."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from .protocol import Remedy

_AGAIN = frozenset((408, 409, 425, 429))
_STOP = frozenset((401, 402, 403, 404))
# 429 of an account without money, as OpenAI-compatible services call it.
_EMPTY = ("insufficient_quota", "credit_balance", "billing", "exceeded your current quota, please check your plan")


def retry_after(headers: Mapping[str, str] | None, details: Any = None) -> float | None:
    """Seconds to wait, from the headers Retry-After-Ms and Retry-After, or a google.rpc.RetryInfo in the body."""
    headers = headers or {}
    try:
        return max(0.0, float(headers["retry-after-ms"]) / 1000)
    except (KeyError, ValueError):
        pass
    said = str(headers.get("retry-after", "")).strip()
    if re.fullmatch(r"\d+(\.\d+)?", said):
        return float(said)
    if said:
        try:
            return max(0.0, (parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds())
        except (ValueError, TypeError):
            pass
    found = re.search(r"'retryDelay': '(\d+(?:\.\d+)?)s'", str(details)) if details else None
    return float(found[1]) if found else None


def remedy(status: int, text: str) -> Remedy:
    """What helps after an HTTP status, given what the answer says."""
    if status == 429 and any(word in text.casefold() for word in _EMPTY):
        return "stop"
    if status in _STOP:
        return "stop"
    return "again" if status in _AGAIN or status >= 500 else "leave"
