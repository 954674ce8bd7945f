"""A table for people, and its four renderings: terminal, Markdown, LaTeX, CSV."""

from __future__ import annotations

import csv
import io
import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from calibench_data.errors import visible

if TYPE_CHECKING:
    from rich.table import Table
    from rich.text import Text


@dataclass(frozen=True)
class Entry:
    """One field of a grid; the best ones of a comparison are marked."""

    text: str
    best: bool = False


@dataclass(frozen=True)
class Grid:
    """A titled table: column heads, rows of entries, notes below. A row of one entry is a heading among the rows."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Entry, ...], ...]
    notes: tuple[str, ...] = ()
    numeric_from: int = 1


def rich_parts(grid: Grid) -> Iterator[Text | Table]:
    """The grid for a terminal: title, table, notes. Names are shown letter by letter: brackets are no markup."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for index, name in enumerate(grid.columns):
        numeric = index >= grid.numeric_from
        table.add_column(
            Text(visible(name) + (" " if numeric else "")), justify="right" if numeric else "left", overflow="fold"
        )
    for row in grid.rows:
        if len(row) == 1:
            table.add_row(Text(visible(row[0].text), style="italic"))
            continue
        table.add_row(
            *(
                Text(text, style="bold" if entry.best else "")
                for entry, text in zip(row, _marked(grid, row), strict=True)
            )
        )
    yield Text(visible(grid.title), style="bold")
    yield table
    for note in grid.notes:
        yield Text(visible(note), style="dim")
    yield Text("")


def plain(grid: Grid) -> str:
    """The grid as aligned text without colour, for a file or a pipe; a hundred times faster than drawing it."""
    from rich.cells import cell_len

    def line(fields: Sequence[str]) -> str:
        padded = (
            blank + field if index >= grid.numeric_from else field + blank
            for index, field in enumerate(fields)
            for blank in (" " * (widths[index] - cell_len(field)),)
        )
        return ("  ".join(padded)).rstrip()

    head = [visible(name) + (" " if index >= grid.numeric_from else "") for index, name in enumerate(grid.columns)]
    body = [[visible(row[0].text)] if len(row) == 1 else _marked(grid, row) for row in grid.rows]
    columns = zip(head, *(fields for fields in body if len(fields) == len(head)), strict=True)
    widths = [max(map(cell_len, column)) for column in columns]
    lines = [visible(grid.title), "", line(head), "─" * (sum(widths) + 2 * (len(widths) - 1))]
    lines.extend(line(fields) if len(fields) == len(head) else fields[0] for fields in body)
    broad = max(len(lines[3]), 80)
    notes = [part for note in grid.notes for part in textwrap.wrap(visible(note), broad, break_long_words=False)]
    return "\n".join([*lines, "", *notes]).rstrip() + "\n"


def _marked(grid: Grid, row: Sequence[Entry]) -> list[str]:
    """The texts of a row, the best marked; a blank in the mark's place keeps a column's digits below each other."""
    marks = ["" if index < grid.numeric_from else "*" if entry.best else " " for index, entry in enumerate(row)]
    return [visible(entry.text) + mark for entry, mark in zip(row, marks, strict=True)]


def markdown(grid: Grid) -> str:
    """The grid in Markdown; a bar or line break in a name stays inside its field."""

    def line(fields: Sequence[str]) -> str:
        return "| " + " | ".join(fields) + " |"

    def field(entry: Entry) -> str:
        text = markdown_text(entry.text)
        return f"**{text}**" if entry.best and text else text

    width = len(grid.columns)
    lines = [f"**{markdown_text(grid.title)}**", "", line([markdown_text(name) for name in grid.columns])]
    lines.append(line(["---" if index < grid.numeric_from else "---:" for index in range(width)]))
    for row in grid.rows:
        fields = [f"*{markdown_text(row[0].text)}*"] if len(row) == 1 else [field(entry) for entry in row]
        lines.append(line(fields + [""] * (width - len(fields))))
    lines.extend(f"\n{markdown_text(note)}" for note in grid.notes)
    return "\n".join(lines) + "\n"


def markdown_text(text: str) -> str:
    """Text that Markdown shows letter by letter."""
    return re.sub(r"([\\|*_`<>\[\]#~&])", r"\\\1", visible(text))


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "†": r"\dag{}",
    "‡": r"\ddag{}",
    "—": "---",
    "ρ": r"$\rho$",
    "χ": r"$\chi$",
    "↑": r"$\uparrow$",
    "↓": r"$\downarrow$",
    **{sign: f"\\{sign}" for sign in "#$%&_{}"},
}


def latex(grid: Grid) -> str:
    """The grid as a LaTeX `table` that needs no package."""

    def line(fields: Sequence[str]) -> str:
        return "  " + " & ".join(fields) + r" \\"

    def field(entry: Entry) -> str:
        text = _latex_text(entry.text)
        return f"\\textbf{{{text}}}" if entry.best and text else text

    width = len(grid.columns)
    lines = [
        r"\begin{table}",
        f"  \\caption{{{_latex_text(' '.join((grid.title + '.', *grid.notes)))}}}",
        f"  \\begin{{tabular}}{{{'l' * grid.numeric_from}{'r' * (width - grid.numeric_from)}}}",
        r"  \hline",
        line([_latex_text(name) for name in grid.columns]),
        r"  \hline",
    ]
    for row in grid.rows:
        if len(row) == 1:
            lines.append(f"  \\multicolumn{{{width}}}{{l}}{{\\emph{{{_latex_text(row[0].text)}}}}} \\\\")
        else:
            lines.append(line([field(entry) for entry in row]))
    return "\n".join([*lines, r"  \hline", r"  \end{tabular}", r"\end{table}"]) + "\n"


def _latex_text(text: str) -> str:
    return "".join(_LATEX.get(character, character) for character in visible(text))


def comma_separated(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """Rows as CSV with a header; null is an empty field."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return buffer.getvalue()
