"""What PAWBench's printed figures say about each other, and why the rest cannot be recomputed."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from ..printed import percent
from .results import MEASURE, TRACKS
from .sampling import scientific

# Scenes of each group: the only whole numbers that give the printed averages where every scene passes.
SIZES = {
    "tossing": 8, "rotation": 4, "routing": 9, "draw": 4,
    "collision": 9, "stability": 4, "agent": 8, "material": 4,
}  # fmt: skip
SCENES = 25
REPLICATES = 50_000
_STRATA = ("low", "moderate", "high")
_TABLES = ("1", "2", "3", "4")

Key = tuple[str, str, str]

_COUNTS = "the counts of each scene are not published"
REASONS = {
    "1": _COUNTS,
    "2": "the VLMs' projected answers are not published",
    "3": _COUNTS,
    "4": _COUNTS,
    "5": "the data lack the training mixtures",
    "11": "the data lack the training mixtures",
    "fig7": "the readings of the targeted rollouts are not published",
    "8": "the null needs the readable rollouts of each cell, which are not published",
    "9": "the panel's votes are not published",
    "appendix-c": "the panel's votes and the study's videos are not published",
}


@dataclass(frozen=True)
class Derived:
    """A printed figure, recomputed from others: unrounded and as printed.

    slack: how far the inputs' own rounding can move it, in its unit as printed. source: what it follows from.
    """

    value: float
    printed: str
    slack: float
    source: str


def derived(printed: Mapping[Key, str]) -> dict[Key, Derived]:
    """The figures that follow from other printed ones. printed: (exhibit, item, measure) -> as printed."""
    return {
        key: one
        for part in (_rates(printed), _averages(printed), _null(printed), _panel(printed))
        for key, one in part
        if key in printed
    }


def _rates(printed: Mapping[Key, str]) -> Iterator[tuple[Key, Derived]]:
    """A scene pass rate is a number of scenes out of 25."""
    for key, text in printed.items():
        if key[0] in _TABLES and key[2].endswith("/spr"):
            passing = _passing(text)
            yield key, Derived(passing / SCENES, percent(passing / SCENES), 0, f"{passing}/{SCENES} scenes")


def _passing(rate: str) -> int:
    return round(float(rate.removesuffix("%")) / 100 * SCENES)


def _averages(printed: Mapping[Key, str]) -> Iterator[tuple[Key, Derived]]:
    """Where every scene passes, a track's average is that of its groups, weighted by their sizes."""
    for exhibit, item, measure in printed:
        track = measure.partition("/")[0]
        if exhibit in _TABLES and measure.endswith("/spr") and printed[exhibit, item, measure] == "100.0%":
            name = MEASURE[track]
            groups = {family: printed[exhibit, item, f"{family}/{name}"] for family in TRACKS[track]}
            total = sum(SIZES[family] * Fraction(text) for family, text in groups.items()) / SCENES
            key = (exhibit, item, f"{track}/{name}")
            yield (
                key,
                Derived(float(total), f"{float(total):.1f}", 0.05, "the groups, weighted by their scenes, as all pass"),
            )


def _null(printed: Mapping[Key, str]) -> Iterator[tuple[Key, Derived]]:
    """Table 8: models, cells and observed means from Table 1; p from the exceedances."""
    models = [item for exhibit, item, measure in printed if exhibit == "1" and measure == "calibration/spr"]
    cells = {model: _passing(printed["1", model, "calibration/spr"]) for model in models}
    tvd = {model: float(printed["1", model, "calibration/tvd"]) for model in models if cells[model]}
    if tvd:
        number = sum(cells.values())
        observed = {
            "equal-model": math.fsum(tvd.values()) / len(tvd),
            "pooled-cells": math.fsum(tvd[model] * cells[model] for model in tvd) / number,
        }
        for item, value in observed.items():
            yield (
                ("8", item, "observed"),
                Derived(value, f"{value:.1f}", 0.05, "the averages and pass rates of Table 1"),
            )
            yield (
                ("8", item, "models"),
                Derived(len(tvd), str(len(tvd)), 0, "the models of Table 1 with a passing scene"),
            )
            yield ("8", item, "cells"), Derived(number, str(number), 0, "the pass rates of Table 1")
    for exhibit, item, measure in printed:
        if exhibit == "8" and measure == "exceedances":
            p = (int(printed[exhibit, item, measure]) + 1) / (REPLICATES + 1)
            source = f"(exceedances + 1)/{REPLICATES + 1:,}"
            yield ("8", item, "p_mc"), Derived(p, scientific(p), 0, source)


def _panel(printed: Mapping[Key, str]) -> Iterator[tuple[Key, Derived]]:
    """Table 9: agreement from its counts, the total from its strata."""
    for item in ("overall", *_STRATA):
        if ("9", item, "videos") in printed:
            share = int(printed["9", item, "exact_matches"]) / int(printed["9", item, "videos"])
            yield ("9", item, "agreement"), Derived(share, percent(share), 0, "exact matches and videos")
    if all(("9", item, "videos") in printed for item in _STRATA):
        for measure in ("videos", "exact_matches"):
            total = sum(int(printed["9", item, measure]) for item in _STRATA)
            yield ("9", "overall", measure), Derived(total, str(total), 0, "the sum of the strata")
            if measure == "videos":
                key = ("appendix-c", "study", "comparable")
                yield key, Derived(total, str(total), 0, "the sum of Table 9's strata")
