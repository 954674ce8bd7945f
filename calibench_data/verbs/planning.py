"""The verb `plan`."""

from __future__ import annotations

from dataclasses import asdict

import click

from calibench_data.printing import data_option, emit, format_option


@click.command()
@click.argument("scenes", nargs=-1)
@click.option("--rollouts", type=int, metavar="N", help="Valid rollouts: the smallest TV they detect (default 32).")
@click.option("--tv", type=float, metavar="TV", help="A total variation distance: the rollouts it needs.")
@click.option("--power", type=float, default=0.8, show_default=True, help="Probability to detect it.")
@click.option("--alpha", type=float, default=0.05, show_default=True, help="Level of the test.")
@click.option("--outcome", help="Outcome that the model is thought to favour; by default the paper's choice.")
@format_option
@data_option
def plan(
    scenes: tuple[str, ...],
    rollouts: int | None,
    tv: float | None,
    power: float,
    alpha: float,
    outcome: str | None,
    form: str,
    data: str | None,
) -> None:
    """How many rollouts to pay for: exact power of the test.

    SCENES are names as in `calibench sql "SELECT scene FROM scenes"`; without any, all nine.

    Example: calibench plan dice roulette --tv 0.2
    """
    from calibench_data.cards.plan_sheet import COLUMNS, grid
    from calibench_data.planning import plan

    plans = plan(scenes, rollouts, tv, power, alpha, outcome, data)
    emit(form, [grid(plans)], COLUMNS, [asdict(one) for one in plans])
