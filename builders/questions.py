"""What a reader is asked of a scene: the evidence, the prompt, and how its replies are parsed."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import duckdb

from calibench_data.errors import CalibenchError, Problem

from .collection import Parse
from .evidence import Kind
from .paw_readout import parse_paw, paw_prompt
from .reply_parsing import parse_outcome

_KINDS: Mapping[str, Kind] = {"final-frame": "last-frame", "video": "video"}


@dataclass(frozen=True)
class Question:
    """The question of a scene. rollouts: of a cell in condition main."""

    scene: str
    kind: Kind
    rollouts: int
    outcomes: tuple[str, ...]
    prompt: str
    prompt_sha256: str
    parse: Parse


def questions(
    connection: duckdb.DuckDBPyConnection, benchmark: str, edition: str, kind: Kind | None = None
) -> dict[str, Question]:
    """The questions of a benchmark by scene, in its order.

    edition: whose reading prompts; those of PAWBench are the package's own, made from the scene's title and outcomes,
    the same for every model. kind: another evidence than the protocol's: the last frame or the whole video, as the
    scene's readout says; sampled frames for PAWBench. Raises CalibenchError where a scene has no prompt.
    """
    rows = connection.execute(
        "SELECT s.scene, s.title, s.readout, s.rollouts, s.outcomes, p.text FROM scenes s LEFT JOIN prompts p "
        "ON p.benchmark = s.benchmark AND p.scene = s.scene AND p.role = 'reading' AND p.edition = $2 "
        "WHERE s.benchmark = $1 ORDER BY s.position NULLS LAST, s.scene",
        [benchmark, edition],
    ).fetchall()
    if not rows:
        raise CalibenchError([Problem(benchmark, "has no scenes in this release")])
    found, problems = {}, []
    for scene, title, readout, rollouts, outcomes, text in rows:
        if benchmark == "pawbench":
            text, parse = paw_prompt(title, outcomes), partial(parse_paw, outcomes=outcomes)
            protocol: Kind = "frames"
        else:
            parse, protocol = partial(parse_outcome, outcomes=outcomes), _KINDS[readout]
        if text is None:
            do = "Choose another --edition, or a release that has it with --data."
            problems.append(Problem(f"scene {scene}", f"has no reading prompt of the edition {edition}", do=do))
            continue
        digest = hashlib.sha256(text.encode()).hexdigest()
        found[scene] = Question(scene, kind or protocol, rollouts, tuple(outcomes), text, digest, parse)
    if problems:
        raise CalibenchError(problems)
    return found


def rollouts_of(connection: duckdb.DuckDBPyConnection, benchmark: str) -> dict[str, int | None]:
    """The conditions of a benchmark and how many rollouts their cells have; None: as many as the scene asks."""
    return dict(
        connection.execute("SELECT condition, rollouts FROM conditions WHERE benchmark = ?", [benchmark]).fetchall()
    )
