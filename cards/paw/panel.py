"""Table 9: outcomes read by the evaluator beside a panel of people, by how many of them agree."""

from __future__ import annotations

from calibench_data.stats import wilson_interval

from ..exhibits.exhibit import Exhibit, Figure, figure
from ..grid import Entry, Grid
from ..printed import decimals, percent
from .results import PawResults

STRATA = {
    "overall": "Overall",
    "low": "Low consensus (3-4 votes)",
    "moderate": "Moderate consensus (5 votes)",
    "high": "High consensus (6-7 votes)",
}


def table_9(results: PawResults) -> Exhibit:
    """Exact agreement on comparable videos: a decisive panel, and an outcome of the scene's set."""
    found: dict[str, tuple[int, int]] = {}
    if results.connection is not None:
        for stratum, videos, matches in results.connection.execute(
            "SELECT stratum, sum(comparable), sum(agrees) FROM panel WHERE benchmark = 'pawbench' AND comparable = 1 "
            "AND votes > 1 GROUP BY stratum"
        ).fetchall():
            found[stratum or "other"] = (int(videos), int(matches))
    if found:
        found["overall"] = (sum(n for n, _ in found.values()), sum(k for _, k in found.values()))
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    for item in (*STRATA, "other"):
        if item in found:
            videos, matches = found[item]
            share, interval = matches / videos, wilson_interval(matches, videos)
            figures.append(figure("9", item, "videos", videos, str(videos)))
            figures.append(figure("9", item, "exact_matches", matches, str(matches)))
            figures.append(figure("9", item, "agreement", share, percent(share)))
            bounds = f"[{decimals(float(interval.low))},{decimals(float(interval.high))}]"
            texts = (str(videos), str(matches), percent(share), bounds)
            rows.append((Entry(STRATA.get(item, "Other panel sizes")), *map(Entry, texts)))
    grid = Grid(
        "Table 9. Outcomes beside the modal label of a human panel, on comparable videos",
        ("Videos", "n", "exact matches", "agreement", "95 % interval"),
        tuple(rows),
        (
            "Comparable: one answer is the most frequent, it is not `cannot tell`, and the video has an outcome. "
            "95 % interval: Wilson's.",
            *(() if rows else ("These data hold no labels of PAWBench videos; the authors' votes are not published.",)),
        ),
    )
    return Exhibit("9", tuple(figures), grid)
