"""The files of a package that others made: nothing outside its folder is read, no link followed, no size trusted."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from calibench_data.errors import Problem, Problems, quoted

from .rows import text_of

LARGEST = 64 * 2**20  # bytes of one file
_RELATIVE = "a path inside the package, with / between its parts and no .."


def file_inside(root: Path, name: object, place: str, problems: Problems) -> Path | None:
    """The file of the package that `name` names; None, with the problem noted at `place`, if there is no such thing."""
    if not isinstance(name, str) or not name:
        problems.add(Problem(place, f"found {quoted(name)}", _RELATIVE))
        return None
    parts = PurePosixPath(name).parts
    if name.startswith("/") or ".." in parts or not parts or not name.isprintable() or set(name) & set('\\:*?"<>|'):
        problems.add(Problem(place, f"found {quoted(name)}", _RELATIVE))
        return None
    path = root
    for part in parts:
        path = path / part
        if path.is_symlink():
            do = "Download the package into a folder of its own, with the files themselves."
            problems.add(Problem(place, f"{quoted(name)} leads over a symbolic link", "a file of the package", do))
            return None
    if not path.is_file():
        found = "is no regular file" if path.exists() else "is not there"
        problems.add(Problem(place, f"{quoted(name)} {found}", "a file of the package"))
        return None
    if (size := path.stat().st_size) > LARGEST:
        problems.add(Problem(place, f"{quoted(name)} has {size:,} bytes", f"{LARGEST:,} bytes at most"))
        return None
    return path


def text_inside(root: Path, name: object, place: str, problems: Problems) -> str | None:
    """The UTF-8 text of a file of the package, or None, with the problem noted."""
    from calibench_data.errors import CalibenchError

    path = file_inside(root, name, place, problems)
    if path is None:
        return None
    try:
        return text_of(path)
    except CalibenchError as error:
        problems.add(error.problems[0])
        return None
