"""Tables 9 to 12 and Figure 15: what changes with resolution, duration, guidance and an outcome asked for."""

from __future__ import annotations

import math

from calibench_data.stats import TESTED_FROM

from ..grid import Entry, Grid
from ..printed import FEW, NOTHING, cell_p_value, decimals, percent
from ..results import Results
from .exhibit import Exhibit, Figure, figure

# Table 10 reuses the main videos of models that already run at about 5 s (5.04 s is 121 frames at 24 a second).
_ABOUT_FIVE_SECONDS = (4.75, 5.25)


def table_9(results: Results) -> Exhibit:
    """Every scene at 480p (condition `main`) and 720p, of the models that have both."""
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    pairs = results.connection.execute(
        "SELECT scene, model FROM condition_pairs WHERE benchmark = 'calibench' AND condition = '720p'"
    ).fetchall()
    for scene, title in ((name, scene.title) for name, scene in results.scenes.items()):
        for model in (model for model in results.models if (scene, model) in pairs):
            both = {"480p": results.cells[scene, model], "720p": results.scored("720p")[scene, model]}
            texts = []
            for name, one in both.items():
                rho, tv = decimals(one.scorability), decimals(one.tv, 3)
                p = cell_p_value(one.p, one.cell.valid, math.nan)
                figures.append(figure("9", scene, f"rho_{name}", one.scorability, rho))
                figures.append(figure("9", scene, f"p_{name}", one.p, p))
                figures.append(figure("9", scene, f"tv_{name}", one.tv, tv))
                texts.append((f"{rho} ({one.cell.valid})", p, tv + (FEW if 0 < one.cell.valid < TESTED_FROM else "")))
            fields = (Entry(text) for pair in zip(*texts, strict=True) for text in pair)
            rows.append((Entry(title), Entry(results.models[model]), *fields))
    grid = Grid(
        "Table 9. The same scenes at 480p (main) and at 720p",
        ("Scene", "Model", "ρ 480p", "ρ 720p", "p 480p", "p 720p", "TV 480p", "TV 720p"),
        tuple(rows),
        (f"ρ with the number of valid rollouts; p: Monte Carlo χ2. {FEW}: 1 to 3 valid rollouts, not tested.",),
        numeric_from=2,
    )
    return Exhibit("9", tuple(figures), grid)


def table_10(results: Results) -> Exhibit:
    """mnTV at each model's own duration and at 5 s."""
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    durations = dict(
        results.connection.execute("SELECT model, duration_s FROM models WHERE benchmark = 'calibench'").fetchall()
    )
    low, high = _ABOUT_FIVE_SECONDS
    for model, title in results.models.items():
        benchmark, uniform = results.mntv(model), results.mntv(model, "5s")
        duration = durations.get(model)
        reused = math.isnan(uniform) and duration is not None and low <= duration <= high
        uniform = benchmark if reused else uniform
        figures.append(figure("10", model, "mntv_benchmark", benchmark, decimals(benchmark)))
        figures.append(figure("10", model, "mntv_5s", uniform, decimals(uniform)))
        shown = NOTHING if duration is None else f"{duration:g} s"
        rows.append(
            (Entry(title), Entry(shown), Entry(decimals(benchmark)), Entry(decimals(uniform) + ("r" if reused else "")))
        )
    grid = Grid(
        "Table 10. mnTV at the benchmarked duration and at a uniform 5 s",
        ("Model", "Duration", "mnTV", "mnTV at 5 s"),
        tuple(rows),
        (f"r: the main videos last about 5 s and are reused. {NOTHING}: not run at 5 s, or a scene is missing.",),
    )
    return Exhibit("10", tuple(figures), grid)


def table_11(results: Results) -> Exhibit:
    """Dice of Cosmos3-Super at each guidance scale."""
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    conditions = results.connection.execute(
        "SELECT DISTINCT condition, CAST(substr(condition, 5) AS DOUBLE) AS scale FROM cells "
        "WHERE benchmark = 'calibench' AND condition LIKE 'cfg-%' ORDER BY scale"
    ).fetchall()
    for condition, _ in conditions:
        for (_, model), one in results.scored(condition).items():
            item = condition.removeprefix("cfg-")
            mode = one.scene.outcomes[max(range(len(one.cell.counts)), key=one.cell.counts.__getitem__)]
            shown = {
                "rho": (one.scorability, decimals(one.scorability)),
                "tv": (one.tv, decimals(one.tv)),
                "p": (one.p, cell_p_value(one.p, one.cell.valid, math.nan)),
                "modal_face": (float(mode), mode),
            }
            figures.extend(figure("11", item, measure, value, text) for measure, (value, text) in shown.items())
            texts = [text for _, text in shown.values()]
            rows.append((Entry(results.models[model]), Entry(item), Entry(str(one.cell.valid)), *map(Entry, texts)))
    grid = Grid(
        "Table 11. Dice at seven guidance scales",
        ("Model", "Guidance", "n", "ρ", "TV", "p", "Modal face"),
        tuple(rows),
        ("n: valid rollouts. The lowest scales have the lowest TV and the fewest valid rollouts.",),
    )
    return Exhibit("11", tuple(figures), grid)


def table_12(results: Results) -> Exhibit:
    """How often the die showed the face that the prompt asked for, over the six faces together."""
    found = results.connection.execute(
        "SELECT model, requests, valid, complied, share FROM compliance WHERE benchmark = 'calibench' "
        "AND scene = 'dice' ORDER BY share DESC, model"
    ).fetchall()
    figures = [figure("12", model, "compliance", share, percent(share)) for model, *_, share in found]
    rows = [
        (Entry(results.models[model]), Entry(str(requests)), Entry(f"{complied}/{valid}"), Entry(percent(share)))
        for model, requests, valid, complied, share in found
    ]
    grid = Grid(
        "Table 12. Compliance with a requested die face; without any it would be 16.7 %",
        ("Model", "Videos", "Complied/valid", "Compliance"),
        tuple(rows),
    )
    return Exhibit("12", tuple(figures), grid)


def figure_15(results: Results) -> Exhibit:
    """The confusion table of each model: requested face against face got."""
    found = results.connection.execute(
        "SELECT model, requested, outcome, n FROM confusion WHERE benchmark = 'calibench' AND scene = 'dice' "
        "ORDER BY model, requested, position NULLS LAST"
    ).fetchall()
    faces = [*results.scenes["dice"].outcomes, None]
    counts = {(model, requested, outcome): n for model, requested, outcome, n in found}
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    for model, title in results.models.items():
        asked = sorted({requested for other, requested, _, _ in found if other == model})
        rows.extend([(Entry(title),)] if asked else [])
        for requested in asked:
            line = [counts[model, requested, face] for face in faces]
            figures.extend(
                figure("fig15", f"{model}/{requested}", face or "null", n, str(n))
                for face, n in zip(faces, line, strict=True)
            )
            texts = [f"[{n}]" if face == requested else str(n) for face, n in zip(faces, line, strict=True)]
            rows.append((Entry(f"  asked for {requested}"), *map(Entry, texts)))
    columns = ("Model", *(face or "null" for face in faces))
    notes = ("Videos by the face they show; [ ]: as asked; null: no face can be scored.",)
    return Exhibit(
        "fig15", tuple(figures), Grid("Figure 15. Requested face against face got", columns, tuple(rows), notes)
    )
