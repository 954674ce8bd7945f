"""What a revision holds: its tree, its files, parts of them."""

import hashlib
import re
from urllib.parse import parse_qs

from .protocol import Answer, as_json, page, route
from .storage import Refused


def large(file):
    return {"oid": file.sha256, "size": len(file.content), "pointerSize": len(file.pointer)}


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
            found[path]["lfs"] = large(file)
        if expand:
            last = next(each for each in commit.history() if not each.parent or each.parent.files.get(path) != file)
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
