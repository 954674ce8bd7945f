"""Where a submitted model stands among the released ones, and what a revision changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from . import score_sheet
from .grid import Entry, Grid
from .printed import NOTHING, decimals
from .results import Results, ScoredCell

COLUMNS = (
    "place",
    "model",
    "title",
    "corrected",
    "corrected_low",
    "corrected_high",
    "mntv",
    "ci_low",
    "ci_high",
    "valid",
    "rollouts",
    "submitted",
)


@dataclass(frozen=True)
class Standing:
    """A complete model: its place by corrected mnTV, from 1, that estimate with its interval, and the paper's.

    place: None for a model of another protocol, whose scores do not compare.
    """

    place: int | None
    model: str
    title: str
    corrected: float
    corrected_low: float
    corrected_high: float
    mntv: float
    ci_low: float
    ci_high: float
    valid: int
    rollouts: int
    submitted: bool


def standings(results: Results, submitted: str | None = None) -> list[Standing]:
    """The complete models by corrected mnTV, the lowest first; those of another protocol after the others."""
    found = results.corrected
    order = sorted(results.complete, key=lambda model: (model in results.unlike, found[model].estimate))
    made = []
    for number, model in enumerate(order, start=1):
        one, published = found[model], results.intervals[model]
        valid = results.valid(model)
        place = None if model in results.unlike else number
        corrected, printed = (one.estimate, one.low, one.high), (results.mntv(model), published.low, published.high)
        title = results.models[model]
        made.append(Standing(place, model, title, *corrected, *printed, valid, one.n, model == submitted))
    return made


def grid(standings: Sequence[Standing], released: str) -> Grid:
    """The standings for people, the submitted model marked."""
    rows = tuple(
        (
            Entry(NOTHING if one.place is None else f"{one.place}"),
            Entry(one.title + (" (submitted)" if one.submitted else "")),
            Entry(decimals(one.corrected), one.submitted),
            Entry(f"[{decimals(one.corrected_low)},{decimals(one.corrected_high)}]"),
            Entry(decimals(one.mntv), one.submitted),
            Entry(f"[{decimals(one.ci_low)},{decimals(one.ci_high)}]"),
            Entry(f"{one.valid}/{one.rollouts}"),
        )
        for one in standings
    )
    other = (
        [f"{NOTHING}: another protocol, whose scores do not compare."]
        if None in {one.place for one in standings}
        else []
    )
    return Grid(
        f"Among the models of {released}, by corrected mnTV (lower is better)",
        ("", "Model", "corrected", "95 % interval", "mnTV", "paper's interval", "valid"),
        rows,
        (
            *other,
            "Places next to each other may be chance: `calibench tables leaderboard` says who can be told apart.",
            "The paper's interval is a percentile interval over resampled rollouts, no confidence interval.",
        ),
        numeric_from=2,
    )


def cells_grid(cells: Sequence[ScoredCell]) -> Grid:
    """The cells of the submitted model for people."""
    notes = ("p: Monte Carlo, 50,000 replicates; q: Benjamini-Hochberg over all cells of condition main.",)
    (made, _) = score_sheet.grids(cells, ())
    return replace(made, notes=(*notes, *made.notes[1:]))


def without(standings: Sequence[Standing], model: str) -> list[Standing]:
    """The standings of the other models: no model's score depends on another's."""
    others = [one for one in standings if one.model != model]
    return [replace(one, place=one.place and place) for place, one in enumerate(others, start=1)]


def change(before: Sequence[Standing], after: Sequence[Standing]) -> list[str]:
    """What a revision does to the leaderboard, a line a model that enters, leaves or moves."""
    was = {one.model: one for one in before}
    now = {one.model: one for one in after}
    lines = []
    for one in after:
        score = f"corrected mnTV {decimals(one.corrected)}, mnTV {decimals(one.mntv)}"
        if one.model not in was:
            lines.append(f"{one.title} enters {_place(one, after)}: {score}")
        elif was[one.model].place != one.place:
            lines.append(f"{one.title} moves from place {was[one.model].place} to {one.place}; its score stays")
    lines += [f"{one.title} leaves {_place(one, before)}" for one in before if one.model not in now]
    return lines


def _place(one: Standing, among: Sequence[Standing]) -> str:
    if one.place is None:
        return "without a place, under another protocol"
    return f"at place {one.place} of {sum(other.place is not None for other in among)}"
