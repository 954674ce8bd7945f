"""What a collection leaves in a submission folder: votes.csv, videos.csv and, for PAWBench, audits.csv."""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from calibench_data.errors import Problem

from .ledger import Kept, Key
from .paw_readout import FLAGS
from .video_decoding import VideoFacts
from .video_files import VideoFile
from .vote_file import LONGEST_REPLY

VOTES, VIDEOS, AUDITS, LEDGER = "votes.csv", "videos.csv", "audits.csv", "ledger.sqlite"
_PLACE = ("condition", "scene", "seed")
_MADE = ("prompt_sha256", "evidence_sha256", "asked_at")
_VOTE = (*_PLACE, "attempt", "status", "outcome", "reader", "reply", "error", *_MADE)
_VIDEO = (*_PLACE, "uri", "sha256", "bytes", "width", "height", "frames", "fps", "duration_s")
_OTHERS = tuple(f"{kind}{suffix}" for kind in ("votes", "outcomes") for suffix in (".csv", ".jsonl", ".parquet"))


def obstacles(folder: Path) -> list[Problem]:
    """Files of a folder that a collection would contradict or overwrite, though it did not write them."""
    do = "Move it elsewhere: the votes that are collected here become votes.csv."
    own = {VOTES} if (folder / LEDGER).exists() else set()
    return [
        Problem(str(folder / name), "is there already", "votes of this collection alone", do)
        for name in _OTHERS
        if name not in own and (folder / name).exists()
    ]


def write_votes(folder: Path, rows: Iterable[tuple[VideoFile, Key, Kept]], reader: str) -> None:
    """Write the votes, one row each, those that failed with their reason, and the audits where there are any."""
    votes: list[dict[str, Any]] = []
    audits: list[dict[str, Any]] = []
    for video, key, kept in rows:
        place = {"condition": video.condition, "scene": video.scene, "seed": video.seed, "attempt": key.attempt}
        votes.append(
            {
                **place,
                "status": kept.reading.status,
                "outcome": kept.reading.outcome,
                "reader": reader,
                "reply": (kept.call.reply or "")[:LONGEST_REPLY],
                "error": kept.reading.error,
                "prompt_sha256": key.prompt_sha256,
                "evidence_sha256": key.evidence_sha256,
                "asked_at": kept.call.asked_at,
            }
        )
        if kept.reading.audit:
            audits.append({**place, **kept.reading.audit})
    _write(folder / VOTES, _VOTE, votes)
    if audits:
        _write(folder / AUDITS, (*_PLACE, "attempt", *FLAGS), audits)


def write_videos(folder: Path, facts: Mapping[VideoFile, VideoFacts]) -> str:
    """Write the manifest of the videos, as the files are; addresses that stand in the one before are kept.

    Returns what was not done, in words; empty if all was.
    """
    for name in ("videos.jsonl", "videos.parquet"):
        if (folder / name).exists():
            return f"{folder / name} is there: {VIDEOS} is not written beside it"
    addresses: dict[tuple[str, ...], str] = {}
    path = folder / VIDEOS
    if path.exists():
        with path.open(encoding="utf-8-sig", newline="") as file:
            for row in csv.DictReader(file):
                addresses[row.get("condition") or "main", row.get("scene", ""), row.get("seed", "")] = row.get(
                    "uri", ""
                )
    rows = []
    for video, one in facts.items():
        row = {"condition": video.condition, "scene": video.scene, "seed": video.seed, **vars(one)}
        row["uri"] = addresses.get((video.condition, video.scene, str(video.seed)), "")
        rows.append(row)
    _write(path, _VIDEO, rows)
    return ""


def _write(path: Path, columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> None:
    """A whole file or the one before."""
    part = path.with_name(f".{path.name}.part")
    with part.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, columns)
        writer.writeheader()
        writer.writerows(rows)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
