"""The releases that a dataset repository has been: their manifests are kept in `releases/`."""

from __future__ import annotations

from pathlib import Path

from calibench_data.errors import CalibenchError, Problem, Problems

from .manifest import NAME, PENDING, Release, changed, read_release

FOLDER = "releases"


def manifest_path(version: str) -> str:
    """Where the manifest of an earlier release lies in a dataset repository."""
    return f"{FOLDER}/{version}.json"


def history(root: Path) -> list[Release]:
    """The current release and those before it, newest first.

    Raises CalibenchError if a manifest is missing, was changed, or is not the one that its successor names as parent.
    """
    current = read_release(root)
    problems = Problems()
    earlier: dict[str, Release] = {}
    for file in current.files:
        if not file.path.startswith(f"{FOLDER}/"):
            continue
        if problem := changed(root, file):
            problems.add(problem)
        else:
            release = read_release(root, file.path)
            earlier[release.digest] = release
    problems.raise_if_any()
    found = [current]
    while (parent := found[-1].parent) is not None:
        if parent not in earlier:
            place, named = str(root / FOLDER), f"digest {parent}, which version {found[-1].dataset_version} follows"
            raise CalibenchError([Problem(place, f"has no manifest of {named}", do="Fetch the repository again.")])
        found.append(earlier.pop(parent))
    return found


def release_at(root: Path, version: str) -> Release:
    """The release of a version, `1.0.0` or `v1.0.0`. Raises CalibenchError if the folder never was that version."""
    wanted = version.removeprefix("v")
    known = history(root)
    for release in known:
        if release.dataset_version == wanted:
            return release
    versions = ", ".join(release.dataset_version for release in known)
    raise CalibenchError([Problem(str(root), f"has no version {version!r}", versions)])


def intended(root: Path) -> Release | None:
    """What a writer was about to release when it was stopped; None if none was, or it had not got that far."""
    try:
        return read_release(root, f"{PENDING}/{NAME}")
    except CalibenchError:
        return None
