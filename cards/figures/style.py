"""How every figure looks, whatever the user's own settings: colours, type, and names that cannot break a layout."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

from calibench_data.errors import visible

# Okabe and Ito's palette, told apart under each common colour blindness; its yellow is too light for lines on white.
OBSERVED, REFERENCE = "#0072B2", "#E69F00"
SERIES = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
MARKERS = "os^Dv<>PX"
DASHES = ("-", "--", "-.", ":")
GREY, LIGHT = "#666666", "#D9D9D9"

WIDTH = 6.9  # inches: the text width of an A4 or letter page in two columns

_SETTINGS: dict[str, Any] = {
    "font.family": ["DejaVu Sans"],  # comes with matplotlib: the same letters on every machine
    "font.size": 7,
    "axes.titlesize": 7,
    "axes.labelsize": 7,
    "xtick.labelsize": 6,
    "ytick.labelsize": 6,
    "legend.fontsize": 6.5,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.axisbelow": True,
    "xtick.major.width": 0.6,
    "ytick.major.width": 0.6,
    "lines.linewidth": 1.2,
    "lines.markersize": 4,
    "text.parse_math": False,  # a `$` in a name is a `$`
    "text.usetex": False,
    "svg.fonttype": "path",
    "svg.hashsalt": "calibench",  # the identifiers in an SVG are random without it
    "pdf.fonttype": 42,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
}


@contextmanager
def style() -> Iterator[None]:
    """Matplotlib as the figures want it, and as it was before afterwards."""
    import matplotlib as mpl

    with mpl.rc_context():
        mpl.rcdefaults()
        settings: Any = mpl.rcParams
        settings.update(_SETTINGS)
        yield


@cache
def _font() -> Any:
    from matplotlib.font_manager import FontProperties, findfont, get_font

    return get_font(findfont(FontProperties(family=["DejaVu Sans"])))


@cache
def _drawable() -> frozenset[int]:
    return frozenset(_font().get_charmap())


def drawn(text: str) -> str:
    """The text with every character that cannot be seen, or that the font has not, written as an escape."""
    return "".join(
        c if ord(c) in _drawable() else c.encode("unicode_escape").decode() for c in visible(text.strip()) or "?"
    )


def width(text: str) -> float:
    """How wide a drawn text is, in ems."""
    font = _font()
    font.set_size(100, 72)
    font.set_text(text)
    return float(font.get_width_height()[0]) / 64 / 100


def labels(names: Iterable[str], widest: float = 13) -> list[str]:
    """Names as they are drawn, at most `widest` ems wide and no two alike: a long one is cut in its middle."""
    made: list[str] = []
    for name in names:
        text = drawn(name)[:500]
        label, number = _cut(text, widest), 1
        while label in made:
            number += 1
            label = f"{_cut(text, widest - width(f' ({number})'))} ({number})"
        made.append(label)
    return made


def _cut(text: str, widest: float) -> str:
    cut, kept = text, len(text)
    while width(cut) > widest and kept > 2:
        kept -= 1
        cut = f"{text[: kept - kept // 2]}…{text[len(text) - kept // 2 :]}"
    return cut


def series(index: int) -> dict[str, Any]:
    """Colour, marker and dashes of the index-th of many series: they differ in more than colour alone."""
    turn = index // len(SERIES)
    return {
        "color": SERIES[index % len(SERIES)],
        "marker": MARKERS[index % len(MARKERS)],
        "linestyle": DASHES[turn % len(DASHES)],
    }
