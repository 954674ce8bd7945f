"""What a generator script needs to make the videos of a benchmark, as files."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibench_data.errors import CalibenchError, Problem, quoted
from calibench_data.queries.protocol import read_protocol
from calibench_data.release.writing import write_synced

from .database import connect

if TYPE_CHECKING:
    import duckdb

BENCHMARK, CONDITION = "calibench", "main"
JOBS = "jobs.jsonl"
_NAME = re.compile(r"[a-z0-9_]+")
_SUFFIXES = {b"\x89PNG": ".png", b"\xff\xd8\xff": ".jpg"}


@dataclass(frozen=True)
class Job:
    """One video to make: from this picture and this prompt, with this seed, to this file. Paths are from the folder."""

    scene: str
    seed: int
    edition: str
    frame: str
    prompt: str
    video: str
    frame_sha256: str
    prompt_sha256: str


def export_inputs(
    folder: str | Path, edition: str = "open", repo: str | Path | None = None, revision: str | None = None
) -> list[Job]:
    """Write frames, prompts and the list of jobs to a folder, new or one in which the same was written before.

    In it: `jobs.jsonl`, one Job a line and written last; `frames/SCENE.png` (or .jpg); `prompts/SCENE.generation.txt`
    and `.reading.txt`; and `videos/SCENE/`, where the video of each seed is to be put as `SEED.mp4`. The folder can
    then become a submission: `submission.toml` and the votes go beside these.

    edition: `open` or `paper`, the latter only from a repository that has it. Raises CalibenchError where a frame or
    prompt is missing, a file to be written is there with other content, and as `connect` does; nothing is written then.
    """
    root = Path(folder)
    with connect(repo, revision) as connection:
        jobs, files = _inputs(connection, edition)
    files[JOBS] = "".join(json.dumps(asdict(job), ensure_ascii=False) + "\n" for job in jobs).encode()
    problems = list(_obstacles(root, files))
    if problems:
        raise CalibenchError(problems)
    for name, data in files.items():
        if not (root / name).exists():
            part = root / f"{name}.part"
            write_synced(part, data)
            part.replace(root / name)
    for job in jobs:
        (root / job.video).parent.mkdir(parents=True, exist_ok=True)
    return jobs


def _inputs(connection: duckdb.DuckDBPyConnection, edition: str) -> tuple[list[Job], dict[str, bytes]]:
    """The jobs, and the content of the files that they name."""
    protocol = read_protocol(connection, BENCHMARK)
    chosen = "FROM {} WHERE benchmark = ? AND edition = ?"
    frames = connection.execute(f"SELECT scene, image.bytes, sha256 {chosen.format('frames')}", [BENCHMARK, edition])
    pictures = {scene: (data, sha256) for scene, data, sha256 in frames.fetchall()}
    rows = connection.execute(f"SELECT scene, role, text, sha256 {chosen.format('prompts')}", [BENCHMARK, edition])
    prompts = {(scene, role): (text, sha256) for scene, role, text, sha256 in rows.fetchall()}
    if problems := list(_missing(edition, protocol.scenes, pictures, prompts)):
        raise CalibenchError(problems)
    jobs, files = [], dict[str, bytes]()
    for scene in protocol.scenes:
        picture, frame_sha256 = pictures[scene]
        frame = f"frames/{scene}{_suffix(picture)}"
        files[frame] = picture
        for role in ("generation", "reading"):
            files[f"prompts/{scene}.{role}.txt"] = prompts[scene, role][0].encode()
        text, prompt_sha256 = prompts[scene, "generation"]
        jobs += [
            Job(scene, seed, edition, frame, text, f"videos/{scene}/{seed}.mp4", frame_sha256, prompt_sha256)
            for seed in range(protocol.rollouts(CONDITION, scene))
        ]
    return jobs, files


def _missing(
    edition: str,
    scenes: Mapping[str, Any],
    pictures: Mapping[str, tuple[bytes, str]],
    prompts: Mapping[tuple[str, str], Any],
) -> Iterator[Problem]:
    do = "`calibench build --out my-release --calibench-repo CHECKOUT` imports it; then give --data my-release."
    for scene in scenes:
        if not _NAME.fullmatch(scene):
            yield Problem(f"scene {quoted(scene)}", "is no name of a file", "lower-case letters, digits and _")
        if scene not in pictures:
            yield Problem(
                f"scene {scene}", f"has no frame of the edition {edition}", do=do if edition == "paper" else ""
            )
        elif not _suffix(pictures[scene][0]):
            yield Problem(f"scene {scene}", "has a frame that is neither PNG nor JPEG")
        for role in ("generation", "reading"):
            if (scene, role) not in prompts:
                yield Problem(f"scene {scene}", f"has no {role} prompt of the edition {edition}")


def _suffix(picture: bytes) -> str:
    return next((suffix for start, suffix in _SUFFIXES.items() if picture.startswith(start)), "")


def _obstacles(root: Path, files: Mapping[str, bytes]) -> Iterator[Problem]:
    """What stands where a file is to be written, and is not that file."""
    if root.exists() and not root.is_dir():
        yield Problem(str(root), "is no folder", "a folder, new or empty")
        return
    for name in ("frames", "prompts", "videos"):
        path = root / name
        if path.is_symlink() or (path.exists() and not path.is_dir()):
            yield Problem(str(path), "is no folder of this folder's own", "a folder, or nothing")
            return
    for name, data in files.items():
        path = root / name
        if path.is_symlink() or (path.exists() and not (path.is_file() and path.read_bytes() == data)):
            do = "Choose another folder, or remove it."
            yield Problem(str(path), "is there with other content", "a folder for one edition", do)
