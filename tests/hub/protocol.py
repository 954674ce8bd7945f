"""The Hub's requests, as `huggingface_hub` and `datasets` make them, answered from a Store.

`answer` finds the route of a request. A path is matched before it is unquoted: a revision is one quoted segment
(`refs%2Fpr%2F1`). What is marked "inferred" is a guess about the public Hub, not seen of it.
"""

import base64
import binascii
import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qs, unquote, urlencode

from .storage import LARGE, LARGE_SIZE, File, Refused, Repo


@dataclass
class Request:
    method: str
    path: str  # raw, without the query
    query: str
    headers: dict
    body: bytes
    endpoint: str
    user: str | None  # None: no token
    writer: bool

    def option(self, name):
        return parse_qs(self.query).get(name, [""])[0]

    def flag(self, name):
        return self.option(name).lower() in ("1", "true")

    def json(self):
        try:
            return json.loads(self.body or b"{}")
        except ValueError:
            raise Refused(400, "The body is not JSON") from None

    def must(self, write=True):
        """Refuse who has no token (401) or, for writing, one that may not write (403)."""
        if self.user is None:
            raise Refused(401, "Invalid username or password.")
        if write and not self.writer:
            raise Refused(403, f"{self.user} may not write here")


@dataclass
class Answer:
    body: bytes
    status: int = 200
    headers: dict = field(default_factory=dict)


def as_json(value, status=200, **headers):
    return Answer(json.dumps(value).encode(), status, {"Content-Type": "application/json", **headers})


ROUTES: list[tuple[str, re.Pattern, str, Callable]] = []


def route(methods, pattern, kind):
    """`<name>` is one segment, `<name...>` the rest of the path."""
    pattern = pattern.replace("REPO", "/api/datasets/<space>/<name>")
    pattern = re.sub(r"<(\w+)\.\.\.>", r"(?P<\1>.*)", pattern)
    pattern = re.sub(r"<(\w+)>", r"(?P<\1>[^/]+)", pattern)

    def register(function):
        for method in methods.split("|"):
            ROUTES.append((method, re.compile(pattern), kind, function))
        return function

    return register


def find(method, path):
    """-> (kind, function, unquoted parts); the kind is what requests are counted by."""
    for wanted, pattern, kind, function in ROUTES:
        if method == wanted and (found := pattern.fullmatch(path)):
            return kind, function, {name: unquote(part or "") for name, part in found.groupdict().items()}
    return "unknown", None, {}


def answer(store, request):
    _, function, parts = find(request.method, request.path)
    if function is None:
        raise Refused(404, f"This server has no {request.method} {request.path}")
    if "name" in parts:
        parts["repo"] = store.repo(f"{parts.pop('space')}/{parts.pop('name')}")
    return function(store, request, **parts)


def page(store, request, items):
    """One page of a list, and the address of the next."""
    start, end = int(request.option("cursor") or 0), 0
    end = start + store.page_size
    if end >= len(items):
        return as_json(items[start:])
    query = {name: values[0] for name, values in parse_qs(request.query).items()} | {"cursor": end}
    return as_json(items[start:end], Link=f'<{request.endpoint}{request.path}?{urlencode(query)}>; rel="next"')


# Repositories


@route("GET", "/api/whoami-v2", "whoami")
def whoami(store, request):
    request.must(write=False)
    role = "write" if request.writer else "read"
    auth = {"type": "access_token", "accessToken": {"displayName": "test", "role": role}}
    return as_json({"type": "user", "id": request.user, "name": request.user, "orgs": [], "auth": auth})


@route("POST", "/api/repos/create", "create-repo")
def create_repo(store, request):
    request.must()
    asked = request.json()
    if asked.get("type") != "dataset":
        raise Refused(400, f"type is {asked.get('type')!r}; this server holds only 'dataset'")
    id = f"{asked.get('organization') or request.user}/{asked['name']}"
    url = f"{request.endpoint}/datasets/{id}"
    if id in store.repos:
        raise Refused(409, "You already created this dataset repo", url=url)
    store.repos[id] = Repo(store, id, request.user)
    return as_json({"url": url, "name": id})


