"""The verbs `tables` and `reproduce`."""

from __future__ import annotations

import sys
from dataclasses import asdict

import click

from calibench_data.printing import data_option, emit, format_option, revision_option, say


@click.command()
@click.argument("numbers", nargs=-1)
@format_option
@data_option
@revision_option
def tables(numbers: tuple[str, ...], form: str, data: str | None, revision: str | None) -> None:
    """The paper's tables, recomputed.

    NUMBERS are the paper's; without any, Tables 2, 3, 4 and 6. json and csv give long form: exhibit, item, measure,
    value (unrounded), printed (as the paper prints it).

    Example: calibench tables 2 --format json
    """
    from calibench_data.reporting import tables

    exhibits = tables(numbers, data, revision)
    records = [asdict(figure) for exhibit in exhibits for figure in exhibit.figures]
    emit(form, [exhibit.grid for exhibit in exhibits], ("exhibit", "item", "measure", "value", "printed"), records)


@click.command()
@format_option
@data_option
@revision_option
def reproduce(form: str, data: str | None, revision: str | None) -> None:
    """Every figure of the paper's tables, recomputed.

    Exit status 1 if any differs. Figures that rest on the authors' random draws (Table 5) may be off by one in the
    last digit.

    Example: calibench reproduce
    """
    from calibench_data.cards.comparison import COLUMNS, grid, summary
    from calibench_data.reporting import reproduce

    compared = reproduce(data, revision)
    emit(form, [grid(compared)], COLUMNS, [{**asdict(one), "verdict": one.verdict} for one in compared])
    say(summary(compared))
    if not all(one.holds for one in compared):
        sys.exit(1)
