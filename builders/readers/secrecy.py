"""Keeping keys out of everything that is kept or said."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

_NAMES = re.compile(r"(KEY|TOKEN|SECRET|PASSWORD|CREDENTIALS)S?$", re.IGNORECASE)
_SHORTEST = 8
# What services say of a wrong key shows parts of it.
_SHAPES = re.compile(
    r"\b(?:sk|rk|pk|hf|gsk|xai|AIza)[-_*\w]{6,}[-*\w]|(?<=[?&]key=)[^&\s'\"]+|(?<=[Bb]earer )\S+|(?<=://)[^/\s@]+(?=@)"
)
HIDDEN = "[hidden]"


def environment_secrets() -> tuple[str, ...]:
    """The values of the environment that are keys by their name."""
    found = {value for name, value in os.environ.items() if _NAMES.search(name) and len(value) >= _SHORTEST}
    return tuple(sorted(found, key=len, reverse=True))


def hide(text: str, secrets: Iterable[str] = ()) -> str:
    """The text without secrets, and without what looks like a key."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, HIDDEN)
    return _SHAPES.sub(HIDDEN, text)
