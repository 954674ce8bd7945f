"""The verb `figures`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from calibench_data.printing import data_option, revision_option, say

if TYPE_CHECKING:
    from calibench_data.cards.figures.sheet import Format


@click.command()
@click.argument("names", nargs=-1)
@click.option("--out", type=click.Path(path_type=Path), required=True, metavar="DIR", help="Folder to draw into.")
@click.option(
    "--format", "form", type=click.Choice(("svg", "png", "pdf")), default="svg", show_default=True, help="Kind of file."
)
@click.option("--scene", help="Scene of the figure `cell`; by default of the highest TV.")
@click.option("--model", help="Model of the figure `cell`; by default of the highest TV.")
@data_option
@revision_option
def figures(
    names: tuple[str, ...],
    out: Path,
    form: Format,
    scene: str | None,
    model: str | None,
    data: str | None,
    revision: str | None,
) -> None:
    """Draw the figures: the paper's and our own.

    NAMES are leaderboard, heatmap, cell, evalue, power, votes, and the paper's fig4 to fig15; without any, all that
    the data give. Needs matplotlib: the extra `plot`.

    Example: calibench figures leaderboard heatmap --out pictures --format pdf
    """
    from calibench_data.drawing import figures

    for drawn in figures(names, out, form, data, revision, scene=scene, model=model):
        if drawn.path is None:
            say(f"{drawn.name}: not drawn, {drawn.reason}")
        else:
            click.echo(drawn.path)
