"""`export-inputs`: all that a generator script needs, as files, in the layout that a submission has."""

import hashlib
import json
import subprocess
import sys
from pathlib import Path

import authors_checkout
import pytest
from submissions import fill

import calibench_data
from calibench_data import CalibenchError

EXAMPLE = Path(calibench_data.__file__).parent.parent / "examples" / "diffusers_image_to_video.py"
SCENES = [
    scene
    for (scene,) in calibench_data.sql(
        "SELECT scene FROM scenes WHERE benchmark = 'calibench' ORDER BY position"
    ).rows()
]


def lines(folder):
    return [json.loads(line) for line in (folder / "jobs.jsonl").read_text("utf-8").splitlines()]


def files(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture(scope="module")
def exported(tmp_path_factory, run):
    """A folder that the command wrote; not to be changed."""
    folder = tmp_path_factory.mktemp("exported") / "inputs"
    run("export-inputs", folder, check=0)
    return folder


def test_a_job_for_each_seed_of_each_scene_and_its_files(exported):
    jobs = lines(exported)
    assert [(job["scene"], job["seed"]) for job in jobs] == [(scene, seed) for scene in SCENES for seed in range(32)]
    frames = dict(calibench_data.sql("SELECT scene, image.bytes FROM frames WHERE edition = 'open'").rows())
    prompts = {(s, r): t for s, r, t in calibench_data.sql("SELECT scene, role, text FROM prompts").rows()}
    for job in jobs:
        scene = job["scene"]
        assert job["edition"] == "open"
        assert (exported / job["frame"]).read_bytes() == frames[scene]
        assert hashlib.sha256(frames[scene]).hexdigest() == job["frame_sha256"]
        assert job["prompt"] == prompts[scene, "generation"]
        assert hashlib.sha256(job["prompt"].encode()).hexdigest() == job["prompt_sha256"]
        assert job["video"] == f"videos/{scene}/{job['seed']}.mp4"
        assert (exported / job["video"]).parent.is_dir()
    for (scene, role), text in prompts.items():
        assert (exported / "prompts" / f"{scene}.{role}.txt").read_bytes() == text.encode()
    assert len(files(exported)) == 9 + 18 + 1


def test_the_folder_becomes_a_submission(exported, tmp_path, run):
    folder = tmp_path / "mine"
    calibench_data.export_inputs(folder)
    assert files(folder) == files(exported)
    run("submit", "new", folder, "--model", "my-model", check=0)
    for job in lines(folder):
        (folder / job["video"]).write_bytes(b"a video")
    fill(folder)
    told = run("submit", "check", folder, check=0).stderr
    assert f"{folder}: no fault found" in told


def test_a_second_export_changes_nothing_and_keeps_the_videos(tmp_path):
    folder = tmp_path / "mine"
    calibench_data.export_inputs(folder)
    (folder / "videos" / "dice" / "0.mp4").write_bytes(b"a video")
    (folder / "jobs.jsonl").unlink()  # as if stopped before the end
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*.png")}
    calibench_data.export_inputs(folder)
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*.png")} == before
    assert len(lines(folder)) == 288
    assert (folder / "videos" / "dice" / "0.mp4").read_bytes() == b"a video"


def test_the_paper_edition_comes_from_a_repository_that_has_it(tmp_path, run):
    told = run("export-inputs", tmp_path / "none", "--edition", "paper", check=1).stderr
    assert "scene dice: has no frame of the edition paper" in told
    assert "--calibench-repo" in told
    assert "27 problems" in told
    assert not (tmp_path / "none").exists()
    release = tmp_path / "release"
    calibench_data.build(release, authors_checkout.write(tmp_path / "checkout"))
    folder = tmp_path / "paper"
    run("export-inputs", folder, "--edition", "paper", "--data", release, check=0)
    jobs = lines(folder)
    assert len(jobs) == 288
    assert {job["frame"] for job in jobs} == {
        f"frames/{scene}{Path(file).suffix}" for scene, (_, file) in authors_checkout.SCENES.items()
    }
    assert jobs[-1]["prompt"] == authors_checkout.words("roulette", "generation")
    # Editions are not mixed in one folder.
    told = run("export-inputs", folder, check=1).stderr
    assert "is there with other content" in told


def test_nothing_is_overwritten_or_written_elsewhere(tmp_path):
    folder = tmp_path / "mine"
    (folder / "prompts").mkdir(parents=True)
    (folder / "prompts" / "dice.reading.txt").write_text("my own", "utf-8")
    (folder / "jobs.jsonl").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CalibenchError) as caught:
        calibench_data.export_inputs(folder)
    assert [Path(problem.place).name for problem in caught.value.problems] == ["dice.reading.txt", "jobs.jsonl"]
    assert list(files(folder)) == ["prompts/dice.reading.txt"]
    (tmp_path / "outside").mkdir()
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "frames").symlink_to(tmp_path / "outside")
    (tmp_path / "file").write_text("", "utf-8")
    for place in ("other", "file"):
        with pytest.raises(CalibenchError, match="is no folder"):
            calibench_data.export_inputs(tmp_path / place)
    assert list((tmp_path / "outside").iterdir()) == []


def example(*options):
    done = subprocess.run(
        [sys.executable, str(EXAMPLE), *map(str, options)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_the_diffusers_example_up_to_the_call_of_the_pipeline(tmp_path):
    folder = tmp_path / "mine"
    jobs = calibench_data.export_inputs(folder)
    for seed in range(30):  # made already
        (folder / "videos" / "dice" / f"{seed}.mp4").write_bytes(b"a video")
    chosen = (
        "--scene",
        "dice",
        "--scene",
        "cards",
        "--size",
        "832x480",
        "--frames",
        "49",
        "--steps",
        "30",
        "--dry-run",
    )
    calls = example(folder, "--pipeline", "example/pipeline", *chosen)
    todo = [j for j in jobs if j.scene == "cards" or (j.scene == "dice" and j.seed >= 30)]
    assert len(todo) == 34
    assert [(one["video"], one["seed"]) for one in calls] == [(job.video, job.seed) for job in todo]
    for one, job in zip(calls, todo, strict=True):
        assert one["call"] == {
            "image": [832, 480],
            "prompt": job.prompt,
            "width": 832,
            "height": 480,
            "num_frames": 49,
            "num_inference_steps": 30,
        }
