"""Rows of PAWBench, the authors' or ours, checked and counted: what is wrong with one model's rows hides no other's."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibench_data.queries.cells import Scene

from calibench_data.errors import Problem, quoted

from .paw_json import FIELDS, Fault, is_authors, read_authors
from .paw_tables import read_tables

if TYPE_CHECKING:
    import polars as pl

OBSERVATIONS = ("outcome", "null_observation", "infrastructure_failure")
_LONGEST = 200  # characters of a name
_TOLD_OF_ONE, _TOLD = 20, 500  # faults that are spelled out, of one model and in all


@dataclass(frozen=True)
class PawRows:
    """The checked rows of a file: columns model, scene, observation, label (null unless readable), of good models only.

    withheld: model -> number of its faults; all its rows are left out. problems: the first faults of each model, by
    row; `total` counts all. models: those whose rows are there, in the order of the file.
    """

    frame: pl.DataFrame
    models: tuple[str, ...]
    withheld: Mapping[str, int]
    problems: tuple[Problem, ...]
    total: int


@dataclass
class _Findings:
    """Faults found so far, and whose they are; `names`: how the file calls a column.

    Of one model only the first faults are spelled out, so that a model whose every row is wrong hides no other's.
    """

    path: Path
    names: Mapping[str, str]
    total: int = 0
    models: dict[str, int] = field(default_factory=dict)
    told: list[tuple[int, str, Problem]] = field(default_factory=list)

    def charge(self, model: str | None, times: int) -> None:
        self.total += times
        if model:
            self.models[model] = self.models.get(model, 0) + times

    def add(self, faults: Sequence[Fault], word: str) -> None:
        """Faults of single rows, told by the reader of the file."""
        of: Counter[str] = Counter()
        for row, model, name, found, allowed in faults:
            self.charge(model, 1)
            of[model or ""] += 1
            if of[model or ""] <= _TOLD_OF_ONE:
                place = f"{self.path}: row {row}" + (f", {word} {name}" if name else "")
                self.told.append((row, model or "", Problem(place, found, allowed)))

    def note(
        self, bad: pl.DataFrame, column: str, allowed: str | Callable[[dict[str, Any]], str], do: Any = ""
    ) -> None:
        """The rows of `bad` are at fault in a column; allowed and do may be functions of a row's fields."""
        if bad.is_empty():
            return
        for model, times in bad.group_by("model").len().iter_rows():
            self.charge(model, times)
        for row in bad.sort("row").group_by("model", maintain_order=True).head(_TOLD_OF_ONE).iter_rows(named=True):
            allow, advice = (text(row) if callable(text) else text for text in (allowed, do))
            place = f"{self.path}: row {row['row']}, {self.names.get(column, column)}"
            found = "nothing" if row[column] is None else quoted(row[column])
            self.told.append((row["row"], row["model"] or "", Problem(place, f"found {found}", allow, advice)))

    def first(self) -> tuple[Problem, ...]:
        """The first faults of each model, by row."""
        shown: list[Problem] = []
        of: Counter[str] = Counter()
        for _, model, problem in sorted(self.told, key=lambda one: one[0]):
            of[model] += 1
            if of[model] <= _TOLD_OF_ONE and len(shown) < _TOLD:
                shown.append(problem)
        return tuple(shown)


def read_paw_rows(path: Path, scenes: Mapping[str, Scene], tracks: Mapping[str, str], rollouts: int) -> PawRows:
    """Read and check judged rows of any number of models.

    path: the authors' rows (JSONL, or a JSON list), or a table of outcomes or votes as `calibench score` reads it (CSV,
    JSONL, Parquet). scenes: the roster; tracks: scene -> its track; rollouts: slots of a scene, from 0 to one less.

    Rows at fault: no model; an unknown scene; a scene in another track; a slot that is no integer, outside the grid or
    given twice; another observation; an outcome outside the scene's set or missing; a label on a row without outcome;
    an infrastructure failure without its code. Raises CalibenchError only where the file as a whole cannot be read.
    """
    import polars as pl

    authors = is_authors(path)
    frame, faults = read_authors(path) if authors else read_tables(path)
    shown = {ours: theirs for theirs, ours in FIELDS.items()} if authors else _OURS
    word = "field" if authors else "column"
    findings = _Findings(path, {name: f"{word} {called}" for name, called in shown.items()})
    findings.add(faults, word)
    _check_model(frame, findings)
    _check_scene(frame, scenes, tracks, authors, findings)
    _check_slot(frame, rollouts, findings)
    _check_reading(frame, scenes, authors, findings)
    if findings.models:
        frame = frame.filter(~pl.col("model").is_in(list(findings.models)))
    frame = frame.filter(pl.col("model").fill_null("") != "")
    models = tuple(frame["model"].unique(maintain_order=True).to_list())
    return PawRows(frame, models, findings.models, findings.first(), findings.total)


