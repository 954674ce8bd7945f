"""Figures that the papers do not have: who can be told apart, what is significant, and what the evidence is worth."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from calibench_data.stats import AgreementShare, contamination_power, corrected_difference, log_e_process, null_mntv

from ..exhibits.power import contaminated_outcome
from ..printed import FEW, small_p
from ..results import ALPHA, Results, ScoredCell
from .distributions import observed_and_reference
from .evalues import e_values
from .heat_map import heat_map
from .leaderboard import Place, leaderboard, tiers
from .naming import NoDataError, model_labels
from .power import power_curves
from .sheet import legend_below, name_axes, panels
from .style import drawn, labels

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def leaderboard_figure(results: Results) -> Figure:
    """Complete models by corrected mnTV, those of another protocol below."""
    if not results.complete:
        raise NoDataError("no model has every scene")
    found, names = results.corrected, model_labels(results)
    order = sorted(results.complete, key=lambda model: (model in results.unlike, found[model].estimate))
    places = [
        Place(
            names[model],
            found[model].estimate,
            found[model].low,
            found[model].high,
            results.mntv(model),
            results.valid(model),
            found[model].n,
            model not in results.unlike,
        )
        for model in order
    ]
    triples = {model: results.triples(model) for model in results.ranked}

    def apart(first: int, second: int) -> bool:
        one = corrected_difference(triples[order[first]], triples[order[second]])
        return one.verdict != "cannot be told apart"

    scenes = [(scene.reference, scene.rollouts) for scene in results.scenes.values() if scene.reference is not None]
    perfect = null_mntv([reference for reference, _ in scenes], [rollouts for _, rollouts in scenes])
    figure, (ax,) = panels(1, 1, 0.9 + 0.24 * len(places))
    leaderboard(ax, places, tiers(len(triples), apart), (perfect.low, perfect.high))
    legend_below(figure, [ax], 3)
    return figure


def heat_map_figure(results: Results) -> Figure:
    """The score of every cell; a star where Benjamini and Hochberg reject at 0.05, a dagger where no test is made."""
    if not results.cells:
        raise NoDataError("no cell of condition main")
    names = model_labels(results)
    models = sorted(results.models, key=lambda model: model in results.unlike)
    apart = sum(model in results.unlike for model in models)
    scores, marks = [], []
    for scene in results.scenes:
        row = [results.cells.get((scene, model)) for model in models]
        scores.append([np.nan if cell is None else cell.score for cell in row])
        marks.append(["" if cell is None else _mark(cell) for cell in row])
    columns = [names[model] + ("\n(other protocol)" if model in results.unlike else "") for model in models]
    titles = labels([scene.title for scene in results.scenes.values()])
    figure, (ax,) = panels(1, 1, 3.4, max(4.6, 1.6 + 0.55 * len(models)))
    heat_map(ax, scores, marks, titles, columns, apart=apart)
    note = f"*: q ≤ {ALPHA} (Benjamini-Hochberg over the tested cells); {FEW}: fewer than 4 valid rollouts, not tested"
    figure.supxlabel(note, fontsize=6)
    return figure


def _mark(cell: ScoredCell) -> str:
    return FEW if np.isnan(cell.p) else "*" if cell.q <= ALPHA else ""


def cell_figure(results: Results, scene: str | None = None, model: str | None = None) -> Figure:
    """One cell beside its reference; by default, of what is not named, the cell with the highest TV that is tested."""
    found = [
        cell
        for key, cell in results.cells.items()
        if scene in (None, key[0]) and model in (None, key[1]) and cell.cell.valid
    ]
    if not found:
        raise NoDataError(f"no cell with a valid rollout of scene {scene or '(any)'} and model {model or '(any)'}")
    cell = max(found, key=lambda one: (not np.isnan(one.p), one.tv))
    exact = results.exact.get((cell.cell.scene, cell.cell.model))
    facts = f"n = {cell.cell.valid} of {cell.cell.rollouts}, TV = {cell.tv:.2f}, score = {cell.score:.2f}"
    tested = "" if exact is None else f", p = {small_p(exact.pvalue)}"
    title = f"{drawn(cell.scene.title)}, {model_labels(results)[cell.cell.model]}\n{facts}{tested}"
    figure, (ax,) = panels(1, 1, 2.1, 3.3)
    reference = [float(share) for share in cell.reference]
    observed_and_reference(ax, cell.scene.outcomes, cell.cell.counts, reference, title=title, intervals=True)
    ax.set_xlabel("outcome")
    ax.set_ylabel("proportion of valid rollouts")
    legend_below(figure, [ax])
    return figure


def e_values_figure(results: Results) -> Figure:
    """log10 of the e-value of every cell as its rollouts come in, in the order of their seeds."""
    drawn_outcomes: dict[tuple[str, str], list[str | None]] = {}
    for scene, model, outcome in results.connection.execute(
        "SELECT scene, model, outcome FROM rollouts WHERE benchmark = 'calibench' AND condition = 'main' "
        "AND source IS NOT NULL ORDER BY scene, model, seed"
    ).fetchall():
        drawn_outcomes.setdefault((scene, model), []).append(outcome)
    if not drawn_outcomes:
        raise NoDataError("no rollout of condition main")
    names = model_labels(results)
    figure, axes = panels(len(results.scenes), 3, 1.5)
    for ax, (name, scene) in zip(axes, results.scenes.items(), strict=True):
        paths = {
            names[model]: _path(drawn_outcomes.get((name, model), []), scene.outcomes, scene.reference)
            for model in results.models
        }
        e_values(ax, paths, title=drawn(scene.title))
    name_axes(axes, "rollouts", "log10 of the e-value")
    legend_below(figure, axes, 4)
    return figure


def _path(outcomes: list[str | None], known: tuple[str, ...], reference: tuple[Fraction, ...] | None) -> list[float]:
    """log10 e after each rollout: one that shows nothing carries no evidence."""
    valid = [known.index(outcome) for outcome in outcomes if outcome is not None]
    if reference is None or not valid:
        return []
    after = iter(log_e_process(valid, reference) / np.log(10))
    path, current = [], 0.0
    for outcome in outcomes:
        current = current if outcome is None else float(next(after))
        path.append(current)
    return path


def power_figure(results: Results) -> Figure:
    """Exact power at the scenes' full number of rollouts, all references in one picture."""
    cases: dict[tuple[object, int, int], list[str]] = {}
    for name, scene in results.scenes.items():
        if scene.reference is not None:
            cases.setdefault((scene.reference, contaminated_outcome(scene), scene.rollouts), []).append(name)
    if not cases:
        raise NoDataError("no scene has a reference")
    epsilon = np.linspace(0, 1, 101)
    curves = {}
    for (_, outcome, n), scenes in cases.items():
        reference = results.scenes[scenes[0]].reference
        assert reference is not None  # only such were put into `cases`
        title = ", ".join(drawn(results.scenes[name].title) for name in scenes)
        tv = epsilon * float(1 - reference[outcome])
        curves[f"{title} (N = {n})"] = (tv, contamination_power(epsilon, n, reference, outcome=outcome))
    figure, (ax,) = panels(1, 1, 3.0, 5.2)
    power_curves(ax, curves)
    ax.set_xlabel("total variation distance TV of the model from the reference")
    ax.set_ylabel("power at level 0.05")
    legend_below(figure, [ax], 2)
    return figure


