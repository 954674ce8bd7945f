"""The verb `submit`: new, check."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import click

from calibench_data.printing import data_option, emit, format_option, revision_option, say


@click.group()
def submit() -> None:
    """Submit a model as a revision of the dataset.

    Example: calibench submit new my-folder --model my-model
    """


@submit.command()
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@click.option("--model", required=True, metavar="NAME", help="The model's name, lower case, such as my-model.")
@data_option
def new(directory: Path, model: str, data: str | None) -> None:
    """Write a submission.toml to fill in, to DIR.

    Example: calibench submit new my-folder --model my-model
    """
    from calibench_data.submitting import new_submission

    path = new_submission(directory, model, data)
    say(f"""{path}: written; fill it in. Then put beside it, as .csv, .jsonl or .parquet,
  votes     scene, seed, attempt, status, outcome: a row a reading, three of each video
            (also reply, prompt_sha256, evidence_sha256, asked_at, if you have them), or
  outcomes  scene, seed, outcome: a row a video, where the single readings were not kept, and
  videos    scene, seed, uri (also sha256): where the videos can be had; may be left out.
seed: 0 to 31 in each of the nine scenes. status: outcome, or null where no outcome can be scored.
`calibench sql "SELECT scene, outcomes FROM scenes"` lists the outcomes of each scene.
Then: calibench submit check {directory}""")


@submit.command()
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@format_option
@data_option
@revision_option
def check(directory: Path, form: str, data: str | None, revision: str | None) -> None:
    """Check and score a submission, offline.

    Prints its row among the released models, and its cells; json and csv give the former. Exit status 1 if it has
    faults: all are listed.

    Example: calibench submit check my-folder
    """
    from calibench_data.cards.standings import COLUMNS, cells_grid, grid
    from calibench_data.submitting import check_submission

    found = check_submission(directory, data, revision)
    tables = [grid(found.standings, found.version), cells_grid(found.cells)]
    emit(form, tables, COLUMNS, [asdict(one) for one in found.standings])
    for notice in found.notices:
        say(f"missing: {notice}")
    for remark in found.remarks:
        say(f"not comparable: {remark}")
    say(f"{directory}: no fault found")