_OURS = {"model": "model", "scene": "scene", "slot": "seed", "observation": "status", "label": "outcome"}


def _check_model(frame: pl.DataFrame, findings: _Findings) -> None:
    import polars as pl

    names = frame.select("row", "model").unique("model", keep="first", maintain_order=True)
    value = pl.col("model").fill_null("")
    unfit = (value == "") | (value != value.str.strip_chars()) | value.str.contains(r"\p{Cc}")
    bad = names.filter(unfit | (value.str.len_chars() > _LONGEST))
    if bad.height:
        rows = frame.join(bad.select("model"), on="model", how="semi", nulls_equal=True)
        allowed = f"a name of 1 to {_LONGEST} characters without line break or surrounding white space"
        findings.note(rows, "model", allowed)


def _check_scene(
    frame: pl.DataFrame, scenes: Mapping[str, Scene], tracks: Mapping[str, str], authors: bool, findings: _Findings
) -> None:
    import polars as pl

    def nearest(row: dict[str, Any]) -> str:
        near = difflib.get_close_matches(str(row["scene"] or ""), scenes, 1, 0.5)
        return f"Did you mean {near[0]}?" if near else ""

    unknown = frame.filter(~pl.col("scene").is_in(list(scenes)).fill_null(False))
    findings.note(unknown, "scene", f"one of the {len(scenes)} scenes of PAWBench", nearest)
    if authors:
        roster = pl.DataFrame({"scene": list(tracks), "right": list(tracks.values())})
        wrong = frame.join(roster, on="scene").filter(pl.col("track").fill_null("") != pl.col("right"))
        findings.note(wrong, "track", lambda row: f"{row['right']}, the track of scene {row['scene']}")


def _check_slot(frame: pl.DataFrame, rollouts: int, findings: _Findings) -> None:
    import polars as pl

    slot = pl.col("slot")
    inside = slot.is_between(0, rollouts - 1).fill_null(False)
    named = pl.col("model").fill_null("") != ""
    findings.note(frame.filter(~inside), "slot", f"0 to {rollouts - 1}")
    # Whole numbers for names: a key of three texts is slow to compare, 2.5 million times.
    codes = [pl.col(name).fill_null("").rank("dense").cast(pl.Int64).alias(name) for name in ("model", "scene")]
    key = frame.lazy().filter(inside & named).select("row", *codes, slot).collect()
    if key.is_empty():
        return
    place = (pl.col("model") * (key["scene"].max() + 1) + pl.col("scene")) * rollouts + slot  # type: ignore[operator]
    key = key.select("row", key=place)
    if key["key"].n_unique() == key.height:
        return
    key = key.with_columns(first=pl.col("row").min().over("key")).filter(pl.col("row") != pl.col("first"))
    again = frame.join(key.select("row", "first"), on="row", how="inner")
    findings.note(
        again,
        "slot",
        "each slot once for a model and scene",
        lambda row: f"Scene {row['scene']} of {row['model']} has it in row {row['first']} already.",
    )


def _check_reading(frame: pl.DataFrame, scenes: Mapping[str, Scene], authors: bool, findings: _Findings) -> None:
    import polars as pl

    status, label = pl.col("observation"), pl.col("label").fill_null("")
    other = frame.filter(~status.is_in(OBSERVATIONS).fill_null(False))
    findings.note(other, "observation", ", ".join(OBSERVATIONS if authors else ("outcome", "null", "error")))
    sets = [(name, outcome) for name, scene in scenes.items() for outcome in scene.outcomes]
    known = pl.DataFrame(sets, schema={"scene": pl.String, "label": pl.String}, orient="row")
    named = frame.filter((status == "outcome") & pl.col("scene").is_in(list(scenes)))
    # Few different pairs stand for many rows.
    pairs = named.select("scene", "label").unique().join(known, on=["scene", "label"], how="anti")
    if pairs.height:
        wrong = named.join(pairs, on=["scene", "label"], how="semi", nulls_equal=True)
        findings.note(wrong, "label", lambda row: ", ".join(scenes[row["scene"]].outcomes))
    extra = frame.filter(status.is_in(OBSERVATIONS[1:]).fill_null(False) & (label != ""))
    findings.note(extra, "label", lambda row: f"no label on a row whose observation is {row['observation']}")
    if authors:
        bare = frame.filter((status == "infrastructure_failure") & (pl.col("failure").fill_null("") == ""))
        findings.note(bare, "failure", "a code that says why nothing was read")
