"""Which call may be made when: a bound, a rate, a budget, waits after failures. No clock and no threads of its own."""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

T = TypeVar("T")

LONGEST_BACKOFF_S = 60.0
LONGEST_WAIT_S = 600.0
HOPELESS = 20


@dataclass(frozen=True)
class Limits:
    """How a collection may ask; None: without limit.

    concurrency: calls at the same time. rate: calls a minute. tries: calls for one vote in one run, the first
    included. max_calls, max_cost: calls, and dollars, in all runs of the folder. price: dollars a million tokens read
    and written. backoff_s: the first wait after a failure, doubled each time, up to a minute.
    """

    concurrency: int = 8
    rate: float | None = None
    tries: int = 8
    max_calls: int | None = None
    max_cost: float | None = None
    price: tuple[float, float] | None = None
    backoff_s: float = 1.0

    def __post_init__(self) -> None:
        for name in ("concurrency", "tries"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}; allowed: at least 1")
        for name in ("rate", "max_cost"):
            value = getattr(self, name)
            if value is not None and not 0 < value < float("inf"):
                raise ValueError(f"{name} is {value}; allowed: above 0")
        if self.max_calls is not None and self.max_calls < 0:
            raise ValueError(f"max_calls is {self.max_calls}; allowed: at least 0")
        if self.price is not None and not all(0 <= one < float("inf") for one in self.price):
            raise ValueError(f"price is {self.price}; allowed: two numbers, at least 0")
        if self.max_cost is not None and self.price is None:
            raise ValueError("max_cost is given without price; allowed: both, since no service tells its prices")
        if not 0 <= self.backoff_s <= LONGEST_BACKOFF_S:
            raise ValueError(f"backoff_s is {self.backoff_s}; allowed: 0 to {LONGEST_BACKOFF_S:g}")

    def cost(self, tokens_in: int | None, tokens_out: int | None) -> float | None:
        """What a call cost, in dollars; None where the price or the tokens are not known."""
        if self.price is None or (tokens_in is None and tokens_out is None):
            return None
        return ((tokens_in or 0) * self.price[0] + (tokens_out or 0) * self.price[1]) / 1_000_000


class Schedule(Generic[T]):
    """The tasks of one run. Times are seconds of any one clock.

    calls, cost, dearest: what was spent before. `stopped` says why no more calls are made, empty while they are.
    """

    def __init__(
        self, tasks: Iterable[T], limits: Limits, calls: int = 0, cost: float = 0.0, dearest: float = 0.0, seed: int = 0
    ) -> None:
        self._waiting = [(0.0, number, 1, task) for number, task in enumerate(tasks)]
        self._limits, self._draw = limits, random.Random(seed)
        self.calls, self.cost, self._dearest = calls, cost, dearest
        self._next_call = 0.0
        self._in_flight: dict[T, tuple[int, int]] = {}
        self._fruitless = 0
        self.stopped = ""

    @property
    def over(self) -> bool:
        """Whether no call is to be made any more."""
        return not self._in_flight and (bool(self.stopped) or not self._waiting)

    def take(self, now: float) -> tuple[T | None, float]:
        """A task to ask for now, or None and how long to wait; infinitely where only an answer can change that."""
        forever = float("inf")
        if self.stopped or not self._waiting or len(self._in_flight) >= self._limits.concurrency:
            return None, forever
        if not self._affordable():
            if not self._in_flight:
                self.stop("the budget is used up")
            return None, forever
        ready = max(self._waiting[0][0], self._next_call)
        if ready > now:
            return None, ready - now
        _, number, tries, task = heapq.heappop(self._waiting)
        self._in_flight[task] = (number, tries)
        if self._limits.rate is not None:
            self._next_call = max(now, self._next_call) + 60 / self._limits.rate
        return task, 0.0

    def _affordable(self) -> bool:
        flying = len(self._in_flight)
        if self._limits.max_calls is not None and self.calls + flying >= self._limits.max_calls:
            return False
        if self._limits.max_cost is None:
            return True
        if not self._dearest and flying:
            return False  # the first call alone shows what one costs
        return self.cost + (flying + 1) * self._dearest <= self._limits.max_cost

    def finish(self, task: T, now: float, got_vote: bool, again: bool, cost: float | None, wait: float | None) -> None:
        """Note that a call has ended. again: another may give a vote. wait: what the service asks, in seconds."""
        number, tries = self._in_flight.pop(task)
        self.calls += 1
        self.cost += cost or 0.0
        self._dearest = max(self._dearest, cost or 0.0)
        if self._limits.max_cost is not None and cost is None and got_vote:
            self.stop("the reader does not say how many tokens a call took, so that max_cost cannot be kept")
        if wait is not None:
            if wait > LONGEST_WAIT_S:
                self.stop(f"the service asks to wait {wait:,.0f} s; run it again then")
            self._next_call = max(self._next_call, now + wait)
        self._fruitless = 0 if got_vote else self._fruitless + 1
        if got_vote:
            return
        if self._fruitless >= HOPELESS:
            self.stop(f"{HOPELESS} calls in a row gave no vote")
        if again and tries < self._limits.tries:
            backoff = min(LONGEST_BACKOFF_S, self._limits.backoff_s * 2 ** (tries - 1)) * self._draw.uniform(0.5, 1)
            heapq.heappush(self._waiting, (now + max(backoff, wait or 0.0), number, tries + 1, task))

    def stop(self, reason: str) -> None:
        """Make no more calls; those under way may end."""
        self.stopped = self.stopped or reason
