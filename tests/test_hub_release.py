"""A release on the Hub, read with the real client: exactly the revision asked for, online and offline."""

import hashlib
import io
import json
import shutil

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from calibench_data.release.manifest import EMBEDDED
from huggingface_hub import CommitOperationAdd
from test_revisions import DIE, add

import calibench_data
from calibench_data import CalibenchError

COUNT = "SELECT count(*) AS n FROM models WHERE model = 'mine'"


@pytest.fixture
def published(hub, built, tmp_path):
    """`lab/data` with version 1.0.0, and 1.1.0 that has the model `mine` more; main is at the latter."""
    folder = shutil.copytree(built, tmp_path / "repository")
    api = hub.api()
    api.create_repo("lab/data", repo_type="dataset")
    for version, change in (("v1.0.0", lambda: None), ("v1.1.0", lambda: add(folder, "mine", DIE))):
        change()
        commit = api.upload_folder(repo_id="lab/data", repo_type="dataset", folder_path=folder)
        api.create_tag("lab/data", repo_type="dataset", tag=version, revision=commit.oid)
    return "lab/data"


@pytest.fixture
def ask(hub, published, run):
    def ask(*arguments, repo=published, check=0, **environment):
        return run(*arguments, "--data", repo, env=hub.environment(**environment), check=check)

    return ask


def count(found):
    return found.stdout.splitlines()[-1].strip() if found.stdout else None


def test_the_revision_asked_for_online_and_offline(ask):
    seen = {}
    for offline in (False, True):
        for revision in ("v1.0.0", "1.0.0", "v1.1.0", "main"):
            found = ask("sql", COUNT, "--format", "csv", "--revision", revision, offline=offline)
            seen[revision, offline] = count(found)
    assert seen == {
        (revision, offline): "0" if "1.0.0" in revision else "1"
        for revision in ("v1.0.0", "1.0.0", "v1.1.0", "main")
        for offline in (False, True)
    }


def test_a_revision_that_the_cache_lacks_is_never_another_one(ask):
    ask("sql", COUNT, "--revision", "v1.1.0")
    found = ask("sql", COUNT, "--revision", "v1.0.0", offline=True, check=1)
    assert "lab/data, revision v1.0.0: cannot be had: the Hub cannot be reached" in found.stderr
    assert found.stdout == ""


def test_what_is_not_there(ask, hub):
    found = ask("tables", "2", "--revision", "v9.9.9", check=1)
    assert "lab/data, revision v9.9.9: is not on the Hub" in found.stderr
    found = ask("tables", "2", repo="lab/none", check=1)
    assert "lab/none: is not on the Hub, or you may not see it" in found.stderr
    hub.api().create_repo("lab/empty", repo_type="dataset")
    found = ask("tables", "2", repo="lab/empty", check=1)
    assert "release.json" in found.stderr


def test_files_are_downloaded_once_and_the_tables_are_the_same(ask, hub, run):
    first = ask("tables", "8", "--format", "json", "--revision", "1.0.0")
    assert first.stdout == run("tables", "8", "--format", "json", check=0).stdout
    before = len([path for method, path, _ in hub.log if method == "GET" and ".parquet" in path])
    assert before > 0
    ask("tables", "8", "--revision", "1.0.0")
    after = len([path for method, path, _ in hub.log if method == "GET" and ".parquet" in path])
    assert after == before


def test_a_table_as_a_dataset(hub, published):
    code = (
        "import sys, calibench_data\n"
        "for revision in ('v1.0.0', 'v1.1.0'):\n"
        "    print(len(calibench_data.load('models', revision=revision, repo=sys.argv[1])))\n"
    )
    from pathlib import Path

    code = f"import sys; sys.path.insert(0, {str(Path(calibench_data.__file__).parent.parent)!r})\n" + code
    first, second = map(int, hub.run(code, published).stdout.split())
    assert second == first + 1


def test_plain_load_dataset_with_no_script(hub, published):
    code = (
        "from datasets import load_dataset\n"
        "for revision in ('v1.0.0', 'v1.1.0'):\n"
        "    print(load_dataset(sys.argv[1], 'models', revision=revision, split='train').num_rows)\n"
    )
    first, second = map(int, hub.run(code, published).stdout.split())
    assert second == first + 1


