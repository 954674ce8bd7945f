"""The dataset card: YAML that makes `load_dataset` work with no script, and what a reader must know first."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template

from calibench_data.schema import TABLES, VIEWS, Column, Relation

from .about import BIBTEX, ORIGIN
from .grid import Grid, markdown

_TEMPLATE = Path(__file__).parent / "templates" / "dataset_card.md"
_NO_LEADERBOARD = "`calibench tables leaderboard --data path/to/this/repository` prints it."

# The Hub's classes of size, by number of rows.
_SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
_LARGEST = "1M<n<10M"

# The picture beside the card, which its text shows.
SHEET = "frames.png"

# The part of frames and prompts that came from a checkout of the authors' repository.
PAPER_PART = "calibench-paper"
_OPEN_ONLY = """\
Both are of the edition `open`: drawn and worded by this project after the paper's description of the scenes. The
released outcomes come from the authors' own pictures and prompts (edition `paper`), which are not in this dataset."""
_IMPORTED = """\
Rows of the edition `open` were drawn and worded by this project after the paper's description of the scenes. Rows of
the edition `paper` are the authors' own, from which the released outcomes come; they were imported from a checkout of
the repository `odysseyml/CaliBench`, which names no licence: ask its authors before you pass this dataset on."""

# Table -> path of each of its files -> number of rows.
Parts = Mapping[str, Mapping[str, int]]

_PAW_INFERRED = """\
- PAWBench (`benchmark` = `pawbench`): its 50 scenes are those of the tracks `calibration` and `coverage`. Three of the
  calibration scenes (A-04, A-11, A16) have no reference here: the paper prints none and none follows from symmetry.
  `scenes.family_source` says which mechanism groups are `inferred`. `calibench build --pawbench DIR` replaces all that
  by what the authors' package says."""
_PAW_IMPORTED = """\
- PAWBench (`benchmark` = `pawbench`): scenes, outcome sets, references, groups, and the prompts and pictures of the
  edition `paper` were imported from the authors' package; SHA-256 of its scene table: `{sha256}`. `scenes.note` says
  where a probability was no exact fraction."""


def dataset_card(parts: Parts, leaderboard: Grid | None = None, pawbench: str | None = None) -> str:
    """The card of a dataset repository with these files and this leaderboard.

    pawbench: SHA-256 of the scene table of the PAWBench authors' package, where that was imported.
    """
    checkout = any(PAPER_PART in path for path in parts.get("frames", ()))
    return Template(_TEMPLATE.read_text("utf-8")).substitute(
        sheet=SHEET,
        editions=_IMPORTED if checkout else _OPEN_ONLY,
        configs=_configs(parts),
        features=_features(parts),
        size=_size(parts),
        leaderboard=_leaderboard(leaderboard),
        tables=_tables(parts),
        pawbench=_PAW_INFERRED if pawbench is None else _PAW_IMPORTED.format(sha256=pawbench),
        views="\n\n".join(_columns(view, "one row a") for view in VIEWS.values()),
        origin=_origin(parts),
        bibtex=BIBTEX,
    )


def updated_card(card: str, parts: Parts, leaderboard: Grid | None = None) -> str:
    """The card with the present files, numbers and scores; every other word, and unknown YAML, stays as it is.

    What is renewed: `configs`, `dataset_info` and `size_categories` in the YAML head, and the sections
    `## Leaderboard`, `## Tables` and `## Where each table comes from` where there are such.
    """
    head = re.match(r"---\n(.*?\n)---\n", card, re.DOTALL)
    fields = head[1] if head else ""
    fields = _with_block(fields, "size_categories", f'- "{_size(parts)}"')
    fields = _with_block(fields, "configs", _configs(parts))
    fields = _with_block(fields, "dataset_info", _features(parts))
    body = card[head.end() :] if head else card
    body = _with_section(body, "Leaderboard", _leaderboard(leaderboard))
    body = _with_section(body, "Tables", _tables(parts))
    body = _with_section(body, "Where each table comes from", _origin(parts))
    return f"---\n{fields}---\n{body}"


def _with_block(fields: str, name: str, block: str) -> str:
    listed = re.compile(rf"^{name}:.*\n(?:(?:[ \-#].*)?\n)*", re.MULTILINE)
    text = f"{name}:\n{block}\n"
    return listed.sub(lambda _: text, fields, count=1) if listed.search(fields) else fields + text


def _with_section(body: str, title: str, text: str) -> str:
    section = re.compile(rf"(?<=^## {title}\n).*?(?=^## |\Z)", re.DOTALL | re.MULTILINE)
    return section.sub(lambda _: f"\n{text}\n\n", body, count=1)


def _leaderboard(leaderboard: Grid | None) -> str:
    return _NO_LEADERBOARD if leaderboard is None else markdown(leaderboard).strip()


def _size(parts: Parts) -> str:
    rows = sum(count for files in parts.values() for count in files.values())
    return next((name for limit, name in _SIZES if rows < limit), _LARGEST)


def _configs(parts: Parts) -> str:
    return "\n".join(_config(name, list(parts[name])) for name in TABLES if name in parts)


def _features(parts: Parts) -> str:
    # Without numbers of rows: `load_dataset` would refuse the files as soon as those were out of date.
    blocks = []
    for name in TABLES:
        if name in parts:
            lines = [f"- config_name: {json.dumps(name)}", "  features:"]
            blocks.append("\n".join([*lines, *map(_feature, TABLES[name].columns)]))
    return "\n".join(blocks)


def _feature(column: Column) -> str:
    kinds = {"string": "string", "integer": "int64", "number": "float64", "strings": "string", "integers": "int64"}
    of = "list" if column.kind in ("strings", "integers") else "dtype"
    return f"  - name: {json.dumps(column.name)}\n    {of}: {json.dumps(kinds.get(column.kind, column.kind))}"


def _origin(parts: Parts) -> str:
    lines = [f"| {name} | {ORIGIN[name]} |" for name in TABLES if name in parts]
    return "\n".join(["| table | origin |", "|---|---|", *lines])


def _tables(parts: Parts) -> str:
    rows = {name: sum(files.values()) for name, files in parts.items()}
    return "\n\n".join(_columns(TABLES[name], f"{rows[name]:,} rows, one a") for name in TABLES if name in parts)


def _config(name: str, paths: Sequence[str]) -> str:
    # Quoted, since YAML reads bare words such as `no` or `1.10` as something else than text. Each file by name: a
    # withdrawn one, kept for earlier releases, must not be loaded.
    lines = [f"- config_name: {json.dumps(name)}"]
    lines += ["  default: true"] if name == "outcomes" else []
    lines += ["  data_files:", '  - split: "train"', "    path:"]
    return "\n".join([*lines, *(f"    - {json.dumps(path)}" for path in paths)])


def _columns(relation: Relation, grain: str) -> str:
    lines = [f"### {relation.name}", "", f"{grain} {relation.grain}; key: {', '.join(relation.key)}.", ""]
    lines += ["| column | type | null | meaning |", "|---|---|---|---|"]
    for column in relation.columns:
        meaning = column.meaning + (f" ({', '.join(column.allowed)})" if column.allowed else "")
        lines.append(f"| {column.name} | {column.kind} | {'yes' if column.nullable else 'no'} | {meaning} |")
    return "\n".join(lines)
