"""Figure 7: how often a generator shows the outcome that its prompt asked for."""

from __future__ import annotations

from collections import Counter

from calibench_data.stats import even_split, largest_remainder, target_hits

from ..exhibits.exhibit import Exhibit, Figure, figure
from ..grid import Entry, Grid
from ..printed import percent
from .results import PawResults


def figure_7(results: PawResults) -> Exhibit:
    """Target-hit rate of every model that was asked for outcomes, by schedule; null and missing rollouts are misses."""
    asked: dict[str, dict[str, list[tuple[str, str | None]]]] = {}
    if results.connection is not None:
        for model, scene, requested, outcome in results.connection.execute(
            "SELECT model, scene, requested, outcome FROM rollouts WHERE benchmark = 'pawbench' "
            "AND requested IS NOT NULL ORDER BY model, scene, seed"
        ).fetchall():
            if scene in results.roster:
                asked.setdefault(model, {}).setdefault(scene, []).append((requested, outcome))
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    for model, scenes in asked.items():
        texts = []
        for measure, tracks in (
            ("target_hit", ("calibration", "coverage")),
            ("calibration/target_hit", ("calibration",)),
            ("coverage/target_hit", ("coverage",)),
        ):
            targets: list[int] = []
            read: list[int] = []
            for name, pairs in scenes.items():
                if results.track_of[name] in tracks:
                    order = {outcome: i for i, outcome in enumerate(results.roster[name].outcomes)}
                    missing = max(0, results.roster[name].rollouts - len(pairs))
                    targets += [order[requested] for requested, _ in pairs] + [0] * missing
                    read += [-1 if outcome is None else order[outcome] for _, outcome in pairs] + [-1] * missing
            hits = target_hits(targets, read)
            figures.append(figure("fig7", model, measure, hits.share, percent(hits.share)))
            texts.append(f"{percent(hits.share)} ({hits.hits}/{hits.n})" if hits.n else "")
        other = [name for name, pairs in scenes.items() if not _as_scheduled(results, name, pairs)]
        texts.append(", ".join(other) or "none")
        rows.append((Entry(results.models.get(model, model)), *map(Entry, texts)))
    grid = Grid(
        "Figure 7. Rollouts that show the outcome asked for",
        ("Model", "both tracks", "PAW-Calibration", "PAW-Coverage", "scenes off schedule"),
        tuple(rows),
        (
            "Unreadable, missing and different outcomes are misses. Schedule: 50 targets by largest remainder of the "
            "reference (calibration), as evenly as possible (coverage).",
            *(() if rows else ("No rollout in these data was asked for an outcome.",)),
        ),
    )
    return Exhibit("fig7", tuple(figures), grid)


def _as_scheduled(results: PawResults, name: str, pairs: list[tuple[str, str | None]]) -> bool:
    """Whether the outcomes asked for are the paper's schedule; so taken where the reference is not known."""
    scene = results.roster[name]
    if results.track_of[name] == "coverage":
        wanted = even_split(len(scene.outcomes), scene.rollouts)
    elif scene.reference is not None:
        wanted = largest_remainder(scene.reference, scene.rollouts)
    else:
        return True
    requests = Counter(requested for requested, _ in pairs)
    return all(requests[outcome] == n for outcome, n in zip(scene.outcomes, wanted.tolist(), strict=True))
