"""How well the repeated readings of a video agree with each other, and their majority with a person's labels."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np
import numpy.typing as npt
from calibench_data.stats import (
    AgreementShare,
    fleiss_kappa,
    krippendorff_alpha,
    label_agreement,
    unanimous_share,
    vote_table,
)

from ..grid import Entry, Grid
from ..printed import NOTHING, decimals
from ..results import Results
from .exhibit import Exhibit, Figure, figure

_ERROR = "error"


def votes(results: Results) -> Exhibit:
    """Share of unanimous videos, Fleiss' kappa and Krippendorff's alpha of every reader and scene."""
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    for (reader, scene), table in _vote_tables(results).items():
        unanimous, kappa, alpha = unanimous_share(table), fleiss_kappa(table), krippendorff_alpha(table)
        for measure, value in (
            ("unanimous", unanimous.share),
            ("unanimous_low", unanimous.low),
            ("unanimous_high", unanimous.high),
            ("fleiss_kappa", kappa.estimate),
            ("krippendorff_alpha", alpha.estimate),
            ("missing_votes", alpha.missing),
        ):
            text = str(value) if isinstance(value, int) else decimals(value)
            figures.append(figure("votes", scene, f"{reader}/{measure}", value, text))
        texts = (
            f"{unanimous.k}/{unanimous.n}",
            f"[{decimals(unanimous.low)},{decimals(unanimous.high)}]",
            decimals(kappa.estimate),
            decimals(alpha.estimate),
            str(alpha.missing),
        )
        rows.append((Entry(results.scenes[scene].title), Entry(reader), *map(Entry, texts)))
    grid = Grid(
        "Agreement of the repeated readings of a video",
        ("Scene", "Reader", "unanimous", "95 % interval", "Fleiss κ", "Krippendorff α", "missing votes"),
        tuple(rows),
        (
            "Null is an answer like any other. A reading that failed is missing: κ and the unanimous share leave out "
            f"its video, α only the reading. {NOTHING}: not defined, such as κ where all readings are alike.",
            *(() if rows else ("These data hold no votes: of the paper's videos only majorities were released.",)),
        ),
        numeric_from=2,
    )
    return Exhibit("votes", tuple(figures), grid)


def unanimity(results: Results) -> dict[tuple[str, str], AgreementShare]:
    """(reader, scene) -> the share of its videos whose readings are all alike."""
    return {key: unanimous_share(table) for key, table in _vote_tables(results).items()}


def _vote_tables(results: Results) -> dict[tuple[str, str], npt.NDArray[np.int64]]:
    """(reader, scene) -> counts of readings, a row a video; by reader, the scenes in their order."""
    readings: dict[tuple[str, str], dict[str, list[Hashable]]] = {}
    for reader, scene, video, answer in results.connection.execute(
        "SELECT votes.reader, videos.scene, votes.video, CASE WHEN votes.status = 'error' THEN 'error' "
        "ELSE votes.outcome END FROM votes INNER JOIN videos ON videos.video = votes.video "
        "WHERE videos.benchmark = 'calibench' ORDER BY votes.reader, votes.video, votes.attempt"
    ).fetchall():
        readings.setdefault((reader, scene), {}).setdefault(video, []).append(answer)
    order = list(results.scenes)
    return {
        (reader, scene): vote_table(list(videos.values()), [*results.scenes[scene].outcomes, None], missing=_ERROR)
        for (reader, scene), videos in sorted(readings.items(), key=lambda pair: (pair[0][0], order.index(pair[0][1])))
    }


def readers(results: Results) -> Exhibit:
    """Every reader's majorities beside the labels of the same videos, scene by scene, with Wilson intervals."""
    pairs: dict[tuple[str, str], list[tuple[Hashable, Hashable]]] = {}
    for reader, scene, reading, label in results.connection.execute(
        "SELECT majorities.reader, majorities.scene, CASE WHEN majorities.status = 'incomplete' THEN 'error' "
        "ELSE majorities.outcome END, labels.outcome FROM majorities INNER JOIN labels "
        "ON labels.video = majorities.video WHERE majorities.benchmark = 'calibench' ORDER BY labels.video"
    ).fetchall():
        pairs.setdefault((reader, scene), []).append((reading, label))
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    order = list(results.scenes)
    for (reader, scene), both in sorted(pairs.items(), key=lambda pair: (pair[0][0], order.index(pair[0][1]))):
        found = label_agreement([reading for reading, _ in both], [label for _, label in both], missing=_ERROR)
        shown = {"agreement": found.share, "agreement_low": found.low, "agreement_high": found.high}
        figures.extend(
            figure("readers", scene, f"{reader}/{name}", value, decimals(value)) for name, value in shown.items()
        )
        texts = (f"{found.k}/{found.n}", f"[{decimals(found.low)},{decimals(found.high)}]", str(found.missing))
        rows.append((Entry(results.scenes[scene].title), Entry(reader), *map(Entry, texts)))
    grid = Grid(
        "Majorities of each reader beside a person's labels of the same videos",
        ("Scene", "Reader", "in agreement", "95 % interval", "incomplete"),
        tuple(rows),
        (
            "95 % interval: Wilson's. Null agrees with null; a video without all answers is left out as incomplete.",
            *(() if rows else ("These data hold no votes; Table 8 has the released majorities beside the labels.",)),
        ),
        numeric_from=2,
    )
    return Exhibit("readers", tuple(figures), grid)
