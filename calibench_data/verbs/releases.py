"""The verbs `build`, `verify` and `log`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from calibench_data.printing import data_option, emit, format_option, say


@click.command()
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Folder to write.")
@click.option(
    "--calibench-repo",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Checkout of the CaliBench authors' repository: import its frames and prompts, compare its figures.",
)
@click.option(
    "--pawbench",
    type=click.Path(path_type=Path),
    metavar="DIR",
    help="Folder of the PAWBench authors' benchmark package, to take its scenes from.",
)
def build(out: Path, calibench_repo: Path | None, pawbench: Path | None) -> None:
    """Write a dataset repository from the sources.

    The sources are in the package; the same sources give the same bytes. With --pawbench, references, groups, prompts
    and pictures of PAWBench are those of the authors' package, and each contradiction to the sources is told.

    Example: calibench build --out my-release
    """
    from calibench_data.releasing import build

    release = build(out, calibench_repo, pawbench, say)
    rows = sum(file.rows or 0 for file in release.files)
    say(f"{out}: version {release.dataset_version}, {len(release.files)} files, {rows:,} rows, digest {release.digest}")


@click.command()
@click.argument("directory", required=False, metavar="[DIR]")
def verify(directory: str | None) -> None:
    """Check every byte and row of a dataset repository.

    By default of the one in the package. Exit status 1 if there is any problem.

    Example: calibench verify my-release
    """
    from calibench_data.releasing import verify

    if problems := verify(directory):
        for problem in problems:
            say(str(problem))
        say(f"{len(problems):,} problem" + ("s" if len(problems) > 1 else ""))
        sys.exit(1)
    say(f"{directory or 'the embedded release'}: no problem found")


@click.command()
@format_option
@data_option
def log(form: str, data: str | None) -> None:
    """The versions, and what each changed.

    Rows by table, models that came or went, scores that moved and why. By default of the release in the package.

    Example: calibench log --data my-release
    """
    from calibench_data.cards.version_log import COLUMNS, grid, records
    from calibench_data.versions import log

    versions = log(data)
    emit(form, [grid(versions)], COLUMNS, list(records(versions)))
