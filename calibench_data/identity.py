"""Under what protocol a model's rollouts were made and read, and whether two compare."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibench_data.errors import CalibenchError, Problem
from calibench_data.queries.protocol import Row, own_protocol, read_protocols
from calibench_data.schema import TABLES

from .database import connect

BENCHMARK = "calibench"


@dataclass(frozen=True)
class ProtocolField:
    """One field of the protocol of a model, and of another; scores compare where every field is the `same`."""

    field: str
    meaning: str
    value: Any
    other: Any
    same: bool


def protocol(
    model: str | None = None, other: str | None = None, repo: str | Path | None = None, revision: str | None = None
) -> list[ProtocolField]:
    """The protocol of a model beside another's; either is the benchmark's own if it is not given.

    The first field, `protocol`, is the SHA-256 over the others. Raises CalibenchError for a model without protocol.
    """
    with connect(repo, revision) as connection:
        rows = read_protocols(connection, BENCHMARK)
        own = own_protocol(connection, BENCHMARK)
    first, second = (_row(rows, own, name) for name in (model, other))
    columns = TABLES["protocols"].columns[2:]
    return [
        ProtocolField(one.name, one.meaning, first[one.name], second[one.name], first[one.name] == second[one.name])
        for one in columns
    ]


def _row(rows: dict[str, Row], own: Row | None, model: str | None) -> Row:
    row = own if model is None else rows.get(model)
    if row is None:
        raise CalibenchError([Problem(model or BENCHMARK, "has no row in the table protocols", ", ".join(rows))])
    return row
