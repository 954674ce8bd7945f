"""Table 7: what TV and mnTV could be if the unscoreable rollouts had shown some outcome."""

from __future__ import annotations

from calibench_data.stats import mcar_bounds, mcar_mntv_bounds

from ..grid import Entry, Grid
from ..printed import decimals
from ..results import Results
from .exhibit import Exhibit, Figure, figure

# CaliBench, Appendix E: the scenes in which null outcomes dominate the score.
NULL_HEAVY = ("cards", "roulette", "lottery", "pendulum")


def table_7(results: Results) -> Exhibit:
    """Best and worst TV of each null-heavy cell; mnTV with those scenes filled in and the others as they are."""
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    for scene in (name for name in NULL_HEAVY if name in results.scenes):
        for model in results.models:
            if one := results.cells.get((scene, model)):
                bounds = mcar_bounds(one.cell.counts, one.cell.nulls, one.reference)
                shown = {"tv_best": bounds.best, "tv_worst": bounds.worst, "tv_reported": bounds.reported}
                texts = [decimals(value, 3) for value in shown.values()]
                figures.extend(
                    figure("7", scene, f"{model}/{measure}", value, text)
                    for (measure, value), text in zip(shown.items(), texts, strict=True)
                )
                rho = f"{decimals(one.scorability)} ({one.cell.valid})"
                rows.append((*map(Entry, results.titles(scene, model)), Entry(rho), *map(Entry, texts)))
    rows.append((Entry("mnTV with these scenes filled in"),))
    for model in results.complete:
        total = mcar_mntv_bounds(results.triples(model), [scene in NULL_HEAVY for scene in results.scenes])
        shown = {"mntv_best": total.best, "mntv_worst": total.worst, "mntv": total.reported}
        texts = [decimals(value, 3) for value in shown.values()]
        figures.extend(
            figure("7", "mntv", f"{model}/{measure}", value, text)
            for (measure, value), text in zip(shown.items(), texts, strict=True)
        )
        rows.append((Entry("  mnTV"), Entry(results.models[model]), Entry(""), *map(Entry, texts)))
    grid = Grid(
        "Table 7. Bounds over every way of filling in the unscoreable rollouts",
        ("Scene", "Model", "ρ (valid)", "best", "worst", "reported"),
        tuple(rows),
        (
            "best, worst: least and largest TV over all rollouts. reported: (1 - ρ) + ρ TV, charging 1 for a null; "
            "it can exceed the worst, since no outcome is that far off.",
        ),
        numeric_from=2,
    )
    return Exhibit("7", tuple(figures), grid)
