"""Many files, and a Hub that often fails: all arrive, or what is missing is named and a second run sends it.

    CALIBENCH_FILES=1000 python -m pytest -s tests/test_publish_faults.py

is the same with a thousand files.
"""

import os
import time

import pytest
from calibench_data.builders import build_tables
from calibench_data.release.manifest import read_release
from calibench_data.release.write import write_release
from test_revisions import rows_of

import calibench_data
from calibench_data import CalibenchError

REPO = "lab/data"
KIND = {"repo_type": "dataset"}
FILES = int(os.environ.get("CALIBENCH_FILES", "60"))


@pytest.fixture
def many(tmp_path):
    """A release of some hundred files: the embedded one, and small models of three files each."""
    tables = build_tables()
    number = 0
    while sum(map(len, tables.values())) + 2 < FILES:
        number += 1
        for name, rows in rows_of(f"m{number}", ["1", "2"]).items():
            tables[name] = {**tables[name], f"m{number}": rows}
    root = tmp_path / "many"
    write_release(root, tables, {"README.md": "# Many files\n"}, "1.0.0")
    return root


def inject(hub):
    """A tenth of all requests meets a fault."""
    for seed, kind in enumerate((429, 500, "drop", "slow")):
        hub.inject(
            kind, times=None, probability=0.1 / 4, seed=seed, retry_after=1 if kind == 429 else None, seconds=0.4
        )


def complete(hub, folder):
    """That the Hub holds the release, byte for byte, in one commit under its tag."""
    (tag,) = hub.api().list_repo_refs(REPO, **KIND).tags
    repo = hub.store.repos[REPO]
    files = repo.commits[tag.target_commit].files
    names = [file.path for file in read_release(folder).files] + ["release.json"]
    assert {name: files[name].content for name in names} == {name: (folder / name).read_bytes() for name in names}
    assert set(files) == {*names, ".gitattributes"}
    return len(names), len(list(repo.commits[tag.target_commit].history()))


def test_a_tenth_of_all_requests_fails(hub, many, capsys):
    inject(hub)
    runs, failed, began = 0, [], time.monotonic()
    while runs == len(failed) < 5:
        runs += 1
        try:
            calibench_data.publish(REPO, many, yes=True)
        except CalibenchError as error:
            failed.append(error)
    assert runs > len(failed), failed
    assert all(problem.place.startswith(REPO) for error in failed for problem in error.problems), failed
    took = time.monotonic() - began
    hit = sum(fault.hits for fault in hub.server.faults.asked)
    hub.server.faults.asked.clear()
    count, commits = complete(hub, many)
    assert commits == 2  # the first is that of the new repository
    assert hit > 0.03 * len(hub.log)
    with capsys.disabled():
        print(f"\n{count} files, {len(hub.log)} requests, {hit} with a fault: complete in run {runs}, {took:.0f} s")


def test_what_is_missing_is_named_and_a_second_run_sends_it(hub, many):
    """Three files that the Hub refuses as long as it is asked: they are named, all others arrive, and only once."""
    refused = sorted(many.glob("data/videos/m*.parquet"))[:3]
    digests = [file.sha256 for file in read_release(many).files if many / file.path in refused]
    hub.inject(400, path=f"/lfs/({'|'.join(digests)})$", method="PUT", times=None)
    with pytest.raises(CalibenchError) as caught:
        calibench_data.publish(REPO, many, yes=True)
    named = sorted(problem.place for problem in caught.value.problems)
    assert named == [f"{REPO}: {path.relative_to(many).as_posix()}" for path in refused]
    assert all("was not sent" in problem.found for problem in caught.value.problems)
    hub.server.faults.asked.clear()
    before = hub.requests["lfs-upload"]
    calibench_data.publish(REPO, many, yes=True)
    assert hub.requests["lfs-upload"] == before + 3
    complete(hub, many)


def test_a_hub_that_is_down_is_not_asked_for_every_file(hub, many):
    fault = hub.inject(400, path="/objects/batch", times=None)
    with pytest.raises(CalibenchError) as caught:
        calibench_data.publish(REPO, many, yes=True)
    assert 0 < fault.hits <= 15
    assert caught.value.total >= sum(path.suffix == ".parquet" for path in many.rglob("*"))
    assert "may be missing: the Hub failed too often to go on" in str(caught.value)
