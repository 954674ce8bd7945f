"""`calibench publish` against the test Hub with the real client: complete, tagged for good, nothing lost."""

import shutil

import pytest
from calibench_data.release import hub_errors
from calibench_data.release.manifest import read_release
from test_revisions import DIE, add

import calibench_data
from calibench_data import CalibenchError

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


def refuses(message, publish, hub):
    """That publishing is refused with this message, and nothing changes on the Hub."""
    before = tags(hub), head(hub)
    with pytest.raises(CalibenchError, match=message):
        publish()
    assert (tags(hub), head(hub)) == before


def test_a_tag_never_moves(hub, folder, publish):
    hub.api().create_repo(REPO, **KIND)
    hub.api().create_tag(REPO, tag="v1.0.0", **KIND)
    refuses(rf"tag v1\.0\.0: is at commit {head(hub)}, .* has no release\.json", publish, hub)
    hub.api().delete_tag(REPO, tag="v1.0.0", **KIND)
    publish()
    # Somebody set the next version's tag too early: it stays, and the version has to be another one.
    hub.api().create_tag(REPO, tag="v1.1.0", revision=head(hub), **KIND)
    add(folder, "mine", DIE)
    refuses(rf"tag v1\.1\.0: is at commit {head(hub)}, which holds another release", publish, hub)


def test_a_release_that_verify_rejects_is_not_published(hub, folder, publish):
    with (folder / "data/outcomes/calibench.parquet").open("ab") as file:
        file.write(b"x")
    with pytest.raises(CalibenchError, match=r"outcomes/calibench\.parquet: has \d+ bytes"):
        publish()
    assert hub.store.repos == {}


def test_a_version_of_others_is_not_lost(hub, built, folder, publish):
    add(folder, "theirs", DIE)
    publish()
    shutil.rmtree(folder)
    shutil.copytree(built, folder)
    refuses(r"holds version 1\.1\.0 .* publishing would lose; allowed: .* 1\.0\.0 \(", publish, hub)
    add(folder, "mine", DIE)
    refuses(r"holds version 1\.1\.0 ", publish, hub)


def test_somebody_faster_is_not_overwritten(hub, folder, publish, monkeypatch):
    publish()
    add(folder, "mine", DIE)
    from calibench_data.release import publish as module

    def send(api, repo, additions):
        hub.api().upload_file(path_or_fileobj=b"theirs", path_in_repo="notes.txt", repo_id=REPO, **KIND)

    monkeypatch.setattr(module, "send", send)
    with pytest.raises(CalibenchError, match="was changed by somebody else while this was sent"):
        publish()
    assert list(tags(hub)) == ["v1.0.0"]
    assert "notes.txt" in hub.api().list_repo_files(REPO, **KIND)


def test_files_changed_by_hand_are_not_lost(hub, folder, publish):
    publish()
    upload = hub.api().upload_file
    upload(path_or_fileobj=b"By hand.", path_in_repo="README.md", repo_id=REPO, **KIND)
    add(folder, "mine", DIE)
    refuses(r"lab/data: README\.md: was changed there by hand", publish, hub)
    hub.api().delete_file("data/labels/calibench.parquet", REPO, **KIND)
    refuses(r"labels/calibench\.parquet: was removed there by hand", publish, hub)


def test_a_repository_of_other_things(hub, publish):
    hub.api().create_repo(REPO, **KIND)
    hub.api().upload_file(path_or_fileobj=b"# Mine", path_in_repo="README.md", repo_id=REPO, **KIND)
    refuses(r"has no release\.json, and other files of the same names: README\.md", publish, hub)


@pytest.mark.parametrize("kind", ["lost", 500, 429, "drop"])
@pytest.mark.parametrize("path", ["/commit/main", "/tag/"])
def test_a_failed_commit_or_tag(hub, publish, kind, path, monkeypatch):
    monkeypatch.setattr(hub_errors, "WAITS_S", (0, 0))
    hub.inject(kind, path=path, method="POST")
    publish()
    assert tags(hub) == {"v1.0.0": head(hub)}
    assert len(hub.api().list_repo_commits(REPO, **KIND)) == 2


def test_stopped_before_the_tag_only_the_tag_is_set(hub, folder, publish):
    hub.inject(403, path="/tag/", method="POST")
    with pytest.raises(CalibenchError, match=r"tag v1\.0\.0: could not be set, though the files are there"):
        publish()
    commit, sent = head(hub), hub.requests["lfs-upload"]
    done = publish()
    assert (done.files, done.commit, tags(hub)) == ((), commit, {"v1.0.0": commit})
    assert hub.requests["lfs-upload"] == sent


def test_a_name_that_is_none(folder):
    with pytest.raises(CalibenchError, match="is no name of a Hub repository"):
        calibench_data.publish("data", folder)
