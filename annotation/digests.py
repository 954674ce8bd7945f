"""SHA-256 of files, each read once."""

from __future__ import annotations

import hashlib
from pathlib import Path


class Digests:
    """Digests of files; one is read again only if its size or time of change is another."""

    def __init__(self) -> None:
        self._known: dict[Path, tuple[int, int, str]] = {}

    def of(self, path: Path) -> str:
        """The SHA-256 of a file's bytes, 64 hexadecimal digits. Raises OSError for one that cannot be read."""
        status = path.stat()
        known = self._known.get(path)
        if known is None or known[:2] != (status.st_size, status.st_mtime_ns):
            with path.open("rb") as file:
                digest = hashlib.file_digest(file, "sha256").hexdigest()
            known = self._known[path] = (status.st_size, status.st_mtime_ns, digest)
        return known[2]
