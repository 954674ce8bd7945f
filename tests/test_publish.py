"""`calibench publish` against the test Hub with the real client: complete, tagged for good, nothing lost."""

import shutil

import pytest
from calibench_data.release.manifest import read_release
from test_revisions import DIE, add

import calibench_data

REPO = "lab/data"
KIND = {"repo_type": "dataset"}


@pytest.fixture
def folder(built, tmp_path):
    return shutil.copytree(built, tmp_path / "repository")


@pytest.fixture
def publish(hub, folder):
    def publish(yes=True, **options):
        return calibench_data.publish(REPO, folder, yes=yes, **options)

    return publish


def tags(hub):
    return {tag.name: tag.target_commit for tag in hub.api().list_repo_refs(REPO, **KIND).tags}


def head(hub):
    return hub.api().repo_info(REPO, **KIND).sha


def test_a_dry_run_says_what_would_be_done_and_does_nothing(hub, folder, run):
    found = run("publish", "--repo", REPO, "--data", folder, env=hub.environment(), check=0)
    assert "new repository: lab/data" in found.stderr
    assert "new: data/outcomes/calibench.parquet" in found.stderr
    assert "new: release.json" in found.stderr
    assert "tag: v1.0.0" in found.stderr
    assert "nothing is written without --yes" in found.stderr
    assert hub.store.repos == {}


def test_published_once_then_what_changed(hub, folder, publish):
    publish()
    first = head(hub)
    assert tags(hub) == {"v1.0.0": first}
    assert [commit.title for commit in hub.api().list_repo_commits(REPO, **KIND)] == ["Version 1.0.0", "initial commit"]
    sent = hub.requests["lfs-upload"]
    again = publish()
    assert (again.files, again.tagged, again.commit) == ((), True, first)
    add(folder, "mine", DIE)
    dry = publish(yes=False)
    assert {file.path: file.change for file in dry.files} == {
        "README.md": "rewritten",
        "data/models/mine.parquet": "new",
        "data/outcomes/mine.parquet": "new",
        "data/videos/mine.parquet": "new",
        "release.json": "rewritten",
        "releases/1.0.0.json": "new",
    }
    assert head(hub) == first
    publish()
    assert tags(hub) == {"v1.0.0": first, "v1.1.0": head(hub)}
    assert hub.requests["lfs-upload"] == sent + 3
    held = set(hub.api().list_repo_files(REPO, **KIND))
    assert {"releases/1.0.0.json", *(file.path for file in read_release(folder).files)} <= held


def test_every_version_is_read_back(hub, folder, publish, run):
    publish()
    add(folder, "mine", DIE)
    publish()
    code = (
        "from datasets import load_dataset\n"
        "for revision in ('v1.0.0', 'v1.1.0'):\n"
        "    print(load_dataset('lab/data', 'outcomes', revision=revision, split='train').num_rows)\n"
    )
    first, second = map(int, hub.run(code).stdout.split())
    assert (first, second) == (calibench_data.load("outcomes").num_rows, first + 6)
    for revision, rows in (("1.0.0", first), ("v1.1.0", second)):
        assert calibench_data.load("outcomes", revision, REPO).num_rows == rows
        assert calibench_data.sql("SELECT count(*) FROM outcomes", REPO, revision).item() == rows
    asked = ("tables", "8", "--format", "json", "--revision", "1.0.0")
    before = sum(hub.requests.values())
    offline = run(*asked, "--data", REPO, env=hub.environment(offline=True), check=0).stdout
    assert offline == run(*asked, check=0).stdout
    assert sum(hub.requests.values()) == before
