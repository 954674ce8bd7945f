"""Reading files of somebody else's checkout: inside it, of bounded size, and never run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from calibench_data.errors import CalibenchError, Problem, quoted

LARGEST_TEXT = 1_000_000
LARGEST_PICTURE = 30_000_000


def fault(place: str, found: str, allowed: str = "", do: str = "") -> CalibenchError:
    """The error of a single fault."""
    return CalibenchError([Problem(place, found, allowed, do)])


def read_inside(root: Path, name: str, largest: int) -> bytes:
    """The bytes of the file `name` of the folder `root`.

    Raises CalibenchError if it is missing, no regular file, larger than `largest` bytes, or, through a symbolic link,
    outside the folder.
    """
    path = root / name
    try:
        if not path.resolve().is_relative_to(root.resolve()):
            raise fault(str(path), "is a symbolic link out of the checkout", "files of the checkout's own")
        if not path.is_file():
            raise fault(str(path), "is no regular file" if path.exists() else "is not there", "a file")
        with path.open("rb") as file:
            data = file.read(largest + 1)
    except (OSError, RuntimeError) as error:  # RuntimeError: links in a circle
        raise fault(str(path), f"cannot be read: {error}") from error
    if len(data) > largest:
        raise fault(str(path), f"is larger than {largest:,} bytes", f"{largest:,} bytes at most")
    return data


def read_text(root: Path, name: str) -> str:
    """The text of a file, UTF-8. Raises CalibenchError as `read_inside` does, and where it is not UTF-8."""
    try:
        return read_inside(root, name, LARGEST_TEXT).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise fault(str(root / name), f"is not UTF-8 text: {error}") from error


def read_json(root: Path, name: str) -> Any:
    """The value of a JSON file. Raises CalibenchError as `read_text` does, for bad JSON, and for a key given twice."""
    try:
        return json.loads(read_text(root, name), object_pairs_hook=_once)
    except CalibenchError:
        raise
    except (ValueError, RecursionError) as error:
        raise fault(str(root / name), f"is no JSON that can be read: {error}") from error


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"a key is given twice in {quoted([name for name, _ in pairs])}")
    return found
