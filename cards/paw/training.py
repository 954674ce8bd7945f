"""Tables 5 and 11 and Figure 8: a generator fine-tuned on mixtures of left- and right-falling pencils."""

from __future__ import annotations

from collections.abc import Iterator

from calibench_data.queries.cells import Cell, Scene
from calibench_data.stats import dose_response, total_variation

from ..exhibits.exhibit import Exhibit, Figure, figure
from ..grid import Entry, Grid
from ..printed import NOTHING, decimals, percent, small_p
from .results import PawResults

CONDITION = "training"
# The two scenes of the experiment, which are not in the roster.
PENCILS = ("upright-pencil", "left-leaning-pencil")
# The paper's names of the training mixtures: the model, and the per cent of left-falling videos.
PROFILES = {
    "base": ("wan-2.2", None),
    "lora-0": ("wan-2.2-lora-0", 0),
    "lora-20": ("wan-2.2-lora-20", 20),
    "lora-50": ("wan-2.2-lora-50", 50),
    "lora-80": ("wan-2.2-lora-80", 80),
    "lora-100": ("wan-2.2-lora-100", 100),
}


def _found(results: PawResults) -> Iterator[tuple[str, Scene, dict[str, Cell]]]:
    """Each pencil scene in the data with the cells of the profiles that have one."""
    for name in PENCILS:
        if scene := results.experiments.get(name):
            cells = {profile: results.varied.get((CONDITION, model, name)) for profile, (model, _) in PROFILES.items()}
            yield name, scene, {profile: cell for profile, cell in cells.items() if cell}


def table_5(results: PawResults) -> Exhibit:
    """TVD x100 of the base model and the five mixtures on both pencils."""
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    for item, scene, cells in _found(results):
        texts = dict.fromkeys(PROFILES, NOTHING)
        for profile, cell in cells.items():
            if scene.reference is not None and cell.valid:
                tvd = 100 * float(total_variation(cell.counts, scene.reference))
                texts[profile] = decimals(tvd, 1)
                figures.append(figure("5", item, f"{profile}/tvd", tvd, texts[profile]))
        rows.append((Entry(scene.title), *map(Entry, texts.values())))
    grid = Grid(
        "Table 5. TVD x100 by training mixture (per cent of left-falling videos)",
        ("Scene", *PROFILES),
        tuple(rows),
        ("The base model differs from the mixtures in output geometry: compare the mixtures with each other.",),
    )
    return Exhibit("5", tuple(figures), grid)


def table_11(results: PawResults) -> Exhibit:
    """Left, right and invalid of each cell of Table 5."""
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    for item, scene, cells in _found(results):
        for profile, cell in cells.items():
            counts = dict(zip(("left", "right", "invalid"), (*cell.counts, cell.nulls), strict=True))
            figures.extend(figure("11", item, f"{profile}/{name}", n, str(n)) for name, n in counts.items())
            rows.append((Entry(scene.title), Entry(profile), *(Entry(str(n)) for n in counts.values())))
    grid = Grid(
        "Table 11. Outcomes by training mixture",
        ("Scene", "Mixture", "left", "right", "invalid"),
        tuple(rows),
        ("Only counts are published: in these data the order of the rollouts of a cell is arbitrary.",),
        numeric_from=2,
    )
    return Exhibit("11", tuple(figures), grid)


def figure_8(results: PawResults) -> Exhibit:
    """Share of left falls by share of left-falling training videos, with intervals and an exact trend test."""
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    for item, scene, cells in _found(results):
        doses = {profile: dose for profile, (_, dose) in PROFILES.items() if dose is not None and profile in cells}
        if scene.reference is None or not doses:
            continue
        found = dose_response(list(doses.values()), [cells[profile].counts for profile in doses], scene.reference)
        rows.append((Entry(scene.title),))
        for i, (profile, dose) in enumerate(doses.items()):
            share, low, high = (float(values[i]) for values in (found.share, found.share_low, found.share_high))
            for measure, value in (("share", share), ("share_low", low), ("share_high", high)):
                figures.append(figure("fig8", item, f"{profile}/{measure}", value, percent(value)))
            interval = f"[{decimals(100 * low, 1)},{decimals(100 * high, 1)}]"
            rows.append(
                (Entry(f"  {dose} %"), Entry(str(found.readable[i])), Entry(decimals(100 * share, 1)), Entry(interval))
            )
        figures.append(figure("fig8", item, "slope", found.slope, decimals(found.slope)))
        figures.append(figure("fig8", item, "p_trend", found.pvalue, small_p(found.pvalue)))
        trend = f"{decimals(found.slope)} per %, p {small_p(found.pvalue)}"
        rows.append((Entry("  trend"), Entry(str(found.n)), Entry(trend), Entry("")))
    grid = Grid(
        "Figure 8. Left falls in per cent of readable rollouts, by per cent of left-falling training videos",
        ("Training", "readable", "left", "95 % interval"),
        tuple(rows),
        (
            "95 % interval: Clopper-Pearson. Trend: least squares over readable rollouts, where 1 would follow the "
            "training share; p: exact, given all margins.",
        ),
    )
    return Exhibit("fig8", tuple(figures), grid)
