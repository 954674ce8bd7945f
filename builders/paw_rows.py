"""Rows of PAWBench, the authors' or ours, checked and counted: what is wrong with one model's rows hides no other's."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibench_data.queries.cells import Scene

from calibench_data.errors import SHOWN, Problem, Problems, quoted

from .paw_json import FIELDS, is_authors, read_authors
from .paw_tables import read_tables

if TYPE_CHECKING:
    import polars as pl

OBSERVATIONS = ("outcome", "null_observation", "infrastructure_failure")
_LONGEST = 200  # characters of a name


@dataclass(frozen=True)
class PawRows:
    """The checked rows of a file: columns model, scene, observation, label (null unless readable), of good models only.

    withheld: model -> number of its faults; all its rows are left out. problems: the first of all faults, by row, and
    `total` their number. models: those whose rows are there, in the order of the file.
    """

    frame: pl.DataFrame
    models: tuple[str, ...]
    withheld: Mapping[str, int]
    problems: tuple[Problem, ...]
    total: int


@dataclass
class _Findings:
    """Faults found so far, and whose they are; `names`: how the file calls a column."""

    path: Path
    names: Mapping[str, str]
    problems: Problems = field(default_factory=Problems)
    models: dict[str, int] = field(default_factory=dict)

    def charge(self, model: str | None, times: int) -> None:
        if model:
            self.models[model] = self.models.get(model, 0) + times

    def note(
        self,
        bad: pl.DataFrame,
        column: str,
        allowed: str | Callable[[dict[str, Any]], str],
        do: Any = "",
        found: Any = "",
    ) -> None:
        """The rows of `bad` are at fault in a column; allowed, do and found may be functions of a row's fields."""
        if bad.is_empty():
            return
        for model, times in bad.group_by("model").len().iter_rows():
            self.charge(model, times)
        first = []
        for row in bad.sort("row").head(SHOWN).iter_rows(named=True):
            allow, advice, what = (text(row) if callable(text) else text for text in (allowed, do, found))
            place = f"{self.path}: row {row['row']}, {self.names.get(column, column)}"
            value = row[column]
            what = what or f"found {'nothing' if value is None else quoted(value)}"
            first.append((row["row"], Problem(place, what, allow, advice)))
        self.problems.add_all(bad.height, first)


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
    findings = _Findings(path, {name: f"{'field' if authors else 'column'} {called}" for name, called in shown.items()})
    for row, model, name, found, allowed in faults:
        place = f"{path}: row {row}" + (f", {'field' if authors else 'column'} {name}" if name else "")
        findings.problems.add(Problem(place, found, allowed), row)
        findings.charge(model, 1)
    _check_model(frame, findings)
    _check_scene(frame, scenes, tracks, authors, findings)
    _check_slot(frame, rollouts, findings)
    _check_reading(frame, scenes, authors, findings)
    if findings.models:
        frame = frame.filter(~pl.col("model").is_in(list(findings.models)))
    frame = frame.filter(pl.col("model").fill_null("") != "")
    models = tuple(frame["model"].unique(maintain_order=True).to_list())
    problems = findings.problems
    return PawRows(frame, models, findings.models, tuple(problems.found()[:SHOWN]), problems.total)


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
