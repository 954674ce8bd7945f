"""Faults that a test asks for: the next requests that match are hurt, and no others."""

import random
import re
import threading
from dataclasses import dataclass, field

KINDS = ("drop", "lost", "slow", "alter")


@dataclass
class Fault:
    """One fault, and which requests it hits.

    kind : an HTTP status (429, 500, ...), answered instead of handling the request; "drop", the connection breaks
        half-way through the body (the request's if it has one, else the answer's); "lost", the request is handled
        and its answer never comes; "slow", the answer's body takes `seconds`; "alter", one byte of the body changes
        (as for "drop") and the headers, ETag included, stay.
    path : regular expression searched in the unquoted path and query. method : None for any.
    times : how many requests are hit; None for all. retry_after : seconds, for a status.
    probability : of hitting a request that matches, drawn from `seed`.
    """

    kind: int | str
    path: str = ""
    method: str | None = None
    times: int | None = 1
    retry_after: int | None = None
    seconds: float = 0.5
    probability: float = 1.0
    seed: int = 0
    hits: int = 0
    draws: random.Random = field(init=False, repr=False)

    def __post_init__(self):
        if not isinstance(self.kind, int) and self.kind not in KINDS:
            raise ValueError(f"kind is {self.kind!r}; allowed: an HTTP status, {', '.join(KINDS)}")
        self.draws = random.Random(self.seed)

    def take(self, method, path):
        if self.hits == self.times or self.method not in (None, method) or not re.search(self.path, path):
            return False
        hit = self.draws.random() < self.probability
        self.hits += hit
        return hit


class Faults:
    def __init__(self):
        self.lock, self.asked = threading.Lock(), []

    def add(self, *args, **kwargs):
        fault = Fault(*args, **kwargs)
        with self.lock:
            self.asked.append(fault)
        return fault

    def take(self, method, path):
        """The first fault that hits this request, or None."""
        with self.lock:
            return next((fault for fault in self.asked if fault.take(method, path)), None)


def altered(body):
    """The same length, one byte changed in the middle."""
    middle = len(body) // 2
    return body[:middle] + bytes([body[middle] ^ 0xFF]) + body[middle + 1 :] if body else body
