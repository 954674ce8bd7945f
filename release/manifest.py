"""release.json: the commit point of a dataset repository. Readers trust only the files it names."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from calibench_data.errors import CalibenchError, Problem, quoted
from calibench_data.schema import SCHEMA_VERSION, TABLES

NAME = "release.json"
# Where a writer keeps what is not yet in place: see `local`.
PENDING = ".pending"
EMBEDDED = Path(__file__).parent / "dataset"


@dataclass(frozen=True)
class ReleaseFile:
    """A file of a release: path from its root with `/`, digest, size, and table and rows if it is a table's part."""

    path: str
    sha256: str
    bytes: int
    table: str | None = None
    rows: int | None = None


@dataclass(frozen=True)
class Release:
    """What a release.json says, and the folder it stands in."""

    root: Path
    dataset_version: str
    schema_version: int
    parent: str | None
    files: tuple[ReleaseFile, ...]

    @property
    def digest(self) -> str:
        """SHA-256 over all that release.json says but this digest: the release's identity."""
        return hashlib.sha256(json.dumps(self._content(), sort_keys=True).encode()).hexdigest()

    def _content(self) -> dict[str, Any]:
        return {
            "dataset_version": self.dataset_version,
            "schema_version": self.schema_version,
            "parent": self.parent,
            "files": [asdict(file) for file in self.files],
        }

    def text(self) -> str:
        """The one text that says this; release.json holds it byte for byte."""
        return json.dumps({**self._content(), "digest": self.digest}, indent=2, ensure_ascii=False) + "\n"

    def read_text(self, path: str) -> str:
        """A text of the release, such as README.md. Raises CalibenchError if it is not the one that was released."""
        (file,) = (file for file in self.files if file.path == path)
        if problem := changed(self.root, file):
            raise CalibenchError([problem])
        place = self.root / PENDING / path if _is_pending(self.root, file) else self.root / path
        data = place.read_bytes()
        if hashlib.sha256(data).hexdigest() != file.sha256:
            raise CalibenchError([Problem(str(place), "was changed while it was read", do="Run again.")])
        return data.decode("utf-8")

    def parts(self) -> dict[str, list[Path]]:
        """Table name -> its files. Raises CalibenchError for a file that has not the digest that release.json gives."""
        if problems := [problem for file in self.files if file.table and (problem := changed(self.root, file))]:
            raise CalibenchError(problems)
        return {name: [self.root / file.path for file in self.files if file.table == name] for name in TABLES}


def sha256_of(path: Path) -> str:
    """SHA-256 of a file, in hexadecimal digits."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def changed(root: Path, file: ReleaseFile) -> Problem | None:
    """The problem, if the file is not there or not the one that was released."""
    path, place = root / file.path, str(root / file.path)
    if file.table is None and _is_pending(root, file):
        return None
    if not path.is_file():
        return Problem(place, "is named in release.json but is not there", do="Fetch the release again.")
    if (size := path.stat().st_size) != file.bytes:
        return Problem(
            place, f"has {size} bytes", f"{file.bytes} bytes", "It was changed after the release; fetch it again."
        )
    if (digest := sha256_of(path)) != file.sha256:
        return Problem(place, f"has SHA-256 {digest}", file.sha256, "It was changed after the release; fetch it again.")
    return None


def _is_pending(root: Path, file: ReleaseFile) -> bool:
    """Whether the released text is complete but its writer was stopped before it could put it in its place."""
    staged = root / PENDING / file.path
    return staged.is_file() and not staged.is_symlink() and sha256_of(staged) == file.sha256


def read_release(root: Path, name: str = NAME) -> Release:
    """The release in a folder. Raises CalibenchError if release.json is missing, damaged or of a later schema.

    name: where the manifest lies from the root; another than release.json is that of an earlier release.
    """
    path = root / name
    try:
        text = path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        raise CalibenchError(
            [Problem(str(path), "is not there", do=f"{root} is no dataset repository; `calibench build` makes one.")]
        ) from None
    except (OSError, UnicodeDecodeError) as error:
        raise CalibenchError([Problem(str(path), f"cannot be read: {error}")]) from error
    try:
        release = _parsed(root, json.loads(text))
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise CalibenchError([Problem(str(path), f"is damaged: {error}", do="Fetch the release again.")]) from error
    if release.text() != text:
        raise CalibenchError(
            [
                Problem(
                    str(path), "does not have the digest that it gives: it was changed", do="Fetch the release again."
                )
            ]
        )
    return release


def _parsed(root: Path, content: dict[str, Any]) -> Release:
    if content["schema_version"] not in range(1, SCHEMA_VERSION + 1):
        raise ValueError(
            f"schema version {quoted(content['schema_version'])}, but this package reads versions up to "
            f"{SCHEMA_VERSION}; install a package as new as the data"
        )
    files = tuple(ReleaseFile(**entry) for entry in content["files"])
    for file in files:
        parts = PurePosixPath(file.path).parts
        if not parts or file.path.startswith("/") or ".." in parts or "\\" in file.path:
            raise ValueError(f"path {quoted(file.path)} leaves the folder")
        if file.table is not None and file.table not in TABLES:
            raise ValueError(f"unknown table {quoted(file.table)}")
    return Release(root, content["dataset_version"], content["schema_version"], content["parent"], files)


def unnamed_files(root: Path, named: Iterable[ReleaseFile]) -> list[Path]:
    """Files below the root that no manifest names; those of version control and of writers are not looked at."""
    known = {file.path for file in named} | {NAME}
    found = (path for path in sorted(root.rglob("*")) if path.is_file() or path.is_symlink())
    return [
        path
        for path in found
        if (relative := path.relative_to(root).as_posix()) not in known
        and relative.split("/")[0] not in (".git", ".gitattributes", ".cache", PENDING)
    ]
