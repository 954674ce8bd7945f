"""Numbers as the CaliBench paper prints them."""

from __future__ import annotations

import math

from calibench_data.stats import TESTED_FROM

NOTHING = "—"
FEW = "†"


def decimals(value: float, places: int = 2) -> str:
    """A number with fixed decimals; a dash where there is none."""
    return NOTHING if math.isnan(value) else f"{value:.{places}f}"


def p_value(p: float, threshold: float = math.nan) -> str:
    """Three decimals, `<0.001` below that; the largest p that Benjamini-Hochberg rejects has four."""
    if math.isnan(p):
        return NOTHING
    if p < 0.001:
        return "<0.001"
    return f"{p:.4f}" if p == threshold else f"{p:.3f}"


def small_p(p: float) -> str:
    """Two significant digits at any size, so that a tiny exact p is printed as what it is."""
    return NOTHING if math.isnan(p) else f"{p:.1e}" if p < 0.001 else f"{p:.4f}" if p < 0.1 else f"{p:.3f}"


def cell_p_value(p: float, valid: int, threshold: float) -> str:
    """The p-value of a cell: a dash without valid outcomes, a dagger where they are too few for a test."""
    if valid == 0:
        return NOTHING
    return FEW if valid < TESTED_FROM else p_value(p, threshold)


def percent(share: float) -> str:
    """A share as a percentage with one decimal."""
    return f"{100 * share:.1f}%"