@route("GET", "REPO", "info")
@route("GET", "REPO/revision/<rev>", "info")
def info(store, request, repo, rev="main"):
    commit = repo.commit(rev)
    siblings = []
    for path, file in sorted(commit.files.items()):
        siblings.append({"rfilename": path})
        if request.flag("blobs"):
            siblings[-1] |= {"size": len(file.content), "blobId": file.blob}
            if file.large:
                siblings[-1]["lfs"] = {"sha256": file.sha256, "size": len(file.content), "pointerSize": len(file.pointer)}
    found = {"id": repo.id, "author": repo.id.split("/")[0], "sha": commit.id, "lastModified": commit.date}
    return as_json(found | {"private": False, "gated": False, "disabled": False, "tags": [], "siblings": siblings})


# Files


def entries(commit, expand):
    """{path: entry} of every file and folder of a commit."""
    found = {}
    for path, file in sorted(commit.files.items()):
        for end in [place for place, letter in enumerate(path) if letter == "/"]:
            inside = [(name, each.blob) for name, each in commit.files.items() if name.startswith(path[: end + 1])]
            oid = hashlib.sha1(repr(sorted(inside)).encode()).hexdigest()
            found[path[:end]] = {"type": "directory", "path": path[:end], "oid": oid, "size": 0}
        found[path] = {"type": "file", "path": path, "oid": file.blob, "size": len(file.content)}
        if file.large:
            found[path]["lfs"] = {"oid": file.sha256, "size": len(file.content), "pointerSize": len(file.pointer)}
        if expand:
            last = [each for each in commit.history() if not each.parent or each.parent.files.get(path) != file][0]
            found[path]["lastCommit"] = {"id": last.id, "title": last.title, "date": last.date}
    return found


@route("GET", "REPO/tree/<rev>", "tree")
@route("GET", "REPO/tree/<rev>/<path...>", "tree")
def tree(store, request, repo, rev, path=""):
    found = entries(repo.commit(rev), request.flag("expand"))
    folder = f"{path.strip('/')}/".lstrip("/")
    inside = [entry for name, entry in sorted(found.items()) if name.startswith(folder)]
    if folder and not inside:
        raise Refused(404, f"{path} does not exist on {rev}", "EntryNotFound")
    if not request.flag("recursive"):
        inside = [entry for entry in inside if "/" not in entry["path"][len(folder) :]]
    return page(store, request, inside)


@route("POST", "REPO/paths-info/<rev>", "paths-info")
def paths_info(store, request, repo, rev):
    asked = parse_qs(request.body.decode())
    found = entries(repo.commit(rev), asked.get("expand", [""])[0].lower() in ("1", "true"))
    return as_json([found[path] for path in asked.get("paths", []) if path in found])


@route("HEAD", "/datasets/<space>/<name>/resolve/<rev>/<path...>", "head")
@route("GET", "/datasets/<space>/<name>/resolve/<rev>/<path...>", "download")
def resolve(store, request, repo, rev, path):
    commit = repo.commit(rev)
    if path not in commit.files:
        missing = Refused(404, f"{path} does not exist on {rev}", "EntryNotFound")
        missing.headers = {"X-Repo-Commit": commit.id}
        raise missing
    file = commit.files[path]
    headers = {"X-Repo-Commit": commit.id, "ETag": f'"{file.etag}"', "Accept-Ranges": "bytes"}
    headers["Content-Type"] = "application/octet-stream"
    asked, size = re.fullmatch(r"bytes=(\d*)-(\d*)", request.headers.get("range", "")), len(file.content)
    if not asked or not any(asked.groups()):
        return Answer(file.content, 200, headers)
    first, last = asked.groups()
    start = int(first) if first else max(size - int(last), 0)
    end = min(int(last) + 1, size) if first and last else size
    if start >= end:
        return Answer(b"", 416, headers | {"Content-Range": f"bytes */{size}"})
    return Answer(file.content[start:end], 206, headers | {"Content-Range": f"bytes {start}-{end - 1}/{size}"})


# References


@route("GET", "REPO/refs", "refs")
def refs(store, request, repo):
    def items(kind, found):
        return [{"name": name, "ref": f"refs/{kind}/{name}", "targetCommit": commit.id} for name, commit in found]

    found = {"branches": items("heads", repo.branches.items()), "converts": [], "tags": items("tags", repo.tags.items())}
    if request.flag("include_prs"):
        found["pullRequests"] = items("pr", [(str(pull.num), pull.head) for pull in repo.discussions if pull.pull])
    return as_json(found)


