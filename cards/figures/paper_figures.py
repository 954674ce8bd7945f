"""The CaliBench paper's figures that are plots of data, drawn from a release."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from calibench_data.stats import contamination_power, null_band

from ..exhibits.distributions import SCENES_OF
from ..exhibits.power import contaminated_outcome
from ..results import Results, ScoredCell
from .confusion import confusion
from .distributions import observed_and_reference
from .naming import NoDataError, model_labels
from .power import power_curves
from .scorability import scorability_and_tv
from .sheet import legend_below, name_axes, panels
from .style import drawn, labels

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ROLLOUTS = (8, 16, 24, 32)  # of Figure 13
_NARROW = 9.0  # ems: what fits above one of six or seven panels beside each other


def distributions_of(number: str) -> Callable[[Results], Figure]:
    """One of Figures 4 and 6 to 12: a panel for each model that has a valid rollout of the scene."""

    def draw(results: Results) -> Figure:
        names = model_labels(results, _NARROW)
        shown = [
            cell
            for scene in SCENES_OF[number]
            for model in results.models
            if (cell := results.cells.get((scene, model))) and cell.cell.valid
        ]
        if not shown:
            raise NoDataError(f"no model has a valid rollout of {' or '.join(SCENES_OF[number])}")
        several = len(SCENES_OF[number]) > 1
        figure, axes = panels(len(shown), 6, 1.25)
        for ax, cell in zip(axes, shown, strict=True):
            head = f"{drawn(cell.scene.title)}\n" if several else ""
            title = f"{head}{names[cell.cell.model]}\nn = {cell.cell.valid}"
            _cell_panel(ax, cell, title)
        name_axes(axes, "", "proportion")
        legend_below(figure, axes)
        return figure

    return draw


def figure_5(results: Results) -> Figure:
    """Scorability against TV, a panel for each scene."""
    names = model_labels(results)
    figure, axes = panels(len(results.scenes), 3, 1.6)
    for ax, (name, scene) in zip(axes, results.scenes.items(), strict=False):
        points = {
            names[model]: (cell.scorability, cell.tv)
            for model in results.models
            if (cell := results.cells.get((name, model)))
        }
        band = null_band(scene.rollouts, scene.reference) if scene.reference else None
        scorability_and_tv(ax, points, None if band is None else (band.low, band.high), title=drawn(scene.title))
    name_axes(axes, "scorability ρ", "TV")
    legend_below(figure, axes, 4)
    return figure


def figure_13(results: Results) -> Figure:
    """Exact power against TV at four numbers of valid rollouts, a panel for each reference that is tested."""
    cases: dict[tuple[object, int], list[str]] = {}
    for name, scene in results.scenes.items():
        if scene.reference is not None:
            cases.setdefault((scene.reference, contaminated_outcome(scene)), []).append(name)
    if not cases:
        raise NoDataError("no scene has a reference")
    figure, axes = panels(len(cases), 3, 1.6)
    epsilon = np.linspace(0, 1, 101)
    for ax, ((_, outcome), scenes) in zip(axes, cases.items(), strict=True):
        reference = results.scenes[scenes[0]].reference
        assert reference is not None  # only such were put into `cases`
        tv = epsilon * float(1 - reference[outcome])
        curves = {f"N = {n}": (tv, contamination_power(epsilon, n, reference, outcome=outcome)) for n in ROLLOUTS}
        title = ", ".join(drawn(results.scenes[name].title) for name in scenes)
        power_curves(ax, curves, title=title)
    name_axes(axes, "TV of the model from the reference", "power at level 0.05")
    legend_below(figure, axes)
    return figure


def figure_14(results: Results) -> Figure:
    """The dice at each guidance scale that was run, lowest first."""
    rows = results.connection.execute(
        "SELECT DISTINCT condition, CAST(substr(condition, 5) AS DOUBLE) AS scale FROM cells "
        "WHERE benchmark = 'calibench' AND condition LIKE 'cfg-%' ORDER BY scale"
    ).fetchall()
    shown = [(scale, cell) for condition, scale in rows for cell in results.scored(condition).values()]
    if not shown:
        raise NoDataError("no cell was run at another guidance scale")
    several = len({cell.cell.model for _, cell in shown}) > 1
    names = model_labels(results, _NARROW)
    figure, axes = panels(len(shown), 7, 1.35)
    for ax, (scale, cell) in zip(axes, shown, strict=True):
        head = f"{names[cell.cell.model]}\n" if several else ""
        _cell_panel(ax, cell, f"{head}guidance {scale:g}\nn = {cell.cell.valid}")
    name_axes(axes, "", "proportion")
    legend_below(figure, axes)
    return figure


def figure_15(results: Results) -> Figure:
    """The face asked for against the face got, a panel for each model that was asked."""
    counts: dict[str, dict[tuple[str, str | None], int]] = {}
    for model, requested, outcome, n in results.connection.execute(
        "SELECT model, requested, outcome, n FROM confusion WHERE benchmark = 'calibench' AND scene = 'dice'"
    ).fetchall():
        counts.setdefault(model, {})[requested, outcome] = n
    models = [model for model in results.models if model in counts]
    if not models:
        raise NoDataError("no model was asked for a face")
    faces: list[str | None] = [*results.scenes["dice"].outcomes, None]
    requested = [face for face in faces if face and any((face, face) in counts[model] for model in models)]
    got = labels([face or "null" for face in faces])
    names = model_labels(results)
    most = max(sum(counts[model].get((asked, face), 0) for face in faces) for model in models for asked in requested)
    figure, axes = panels(len(models), 3, 2.0)
    for ax, model in zip(axes, models, strict=True):
        table = [[counts[model].get((asked, face), 0) for face in faces] for asked in requested]
        valid = sum(sum(row[:-1]) for row in table)
        hits = sum(counts[model].get((asked, asked), 0) for asked in requested)
        title = f"{names[model]} ({hits}/{valid} as asked)"
        confusion(ax, table, requested, got, title=title, most=most)
    name_axes(axes, "face got", "face asked for")
    return figure


def _cell_panel(ax: Axes, cell: ScoredCell, title: str) -> None:
    reference = [float(share) for share in cell.reference]
    observed_and_reference(ax, cell.scene.outcomes, cell.cell.counts, reference, title=title)
