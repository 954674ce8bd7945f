"""A release on the Hub, read with the real client: exactly the revision asked for, online and offline."""

import shutil

import pytest
from test_revisions import DIE, add

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

    import calibench_data

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
