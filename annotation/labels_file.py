"""From the answers of all annotators to the file `labels.csv` of each submission folder."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from calibench_data.builders.row_checks import NULL
from calibench_data.release.writing import write_synced

from calibench_data.errors import CalibenchError, Problem

from .answers import FOLDER, SUFFIX, Answer, read_answers, standing
from .digests import Digests
from .folders import Folder

FILE = "labels.csv"
_COLUMNS = ("scene", "seed", "annotator", "outcome")


class LabelsFiles:
    """The `labels.csv` of each model of a folder: what the answers of all annotators say, and nothing else.

    An answer on a video that was replaced since is no label. Cannot tell is no label either: it is no null.
    """

    def __init__(self, folder: Folder, digests: Digests) -> None:
        """Raises CalibenchError if a `labels.csv` has labels of annotators that did not answer here."""
        self._folder, self._digests = folder, digests
        self._paths = {one.video: one.path for one in folder.videos}
        foreign = [
            Problem(
                str(path / FILE),
                f"has labels by {', '.join(sorted(others))}, who did not answer here",
                f"labels of the answers in {folder.root / FOLDER}",
                "Move it away; `calibench label` writes this file anew.",
            )
            for path in folder.submissions.values()
            if (others := _annotators(path / FILE) - set(self._answers()))
        ]
        if foreign:
            raise CalibenchError(foreign)

    def _answers(self) -> dict[str, dict[str, Answer]]:
        """Annotator -> video -> the answer that stands."""
        files = sorted((self._folder.root / FOLDER).glob(f"*{SUFFIX}"))
        return {path.stem: standing(read_answers(path)) for path in files}

    def write(self) -> None:
        """Write each file whose labels have changed; a model without labels has none."""
        from filelock import FileLock

        with FileLock(self._folder.root / FOLDER / ".labels.lock"):
            rows: dict[str, list[tuple[str, int, str, str]]] = {model: [] for model in self._folder.submissions}
            for annotator, answers in self._answers().items():
                for one in answers.values():
                    _, _, scene, model, seed = one.video.split("/")
                    if model in rows and one.answer in ("outcome", "null") and self._is_of_this_file(one):
                        rows[model].append((scene, int(seed), annotator, one.outcome or NULL))
            for model, found in rows.items():
                _replace(self._folder.submissions[model] / FILE, sorted(found))

    def _is_of_this_file(self, answer: Answer) -> bool:
        path = self._paths.get(answer.video)
        return path is None or self._digests.of(path) == answer.sha256


def _annotators(path: Path) -> set[str]:
    if not path.exists():
        return set()
    with path.open(encoding="utf-8", newline="") as file:
        return {str(row.get("annotator")) for row in csv.DictReader(file)}


def _replace(path: Path, rows: Iterable[tuple[str, int, str, str]]) -> None:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    writer.writerows(rows)
    if not rows:
        path.unlink(missing_ok=True)
    elif not path.exists() or path.read_bytes() != text.getvalue().encode():
        scratch = path.with_name(f".{path.name}.new")
        write_synced(scratch, text.getvalue().encode())
        scratch.replace(path)
