"""Data on standard output, in the format asked for; talk on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from calibench_data.cards.grid import Grid

# Longer tables are written as plain text: drawing takes a millisecond a row.
_DRAWN = 1_000

FORMATS = ("table", "markdown", "latex", "csv", "json")


format_option = click.option(
    "--format", "form", type=click.Choice(FORMATS), default="table", show_default=True, help="How to print."
)
data_option = click.option(
    "--data", metavar="REPO", help="Dataset repository to read, a folder or org/name; else the embedded one."
)
revision_option = click.option("--revision", metavar="VERSION", help="Which version of it; by default the current one.")


def emit(form: str, grids: Sequence[Grid], columns: Sequence[str], records: Sequence[Mapping[str, Any]]) -> None:
    """Print what a verb found: the grids for people, or the records for programs (`csv`, `json`).

    A record holds JSON values. In CSV a null or lacking column is an empty field, and a list or object is JSON.
    """
    from calibench_data.cards import grid as rendering

    if form == "json":
        click.echo(json.dumps(records, indent=1, ensure_ascii=False, allow_nan=False))
    elif form == "csv":
        rows = [[_field(record.get(name)) for name in columns] for record in records]
        click.echo(rendering.comma_separated(columns, rows), nl=False)
    elif form == "table":
        _print_tables(grids)
    else:
        render = rendering.markdown if form == "markdown" else rendering.latex
        click.echo("\n".join(render(grid) for grid in grids), nl=False)


def _field(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else value


def _print_tables(grids: Sequence[Grid]) -> None:
    from rich.console import Console

    from calibench_data.cards.grid import plain, rich_parts

    console = Console(highlight=False, emoji=False)
    for grid in grids:
        if sys.stdout.isatty() and len(grid.rows) <= _DRAWN:
            for part in rich_parts(grid):
                console.print(part)
        else:
            click.echo(plain(grid))


def say(text: str) -> None:
    """A line of talk on standard error."""
    from calibench_data.errors import visible

    click.echo("\n".join(visible(line) for line in text.splitlines()), err=True)