def test_a_revision_that_the_cache_holds_under_another_name(hub, published, monkeypatch):
    """`main` and `v1.1.0` are one commit; offline only the name it was asked for by is known, and no other is taken."""
    assert calibench_data.sql(COUNT, published).item() == 1
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    assert calibench_data.sql(COUNT, published).item() == 1
    for read in (calibench_data.connect, lambda *where: calibench_data.load("models", *where[::-1])):
        with pytest.raises(CalibenchError, match=r"revision v1\.1\.0: cannot be had: the Hub cannot be reached"):
            read(published, "v1.1.0")


def test_a_tag_that_is_not_there_and_one_at_another_version(hub, published):
    for revision in ("v9.9.9", "no-such-branch", "0" * 40):
        with pytest.raises(CalibenchError, match=f"lab/data, revision {revision}: is not on the Hub"):
            calibench_data.load("models", revision, published)
    (first,) = (tag for tag in hub.api().list_repo_refs(published, repo_type="dataset").tags if tag.name == "v1.0.0")
    hub.api().create_tag(published, repo_type="dataset", tag="v1.2.0", revision=first.target_commit)
    with pytest.raises(CalibenchError, match=r"gave version 1\.0\.0; allowed: version 1\.2\.0, which was asked for"):
        calibench_data.load("models", "1.2.0", published)


def test_a_repository_without_release_json(hub, published):
    hub.api().delete_file("release.json", published, repo_type="dataset")
    message = r"lab/data: has no release\.json: it is no release\. Name one that `calibench publish` made"
    for read in (calibench_data.connect, calibench_data.log, lambda repo: calibench_data.load("models", repo=repo)):
        with pytest.raises(CalibenchError, match=message):
            read(published)
    assert calibench_data.sql(COUNT, published, "v1.1.0").item() == 1


def replace(hub, repo, changes):
    """Put files into `main`, and a release.json whose digests are theirs: as a later version of the package would."""
    files = {path: file.content for path, file in hub.store.repos[repo].branches["main"].files.items()} | changes
    content = json.loads(files["release.json"])
    for entry in content["files"]:
        data = files[entry["path"]]
        entry |= {"sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
    del content["digest"]
    content |= changes.pop("content", {})
    digest = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    text = json.dumps({**content, "digest": digest}, indent=2, ensure_ascii=False) + "\n"
    operations = [CommitOperationAdd(path, data) for path, data in {**changes, "release.json": text.encode()}.items()]
    hub.api().create_commit(repo, operations, repo_type="dataset", commit_message="by other means")


def test_a_later_schema_version(hub, published):
    replace(hub, published, {"content": {"schema_version": 99}})
    message = r"schema version 99, but this package reads versions up to \d+; install a package as new as the data"
    for read in (calibench_data.connect, lambda repo: calibench_data.load("models", repo=repo)):
        with pytest.raises(CalibenchError, match=message):
            read(published)


def test_a_parquet_file_with_a_column_of_a_later_schema(hub, published):
    path = "data/models/calibench.parquet"
    rows = pq.read_table(EMBEDDED / path, partitioning=None)
    sink = io.BytesIO()
    pq.write_table(rows.append_column("mood", pa.array(["calm"] * len(rows))), sink)
    replace(hub, published, {path: sink.getvalue()})
    for read in (calibench_data.connect, lambda repo: calibench_data.load("models", repo=repo)):
        with pytest.raises(CalibenchError, match=r"models.*mood"):
            read(published)


def test_a_file_damaged_on_its_way_is_fetched_again(hub, published, monkeypatch):
    for path in ("release.json", "data/outcomes/calibench.parquet"):
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(hub.home / path.replace("/", "-")))
        fault = hub.inject("alter", path=f"/resolve/.*{path}", method="GET")
        assert calibench_data.sql("SELECT count(*) FROM outcomes", published).item() > 3000
        assert fault.hits == 1


def test_a_file_damaged_in_the_cache_is_told_offline_and_mended_online(hub, published, monkeypatch):
    (path,) = calibench_data.release.opening.open_release(published).parts()["labels"]
    path.resolve().write_bytes(path.read_bytes()[:-1] + b"?")
    with monkeypatch.context() as patch:
        patch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
        with pytest.raises(CalibenchError, match=r"labels/calibench\.parquet: has SHA-256"):
            calibench_data.connect(published)
    calibench_data.connect(published).close()
