"""Table 8: the outcomes read by the VLM beside the labels given by a person."""

from __future__ import annotations

import math

from calibench_data.stats import wilson_interval

from ..grid import Entry, Grid
from ..printed import NOTHING, decimals
from ..results import Results
from .exhibit import Exhibit, Figure, figure

_COUNTS = ("labels", "exact", "false_null", "missed_null", "wrong_label", "label_valid", "label_null")
# Who labelled the paper's sample. Others' labels are lines of their own: two labels of one video are not two videos.
_PAPER = "authors"


def table_8(results: Results) -> Exhibit:
    """Agreement, false nulls, missed nulls and wrong labels, scene by scene and in total; by annotator, if others."""
    found: dict[str, dict[str, list[int]]] = {_PAPER: {}}
    for annotator, scene, *counts in results.connection.execute(
        f"SELECT annotator, scene, {', '.join(_COUNTS)} FROM agreement "
        "WHERE benchmark = 'calibench' AND condition = 'main' ORDER BY annotator"
    ).fetchall():
        found.setdefault(annotator, {})[scene] = counts
    # (annotator, scene or total) -> counts
    lines: dict[tuple[str, str], list[int]] = {}
    for annotator, own in found.items():
        lines |= {(annotator, scene): own[scene] for scene in results.scenes if scene in own}
        lines[annotator, "total"] = [sum(column) for column in zip(*own.values(), strict=True)] or [0] * len(_COUNTS)
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    for (annotator, line), counts in lines.items():
        by = "" if annotator == _PAPER else annotator
        item = f"{by}/{line}" if by else line
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
        title = "Total" if line == "total" else results.scenes[line].title
        rows.append(
            (
                Entry(f"{title}, by {by}" if by else title),
                Entry(str(labels)),
                *map(Entry, texts),
                Entry(str(wrong_label)),
            )
        )
    grid = Grid(
        "Table 8. Outcomes read by the VLM beside a person's labels of the same videos",
        ("Scene", "n", "Agreement", "95 % interval", "False null", "Missed null", "Wrong label"),
        tuple(rows),
        (
            "False null: VLM null, of the labels that name an outcome.",
            "Missed null: VLM names an outcome, of the labels that are null.",
            "95 % interval: Wilson's, of the share in agreement.",
            f"Wrong label: both name an outcome, not the same. {NOTHING}: nothing to count among.",
            *(
                ("A video of which an annotator could not tell has no label, and is not counted.",)
                if len(found) > 1
                else ()
            ),
        ),
    )
    return Exhibit("8", tuple(figures), grid)