def votes_figure(results: Results) -> Figure:
    """Unanimous votes of each reader, and majorities beside a person's labels, scene by scene."""
    from ..exhibits.votes import unanimity
    from .agreement import agreement

    kinds = {**_unanimous(unanimity(results)), **_labelled(results)}
    kinds = {kind: shares for kind, shares in kinds.items() if shares}
    if not kinds:
        raise NoDataError("no votes and no labels")
    scenes = [scene for scene in results.scenes if any(scene in shares for shares in kinds.values())]
    titles = dict(zip(scenes, labels([results.scenes[scene].title for scene in scenes]), strict=True))
    shares = {
        kind: {titles[scene]: share for scene, share in of_scene.items()}
        for kind, of_scene in zip(labels(kinds, 36), kinds.values(), strict=True)
    }
    figure, (ax,) = panels(1, 1, 0.6 + 0.26 * len(scenes), 5.0)
    agreement(ax, list(titles.values()), shares)
    ax.set_xlabel("share of videos, with Wilson's 95 % interval")
    legend_below(figure, [ax], 1)
    return figure


def _unanimous(found: dict[tuple[str, str], AgreementShare]) -> dict[str, dict[str, AgreementShare]]:
    shares: dict[str, dict[str, AgreementShare]] = {}
    for (reader, scene), share in found.items():
        if share.n:
            shares.setdefault(f"votes of {reader} unanimous", {})[scene] = share
    return shares


def _labelled(results: Results) -> dict[str, dict[str, AgreementShare]]:
    from calibench_data.stats import label_agreement

    pairs: dict[str, list[tuple[str | None, str | None]]] = {}
    for scene, outcome, label in results.connection.execute(
        "SELECT labels.scene, outcomes.outcome, labels.outcome FROM labels INNER JOIN outcomes "
        "ON outcomes.video = labels.video WHERE labels.benchmark = 'calibench' ORDER BY labels.video"
    ).fetchall():
        pairs.setdefault(scene, []).append((outcome, label))
    return {
        "outcomes as a person labelled them": {
            scene: label_agreement([one for one, _ in both], [other for _, other in both])
            for scene, both in pairs.items()
        }
    }
