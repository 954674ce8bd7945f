"""What the test server holds: repositories with commits, references and discussions, all in memory."""

import difflib
import hashlib
import threading
from dataclasses import dataclass, field

LARGE = (".parquet", ".arrow", ".png", ".jpg", ".mp4", ".zip", ".gz", ".npz")
LARGE_SIZE = 10_000_000
ATTRIBUTES = "".join(f"*{suffix} filter=lfs diff=lfs merge=lfs -text\n" for suffix in LARGE).encode()


class Refused(Exception):
    """An answer that is an error: HTTP status, message, and the code that the clients turn into an exception."""

    def __init__(self, status, message, code=None, **body):
        super().__init__(message)
        self.status, self.message, self.code, self.body = status, message, code, body


@dataclass(frozen=True)
class File:
    content: bytes
    large: bool

    @property
    def sha256(self):
        return hashlib.sha256(self.content).hexdigest()

    @property
    def pointer(self):
        return (
            f"version https://git-lfs.github.com/spec/v1\noid sha256:{self.sha256}\nsize {len(self.content)}\n".encode()
        )

    @property
    def blob(self):
        """git's own name of the blob; that of the pointer when the file is in LFS."""
        stored = self.pointer if self.large else self.content
        return hashlib.sha1(b"blob %d\0" % len(stored) + stored).hexdigest()

    @property
    def etag(self):
        return self.sha256 if self.large else self.blob


@dataclass(frozen=True)
class Commit:
    id: str
    parent: "Commit | None"
    files: dict
    title: str
    message: str
    author: str
    date: str

    def history(self):
        commit = self
        while commit is not None:
            yield commit
            commit = commit.parent


@dataclass
class Discussion:
    num: int
    title: str
    author: str
    status: str
    pull: bool
    date: str
    base: Commit | None = None
    head: Commit | None = None
    merged: str | None = None
    events: list = field(default_factory=list)

    @property
    def ref(self):
        return f"refs/pr/{self.num}"

    def changed(self):
        return changes(self.base.files, self.head.files)

    def conflicts(self, target):
        ours, theirs = changes(self.base.files, target.files), self.changed()
        return sorted(path for path in ours.keys() & theirs.keys() if ours[path] != theirs[path])

    def diff(self):
        text = []
        for path in sorted(self.changed()):
            sides = [commit.files.get(path) for commit in (self.base, self.head)]
            lines = [
                (side.pointer if side.large else side.content).decode(errors="replace").splitlines() if side else []
                for side in sides
            ]
            text += [f"diff --git a/{path} b/{path}", *difflib.unified_diff(*lines, f"a/{path}", f"b/{path}", "", "")]
        return "\n".join(text)


def changes(before, after):
    """{path: the file after, or None}, for each path that differs."""
    return {path: after.get(path) for path in before.keys() | after.keys() if before.get(path) != after.get(path)}