@route("GET", "REPO/commits/<rev>", "commits")
def commits(store, request, repo, rev):
    history = [
        {"id": each.id, "title": each.title, "message": each.message, "date": each.date, "authors": [{"user": each.author}]}
        for each in repo.commit(rev).history()
    ]
    return page(store, request, history)


@route("POST", "REPO/branch/<branch>", "create-branch")
def create_branch(store, request, repo, branch):
    request.must()
    if branch in repo.branches:
        raise Refused(409, f"Reference refs/heads/{branch} already exists")
    if branch.startswith("refs/"):
        raise Refused(400, f"Invalid branch name {branch}")  # inferred
    repo.branches[branch] = repo.commit(request.json().get("startingPoint") or "main")
    return as_json({})


@route("POST", "REPO/tag/<rev>", "create-tag")
def create_tag(store, request, repo, rev):
    request.must()
    tag = request.json()["tag"]
    if tag in repo.tags:
        raise Refused(409, f"Tag reference {tag} already exists")
    repo.tags[tag] = repo.commit(rev)
    return as_json({})


@route("DELETE", "REPO/branch/<name_>", "delete-branch")
@route("DELETE", "REPO/tag/<name_>", "delete-tag")
def delete_ref(store, request, repo, name_):
    request.must()
    found = repo.branches if "/branch/" in request.path else repo.tags
    if name_ == "main" and found is repo.branches:
        raise Refused(403, "The branch main stays")  # inferred
    if found.pop(name_, None) is None:
        raise Refused(404, f"Invalid rev id: {name_}", "RevisionNotFound")
    return as_json({})


# Commits and large files


def may_commit(request, repo, rev):
    """Anyone with a token may open a pull request, and go on with their own (the latter inferred)."""
    pull = repo.pull(rev)
    own = pull is not None and pull.author == request.user
    request.must(write=not (request.flag("create_pr") or own))


@route("POST", "/api/validate-yaml", "validate-yaml")
def validate_yaml(store, request):
    return as_json({"errors": [], "warnings": []})


@route("POST", "REPO/preupload/<rev>", "preupload")
def preupload(store, request, repo, rev):
    may_commit(request, repo, rev)
    held = repo.commit(rev).files
    files = []
    for asked in request.json()["files"]:
        path = asked["path"]
        large = path.endswith(LARGE) or asked["size"] > LARGE_SIZE
        files.append({"path": path, "uploadMode": "lfs" if large else "regular", "shouldIgnore": False})
        if path in held:
            files[-1]["oid"] = held[path].etag
    return as_json({"files": files, "commitOid": repo.commit(rev).id})


@route("POST", "REPO/commit/<rev>", "commit")
def commit(store, request, repo, rev):
    may_commit(request, repo, rev)
    header, edits = {}, []
    try:
        lines = [json.loads(line) for line in request.body.splitlines() if line]
        for key, value in [(line["key"], line["value"]) for line in lines]:
            if key == "header":
                header = value
            elif key == "file":
                edits.append((value["path"], File(base64.b64decode(value["content"], validate=True), False)))
            elif key == "lfsFile":
                if value["oid"] not in store.objects:
                    raise Refused(400, f"LFS object {value['oid']} was never uploaded")  # inferred
                edits.append((value["path"], File(store.objects[value["oid"]], True)))
            elif key in ("deletedFile", "deletedFolder"):
                edits.append((value["path"].rstrip("/") + "/" * (key == "deletedFolder"), None))
            else:
                raise Refused(400, f"Unknown operation {key}")
        header["summary"]
    except (KeyError, ValueError, binascii.Error) as problem:
        raise Refused(400, f"Malformed commit: {problem!r}") from None
    made, pull = repo.change(rev, header, edits, request.user, request.flag("create_pr"))
    url = f"{request.endpoint}/datasets/{repo.id}"
    found = {"success": True, "commitOid": made.id, "commitUrl": f"{url}/commit/{made.id}", "hookOutput": ""}
    if request.flag("create_pr"):
        found["pullRequestUrl"] = f"{url}/discussions/{pull.num}"
    return as_json(found)


