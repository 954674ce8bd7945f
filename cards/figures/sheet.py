"""A sheet of panels, and its bytes in each format: the same ones whenever it is drawn."""

from __future__ import annotations

import io
import math
from typing import TYPE_CHECKING, Any, Literal

from .style import WIDTH

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Format = Literal["svg", "png", "pdf"]
FORMATS: tuple[Format, ...] = ("svg", "png", "pdf")

# Nothing of the day, the machine or the version of a library may stand in a file.
_METADATA: dict[str, dict[str, None]] = {
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
}


def panels(count: int, columns: int, height: float = 1.4, width: float = WIDTH) -> tuple[Figure, list[Axes]]:
    """A figure of at least one panel, `columns` beside each other, with shared axes; `height` is a row's in inches."""
    from matplotlib.figure import Figure

    count = max(count, 1)
    columns = min(columns, count)
    rows = math.ceil(count / columns)
    figure = Figure(figsize=(width, rows * height + 0.5), layout="constrained")
    grid = figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
    axes = list(grid.flat)
    for spare in axes[count:]:
        spare.remove()
    for above in axes[max(count - columns, 0) : count]:
        above.tick_params(labelbottom=True)
    return figure, axes[:count]


def name_axes(axes: list[Axes], x: str, y: str) -> None:
    """The axes' names, at the left of each row and below each column."""
    for ax in axes:
        place: Any = ax.get_subplotspec()
        if place.is_first_col():
            ax.set_ylabel(y)
        if ax.xaxis.get_tick_params()["labelbottom"]:
            ax.set_xlabel(x)


def legend_below(figure: Figure, axes: list[Axes], columns: int = 6) -> None:
    """One legend of all that the panels hold, outside them: it cannot lie over data."""
    found: dict[str, Artist] = {}
    for ax in axes:
        for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
            found.setdefault(str(label), handle)
    if found:
        figure.legend(list(found.values()), list(found), loc="outside lower center", ncols=min(columns, len(found)))


def rendered(figure: Figure, form: Format) -> bytes:
    """The figure as a file. PNG has 200 pixels to the inch."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format=form, dpi=200, metadata=_METADATA[form])
    return buffer.getvalue()
