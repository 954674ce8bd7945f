"""Both benchmarks on one scale: floor, excess and exact test of PAWBench's cells; CaliBench's cells at the gate."""

from __future__ import annotations

import math

import duckdb
from calibench_data.queries.cells import Cell, Scene, read_cells, read_model_titles, read_scenes
from calibench_data.stats import exact_tests, score_cells

from ..exhibits.exhibit import Exhibit, Figure, figure
from ..grid import Entry, Grid
from ..printed import NOTHING, decimals, small_p
from .results import PawResults


def scale(results: PawResults) -> Exhibit:
    """TV, floor, excess and exact p of every calibration cell, readable in part or not; both benchmarks."""
    named = {f"pawbench/{model}": title for model, title in results.models.items()}
    lines = [
        (f"pawbench/{cell.model}", results.roster[cell.scene], cell)
        for cell in results.cells.values()
        if results.track_of.get(cell.scene) == "calibration" and results.roster[cell.scene].reference is not None
    ]
    lines += [
        (f"pawbench/{model} ({condition})", results.experiments[name], cell)
        for (condition, model, name), cell in results.varied.items()
        if name in results.experiments and results.experiments[name].reference is not None
    ]
    order = [*results.roster, *results.experiments]
    if results.connection is not None:
        scenes = read_scenes(results.connection, "calibench")
        order += scenes
        named |= {f"calibench/{m}": title for m, title in read_model_titles(results.connection, "calibench").items()}
        own = read_cells(results.connection, "calibench", "main")
        lines += [(f"calibench/{cell.model}", scenes[cell.scene], cell) for cell in own]
    place = {name: number for number, name in enumerate(named)}
    lines.sort(key=lambda line: (place.get(line[0], len(place)), line[0], order.index(line[1].scene)))
    references = [scene.reference or () for _, scene, _ in lines]
    complete = _complete(results, lines)
    found = score_cells([cell.counts for *_, cell in lines], [cell.nulls for *_, cell in lines], references)
    tested = [i for i, (*_, cell) in enumerate(lines) if cell.valid]
    exact = exact_tests([(lines[i][2].counts, references[i]) for i in tested])
    p = dict(zip(tested, (one.pvalue for one in exact), strict=True))
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    for i, (item, scene, cell) in enumerate(lines):
        first, last = (not 0 <= j < len(lines) or lines[j][0] != item for j in (i - 1, i + 1))
        if first:
            benchmark, _, name = item.partition("/")
            rows.append((Entry(f"{named.get(item, name)} ({benchmark})"),))
        shown = {
            "tv": (float(found.tv[i]), decimals(100 * float(found.tv[i]), 1)),
            "floor": (float(found.floor[i]), decimals(100 * float(found.floor[i]), 1)),
            "excess": (float(found.excess[i]), decimals(100 * float(found.excess[i]), 1)),
            "score": (float(found.score[i]), decimals(100 * float(found.score[i]), 1)),
            "p_exact": (p.get(i, math.nan), small_p(p.get(i, math.nan))),
        }
        figures.extend(figure("scale", item, f"{scene.scene}/{k}", value, text) for k, (value, text) in shown.items())
        readable = f"{cell.valid}/{cell.rollouts}"
        rows.append((Entry(f"  {scene.title}"), Entry(readable), *(Entry(text) for _, text in shown.values())))
        if last and (asked := complete.get(item)):
            mean = math.fsum(found.score[i + 1 - asked : i + 1].tolist()) / asked
            figures.append(figure("scale", item, "mntv", mean, decimals(mean)))
            blank = [Entry("")] * 3
            rows.append(
                (Entry(f"  mean score of {asked} scenes"), Entry(""), *blank, Entry(f"{100 * mean:.1f}"), blank[0])
            )
    grid = Grid(
        "Both benchmarks on one scale: TV x100 and the floor that sampling alone gives",
        ("Scene", "readable", "TV", "floor", "excess", "score", "exact p"),
        tuple(rows),
        (
            "floor: E[TV] of a perfect sampler with as many readable rollouts; excess: (TV-floor)/(1-floor); score: "
            f"(1-ρ) + ρ excess, as in CaliBench; all x100. {NOTHING}: no readable rollout. No gate is applied here.",
            "Mean score: mnTV, where every scene with a known reference was read in full; few scenes in common, so the "
            "means of the two benchmarks are not comparable.",
            "p: exact test against the reference. It is 0 only where an outcome was seen that the reference excludes.",
        ),
    )
    return Exhibit("scale", tuple(figures), grid)


