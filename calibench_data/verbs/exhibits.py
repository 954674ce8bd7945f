"""The verbs `tables` and `reproduce`."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from calibench_data.printing import data_option, emit, format_option, revision_option, say

if TYPE_CHECKING:
    from calibench_data.reporting import Paper

paper_option = click.option(
    "--paper",
    type=click.Choice(("calibench", "pawbench")),
    default="calibench",
    show_default=True,
    help="Whose tables.",
)


@click.command()
@click.argument("numbers", nargs=-1)
@paper_option
@format_option
@data_option
@revision_option
def tables(numbers: tuple[str, ...], paper: Paper, form: str, data: str | None, revision: str | None) -> None:
    """A paper's tables, recomputed.

    NUMBERS are the paper's; without any, Tables 2, 3, 4 and 6 (PAWBench: 1, the main table). json and csv give long
    form: exhibit, item, measure, value (unrounded), printed (as the paper prints it).

    Example: calibench tables 2 --format json
    """
    from calibench_data.reporting import tables

    exhibits = tables(numbers, data, revision, paper)
    records = [asdict(figure) for exhibit in exhibits for figure in exhibit.figures]
    emit(form, [exhibit.grid for exhibit in exhibits], ("exhibit", "item", "measure", "value", "printed"), records)


@click.command()
@paper_option
@format_option
@data_option
@revision_option
def reproduce(paper: Paper, form: str, data: str | None, revision: str | None) -> None:
    """Every figure of a paper's tables, recomputed.

    Exit status 1 if any differs. Figures that rest on the authors' random draws (Table 5) may be off by one in the
    last digit. Of PAWBench few counts are published: a figure that does not follow from them says why.

    Example: calibench reproduce
    """
    from calibench_data.cards.comparison import COLUMNS, grid, summary
    from calibench_data.reporting import reproduce

    compared = reproduce(data, revision, paper)
    records = [{name: getattr(one, name) for name in COLUMNS} for one in compared]
    emit(form, [grid(compared)], COLUMNS, records)
    say(summary(compared))
    expected = {"not computable"} if paper == "pawbench" else set()
    if not all(one.holds or one.verdict in expected for one in compared):
        sys.exit(1)
