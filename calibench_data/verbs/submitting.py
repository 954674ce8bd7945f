"""The verb `submit`: new, check, open, withdraw, results."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from calibench_data.printing import data_option, emit, format_option, revision_option, say

if TYPE_CHECKING:
    from calibench_data.revising import Revised


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
  videos    scene, seed, uri (also sha256): where the videos can be had; may be left out, and
  labels    scene, seed, annotator, outcome: what people saw, as `calibench label` writes it; may be left out.
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


target_option = click.option(
    "--to", required=True, metavar="REPO", help="Dataset repository: a folder, or org/name on the Hub."
)
yes_option = click.option("--yes", is_flag=True, help="Do it; without, only say what would be done.")


@submit.command(name="open")
@click.argument("directory", type=click.Path(path_type=Path), metavar="DIR")
@target_option
@yes_option
def open_(directory: Path, to: str, yes: bool) -> None:
    """Turn a submission into a revision.

    Without --yes a dry run: each file to be added, and the change to the leaderboard. A folder gets a new version, a
    Hub repository a pull request.

    Example: calibench submit open my-folder --to my-release
    """
    from calibench_data.revising import open_submission

    _tell(open_submission(directory, to, yes))


@submit.command()
@click.argument("model")
@target_option
@yes_option
def withdraw(model: str, to: str, yes: bool) -> None:
    """Take a submitted MODEL out, as a revision.

    Earlier versions keep it. Without --yes a dry run.

    Example: calibench submit withdraw my-model --to my-release
    """
    from calibench_data.revising import withdraw

    _tell(withdraw(model, to, yes))


@submit.command()
@click.argument("model")
@click.option("--dataset", required=True, metavar="ORG/NAME", help="The benchmark's dataset on the Hub.")
@click.option("--dataset-revision", metavar="SHA", help="Its commit, 40 hexadecimal digits.")
@click.option("--date", metavar="DATE", help="When it was scored, such as 2026-01-31.")
@click.option("--source", metavar="URL", help="Address of the evidence; by default the dataset's page.")
@data_option
@revision_option
def results(
    model: str,
    dataset: str,
    dataset_revision: str | None,
    date: str | None,
    source: str | None,
    data: str | None,
    revision: str | None,
) -> None:
    """Print MODEL's scores for its own repository on the Hub.

    What is printed goes there as .eval_results/calibench.yaml: its page and the dataset's leaderboard then show them.

    Example: calibench submit results veo-3.1 --dataset org/name --date 2026-01-31
    """
    from calibench_data.hub_results import eval_results

    text = eval_results(model, dataset, data, revision, dataset_revision=dataset_revision, date=date, source=source)
    click.echo(text, nl=False)


def _tell(revised: Revised) -> None:
    from calibench_data.cards.standings import grid

    if revised.standings:
        emit("table", [grid(revised.standings, f"{revised.target}, version {revised.version}")], (), [])
    for file in revised.files:
        say(f"{file.change}: {file.path} ({file.bytes:,} bytes)")
    for line in revised.changes:
        say(f"leaderboard: {line}")
    for remark in revised.remarks:
        say(f"not comparable: {remark}")
    step = f"{revised.message}: version {revised.parent} -> {revised.version}"
    say(f"{step}: {revised.landed}" if revised.landed else f"{step}; nothing is written without --yes")
