"""The verb `protocol`."""

from __future__ import annotations

from dataclasses import asdict

import click

from calibench_data.printing import data_option, emit, format_option, revision_option


@click.command()
@click.argument("model", required=False, metavar="[MODEL]")
@click.argument("other", required=False, metavar="[OTHER]")
@format_option
@data_option
@revision_option
def protocol(model: str | None, other: str | None, form: str, data: str | None, revision: str | None) -> None:
    """Under what protocol rollouts were made and read.

    The benchmark's own without a name; of one MODEL; or of two beside each other. Only scores of the same protocol
    compare.

    Example: calibench protocol veo-3.1 wan-2.7
    """
    from calibench_data.cards.protocol_sheet import COLUMNS, grid
    from calibench_data.identity import protocol

    fields = protocol(model, other or model, data, revision)
    names = [name for name in (model or "calibench", other) if name]
    emit(form, [grid(fields, names)], COLUMNS, [asdict(one) for one in fields])
