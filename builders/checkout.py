"""The edition `paper` of frames and prompts, from a checkout of the authors' repository on the user's machine.

Nothing in the checkout is run. What is imported goes into the user's own dataset repository and not into this package.
"""

from __future__ import annotations

import hashlib
import io
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibench_data.errors import SHOWN, CalibenchError, Problem, Problems
from calibench_data.schema import TABLES

from . import source_files
from .checkout_figures import compare_figures
from .checkout_files import LARGEST_PICTURE, fault, read_inside
from .checkout_prompts import read_prompts

if TYPE_CHECKING:
    import pyarrow as pa

PICTURES = "conditioning_frames"
_COMMIT = "4533e877"
_MOST_PIXELS = 40_000_000


@dataclass(frozen=True)
class Checkout:
    """Rows of the edition `paper`, table -> rows, and what is other than in the commit known here."""

    tables: dict[str, pa.Table]
    remarks: tuple[str, ...]


def read_checkout(root: Path) -> Checkout:
    """Read a checkout of `odysseyml/CaliBench`: frames as they are, prompts, and outcomes and labels to compare.

    Raises CalibenchError with all problems at once: what is missing or cannot be read, and each outcome and label that
    is another than the embedded one. A prompt that is another than that of the known commit is remarked upon.
    """
    if not root.is_dir():
        raise fault(str(root), "is no folder", "a checkout of the authors' repository")
    rows = source_files.rows("calibench/authors_scenes.csv")
    scenes = {row["scene"]: row["theirs"] for row in rows}
    models = {row["model"]: row["theirs"] for row in source_files.rows("calibench/authors_models.csv")}
    problems = Problems(SHOWN)
    prompts, remarks = [], []
    for role in ("generation", "reading"):
        found = read_prompts(root, role, scenes, problems)
        for row in (row for row in rows if row["scene"] in found):
            place, text = found[row["scene"]]
            try:
                digest = hashlib.sha256(text.encode("utf-8")).hexdigest()
            except UnicodeEncodeError:
                problems.add(Problem(place, "holds half of a character", "text that can be written as UTF-8"))
                continue
            if digest != (known := row[f"{role}_sha256"]):
                remarks.append(f"{place}: has SHA-256 {digest}; that of commit {_COMMIT} is {known}: another wording")
            prompts.append({**_key(row["scene"]), "role": role, "edition": "paper", "text": text, "sha256": digest})
    frames = []
    for row in rows:
        try:
            frames.append(_frame(root, row["scene"], row["frame"]))
        except CalibenchError as error:
            problems.add_all(error.total, [(0, problem) for problem in error.problems])
    remarks += compare_figures(root, scenes, models, problems)
    problems.raise_if_any()
    records = {"frames": frames, "prompts": [{name: p[name] for name in TABLES["prompts"].names} for p in prompts]}
    tables = {name: source_files.arrow_table(TABLES[name], listed) for name, listed in records.items()}
    return Checkout(tables, tuple(remarks))


def _key(scene: str) -> dict[str, Any]:
    return {"benchmark": "calibench", "scene": scene}


def _frame(root: Path, scene: str, name: str) -> dict[str, Any]:
    """A row of `frames`. Raises CalibenchError for a file that is no whole picture, or one of too many pixels."""
    from PIL import Image

    place = f"{PICTURES}/{name}"
    data = read_inside(root, place, LARGEST_PICTURE)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # PIL warns of a picture that would fill the memory
            picture = Image.open(io.BytesIO(data), formats=("PNG", "JPEG"))
            if picture.width * picture.height > _MOST_PIXELS:
                raise ValueError(f"{picture.width} x {picture.height} pixels, more than {_MOST_PIXELS:,}")
            picture.load()
    except Exception as error:  # whatever a decoder makes of damaged data
        raise fault(str(root / place), f"is no picture that can be read: {error}", "a whole PNG or JPEG") from error
    return {
        **_key(scene),
        "edition": "paper",
        "image": {"bytes": data, "path": f"{scene}{Path(name).suffix}"},
        "width": picture.width,
        "height": picture.height,
        "sha256": hashlib.sha256(data).hexdigest(),
    }
