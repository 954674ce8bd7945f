"""`submit open` and `withdraw` with a Hub repository as the target: one pull request, whatever the network does."""

import shutil

import pytest
from calibench_data.release import hub_errors
from calibench_data.release.hub_target import HubTarget
from calibench_data.release.landing import land
from calibench_data.release.local import LocalTarget
from calibench_data.release.revise import add_part
from submissions import submission
from test_revisions import DIE, card, rows_of

import calibench_data
from calibench_data import CalibenchError

REPO = "lab/data"
KIND = {"repo_type": "dataset"}


@pytest.fixture
def folder(tmp_path):
    return submission(tmp_path / "mine")


@pytest.fixture
def published(hub, built):
    calibench_data.publish(REPO, built, yes=True)
    return hub


def open_it(folder, yes=True):
    return calibench_data.open_submission(folder, REPO, yes)


def pulls(hub):
    return [one for one in hub.api().get_repo_discussions(REPO, **KIND) if one.is_pull_request]


def test_a_dry_run_opens_nothing(published, folder, run):
    before = len(published.log)
    found = run("submit", "open", folder, "--to", REPO, env=published.environment(), check=0)
    assert "new: data/votes/my-model.parquet" in found.stderr
    assert "My Model 1.0 enters at place" in found.stderr
    assert "version 1.0.0 -> 1.1.0; nothing is written without --yes" in found.stderr
    assert {method for method, _, _ in published.log[before:]} <= {"GET", "HEAD"}
    assert pulls(published) == []


def test_from_a_pull_request_to_a_version_and_back(published, folder, tmp_path, monkeypatch):
    hub = published
    before = calibench_data.sql("SELECT * FROM cells ORDER BY ALL", REPO)
    # Who may not write may open a pull request.
    with monkeypatch.context() as patch:
        patch.setenv("HF_TOKEN", hub.reader_token)
        opened = open_it(folder)
    (pull,) = pulls(hub)
    assert opened.landed == pull.url
    assert (pull.title, pull.author, pull.status) == ("Add my-model", "reader", "open")
    text = hub.api().get_discussion_details(REPO, pull.num, **KIND).events[0].content
    assert "Adds My Model 1.0 by Example Lab to version 1.0.0" in text
    assert "My Model 1.0 (submitted)" in text
    assert "data/votes/my-model.parquet" in text
    count = "SELECT count(*) FROM votes JOIN videos USING (video) WHERE model = 'my-model'"
    assert calibench_data.sql(count, REPO, "refs/pr/1").item() == 288 * 3
    assert calibench_data.sql(count, REPO).item() == 0

    # The owner merges it, and publishes what then is there: only the tag is new.
    hub.api().merge_pull_request(REPO, 1, **KIND)
    merged = tmp_path / "merged"
    hub.api().snapshot_download(REPO, **KIND, local_dir=merged)
    assert calibench_data.verify(merged) == []
    done = calibench_data.publish(REPO, merged, yes=True)
    assert (done.files, done.tag, done.tagged) == ((), "v1.1.0", False)
    assert calibench_data.sql(count, REPO, "v1.1.0").item() == 288 * 3
    assert [one.version for one in calibench_data.log(REPO)] == ["1.1.0", "1.0.0"]

    out = calibench_data.withdraw("my-model", REPO, yes=True)
    assert (out.version, out.landed) == ("1.2.0", pulls(hub)[0].url)
    assert pulls(hub)[0].title == "Withdraw my-model"
    assert calibench_data.sql("SELECT * FROM cells ORDER BY ALL", REPO, "refs/pr/2").equals(before)


def made(name):
    """Parent -> the revision that adds a model of this name: as a submission does, without its scores."""
    return lambda parent: add_part(parent, name, rows_of(name, DIE), card, f"Add {name}")


@pytest.mark.parametrize(("kind", "commits"), [("lost", 1), (500, 2), (429, 2), ("drop", 2)])
def test_a_failed_commit_opens_one_pull_request(published, kind, commits):
    before = published.requests["commit"]
    published.inject(kind, path="/commit/main")
    _, landed = land(HubTarget(REPO), made("mine"))
    assert landed == f"{published.endpoint}/datasets/{REPO}/discussions/1"
    assert published.requests["commit"] == before + commits
    # Asked for again, the same revision finds it.
    assert land(HubTarget(REPO), made("mine"))[1] == f"{landed} (open already)"
    assert len(pulls(published)) == 1


def test_a_hub_that_goes_on_failing_is_told(published, monkeypatch):
    monkeypatch.setattr(hub_errors, "WAITS_S", (0, 0))
    published.inject(500, path="/commit/main", times=None)
    with pytest.raises(CalibenchError, match="lab/data: no pull request was opened: Server error '500 "):
        land(HubTarget(REPO), made("mine"))
    assert pulls(published) == []


def test_a_target_that_moved_meanwhile(published, built, tmp_path):
    """Another version is published between the reading and the commit: the revision is made again upon that."""
    other = shutil.copytree(built, tmp_path / "other")
    land(LocalTarget(other), made("theirs"))
    parents = []

    def meanwhile(parent):
        parents.append(parent.dataset_version)
        revision = made("mine")(parent)
        if len(parents) == 1:
            calibench_data.publish(REPO, other, yes=True)
        return revision

    land(HubTarget(REPO), meanwhile)
    assert parents == ["1.0.0", "1.1.0"]
    (pull,) = pulls(published)
    assert {"mine", "theirs"} <= set(calibench_data.load("models", f"refs/pr/{pull.num}", REPO)["model"])


def test_of_two_that_are_open_the_second_is_told_by_the_hub(published):
    land(HubTarget(REPO), made("mine"))
    land(HubTarget(REPO), made("theirs"))
    published.api().merge_pull_request(REPO, 1, **KIND)
    details = published.api().get_discussion_details(REPO, 2, **KIND)
    assert "release.json" in details.conflicting_files
    assert "close it, and run the same command again" in details.events[0].content


def test_without_repository_release_right_or_token(hub, folder, built, run, monkeypatch):
    with pytest.raises(CalibenchError, match=f"{REPO}: is not on the Hub, or you may not see it"):
        open_it(folder)
    hub.api().create_repo(REPO, **KIND)
    with pytest.raises(CalibenchError, match=rf"{REPO}: has no release\.json: it is no release"):
        open_it(folder, yes=False)
    monkeypatch.setenv("HF_TOKEN", hub.reader_token)
    with pytest.raises(CalibenchError, match=f"{REPO}: nothing was sent: your token does not allow it"):
        calibench_data.publish(REPO, built, yes=True)
    with pytest.raises(CalibenchError, match="lab/new: cannot be made: your token does not allow it"):
        calibench_data.publish("lab/new", built, yes=True)
    found = run("publish", "--repo", "lab/new", "--yes", env=hub.environment(token="hf_wrong"), check=1)
    assert "the Hub does not know you" in found.stderr
    assert list(hub.store.repos) == [REPO]


def test_a_card_edited_by_hand_on_the_hub(published, folder):
    published.api().upload_file(path_or_fileobj=b"By hand.", path_in_repo="README.md", repo_id=REPO, **KIND)
    with pytest.raises(CalibenchError, match=r"lab/data: README\.md: has 8 bytes; .* changed there by hand"):
        open_it(folder)
    assert pulls(published) == []
    # Who reads needs no card: the rows are those that were released.
    assert calibench_data.load("outcomes", repo=REPO).num_rows == calibench_data.load("outcomes").num_rows
