"""Figures of a release, as files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from calibench_data.cards.figures import FIGURES
from calibench_data.cards.figures.naming import NoDataError
from calibench_data.cards.figures.own_figures import cell_figure
from calibench_data.cards.figures.sheet import FORMATS, Format, rendered
from calibench_data.cards.figures.style import style
from calibench_data.cards.results import Results
from calibench_data.errors import CalibenchError, Problem, Problems

from .database import connect


@dataclass(frozen=True)
class Drawn:
    """A figure that was asked for: the file it was written to, or why the data do not give it."""

    name: str
    path: Path | None
    reason: str = ""


def figures(
    names: Sequence[str] | None = None,
    out: str | Path = ".",
    form: Format = "svg",
    repo: str | Path | None = None,
    revision: str | None = None,
    *,
    scene: str | None = None,
    model: str | None = None,
) -> list[Drawn]:
    """Draw figures of a release into a folder, each as `NAME.svg` (or `.png`, `.pdf`); by default all the data give.

    The same data, and the same matplotlib, give the same bytes. scene, model: the cell of the figure `cell`. A figure
    that is named and that the data do not give raises CalibenchError, as do an unknown name or format, a folder that
    is none, and `connect`; then nothing is written.
    """
    if find_spec("matplotlib") is None:
        raise CalibenchError("figures need matplotlib: pip install 'calibench-data[plot]'")
    _check(names, form, Path(out))
    pictures: dict[str, bytes] = {}
    reasons: dict[str, str] = {}
    with connect(repo, revision) as connection, style():
        results = Results(connection)
        for name in dict.fromkeys(names or FIGURES):
            try:
                picture = cell_figure(results, scene, model) if name == "cell" else FIGURES[name](results)
                pictures[name] = rendered(picture, form)
            except NoDataError as error:
                reasons[name] = str(error)
    if names and reasons:
        raise CalibenchError([Problem(f"figure {name}", f"cannot be drawn: {why}") for name, why in reasons.items()])
    Path(out).mkdir(parents=True, exist_ok=True)
    for name, data in pictures.items():
        (Path(out) / f"{name}.{form}").write_bytes(data)
    drawn = [Drawn(name, Path(out) / f"{name}.{form}") for name in pictures]
    return drawn + [Drawn(name, None, why) for name, why in reasons.items()]


def _check(names: Sequence[str] | None, form: str, out: Path) -> None:
    problems = Problems()
    for name in names or ():
        if name not in FIGURES:
            problems.add(Problem(name, "is no figure", ", ".join(FIGURES)))
    if form not in FORMATS:
        problems.add(Problem(form, "is no format of figures", ", ".join(FORMATS)))
    if out.exists() and not out.is_dir():
        problems.add(Problem(str(out), "is no folder", do="Choose another --out."))
    problems.raise_if_any()
