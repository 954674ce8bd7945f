"""PAWBench's readout: the outcome, and an audit of whether to trust the video, which never changes the outcome."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from .reply_parsing import Reading, parse_outcome

FLAGS = {
    "action": "the action that was asked for is carried out, once",
    "continuity": "objects keep their identity, number and shape",
    "process": "what happens in between is physically possible",
}
ANSWERS = ("ok", "violated", "unclear")
_MISSING = "missing"
_KEY = "outcome"


def paw_prompt(title: str, outcomes: Sequence[str]) -> str:
    """The prompt for a scene: blind to model and file, the same for every video of the scene.

    title: what the scene shows, in words. outcomes: its outcome set, in order.
    """
    flags = "\n".join(f'- "{name}": {meaning}' for name, meaning in FLAGS.items())
    example = json.dumps({_KEY: "...", **dict.fromkeys(FLAGS, "...")})
    return f"""You are shown frames of one video in the order of time, each after a line that says when it is. \
The last frame is the end of the video. The scene: {title}.

First decide how the video ends. The possible outcomes are
{chr(10).join(f"- {outcome}" for outcome in outcomes)}
Answer null if the video ends before there is an outcome, if it shows none of these, or if you cannot tell which.

Then judge three things apart from that. They have no influence on the outcome: an outcome counts also where the way \
to it is wrong.
{flags}
Say "ok", "violated" or "unclear" for each.

Your whole answer is one JSON object, and nothing else:
{example}
"outcome" is one of the outcomes above, letter by letter, or null."""


def parse_paw(reply: str, outcomes: Sequence[str]) -> Reading:
    """The outcome of a two-part reply and its audit.

    A faulty audit is noted as such and costs no outcome, and the other way round: the outcome is also taken from JSON
    that was cut off behind it.
    """
    whole = _whole(reply)
    stated = whole if whole is not None else dict(_pairs(reply))
    audit = {name: _answer(stated.get(name)) for name in FLAGS}
    if _KEY not in stated:
        if "{" in reply or whole is not None:
            return Reading("error", error="no outcome in the JSON of the reply", audit=audit)
        bare = parse_outcome(reply, outcomes)  # the outcome alone, without its audit
        return Reading(bare.status, bare.outcome, bare.error, audit)
    given = stated[_KEY]
    if given is None:
        return Reading("null", audit=audit)
    if not isinstance(given, str | int) or isinstance(given, bool):
        return Reading("error", error=f"the outcome is no text: {given!r}", audit=audit)
    read = parse_outcome(str(given), outcomes)
    return Reading(read.status, read.outcome, read.error, audit)


def _whole(reply: str) -> dict[str, Any] | None:
    """The reply's JSON object, where it is one, with or without a fence around it."""
    text = re.sub(r"^\s*```(?:json)?\s*|\s*```\s*$", "", reply)
    start, end = text.find("{"), text.rfind("}")
    doubled: list[str] = []

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        doubled.extend(key for key, _ in pairs if [name for name, _ in pairs].count(key) > 1)
        return dict(pairs)

    try:
        found = json.loads(text[start : end + 1], object_pairs_hook=once)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) and _KEY not in doubled else {}


def _pairs(reply: str) -> Iterator[tuple[str, Any]]:
    """The complete pairs of JSON that is damaged: of text or null, closed by a comma or brace."""
    for name in (_KEY, *FLAGS):
        found = re.findall(rf'"{name}"\s*:\s*(null|"(?:[^"\\]|\\.)*")\s*[,}}]', reply)
        if len(found) == 1:
            yield name, json.loads(found[0], strict=False)


def _answer(value: Any) -> str:
    text = value.casefold().strip() if isinstance(value, str) else ""
    return text if text in ANSWERS else _MISSING
