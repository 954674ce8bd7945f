"""PAWBench's tables of a file of judged rows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from calibench_data.cards.exhibits import Exhibit
from calibench_data.cards.paw import PAW_EXHIBITS
from calibench_data.cards.paw.results import results_of
from calibench_data.errors import CalibenchError

from .paw_scoring import PawScores, paw_score

# Those that need no more than judged rows.
OF_ROWS = ("1", "8", "budget", "pairs", "scale")


def paw_tables(
    path: str | Path,
    numbers: Sequence[int | str] | None = None,
    repo: str | Path | None = None,
    revision: str | None = None,
    rollouts: int | None = None,
    least_readable: int | None = None,
) -> tuple[list[Exhibit], PawScores]:
    """PAWBench's tables of the models of a file, and the scores that they rest on; by default Table 1.

    numbers: 1, the main table; 8, the matched finite-sample null, with the stricter readout threshold; `budget`, the
    curves over K; `pairs`, causal and non-causal scene pairs; `scale`, CaliBench's floor, excess and exact test. The
    other arguments are those of `paw_score`, and so are the errors; an unknown number raises CalibenchError, too.
    """
    wanted = [str(number) for number in numbers or OF_ROWS[:1]]
    if unknown := [number for number in wanted if number not in OF_ROWS]:
        raise CalibenchError(f"no table {', '.join(unknown)} of judged rows; there are {', '.join(OF_ROWS)}")
    scores = paw_score(path, repo, revision, rollouts, least_readable)
    found = results_of(
        scores.roster, scores.track_of, {}, (scores.scenes, scores.families, scores.tracks), scores.cells
    )
    return [PAW_EXHIBITS[number](found) for number in wanted], scores
