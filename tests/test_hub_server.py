"""The test server answers the real clients as the Hub does, as far as they can tell."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hub.faults import Fault
from hub.storage import Repo
from huggingface_hub import CommitOperationAdd, CommitOperationDelete, HfFileSystem
from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError, RepositoryNotFoundError, RevisionNotFoundError

ID = "org/name"
CARD = "---\nconfigs:\n- config_name: outcomes\n  data_files: data/outcomes/*.parquet\n---\n# A card\n"
KIND = {"repo_type": "dataset"}
FETCH = """
from huggingface_hub import hf_hub_download
print(hf_hub_download("org/name", sys.argv[2], repo_type="dataset", revision=sys.argv[1]))
"""
LOAD = """
import json
from datasets import load_dataset
for revision in sys.argv[1:]:
    print(json.dumps(load_dataset("org/name", "outcomes", revision=revision, split="train").to_dict()["outcome"]))
"""


def parquet(*outcomes):
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table({"outcome": list(outcomes)}), sink)
    return sink.getvalue().to_pybytes()


def add(path, content):
    return CommitOperationAdd(path, content if isinstance(content, bytes) else content.encode())


def commit(api, *operations, **options):
    return api.create_commit(ID, list(operations), commit_message="words", **KIND, **options)


def fetch(hub, path, **options):
    return Path(hub.api().hf_hub_download(ID, path, cache_dir=hub.home, **KIND, **options)).read_bytes()


def refused(status, call, *args, **kwargs):
    with pytest.raises(HfHubHTTPError) as caught:
        call(*args, **kwargs)
    assert caught.value.response.status_code == status
    return str(caught.value)


@pytest.fixture
def api(hub):
    api = hub.api()
    api.create_repo(ID, **KIND)
    return api


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "folder"
    (folder / "data" / "outcomes").mkdir(parents=True)
    (folder / "README.md").write_text(CARD)
    (folder / "data" / "outcomes" / "one.parquet").write_bytes(parquet("left", "right"))
    return folder


def test_each_tag_loads_its_own_rows_and_the_cache_serves_them_offline(hub, api, folder):
    first = api.upload_folder(repo_id=ID, folder_path=folder, **KIND)
    api.create_tag(ID, tag="v1.0.0", revision=first.oid, **KIND)
    (folder / "data" / "outcomes" / "two.parquet").write_bytes(parquet("up"))
    second = api.upload_folder(repo_id=ID, folder_path=folder, **KIND)
    api.create_tag(ID, tag="v1.1.0", revision=second.oid, **KIND)
    pull = commit(api, add("data/outcomes/three.parquet", parquet("down")), create_pr=True)
    assert pull.pr_revision == "refs/pr/1"
    online = hub.run(LOAD, "v1.0.0", "v1.1.0", "refs/pr/1").stdout.splitlines()
    rows = [json.loads(line) for line in online]
    assert [sorted(row) for row in rows] == [
        ["left", "right"],
        ["left", "right", "up"],
        ["down", "left", "right", "up"],
    ]
    before = sum(hub.requests.values())
    # Not load_dataset: offline, with several revisions cached, it forgets which was asked for.
    path = hub.run(FETCH, "v1.0.0", "data/outcomes/one.parquet", offline=True).stdout.strip()
    assert pq.read_table(path)["outcome"].to_pylist() == ["left", "right"]
    assert sum(hub.requests.values()) == before


def test_offline_load_of_the_only_revision_in_the_cache(hub, api, folder):
    api.upload_folder(repo_id=ID, folder_path=folder, **KIND)
    api.create_tag(ID, tag="v1.0.0", **KIND)
    assert hub.run(LOAD, "v1.0.0").stdout == hub.run(LOAD, "v1.0.0", offline=True).stdout == '["left", "right"]\n'


def test_repository_and_its_files(hub, api):
    url = api.create_repo(ID, exist_ok=True, **KIND)
    assert str(url) == f"{hub.endpoint}/datasets/{ID}"
    refused(409, api.create_repo, ID, **KIND)
    assert api.whoami()["name"] == "writer"
    made = commit(api, add("README.md", CARD), add("a/b/x.parquet", b"x" * 7), add("a/y.txt", "y\n"))
    info = api.dataset_info(ID, files_metadata=True)
    assert info.sha == made.oid
    sizes = {each.rfilename: (each.size, bool(each.lfs)) for each in info.siblings}
    assert sizes["a/b/x.parquet"] == (7, True)
    assert sizes["a/y.txt"] == (2, False)
    listed = list(api.list_repo_tree(ID, "a", recursive=True, expand=True, **KIND))
    assert [each.path for each in listed] == ["a/b", "a/b/x.parquet", "a/y.txt"]
    assert listed[2].blob_id == "975fbec8256d3e8a3797e7a3611380f27c49f4ac"  # printf 'y\n' | git hash-object --stdin
    assert listed[2].last_commit.oid == made.oid
    assert [each.path for each in api.list_repo_tree(ID, "a", **KIND)] == ["a/b", "a/y.txt"]
    assert [each.path for each in api.get_paths_info(ID, ["a", "none", "README.md"], **KIND)] == ["a", "README.md"]
    commit(api, CommitOperationDelete("a/b/", is_folder=True), CommitOperationDelete("README.md"))
    assert api.list_repo_files(ID, **KIND) == [".gitattributes", "a/y.txt"]
    with pytest.raises(RepositoryNotFoundError):
        api.dataset_info("org/other")
    with pytest.raises(RevisionNotFoundError):
        api.dataset_info(ID, revision="v9")
    with pytest.raises(EntryNotFoundError):
        list(api.list_repo_tree(ID, "none", **KIND))
    with pytest.raises(EntryNotFoundError):
        api.hf_hub_download(ID, "none", cache_dir=hub.home, **KIND)


def test_lists_come_in_pages(hub, api):
    commit(api, *(add(f"{number}.txt", str(number)) for number in range(5)))
    commit(api, add("5.txt", "5"))
    api.create_discussion(ID, "First", **KIND)
    api.create_discussion(ID, "Second", **KIND)
    hub.store.page_size = 2
    for name in ("tree", "commits", "discussions"):
        hub.requests[name] = 0
    assert len(api.list_repo_files(ID, **KIND)) == 7
    assert [each.title for each in api.list_repo_commits(ID, **KIND)] == ["words", "words", "initial commit"]
    hub.store.page_size = 1
    assert [each.title for each in api.get_repo_discussions(ID, **KIND)] == ["Second", "First"]
    assert (hub.requests["tree"], hub.requests["commits"], hub.requests["discussions"]) == (4, 2, 2)


def test_tags_and_branches(api):
    made = commit(api, add("a.txt", "a"))
    api.create_tag(ID, tag="v1.0.0", revision=made.oid, **KIND)
    moved = commit(api, add("a.txt", "b"))
    refused(409, api.create_tag, ID, tag="v1.0.0", revision=moved.oid, **KIND)
    api.create_tag(
        ID, tag="v1.0.0", revision=moved.oid, exist_ok=True, **KIND
    )  # the client says nothing, the tag stays
    (tag,) = api.list_repo_refs(ID, **KIND).tags
    assert (tag.name, tag.ref, tag.target_commit) == ("v1.0.0", "refs/tags/v1.0.0", made.oid)
    refused(400, commit, api, add("a.txt", "c"), revision="v1.0.0")
    api.delete_tag(ID, tag="v1.0.0", **KIND)
    refused(404, api.delete_tag, ID, tag="v1.0.0", **KIND)
    api.create_branch(ID, branch="try/one", revision=made.oid, **KIND)
    refused(409, api.create_branch, ID, branch="try/one", **KIND)
    tried = commit(api, add("a.txt", "tried"), revision="try/one", parent_commit=made.oid)
    heads = {each.name: each.target_commit for each in api.list_repo_refs(ID, **KIND).branches}
    assert heads == {"main": moved.oid, "try/one": tried.oid}
    api.delete_branch(ID, branch="try/one", **KIND)
    assert [each.name for each in api.list_repo_refs(ID, **KIND).branches] == ["main"]


def test_a_stale_parent_is_refused_and_nothing_changes(api):
    first = commit(api, add("a.txt", "a"))
    second = commit(api, add("a.txt", "b"), parent_commit=first.oid[:7])
    refused(412, commit, api, add("a.txt", "c"), parent_commit=first.oid)
    refused(412, commit, api, add("a.txt", "c"), parent_commit="0" * 40)
    assert api.dataset_info(ID).sha == second.oid


@pytest.mark.parametrize("large", [False, True])
def test_of_two_concurrent_commits_with_one_parent_one_lands(hub, api, large, monkeypatch):
    parent = commit(api, add("a.txt", "a")).oid
    store = Repo.add

    def slowly(*args):  # between the look at the parent and the change: without a lock both would pass
        time.sleep(0.2)
        return store(*args)

    monkeypatch.setattr(Repo, "add", slowly)

    def attempt(number):
        try:
            path = f"{number}.parquet" if large else f"{number}.txt"
            return commit(hub.api(), add(path, f"{number}"), parent_commit=parent).oid
        except HfHubHTTPError as problem:
            return problem.response.status_code

    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(attempt, range(2)))
    assert found.count(412) == 1
    (landed,) = [each for each in found if each != 412]
    assert api.dataset_info(ID).sha == landed
    assert len(api.list_repo_files(ID, **KIND)) == 3


def test_many_concurrent_commits_without_parent_all_land(hub, api):
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda number: commit(hub.api(), add(f"{number}.txt", str(number))), range(12)))
    assert len(api.list_repo_files(ID, **KIND)) == 13
    assert len(api.list_repo_commits(ID, **KIND)) == 13


def test_a_pull_request_from_opening_to_merge(hub, api):
    base = commit(api, add("a.txt", "a\n"), add("b.txt", "b\n"))
    later = commit(api, add("c.txt", "c\n"))
    reader = hub.api(hub.reader_token)
    pull = commit(reader, add("a.txt", "A\n"), add("new.parquet", b"new"), create_pr=True, parent_commit=base.oid)
    assert (pull.pr_num, pull.pr_revision) == (1, "refs/pr/1")
    assert [each.commit_id for each in api.list_repo_commits(ID, revision="refs/pr/1", **KIND)][:2] == [
        pull.oid,
        base.oid,
    ]
    more = commit(reader, CommitOperationDelete("b.txt"), revision="refs/pr/1", parent_commit=pull.oid)
    (ref,) = api.list_repo_refs(ID, include_pull_requests=True, **KIND).pull_requests
    assert (ref.ref, ref.target_commit) == ("refs/pr/1", more.oid)
    assert api.dataset_info(ID).sha == later.oid
    reader.comment_discussion(ID, 1, comment="Please look", **KIND)
    details = api.get_discussion_details(ID, 1, **KIND)
    assert (details.status, details.author, details.conflicting_files) == ("open", "reader", [])
    assert [each.type for each in details.events] == ["comment", "commit", "commit", "comment"]
    assert "-a\n+A" in details.diff
    refused(403, reader.merge_pull_request, ID, 1, **KIND)
    api.merge_pull_request(ID, 1, comment="Thanks", **KIND)
    details = api.get_discussion_details(ID, 1, **KIND)
    assert (details.status, details.merge_commit_oid) == ("merged", api.dataset_info(ID).sha)
    assert sorted(api.list_repo_files(ID, **KIND)) == [".gitattributes", "a.txt", "c.txt", "new.parquet"]
    refused(400, api.merge_pull_request, ID, 1, **KIND)


def test_a_conflicting_or_draft_or_closed_pull_request_does_not_merge(api):
    commit(api, add("a.txt", "a"))
    commit(api, add("a.txt", "theirs"), create_pr=True)
    ours = commit(api, add("a.txt", "ours"))
    assert api.get_discussion_details(ID, 1, **KIND).conflicting_files == ["a.txt"]
    refused(409, api.merge_pull_request, ID, 1, **KIND)
    draft = api.create_pull_request(ID, "A draft", **KIND)
    assert (draft.num, draft.status, draft.git_reference) == (2, "draft", "refs/pr/2")
    commit(api, add("b.txt", "b"), revision="refs/pr/2")
    refused(400, api.merge_pull_request, ID, 2, **KIND)
    assert api.change_discussion_status(ID, 2, "closed", **KIND).new_status == "closed"
    refused(400, api.merge_pull_request, ID, 2, **KIND)
    assert api.dataset_info(ID).sha == ours.oid
    api.change_discussion_status(ID, 2, "open", **KIND)
    assert api.rename_discussion(ID, 2, new_title="No draft", **KIND).new_title == "No draft"
    api.merge_pull_request(ID, 2, **KIND)
    assert api.list_repo_commits(ID, **KIND)[0].title == "No draft (#2)"


def test_who_may_write(hub, api):
    reader = hub.api(hub.reader_token)
    refused(403, commit, reader, add("a.txt", "a"))
    refused(403, reader.create_tag, ID, tag="v1.0.0", **KIND)
    refused(403, reader.create_repo, "org/other", **KIND)
    commit(api, add("a.txt", "a"), create_pr=True)
    refused(403, commit, reader, add("a.txt", "b"), revision="refs/pr/1")
    refused(401, hub.api("hf_wrong").dataset_info, ID)
    nobody = hub.api()
    nobody.token = False
    refused(401, commit, nobody, add("a.txt", "a"))
    assert nobody.dataset_info(ID).sha == api.dataset_info(ID).sha
    assert len(api.list_repo_commits(ID, **KIND)) == 1


def test_an_unchanged_folder_sends_no_object_again(hub, api, folder):
    api.upload_folder(repo_id=ID, folder_path=folder, **KIND)
    assert (hub.requests["lfs-upload"], hub.requests["commit"]) == (1, 1)
    assert hub.requests["validate-yaml"] > 0
    api.upload_folder(repo_id=ID, folder_path=folder, **KIND)
    # The same bytes at another path: asked for, stored already, not sent.
    commit(api, add("copy.parquet", parquet("left", "right")))
    assert (hub.requests["lfs-upload"], hub.requests["commit"]) == (1, 2)


def test_part_of_a_file(hub, api):
    made = commit(api, add("a.parquet", bytes(range(200))))
    with HfFileSystem(endpoint=hub.endpoint, token=hub.token).open(f"datasets/{ID}/a.parquet", block_size=16) as file:
        file.seek(100)
        assert file.read(5) == bytes(range(100, 105))
    assert [status for method, path, status in hub.log if "/resolve/" in path and method == "GET"] == [206]
    head = api.get_hf_file_metadata(url=f"{hub.endpoint}/datasets/{ID}/resolve/main/a.parquet")
    assert (head.commit_hash, head.size) == (made.oid, 200)
    assert head.etag == api.get_paths_info(ID, ["a.parquet"], **KIND)[0].lfs.sha256


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (500, {"path": "/lfs/"}),
        (429, {"path": "/lfs/", "retry_after": 0}),
        (500, {"path": "/lfs/objects/batch"}),
        ("drop", {"path": "/lfs/[0-9a-f]", "method": "PUT"}),
    ],
)
def test_an_upload_is_tried_again(hub, api, kind, options):
    fault = hub.inject(kind, **options)
    made = commit(api, add("a.parquet", b"a" * 100_000))
    assert fault.hits == 1
    assert fetch(hub, "a.parquet", revision=made.oid) == b"a" * 100_000


def test_an_upload_altered_on_its_way_is_refused(hub, api):
    hub.inject("alter", path="/lfs/", method="PUT")
    with pytest.raises(RuntimeError, match=r"a\.parquet"):
        commit(api, add("a.parquet", b"a" * 1000))
    assert api.list_repo_files(ID, **KIND) == [".gitattributes"]


def test_a_commit_whose_answer_is_lost_has_landed(hub, api):
    parent = api.dataset_info(ID).sha
    hub.inject("lost", path="/commit/main")
    with pytest.raises(Exception, match="disconnected without sending a response"):
        commit(api, add("a.txt", "a"), parent_commit=parent)
    landed = api.dataset_info(ID).sha
    assert "a.txt" in api.list_repo_files(ID, **KIND)
    # Tried again, the client finds nothing to change and asks for no commit; other content meets the stale parent.
    assert commit(api, add("a.txt", "a"), parent_commit=parent).oid == landed
    assert hub.requests["commit"] == 1
    refused(412, commit, api, add("a.txt", "b"), parent_commit=parent)


def test_a_failed_commit_request_is_not_tried_again_by_the_client(hub, api):
    for status in (500, 429):
        hub.inject(status, path="/commit/main")
        refused(status, commit, api, add("a.txt", "a"))
    assert hub.requests["commit"] == 2
    assert api.list_repo_files(ID, **KIND) == [".gitattributes"]


@pytest.mark.parametrize(("chunk", "statuses"), [(1000, [200, 206]), (10_000_000, [200, 200])])
def test_a_dropped_download_goes_on_after_its_last_whole_chunk(hub, api, monkeypatch, chunk, statuses):
    monkeypatch.setattr("huggingface_hub.constants.DOWNLOAD_CHUNK_SIZE", chunk)
    content = bytes(range(256)) * 4000
    commit(api, add("a.parquet", content))
    fault = hub.inject("drop", path="/resolve/", method="GET")
    assert fetch(hub, "a.parquet") == content
    assert fault.hits == 1
    assert [status for method, path, status in hub.log if method == "GET" and "/resolve/" in path] == statuses


def test_altered_bytes_keep_their_etag_and_the_client_takes_them(hub, api):
    content = b"a" * 1000
    commit(api, add("a.parquet", content))
    hub.inject("alter", path="/resolve/", method="GET")
    found = fetch(hub, "a.parquet")
    # So whoever relies on the bytes has to check their digest: the client does not.
    assert len(found) == len(content)
    assert sum(one != two for one, two in zip(found, content, strict=True)) == 1


def test_faults_hit_only_what_they_name(hub, api):
    commit(api, add("a.parquet", b"a"), add("b.txt", "b"))
    never = hub.inject(500, path="c.txt")
    slow = hub.inject("slow", path="b.txt", method="GET", seconds=0.1)
    for name in ("a.parquet", "b.txt"):
        api.hf_hub_download(ID, name, cache_dir=hub.home, **KIND)
    assert (never.hits, slow.hits) == (0, 1)
    with pytest.raises(ValueError, match="drop, lost, slow, alter"):
        hub.inject("slwo")


def test_a_fault_with_a_probability_is_the_same_for_the_same_seed(hub):
    def drawn(seed):
        fault = Fault(500, probability=0.3, times=None, seed=seed)
        return [fault.take("GET", "/") for _ in range(200)]

    assert drawn(1) == drawn(1) != drawn(2)
    assert 40 <= sum(drawn(1)) <= 80
