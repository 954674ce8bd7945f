"""Build a dataset repository from the sources; verify one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from calibench_data.builders import build_tables
from calibench_data.builders.checkout import read_checkout
from calibench_data.builders.frames import contact_sheet
from calibench_data.builders.paw_import import BENCHMARK, import_package
from calibench_data.builders.paw_package import read_package
from calibench_data.cards.dataset_card import PAPER_PART, SHEET
from calibench_data.cards.results import Results
from calibench_data.errors import CalibenchError, Problem
from calibench_data.queries.connection import open_connection
from calibench_data.release.manifest import EMBEDDED, Release
from calibench_data.release.verify import check_release
from calibench_data.release.write import part_path, write_release

from .presenting import release_texts

DATASET_VERSION = "1.0.0"
# References change, so scores of the embedded release are not comparable: another major number.
IMPORTED_VERSION = "2.0.0"


def build(
    out: str | Path,
    calibench_repo: str | Path | None = None,
    pawbench: str | Path | None = None,
    tell: Callable[[str], object] | None = None,
) -> Release:
    """Write the release that follows from the committed sources to a folder, new or a dataset repository to replace.

    The same sources give the same bytes. Raises CalibenchError if they break a rule, or the folder holds other things.

    calibench_repo: a checkout of the CaliBench authors' repository, of which frames and prompts are imported as edition
    `paper`; nothing in it is run. Its outcomes and labels must equal the embedded ones: each that differs is a problem.
    pawbench: the PAWBench authors' package, the folder with manifest.json, read as data only: no file outside it, no
    link, no code. It replaces groups, outcome sets and references, and adds prompts and pictures of the edition
    `paper`; since references change, the version is another major one.
    tell: called with each remark on what is imported, such as where it contradicts what was known.
    """
    import pyarrow as pa

    built, digest = build_tables(), None
    remarks: list[str] = []
    if calibench_repo is not None:
        checkout = read_checkout(Path(calibench_repo))
        for name, rows in checkout.tables.items():
            built[name][PAPER_PART] = rows
        remarks += checkout.remarks
    if pawbench is not None:
        _check_apart(Path(pawbench), Path(out))
        package = read_package(Path(pawbench))
        imported, digest = import_package(package), package.sha256
        for name, rows in imported.tables.items():
            built.setdefault(name, {})[BENCHMARK] = rows
        remarks += [*imported.notices, *(f"contradicts what was known: {line}" for line in imported.contradictions)]
    parts = {
        name: {part_path(name, part): split[part].num_rows for part in sorted(split)} for name, split in built.items()
    }
    version = DATASET_VERSION if digest is None else IMPORTED_VERSION
    joined = {name: pa.concat_tables(split.values()) for name, split in built.items()}
    with open_connection({}, joined) as connection:
        texts = release_texts(parts, Results(connection), version, pawbench=digest)
    release = write_release(Path(out), built, {**texts, SHEET: contact_sheet()}, version)
    if tell is not None:
        for remark in remarks:
            tell(remark)
    return release


def _check_apart(package: Path, out: Path) -> None:
    source, target = package.resolve(), out.resolve()
    if source.is_relative_to(target) or target.is_relative_to(source):
        found = f"lies inside {package}" if target != source and target.is_relative_to(source) else f"holds {package}"
        raise CalibenchError([Problem(str(out), found, "a folder apart from the package", "Choose another --out.")])


def verify(repo: str | Path | None = None) -> list[Problem]:
    """Every problem of a dataset repository, by default the embedded one; an empty list if there is none.

    Digests, schemas, keys, foreign keys and allowed values are checked, and what follows from other columns is
    recomputed. Content is looked at only where all digests hold.
    """
    return check_release(EMBEDDED if repo is None else Path(repo)).found()
