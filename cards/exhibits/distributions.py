"""Figures 4 and 6 to 12 as tables: the empirical distribution of each cell beside the reference."""

from __future__ import annotations

from collections.abc import Callable

from ..grid import Entry, Grid
from ..results import Results
from .exhibit import Exhibit, Figure, figure

SCENES_OF = {
    "fig4": ("physical_board", "animated_board"),
    "fig6": ("ball_fork",),
    "fig7": ("walking",),
    "fig8": ("pendulum",),
    "fig9": ("dice",),
    "fig10": ("cards",),
    "fig11": ("lottery",),
    "fig12": ("roulette",),
}


def distribution_of(number: str) -> Callable[[Results], Exhibit]:
    """The exhibit of one of these figures: proportions of valid rollouts; models without any are left out."""

    def exhibit(results: Results) -> Exhibit:
        figures: list[Figure] = []
        rows: list[tuple[Entry, ...]] = []
        shown = {scene: results.scenes[scene] for scene in SCENES_OF[number]}
        models = [
            m for m in results.models if any((s, m) in results.cells and results.cells[s, m].cell.valid for s in shown)
        ]
        for name, scene in shown.items():
            if len(shown) > 1:
                rows.append((Entry(scene.title),))
            for position, outcome in enumerate(scene.outcomes):
                expected = float(scene.reference[position]) if scene.reference else float("nan")
                figures.append(figure(number, f"{name}/{outcome}", "reference", expected, f"{expected:.3f}"))
                texts = [f"{expected:.3f}"]
                for model in models:
                    one = results.cells.get((name, model))
                    if one is None or one.cell.valid == 0:
                        texts.append("")
                        continue
                    count, valid = one.cell.counts[position], one.cell.valid
                    figures.append(figure(number, f"{name}/{outcome}", model, count / valid, f"{count / valid:.3f}"))
                    texts.append(f"{count / valid:.3f} ({count})")
                rows.append((Entry(outcome), *map(Entry, texts)))
        titles = " and ".join(scene.title.lower() for scene in shown.values())
        grid = Grid(
            f"Figure {number.removeprefix('fig')}. Outcomes of valid rollouts, {titles}",
            ("Outcome", "Reference", *(results.models[model] for model in models)),
            tuple(rows),
            ("Each field: proportion of valid rollouts (count). Models without a valid rollout are left out.",),
        )
        return Exhibit(number, tuple(figures), grid)

    return exhibit
