"""PAWBench's rows as tables of outcomes or votes, such as ours, in the columns of the authors' rows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from calibench_data.errors import CalibenchError, Problem, quoted

from .reading import read_rows
from .row_checks import NULL, WHOLE, missing_column
from .rows import ROW, Rows

if TYPE_CHECKING:
    import polars as pl

    from .paw_json import Fault

REQUIRED = ("scene", "model", "seed", "outcome")
_OTHERS = ("video", "benchmark", "condition", "status", "attempt")
_OBSERVATION = {"outcome": "outcome", "null": "null_observation", "error": "infrastructure_failure"}


def read_tables(path: Path) -> tuple[pl.DataFrame, list[Fault]]:
    """Rows with scene, model, seed, outcome and optionally condition; for votes also status, and attempt.

    A column `video`, as our table `votes` has, stands for scene, model and seed. An empty outcome or `null` is null;
    a vote with status error is an infrastructure failure. A model in a condition other than main is called
    `model+condition`. Returns the frame of `read_authors`, and the faults of single rows. Raises CalibenchError where
    a column is missing, and as `read_rows` does.
    """
    import polars as pl

    rows = read_rows(path, REQUIRED + _OTHERS)
    frame = rows.frame.rename({ROW: "row"})
    if "video" in frame.columns and not {"scene", "model", "seed"} & set(frame.columns):
        frame, rows = _from_video(frame, rows)
    needed = REQUIRED if "video" not in rows.columns else ("outcome",)
    if missing := [missing_column(path, name, rows.columns, REQUIRED) for name in needed if name not in frame.columns]:
        raise CalibenchError(missing)
    if rows.typed and "seed" in rows.columns and "seed" not in rows.numeric:
        raise CalibenchError([Problem(f"{path}: column seed", "holds text", "whole numbers, stored as integers")])
    condition = pl.col("condition").fill_null("main") if "condition" in frame.columns else pl.lit("main")
    read = pl.when(~pl.col("outcome").is_in(["", NULL])).then("outcome")
    status = pl.when(read.is_null()).then(pl.lit("null")).otherwise(pl.lit("outcome"))
    faults: list[Fault] = []
    for name, right in (("benchmark", "pawbench"), ("attempt", "1")):
        if name in frame.columns:
            value = pl.col(name).fill_null(right)
            other = frame.filter(value != right)
            faults += [
                (row, model, name, f"found {quoted(found)}", right)
                for row, model, found in other.select("row", "model", name).iter_rows()
            ]
            frame = frame.filter(value == right)
    wrong = frame.filter(~pl.col("seed").fill_null("").str.contains(WHOLE))
    faults += [
        (row, model, "seed", f"found {quoted(found)}", "a whole number")
        for row, model, found in wrong.select("row", "model", "seed").iter_rows()
    ]
    frame = frame.filter(pl.col("seed").fill_null("").str.contains(WHOLE))
    if "status" in frame.columns:
        status = pl.col("status")
    made = frame.select(
        "row",
        model=pl.when(condition == "main").then("model").otherwise(pl.concat_str("model", pl.lit("+"), condition)),
        scene="scene",
        slot=pl.col("seed").cast(pl.Int64),
        observation=status.replace(_OBSERVATION),
        label=read,
    )
    return made, faults


def _from_video(frame: pl.DataFrame, rows: Rows) -> tuple[pl.DataFrame, Rows]:
    """The parts of `benchmark/condition/scene/model/seed`; a text of another form gives nulls, which are faults."""
    import polars as pl

    parts = pl.col("video").str.split_exact("/", 4)
    names = ("benchmark", "condition", "scene", "model", "seed")
    return frame.with_columns(parts.struct.field(f"field_{i}").alias(name) for i, name in enumerate(names)), rows