@route("POST", "/datasets/<space>/<name>.git/info/lfs/objects/batch", "lfs-batch")
def lfs_batch(store, request, repo):
    request.must(write=False)  # a pull request's files come this way too
    objects = []
    for asked in request.json()["objects"]:
        oid, size = asked["oid"], asked["size"]
        objects.append({"oid": oid, "size": size})
        if oid not in store.objects:
            upload = {"href": f"{request.endpoint}/lfs/{oid}"}
            verify = {"href": f"{request.endpoint}/datasets/{repo.id}.git/info/lfs/verify"}
            objects[-1]["actions"] = {"upload": upload, "verify": verify}
    return as_json({"transfer": "basic", "objects": objects})


@route("PUT", "/lfs/<oid>", "lfs-upload")
def lfs_upload(store, request, oid):
    if hashlib.sha256(request.body).hexdigest() != oid:
        raise Refused(400, f"The content's sha256 is not {oid}")  # inferred
    store.objects[oid] = request.body
    return Answer(b"")


@route("POST", "/datasets/<space>/<name>.git/info/lfs/verify", "lfs-verify")
def lfs_verify(store, request, repo):
    request.must(write=False)
    asked = request.json()
    if len(store.objects.get(asked["oid"], b"")) != asked["size"]:
        raise Refused(404, f"No object {asked['oid']} of {asked['size']} bytes")
    return as_json({})


# Discussions and pull requests


def summary(repo, discussion):
    return {
        "num": discussion.num,
        "title": discussion.title,
        "status": discussion.status,
        "author": {"name": discussion.author},
        "createdAt": discussion.date,
        "isPullRequest": discussion.pull,
        "repo": {"name": repo.id, "type": "dataset"},
    }


@route("GET", "REPO/discussions", "discussions")
def discussions(store, request, repo):
    found = [summary(repo, each) for each in reversed(repo.discussions)]
    if kind := request.option("type"):
        found = [each for each in found if kind == "all" or each["isPullRequest"] == (kind == "pull_request")]
    if status := request.option("status"):
        found = [each for each in found if status == "all" or (each["status"] in ("open", "draft")) == (status == "open")]
    if author := request.option("author"):
        found = [each for each in found if each["author"]["name"] == author]
    start = int(request.option("p") or 0) * store.page_size
    return as_json({"count": len(found), "start": start, "discussions": found[start : start + store.page_size]})


@route("POST", "REPO/discussions", "create-discussion")
def create_discussion(store, request, repo):
    request.must(write=False)
    asked = request.json()
    head = repo.branches["main"] if asked.get("pullRequest") else None
    status = "draft" if head else "open"
    made = repo.discuss(asked["title"], asked.get("description", ""), request.user, status, head, head)
    return as_json({"num": made.num, "pullRequest": made.pull})


@route("GET", "REPO/discussions/<num>", "discussion")
def discussion(store, request, repo, num):
    found = repo.discussion(int(num))
    details = summary(repo, found) | {"events": found.events}
    if found.pull:
        details["changes"] = {"base": "refs/heads/main", "mergeCommitId": found.merged}
        unmerged = found.status in ("open", "draft")
        details["filesWithConflicts"] = found.conflicts(repo.branches["main"]) if unmerged else []
        details["diff"] = found.diff() if request.flag("diff") else None
    return as_json(details)


@route("POST", "REPO/discussions/<num>/<what>", "change-discussion")
def change_discussion(store, request, repo, num, what):
    found, asked = repo.discussion(int(num)), request.json()
    # Inferred: an author without write access may rename, close and reopen their own, and not merge it.
    own = found.author == request.user and what != "merge"
    request.must(write=not (own or what == "comment"))
    if what == "comment":
        return as_json({"newMessage": repo.comment(found, request.user, asked["comment"])})
    if what == "title":
        data = {"from": found.title, "to": asked["title"]}
        found.title = asked["title"]
        return as_json({"newTitle": repo.event(found, "title-change", request.user, data)})
    if what == "status":
        if asked.get("status") not in ("open", "closed"):
            raise Refused(400, f"status is {asked.get('status')!r}; allowed: 'open', 'closed'")
        if found.status == "merged":
            raise Refused(400, f"Discussion {num} is merged")  # inferred
        found.status = asked["status"]
        event = repo.event(found, "status-change", request.user, {"status": found.status})
    elif what == "merge":
        event = repo.merge(found, request.user)
    else:
        raise Refused(404, f"No {what} of a discussion")
    if asked.get("comment"):
        repo.comment(found, request.user, asked["comment"])
    return as_json({"newStatus": event})
