"""Repositories, their references and their history."""

from .files import large
from .protocol import as_json, page, route
from .storage import Refused, Repo


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
                siblings[-1]["lfs"] = large(file) | {"sha256": file.sha256}
    found = {"id": repo.id, "author": repo.id.split("/")[0], "sha": commit.id, "lastModified": commit.date}
    return as_json(found | {"private": False, "gated": False, "disabled": False, "tags": [], "siblings": siblings})


@route("GET", "REPO/refs", "refs")
def refs(store, request, repo):
    def items(kind, found):
        return [{"name": name, "ref": f"refs/{kind}/{name}", "targetCommit": commit.id} for name, commit in found]

    found = {
        "branches": items("heads", repo.branches.items()),
        "tags": items("tags", repo.tags.items()),
        "converts": [],
    }
    if request.flag("include_prs"):
        found["pullRequests"] = items("pr", [(str(pull.num), pull.head) for pull in repo.discussions if pull.pull])
    return as_json(found)


@route("GET", "REPO/commits/<rev>", "commits")
def commits(store, request, repo, rev):
    history = [
        {"id": each.id, "title": each.title, "message": each.message, "date": each.date}
        | {"authors": [{"user": each.author}]}
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
