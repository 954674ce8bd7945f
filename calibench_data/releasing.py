"""Build a dataset repository from the sources; verify one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from calibench_data.builders import build_tables
from calibench_data.builders.checkout import read_checkout
from calibench_data.builders.frames import contact_sheet
from calibench_data.cards.dataset_card import PAPER_PART, SHEET, dataset_card
from calibench_data.errors import Problem
from calibench_data.release.manifest import EMBEDDED, Release
from calibench_data.release.verify import check_release
from calibench_data.release.write import part_path, write_release

DATASET_VERSION = "1.0.0"


def build(
    out: str | Path, calibench_repo: str | Path | None = None, tell: Callable[[str], object] | None = None
) -> Release:
    """Write the release that follows from the committed sources to a folder, new or a dataset repository to replace.

    The same sources give the same bytes. Raises CalibenchError if they break a rule, or the folder holds other things.

    calibench_repo: a checkout of the CaliBench authors' repository, of which frames and prompts are imported as edition
    `paper`; nothing in it is run. Its outcomes and labels must equal the embedded ones: each that differs is a problem.
    tell: called with each remark on the checkout, such as on a prompt worded otherwise than in the known commit.
    """
    built = build_tables()
    if calibench_repo is not None:
        checkout = read_checkout(Path(calibench_repo))
        for name, rows in checkout.tables.items():
            built[name][PAPER_PART] = rows
        if tell is not None:
            for remark in checkout.remarks:
                tell(remark)
    parts = {
        name: {part_path(name, part): split[part].num_rows for part in sorted(split)} for name, split in built.items()
    }
    texts: dict[str, str | bytes] = {"README.md": dataset_card(parts), SHEET: contact_sheet()}
    return write_release(Path(out), built, texts, DATASET_VERSION)


def verify(repo: str | Path | None = None) -> list[Problem]:
    """Every problem of a dataset repository, by default the embedded one; an empty list if there is none.

    Digests, schemas, keys, foreign keys and allowed values are checked, and what follows from other columns is
    recomputed. Content is looked at only where all digests hold.
    """
    return check_release(EMBEDDED if repo is None else Path(repo)).found()
