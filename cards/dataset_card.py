"""The dataset card: YAML that makes `load_dataset` work with no script, and what a reader must know first."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from string import Template

from calibench_data.schema import TABLES, VIEWS, Relation

_TEMPLATE = Path(__file__).parent / "templates" / "dataset_card.md"


def dataset_card(rows: Mapping[str, int]) -> str:
    """The card of a dataset repository with these tables (table -> number of rows)."""
    return Template(_TEMPLATE.read_text("utf-8")).substitute(
        configs="\n".join(_config(name) for name in TABLES if name in rows),
        tables="\n\n".join(_columns(TABLES[name], f"{rows[name]:,} rows, one a") for name in TABLES if name in rows),
        views="\n\n".join(_columns(view, "one row a") for view in VIEWS.values()),
    )


def _config(name: str) -> str:
    # Quoted, since YAML reads bare words such as `no` or `1.10` as something else than text.
    lines = [f"- config_name: {json.dumps(name)}"]
    lines += ["  default: true"] if name == "outcomes" else []
    return "\n".join(
        [*lines, "  data_files:", '  - split: "train"', f"    path: {json.dumps(f'data/{name}/*.parquet')}"]
    )


def _columns(relation: Relation, grain: str) -> str:
    lines = [f"### {relation.name}", "", f"{grain} {relation.grain}; key: {', '.join(relation.key)}.", ""]
    lines += ["| column | type | null | meaning |", "|---|---|---|---|"]
    for column in relation.columns:
        meaning = column.meaning + (f" ({', '.join(column.allowed)})" if column.allowed else "")
        lines.append(f"| {column.name} | {column.kind} | {'yes' if column.nullable else 'no'} | {meaning} |")
    return "\n".join(lines)
