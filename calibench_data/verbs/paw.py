"""The verb `paw`: score, tables."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from calibench_data.printing import data_option, emit, format_option, revision_option, say

if TYPE_CHECKING:
    from calibench_data.paw_scoring import PawScores


@click.group()
def paw() -> None:
    """PAWBench: score judged rows of 50 scenes.

    Example: calibench paw score rows.jsonl --data my-release
    """


rows_argument = click.argument("rows", type=click.Path(path_type=Path))
rollouts_option = click.option(
    "--rollouts", type=click.IntRange(1, 10_000), metavar="K", help="Rollouts of a scene; only 50 is comparable."
)
gate_option = click.option(
    "--least-readable",
    type=click.IntRange(1),
    metavar="N",
    help="Readable rollouts that a scene needs; only 20 of 50 is comparable (30: the stricter row of Table 8).",
)


@paw.command()
@rows_argument
@rollouts_option
@gate_option
@format_option
@data_option
@revision_option
def score(
    rows: Path, rollouts: int | None, least_readable: int | None, form: str, data: str | None, revision: str | None
) -> None:
    """Score judged ROWS of any number of models.

    ROWS are the authors' (JSONL or a JSON list: model_or_lane, track, scene_id, repeat_index, observation,
    outcome_label, failure_code), or a CSV, JSONL or Parquet with scene, model, seed, outcome (and status, for votes).
    A model with faulty rows is withheld and the others are scored; exit status 1 then.

    Example: calibench paw score rows.jsonl --format json
    """
    from calibench_data.cards.paw_sheet import COLUMNS, grids, records
    from calibench_data.paw_scoring import paw_score

    with _settings():
        scores = paw_score(rows, data, revision, rollouts, least_readable)
    emit(form, grids(scores) if form not in ("json", "csv") else (), COLUMNS, records(scores))
    _tell(scores)


@paw.command()
@rows_argument
@click.argument("numbers", nargs=-1)
@rollouts_option
@gate_option
@format_option
@data_option
@revision_option
def tables(
    rows: Path,
    numbers: tuple[str, ...],
    rollouts: int | None,
    least_readable: int | None,
    form: str,
    data: str | None,
    revision: str | None,
) -> None:
    """PAWBench's tables of judged ROWS.

    NUMBERS: 1 (default), the main table; 8, the finite-sample null; budget, expected TVD and coverage for K = 1, 2,
    ...; pairs, causal and non-causal scenes; scale, CaliBench's floor, excess and exact test. Exit status as for score.

    Example: calibench paw tables rows.jsonl 1 8 budget
    """
    from calibench_data.paw_reporting import paw_tables

    with _settings():
        exhibits, scores = paw_tables(rows, numbers, data, revision, rollouts, least_readable)
    figures = [asdict(figure) for exhibit in exhibits for figure in exhibit.figures]
    emit(form, [exhibit.grid for exhibit in exhibits], ("exhibit", "item", "measure", "value", "printed"), figures)
    _tell(scores)


@contextmanager
def _settings() -> Iterator[None]:
    """A K or gate that is none is wrong usage, not bad data."""
    try:
        yield
    except ValueError as error:
        if type(error) is ValueError:
            raise click.UsageError(str(error)) from error
        raise


def _tell(scores: PawScores) -> None:
    from calibench_data.cards.paw_sheet import remarks

    for problem in scores.problems:
        say(str(problem))
    if scores.total > len(scores.problems):
        say(f"... and {scores.total - len(scores.problems):,} more problems")
    for remark in remarks(scores):
        say(remark)
    if scores.total:
        sys.exit(1)
