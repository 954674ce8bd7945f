"""The protocol of a submission, and in words how it differs from the benchmark's own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from calibench_data.queries.protocol import Protocol, Row, differences

from .protocols import digest, protocol_record
from .submission_settings import Settings

if TYPE_CHECKING:
    import polars as pl

_WORDS = {
    "attempts": "{} readings a video; the released outcomes have {}",
    "reader": "read by {}; the released outcomes by {}",
    "prompt_edition": "prompts of the {} edition; the released outcomes have the {} edition",
    "frame_edition": "frames of the {} edition; the released outcomes have the {} edition",
    "evidence": "the reader was shown something else than the last frame or the video that the protocol asks for",
}


def submitted_protocol(
    settings: Settings, votes: pl.DataFrame | None, protocol: Protocol
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The submission's row of `protocols`, and what makes its scores not comparable with the released ones."""
    read = set() if votes is None else {pair for pair in votes.select("scene", "prompt_sha256").iter_rows() if pair[1]}
    edition = settings["edition"]
    unlike = _other_prompts(edition, read, protocol)
    prompts = "other" if unlike else edition
    frames = settings["frames"] or edition
    held = [(scene, sha256) for (scene, one), sha256 in protocol.frames.items() if one == frames]
    worded = [(*key[:2], sha256) for key, sha256 in protocol.prompts.items() if key[2] == prompts]
    content = {"open": worded, "other": sorted(read)}.get(prompts)
    facts = {
        **protocol.own,
        "attempts": settings["attempts"],
        "reader": settings["reader"],
        "evidence": settings["evidence"],
        "frame_edition": frames,
        "frames_sha256": digest(held) if frames == "open" and held else None,
        "prompt_edition": prompts,
        "prompts_sha256": digest(content) if content else None,
    }
    row = protocol_record(protocol.benchmark, str(settings["name"]), facts)
    remarks = list(_remarks(row, protocol.own))
    if unlike:
        scenes = ", ".join(scene for scene in protocol.scenes if scene in unlike)
        remarks.append(f"other prompts than those of the {edition} edition: {scenes}")
    return row, tuple(remarks)


def _other_prompts(edition: str, read: set[tuple[str, str]], protocol: Protocol) -> set[str]:
    """The scenes whose votes name another reading prompt than that of the edition, where the release holds it."""
    known = {
        scene: sha256 for (scene, role, one), sha256 in protocol.prompts.items() if role == "reading" and one == edition
    }
    return {scene for scene, sha256 in read if scene in known and known[scene] != sha256}


def _remarks(row: Row, own: Row) -> Iterator[str]:
    for name, (found, released) in differences(row, own).items():
        if name in _WORDS:
            yield _WORDS[name].format(found, released)