class Repo:
    def __init__(self, store, id, author):
        self.store, self.id = store, id
        self.commits, self.tags, self.discussions = {}, {}, []
        first = {".gitattributes": File(ATTRIBUTES, False)}
        self.branches = {"main": self.add(None, first, "initial commit", "", author)}

    def add(self, parent, files, title, message, author):
        date = self.store.now()
        listing = sorted((path, file.blob) for path, file in files.items())
        id = hashlib.sha1(repr((parent and parent.id, listing, title, message, author, date)).encode()).hexdigest()
        self.commits[id] = Commit(id, parent, files, title, message, author, date)
        return self.commits[id]

    def discussion(self, num):
        if not 1 <= num <= len(self.discussions):
            raise Refused(404, f"No discussion {num}")
        return self.discussions[num - 1]

    def pull(self, revision):
        """The pull request whose reference this is, or None."""
        return next((each for each in self.discussions if each.pull and each.ref == revision), None)

    def commit(self, revision):
        """The commit of a branch, tag, pull request or full id; a short id is none (so say the clients' docs)."""
        name = revision.removeprefix("refs/heads/").removeprefix("refs/tags/")
        if pull := self.pull(revision):
            return pull.head
        found = self.branches.get(name) or self.tags.get(name) or self.commits.get(revision)
        if found is None:
            raise Refused(404, f"Invalid rev id: {revision}", "RevisionNotFound")
        return found

    def parent(self, id):
        found = [commit for commit in self.commits.values() if commit.id.startswith(id)]
        if len(id) < 7 or len(found) != 1:
            raise Refused(412, f"Unknown parent commit {id}")  # inferred
        return found[0]

    def change(self, revision, header, edits, author, create_pr=False):
        """Commit `edits`, {path: File or None}; -> (commit, pull request or None). The caller holds the lock."""
        pull = self.pull(revision)
        if not pull and revision not in self.branches:
            self.commit(revision)
            raise Refused(400, f"{revision} is neither a branch nor a pull request")  # inferred
        head = self.commit(revision)
        if wanted := header.get("parentCommit"):
            parent = self.parent(wanted)
            if parent is not head and not create_pr:
                raise Refused(412, f"The parent commit {wanted} is not the head {head.id} of {revision}")
            head = parent
        files = dict(head.files)
        for path, file in edits:
            if file is not None:
                files[path] = file
            elif path.endswith("/"):
                files = {name: kept for name, kept in files.items() if not name.startswith(path)}
            elif files.pop(path, None) is None:
                raise Refused(404, f"{path} does not exist on {revision}", "EntryNotFound")
        title, message = header["summary"], header.get("description", "")
        made = self.add(head, files, title, message, author)
        if create_pr:
            pull = self.discuss(title, message, author, "open", base=head, head=made)
        elif pull:
            pull.head = made
        else:
            self.branches[revision] = made
        if pull:
            self.event(pull, "commit", author, {"subject": title, "oid": made.id})
        return made, pull

    def discuss(self, title, description, author, status, base=None, head=None):
        num = len(self.discussions) + 1
        made = Discussion(num, title, author, status, base is not None, self.store.now(), base, head)
        self.discussions.append(made)
        self.comment(made, author, description)
        return made

    def event(self, discussion, type, author, data):
        made = {"id": f"{self.store.count:024x}", "type": type, "createdAt": self.store.now()}
        discussion.events.append({**made, "author": {"name": author}, "data": data})
        return discussion.events[-1]

    def comment(self, discussion, author, text):
        latest = {"raw": text, "html": text, "updatedAt": self.store.now(), "author": {"name": author}}
        data = {"edited": False, "hidden": False, "latest": latest, "history": []}
        return self.event(discussion, "comment", author, data)

    def merge(self, discussion, author):
        """One commit on main, three-way by whole files. Inferred: that shape, and the two refusals."""
        if not discussion.pull or discussion.status != "open":
            raise Refused(400, f"Discussion {discussion.num} is {discussion.status}: only an open pull request merges")
        target = self.branches["main"]
        if conflicts := discussion.conflicts(target):
            raise Refused(409, f"Conflicting files: {', '.join(conflicts)}")
        edits = discussion.changed()
        files = {path: file for path, file in {**target.files, **edits}.items() if file is not None}
        made = self.add(target, files, f"{discussion.title} (#{discussion.num})", "", author)
        self.branches["main"], discussion.status, discussion.merged = made, "merged", made.id
        return self.event(discussion, "status-change", author, {"status": "merged"})


class Store:
    """Every repository and every large object. Hold `lock` for whatever reads or changes it."""

    def __init__(self):
        self.lock = threading.RLock()
        self.repos, self.objects, self.count = {}, {}, 0
        self.page_size = 1000

    def now(self):
        """A date, later each time."""
        self.count += 1
        minutes, seconds = divmod(self.count, 60)
        hours, minutes = divmod(minutes, 60)
        return f"2026-01-01T{hours % 24:02}:{minutes:02}:{seconds:02}.000Z"

    def repo(self, id):
        if id not in self.repos:
            raise Refused(404, f"Repository {id} not found", "RepoNotFound")
        return self.repos[id]
