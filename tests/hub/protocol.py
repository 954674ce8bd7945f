"""What a request and an answer are, and which function answers which request.

`answer` finds the route of a request. A path is matched before it is unquoted: a revision is one quoted segment
(`refs%2Fpr%2F1`). What is marked "inferred" is a guess about the public Hub, not seen of it.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import parse_qs, unquote, urlencode

from .storage import Refused


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
    pattern = re.sub(r"(?<!\?P)<(\w+)>", r"(?P<\1>[^/]+)", pattern)

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
