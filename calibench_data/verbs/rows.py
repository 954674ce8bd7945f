"""The verbs `score` and `sql`."""

from __future__ import annotations

from pathlib import Path

import click

from calibench_data.printing import data_option, emit, format_option, revision_option, say


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@format_option
@data_option
@revision_option
def score(file: Path, form: str, data: str | None, revision: str | None) -> None:
    """Score a FILE of outcomes: CSV, JSONL or Parquet.

    Columns: scene, model, seed, outcome and optionally condition. An empty outcome or `null` means that no outcome
    can be scored. Prints a row a cell, then a row a model: json and csv mark the latter by an empty scene.

    Example: calibench score outcomes.csv --format json
    """
    from calibench_data.cards.score_sheet import COLUMNS, grids, records, remarks
    from calibench_data.scoring import score

    scores = score(file, data, revision)
    emit(form, grids(scores.cells, scores.models), COLUMNS, records(scores.cells, scores.models))
    for remark in (*scores.notices, *remarks(scores.cells, scores.models)):
        say(remark)


@click.command()
@click.argument("query")
@format_option
@data_option
@revision_option
def sql(query: str, form: str, data: str | None, revision: str | None) -> None:
    """Answer one SELECT over the tables and views.

    Ctrl-C interrupts a long query. `show tables` lists what there is, `describe cells` its columns.

    Example: calibench sql "SELECT model, avg(scorability) FROM cells WHERE condition = 'main' GROUP BY model"
    """
    from calibench_data.cards.answer import grid, records
    from calibench_data.database import sql

    frame = sql(query, data, revision)
    emit(form, [grid(frame)], frame.columns, records(frame))
