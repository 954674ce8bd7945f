"""Table 8: the outcomes read by the VLM beside the labels given by a person."""

from __future__ import annotations

import math

from calibench_data.stats import wilson_interval

from ..grid import Entry, Grid
from ..printed import NOTHING, decimals
from ..results import Results
from .exhibit import Exhibit, Figure, figure

_COUNTS = ("labels", "exact", "false_null", "missed_null", "wrong_label", "label_valid", "label_null")


def table_8(results: Results) -> Exhibit:
    """Agreement, false nulls, missed nulls and wrong labels, scene by scene and in total."""
    summed = ", ".join(f"sum({name})" for name in _COUNTS)
    by_scene = {
        scene: counts
        for scene, *counts in results.connection.execute(
            f"SELECT scene, {summed} FROM agreement WHERE benchmark = 'calibench' AND condition = 'main' GROUP BY scene"
        ).fetchall()
    }
    lines = {scene: by_scene[scene] for scene in results.scenes if scene in by_scene}
    lines["total"] = [sum(column) for column in zip(*lines.values(), strict=True)]
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    for item, counts in lines.items():
        labels, exact, false_null, missed_null, wrong_label, label_valid, label_null = map(int, counts)
        shares = {
            "agreement": (exact, labels),
            "false_null": (false_null, label_valid),
            "missed_null": (missed_null, label_null),
        }
        texts = [f"{k}/{n}" if n else NOTHING for k, n in shares.values()]
        for (measure, (k, n)), text in zip(shares.items(), texts, strict=True):
            figures.append(figure("8", item, measure, k / n if n else math.nan, text))
        figures.append(figure("8", item, "wrong_label", wrong_label, str(wrong_label)))
        interval = wilson_interval(exact, labels)
        low, high = float(interval.low), float(interval.high)
        figures.append(figure("8", item, "agreement_low", low, decimals(low)))
        figures.append(figure("8", item, "agreement_high", high, decimals(high)))
        texts.insert(1, f"[{decimals(low)},{decimals(high)}]")
        title = "Total" if item == "total" else results.scenes[item].title
        rows.append((Entry(title), Entry(str(labels)), *map(Entry, texts), Entry(str(wrong_label))))
    grid = Grid(
        "Table 8. Outcomes read by the VLM beside a person's labels of the same videos",
        ("Scene", "n", "Agreement", "95 % interval", "False null", "Missed null", "Wrong label"),
        tuple(rows),
        (
            "False null: VLM null, of the labels that name an outcome.",
            "Missed null: VLM names an outcome, of the labels that are null.",
            "95 % interval: Wilson's, of the share in agreement.",
            f"Wrong label: both name an outcome, not the same. {NOTHING}: nothing to count among.",
        ),
    )
    return Exhibit("8", tuple(figures), grid)
