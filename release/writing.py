"""What a writer owes to others: one at a time, on the disk before it is named, whole folders at once."""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from calibench_data.errors import CalibenchError, Problem

_PATIENCE_S = 120.0
_AT_FDCWD, _RENAME_EXCHANGE = -100, 2


@contextmanager
def locked(root: Path) -> Iterator[None]:
    """Hold the lock of a dataset repository, which lies beside it, since the folder itself may be exchanged.

    Raises CalibenchError if another writer holds it for two minutes.
    """
    from filelock import FileLock, Timeout

    where = root.resolve()
    lock = FileLock(where.parent / f".{where.name}.lock")
    try:
        lock.acquire(timeout=_PATIENCE_S)
    except Timeout:
        raise CalibenchError(
            [Problem(str(root), "is being written by another process", do="Run again later.")]
        ) from None
    try:
        yield
    finally:
        lock.release()


def write_synced(path: Path, data: bytes) -> None:
    """Write a file in a folder made for it; it is on the disk when this returns."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def sync_folders(folders: Iterable[Path]) -> None:
    """Put the names in some folders on the disk. Windows has no such call, and needs none."""
    if sys.platform != "win32":
        for folder in folders:
            descriptor = os.open(folder, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def replace_folder(new: Path, root: Path, scratch: Path) -> None:
    """Put the folder `new` in the place of `root`, which ends below `scratch` if it was there.

    On Linux the two are exchanged in one step. Where the system cannot, two renames stand in for it: whoever is
    stopped between them leaves no `root`, and the next writer puts the old one back (`put_back`).
    """
    if not root.exists():
        new.rename(root)
    elif not _exchange(new, root):
        root.rename(scratch / "old")
        new.rename(root)


def _exchange(one: Path, other: Path) -> bool:
    if not sys.platform.startswith("linux"):
        return False
    try:
        rename = ctypes.CDLL(None, use_errno=True).renameat2
    except AttributeError:
        return False
    return bool(rename(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _RENAME_EXCHANGE) == 0)


def scratch_prefix(root: Path) -> str:
    """How the names of a repository's scratch folders begin; they stand beside it."""
    return f".{root.resolve().name}.new-"


def put_back(root: Path) -> None:
    """Remove what stopped writers left beside a repository; to be called under its lock."""
    where = root.resolve()
    for stray in where.parent.glob(f"{scratch_prefix(root)}*"):
        if not where.exists() and (stray / "old").is_dir():
            (stray / "old").rename(where)
        shutil.rmtree(stray, ignore_errors=True)
