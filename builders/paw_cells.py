"""Checked rows of PAWBench as the relation `cells`: what the views would count, without a row for each rollout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from calibench_data.queries.cells import Scene
from calibench_data.stats import total_variation

from calibench_data.schema import VIEWS, arrow_schema

if TYPE_CHECKING:
    import polars as pl
    import pyarrow as pa


def paw_cells(frame: pl.DataFrame, models: Sequence[str], scenes: Mapping[str, Scene]) -> pa.Table:
    """A row a model and scene that has rows, condition `main`; frame: columns model, scene, observation, label."""
    import polars as pl
    import pyarrow as pa

    place = {model: index for index, model in enumerate(models)}
    grouped = frame.group_by("scene", "model", "observation", "label").len().sort("scene")
    made: list[dict[str, Any]] = []
    for (name,), rows in grouped.group_by("scene", maintain_order=True):
        scene = scenes[str(name)]
        order = {outcome: index for index, outcome in enumerate(scene.outcomes)}
        counts = np.zeros((len(models), len(order)), np.int64)
        nulls, unread = np.zeros((2, len(models)), np.int64)
        at = rows["model"].replace_strict(place, return_dtype=pl.Int64).to_numpy()
        outcome = rows["label"].replace_strict(order, default=-1, return_dtype=pl.Int64).to_numpy()
        status, n = rows["observation"].to_numpy(), rows["len"].cast(pl.Int64).to_numpy()
        readable = status == "outcome"
        np.add.at(counts, (at[readable], outcome[readable]), n[readable])
        np.add.at(nulls, at[status == "null_observation"], n[status == "null_observation"])
        np.add.at(unread, at[status == "infrastructure_failure"], n[status == "infrastructure_failure"])
        present = np.unique(at)
        valid, read = counts.sum(axis=1), counts.sum(axis=1) + nulls
        tv = np.full(len(models), np.nan)
        if scene.reference is not None:
            tv = np.asarray(total_variation(counts, scene.reference))
        columns = {"rollouts": read, "unread": unread, "valid": valid, "nulls": nulls}
        for index in present.tolist():
            cell: dict[str, Any] = {column: int(values[index]) for column, values in columns.items()}
            cell["scorability"] = cell["valid"] / cell["rollouts"] if cell["rollouts"] else None
            cell["tv"] = None if np.isnan(tv[index]) else float(tv[index])
            key = {"benchmark": scene.benchmark, "condition": "main", "scene": scene.scene, "model": models[index]}
            made.append({**key, **cell, "counts": counts[index].tolist()})
    return pa.Table.from_pylist(made, schema=arrow_schema(VIEWS["cells"]))
