"""The evidence of many videos: two at a time, each decoded once and remembered in the ledger."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from calibench_data.errors import CalibenchError, Problem

from .collection import Progress
from .evidence import EXTRACTION, Evidence, EvidenceStore, Kind
from .ledger import Ledger
from .video_decoding import VideoFacts, digest_of
from .video_files import VideoFile

WORKERS = 2


def extract_all(
    files: Sequence[VideoFile],
    kind_of: Callable[[str], Kind],
    store: EvidenceStore,
    ledger: Ledger,
    watch: Callable[[Progress], None] | None = None,
) -> dict[VideoFile, tuple[Evidence, VideoFacts]]:
    """The evidence of each video, of the kind that its scene asks, and the facts of its file.

    Raises CalibenchError with every video that cannot be read, when all were looked at.
    """

    def extract(video: VideoFile) -> tuple[Evidence, VideoFacts] | CalibenchError:
        kind = kind_of(video.scene)
        extraction = f"{kind}/{EXTRACTION}"
        kept = ledger.evidence(digest_of(video.path), extraction)
        if kept is not None and store.holds(kept[0]):
            return kept
        try:
            found = store.extract(video.path, kind)
        except CalibenchError as error:
            return error
        ledger.keep_evidence(extraction, *found)
        return found

    shown: dict[VideoFile, tuple[Evidence, VideoFacts]] = {}
    problems: list[Problem] = []
    begun = time.monotonic()
    pool = ThreadPoolExecutor(WORKERS)
    try:
        for number, (video, found) in enumerate(zip(files, pool.map(extract, files), strict=True), start=1):
            if isinstance(found, CalibenchError):
                problems += found.problems
            else:
                shown[video] = found
            if watch:
                watch(Progress(number, len(files), number, 0, 0.0, time.monotonic() - begun))
    finally:
        pool.shutdown(cancel_futures=True)
    if problems:
        raise CalibenchError(problems)
    return shown
