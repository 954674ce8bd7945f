"""What the README says to type works as it stands there."""

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import authors_checkout
import pytest
from browser import served
from submissions import fill_settings, submission
from vlm.scenes import rollouts

import calibench_data

ROOT = Path(calibench_data.__file__).parent.parent
TEXT = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", TEXT, re.S)
COMMANDS = [
    shlex.split(part, comments=True)[1:]
    for language, block in BLOCKS
    if language == "sh" and "venv" not in block
    for line in block.splitlines()
    for part in line.split(" && ")
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory, built):
    """A folder in which a reader of the README stands: beside the release, with an outcomes file of the shown form."""
    path = tmp_path_factory.mktemp("reader")
    authors_checkout.write(path / "CaliBench")
    (path / "release").mkdir()
    (path / "release" / "dataset").symlink_to(built)
    (example,) = [block for language, block in BLOCKS if language == "csv"]
    (path / "outcomes.csv").write_text(example, "utf-8")
    return path


@pytest.mark.parametrize("arguments", COMMANDS, ids=lambda arguments: " ".join(arguments)[:40])
def test_commands(arguments, folder, run, model):
    if arguments[0] == "collect":  # beside the submission above, which has votes
        folder = folder / "videos"
        rollouts(folder / "my-folder", {"dice": ["1", "6"]}, 2)
    if arguments[:2] == ["submit", "check"]:
        fill_settings(folder / "my-folder")
    if arguments[0] == "label":
        (folder / "my-folder" / "videos" / "dice").mkdir(parents=True)
        (folder / "my-folder" / "videos" / "dice" / "0.mp4").write_bytes(b"a video")
        with served(*arguments[1:], cwd=folder):
            return
    *words, into = arguments if arguments[-2:-1] == [">"] else [*arguments, ">", None]
    done = run(*words[:-1], cwd=folder, check=0)
    if into:
        (folder / into).write_text(done.stdout, "utf-8")


def test_commands_for_the_hub(folder, run, hub):
    """The blocks marked `bash`, in their order, with a merge of the pull request; then the Python block for the Hub."""
    submission(folder / "my-folder-2", "model-2")
    if not (folder / "my-release").exists():
        calibench_data.build(folder / "my-release")
    for line in (line for language, block in BLOCKS if language == "bash" for line in block.splitlines()):
        program, *arguments = shlex.split(line.replace("my-folder", "my-folder-2"), comments=True)
        if program == "calibench":
            run(*arguments, cwd=folder, env=hub.environment(), check=0)
        else:
            hub.api().merge_pull_request("my-org/calibench", 1, repo_type="dataset")
            client = Path(sys.executable).with_name(program)
            subprocess.run([client, *arguments], cwd=folder, env=hub.environment(), capture_output=True, check=True)
    refs = hub.api().list_repo_refs("my-org/calibench", repo_type="dataset")
    assert len(refs.tags) >= 2
    (block,) = (block for language, block in BLOCKS if language == "python" and "my-org/" in block)
    hub.run(f"import sys; sys.path.insert(0, {str(ROOT)!r})\n{block}")
    assert refs.branches[0].target_commit in {tag.target_commit for tag in refs.tags}


def test_python(folder):
    code = "\n".join(block for language, block in BLOCKS if language == "python" and "my-org/" not in block)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HF_HUB_OFFLINE": "1", "HF_HOME": str(folder / "cache")}
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


def test_every_verb_is_in_the_readme():
    from calibench_data.cli import cli

    for name in cli.commands:
        assert f"calibench {name}" in TEXT


def test_the_two_commands_of_ci_are_there():
    for mark in ("<!-- ci: main job -->", "<!-- ci: tests -->"):
        assert re.search(re.escape(mark) + r"\n```sh\npython3 -m venv .+\n```", TEXT)
