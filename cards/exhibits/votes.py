"""How well the repeated readings of a video agree with each other."""

from __future__ import annotations

from collections.abc import Hashable

from calibench_data.stats import fleiss_kappa, krippendorff_alpha, unanimous_share, vote_table

from ..grid import Entry, Grid
from ..printed import NOTHING, decimals
from ..results import Results
from .exhibit import Exhibit, Figure, figure

_ERROR = "error"


def votes(results: Results) -> Exhibit:
    """Share of unanimous videos, Fleiss' kappa and Krippendorff's alpha of every reader and scene."""
    readings: dict[tuple[str, str], dict[str, list[Hashable]]] = {}
    for reader, scene, video, answer in results.connection.execute(
        "SELECT votes.reader, videos.scene, votes.video, CASE WHEN votes.status = 'error' THEN 'error' "
        "ELSE votes.outcome END FROM votes INNER JOIN videos ON videos.video = votes.video "
        "WHERE videos.benchmark = 'calibench' ORDER BY votes.reader, votes.video, votes.attempt"
    ).fetchall():
        readings.setdefault((reader, scene), {}).setdefault(video, []).append(answer)
    figures: list[Figure] = []
    rows: list[tuple[Entry, ...]] = []
    order = list(results.scenes)
    for (reader, scene), videos in sorted(readings.items(), key=lambda pair: (pair[0][0], order.index(pair[0][1]))):
        table = vote_table(list(videos.values()), [*results.scenes[scene].outcomes, None], missing=_ERROR)
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
