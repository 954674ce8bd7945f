"""The dataset card: YAML that makes `load_dataset` work with no script, and what a reader must know first."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template

from calibench_data.schema import TABLES, VIEWS, Relation

_TEMPLATE = Path(__file__).parent / "templates" / "dataset_card.md"


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


def dataset_card(parts: Parts, pawbench: str | None = None) -> str:
    """The card of a dataset repository with these files.

    pawbench: SHA-256 of the scene table of the PAWBench authors' package, where that was imported.
    """
    checkout = any(PAPER_PART in path for path in parts["frames"])
    return Template(_TEMPLATE.read_text("utf-8")).substitute(
        sheet=SHEET,
        editions=_IMPORTED if checkout else _OPEN_ONLY,
        configs=_configs(parts),
        tables=_tables(parts),
        pawbench=_PAW_INFERRED if pawbench is None else _PAW_IMPORTED.format(sha256=pawbench),
        views="\n\n".join(_columns(view, "one row a") for view in VIEWS.values()),
    )


def updated_card(card: str, parts: Parts) -> str:
    """The card with the present files and numbers of rows; every other word, and unknown YAML, stays as it is.

    What is renewed: `configs` in the YAML head, and the section `## Tables` where there is one.
    """
    head = re.match(r"---\n(.*?\n)---\n", card, re.DOTALL)
    fields = head[1] if head else ""
    listed = re.compile(r"^configs:.*\n(?:(?:[ \-#].*)?\n)*", re.MULTILINE)
    block = f"configs:\n{_configs(parts)}\n"
    fields = listed.sub(lambda _: block, fields, count=1) if listed.search(fields) else fields + block
    body = card[head.end() :] if head else card
    section = re.compile(r"(?<=^## Tables\n).*?(?=^## )", re.DOTALL | re.MULTILINE)
    return f"---\n{fields}---\n" + section.sub(lambda _: f"\n{_tables(parts)}\n\n", body, count=1)


def _configs(parts: Parts) -> str:
    return "\n".join(_config(name, list(parts[name])) for name in TABLES if name in parts)


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