def _complete(results: PawResults, lines: list[tuple[str, Scene, Cell]]) -> dict[str, int]:
    """Model -> number of its scenes, if it has a whole cell of every scene whose reference is known."""
    known = {name for name, scene in results.roster.items() if scene.reference is not None}
    wanted: dict[str, set[str]] = {"calibench": set(), "pawbench": known}
    if results.connection is not None:
        wanted["calibench"] = set(read_scenes(results.connection, "calibench"))
    whole: dict[str, set[str]] = {}
    for item, scene, cell in lines:
        if cell.unread == 0 and cell.rollouts == scene.rollouts:
            whole.setdefault(item, set()).add(scene.scene)
    return {item: len(own) for item, own in whole.items() if own == wanted[item.partition("/")[0]]}


def gate(results: PawResults) -> Exhibit:
    """Which CaliBench cells would pass PAWBench's gate, and what PAWBench's average of each model would be."""
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    if results.connection is not None:
        for model, title in read_model_titles(results.connection, "calibench").items():
            own = _gated(results.connection, model)
            if not own:
                continue
            tvd = [100 * tv for _, passes, tv in own if passes]
            average = math.fsum(tvd) / len(tvd) if tvd else math.nan
            failing = [scene for scene, passes, _ in own if not passes]
            share = len(tvd) / len(own)
            figures.append(figure("gate", model, "tvd", average, decimals(average, 1)))
            figures.append(figure("gate", model, "spr", share, f"{100 * share:.1f}%"))
            figures.append(figure("gate", model, "passing", len(tvd), str(len(tvd))))
            texts = (
                decimals(average, 1),
                f"{100 * share:.1f}%",
                f"{len(tvd)}/{len(own)}",
                ", ".join(failing) or "none",
            )
            rows.append((Entry(title), *map(Entry, texts)))
    grid = Grid(
        "CaliBench under PAWBench's gate: mean TVD x100 over passing scenes, and scene pass rate",
        ("Model", "Avg.", "SPR", "passing", "failing scenes"),
        tuple(rows),
        (
            "Gate: at least 40 % of the rollouts readable, which of 32 is 13; a scene without a cell does not count.",
            "Unlike mnTV the average says nothing of scenes that fail: read it with the pass rate.",
        ),
    )
    return Exhibit("gate", tuple(figures), grid)


def _gated(connection: duckdb.DuckDBPyConnection, model: str) -> list[tuple[str, bool, float]]:
    """(scene, whether it passes, TV) of each CaliBench cell of a model, in the order of the scenes."""
    return connection.execute(
        "SELECT cells.scene, cells.valid * paw.rollouts >= benchmarks.least_readable * cells.rollouts, cells.tv "
        "FROM cells INNER JOIN scenes ON scenes.benchmark = cells.benchmark AND scenes.scene = cells.scene "
        "CROSS JOIN (SELECT coalesce(max(rollouts), 50) AS rollouts FROM scenes WHERE benchmark = 'pawbench') AS paw "
        "INNER JOIN benchmarks ON benchmarks.benchmark = 'pawbench' "
        "WHERE cells.benchmark = 'calibench' AND cells.condition = 'main' AND cells.model = ? ORDER BY scenes.position",
        [model],
    ).fetchall()
