"""Discussions and pull requests. What is marked "inferred" is a guess about the public Hub, not seen of it."""

from .protocol import as_json, route
from .storage import Refused


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
        wanted = {"open": ("open", "draft"), "closed": ("closed", "merged")}.get(status)
        found = [each for each in found if wanted is None or each["status"] in wanted]
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
