"""Commits, and the large objects that are sent before them."""

import base64
import hashlib
import json

from .protocol import Answer, as_json, route
from .storage import LARGE, LARGE_SIZE, File, Refused


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
    except (KeyError, ValueError) as problem:
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
