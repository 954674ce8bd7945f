"""Build a dataset repository with what the PAWBench authors' package says."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from calibench_data.builders import build_tables
from calibench_data.builders.paw_import import BENCHMARK, import_package
from calibench_data.builders.paw_package import read_package
from calibench_data.cards.dataset_card import dataset_card
from calibench_data.errors import CalibenchError, Problem
from calibench_data.release.manifest import Release
from calibench_data.release.write import part_path, write_release

# References change, so scores of the embedded release are not comparable: another major number.
IMPORTED_VERSION = "2.0.0"


@dataclass(frozen=True)
class ImportedRelease:
    """The release that was written, what the package contradicts of the embedded one, and what else to know."""

    release: Release
    contradictions: tuple[str, ...]
    notices: tuple[str, ...]


def import_pawbench(package: str | Path, out: str | Path) -> ImportedRelease:
    """Write the release of the committed sources with PAWBench's scenes as the authors' package has them.

    package: the folder with manifest.json, read as data only: no file outside it, no link, no code. It replaces groups,
    outcome sets and references, and adds prompts and pictures of the edition `paper`. Raises CalibenchError with every
    problem of the package, before anything is written, and as `build` does.
    """
    source, target = Path(package).resolve(), Path(out).resolve()
    if source.is_relative_to(target) or target.is_relative_to(source):
        found = f"lies inside {package}" if target != source and target.is_relative_to(source) else f"holds {package}"
        raise CalibenchError([Problem(str(out), found, "a folder apart from the package", "Choose another --out.")])
    read = read_package(Path(package))
    imported = import_package(read)
    built = build_tables()
    for name, rows in imported.tables.items():
        built.setdefault(name, {})[BENCHMARK] = rows
    parts = {
        name: {part_path(name, part): split[part].num_rows for part in sorted(split)} for name, split in built.items()
    }
    card = dataset_card(parts, imported=read.sha256)
    release = write_release(Path(out), built, {"README.md": card}, IMPORTED_VERSION)
    return ImportedRelease(release, imported.contradictions, imported.notices)
