"""The verb `paw`: score."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from calibench_data.printing import data_option, emit, format_option, revision_option, say


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
    from calibench_data.cards.paw_sheet import COLUMNS, grids, records, remarks
    from calibench_data.paw_scoring import paw_score

    try:
        scores = paw_score(rows, data, revision, rollouts, least_readable)
    except ValueError as error:
        if type(error) is ValueError:
            raise click.UsageError(str(error)) from error
        raise
    emit(form, grids(scores) if form not in ("json", "csv") else (), COLUMNS, records(scores))
    for problem in scores.problems:
        say(str(problem))
    if scores.total > len(scores.problems):
        say(f"... and {scores.total - len(scores.problems):,} more problems")
    for remark in remarks(scores):
        say(remark)
    if scores.total:
        sys.exit(1)
