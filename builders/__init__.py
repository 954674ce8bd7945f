"""Sources -> tables: one module a published table."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


def build_tables() -> dict[str, dict[str, pa.Table]]:
    """Every table that the committed sources fill: table -> part -> Arrow table with the declared schema.

    A part is a benchmark (for `published`, a paper): adding one adds a file and changes none.
    """
    import pyarrow.compute as pc

    from calibench_data.schema import TABLES

    from . import (
        conditions,
        distributions,
        frames,
        labels,
        models,
        outcomes,
        prompts,
        protocols,
        published,
        scenes,
        videos,
    )
    from .source_files import arrow_table

    first = (scenes, distributions, models, protocols, conditions, frames, prompts)
    built: dict[str, dict[str, pa.Table]] = {}
    for module in (*first, videos, outcomes, labels, published):
        name = module.__name__.rsplit(".", 1)[-1]
        table = arrow_table(TABLES[name], list(module.records()))
        parts = table.column("paper" if name == "published" else "benchmark")
        built[name] = {part: table.filter(pc.equal(parts, part)) for part in parts.unique().to_pylist()}
    return built
