"""The command `calibench`: a thin skin over the public functions of `calibench_data`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path

import click

from . import __version__
from .errors import SHOWN, CalibenchError
from .printing import FORMATS, emit, say

# What a command needs is imported inside it: `calibench --help` must not wait for numpy or DuckDB.

_format = click.option(
    "--format", "form", type=click.Choice(FORMATS), default="table", show_default=True, help="How to print."
)
_data = click.option("--data", metavar="DIR", help="Dataset repository to read; by default the one in the package.")


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="calibench")
def cli() -> None:
    """CaliBench and PAWBench as data: recompute, query and score, offline.

    Example: calibench tables
    """


@cli.command()
@click.argument("numbers", nargs=-1)
@_format
@_data
def tables(numbers: tuple[str, ...], form: str, data: str | None) -> None:
    """The paper's tables, recomputed from the released outcomes.

    NUMBERS are the paper's; without any, Tables 2, 3, 4 and 6. json and csv give long form: exhibit, item, measure,
    value (unrounded), printed (as the paper prints it).

    Example: calibench tables 2 --format json
    """
    from .reporting import tables

    exhibits = tables(numbers, data)
    records = [asdict(figure) for exhibit in exhibits for figure in exhibit.figures]
    emit(form, [exhibit.grid for exhibit in exhibits], ("exhibit", "item", "measure", "value", "printed"), records)


@cli.command()
@click.argument("file", type=click.Path(path_type=Path))
@_format
@_data
def score(file: Path, form: str, data: str | None) -> None:
    """Score a FILE of outcomes: CSV, JSONL or Parquet.

    Columns: scene, model, seed, outcome and optionally condition. An empty outcome or `null` means that no outcome
    can be scored. Prints a row a cell, then a row a model: json and csv mark the latter by an empty scene.

    Example: calibench score outcomes.csv --format json
    """
    from .cards.score_sheet import COLUMNS, grids, records, remarks
    from .scoring import score

    scores = score(file, data)
    emit(form, grids(scores.cells, scores.models), COLUMNS, records(scores.cells, scores.models))
    for remark in (*scores.notices, *remarks(scores.cells, scores.models)):
        say(remark)


@cli.command()
@_format
@_data
def reproduce(form: str, data: str | None) -> None:
    """Every published figure that can be recomputed so far, printed beside recomputed.

    Exit status 1 if any differs.

    Example: calibench reproduce
    """
    from .cards.comparison import COLUMNS, grid, summary
    from .reporting import reproduce

    compared = reproduce(data)
    emit(form, [grid(compared)], COLUMNS, [{**asdict(one), "same": one.same} for one in compared])
    say(summary(compared))
    if not all(one.same for one in compared):
        sys.exit(1)


@cli.command()
@click.argument("query")
@_format
@_data
def sql(query: str, form: str, data: str | None) -> None:
    """Answer one SELECT over the tables and views.

    Ctrl-C interrupts a long query. `show tables` lists what there is, `describe cells` its columns.

    Example: calibench sql "SELECT model, avg(scorability) FROM cells WHERE condition = 'main' GROUP BY model"
    """
    from .cards.answer import grid, records
    from .database import sql

    frame = sql(query, data)
    emit(form, [grid(frame)], frame.columns, records(frame))


@cli.command()
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Folder to write.")
def build(out: Path) -> None:
    """Write the dataset repository that follows from the sources in the package.

    The same sources give the same bytes.

    Example: calibench build --out my-release
    """
    from .releasing import build

    release = build(out)
    rows = sum(file.rows or 0 for file in release.files)
    say(f"{out}: version {release.dataset_version}, {len(release.files)} files, {rows:,} rows, digest {release.digest}")


@cli.command()
@click.argument("directory", required=False, metavar="[DIR]")
def verify(directory: str | None) -> None:
    """Check every byte and every row of a dataset repository, by default the one in the package.

    Exit status 1 if there is any problem.

    Example: calibench verify my-release
    """
    from .releasing import verify

    if problems := verify(directory):
        raise CalibenchError(problems)
    say(f"{directory or 'the embedded release'}: no problem found")


def main() -> None:
    """Run the command line; a known failure is told in plain words, without a traceback."""
    try:
        cli(standalone_mode=False)
    except CalibenchError as error:
        say(str(error))
        if error.total > 1:
            say(f"{error.total:,} problems" + (f", the first {SHOWN} shown" if error.total > SHOWN else ""))
        sys.exit(1)
    except click.exceptions.Abort:
        say("interrupted")
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # The reader of a pipe (`head`) has gone; nothing more can be said to it.
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        say(f"{error.filename or 'file'}: {error.strerror}")
        sys.exit(1)


if __name__ == "__main__":
    main()
