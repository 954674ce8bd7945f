"""What the Hub's client raises, in plain words."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from calibench_data.errors import CalibenchError, Problem

T = TypeVar("T")

# Before a call is tried again.
WAITS_S = (1.0, 3.0)
_LOG_IN = "Check the name, or log in with `hf auth login`."


def client_errors() -> tuple[type[Exception], ...]:
    """Every kind of exception that a call of the Hub's client may end in."""
    from huggingface_hub.errors import HfHubHTTPError

    # The first base is the root of the errors of the HTTP library, which is not the same in all releases of the client.
    return (*HfHubHTTPError.__bases__, OSError, ValueError, RuntimeError)


def status_of(error: BaseException | None) -> int | None:
    """The HTTP status that the Hub answered, also where the client wrapped the error; None if it gave no answer."""
    from huggingface_hub.errors import HfHubHTTPError

    while error is not None and not isinstance(error, HfHubHTTPError):
        error = error.__cause__
    return error.response.status_code if error is not None else None


def worth_another_try(error: BaseException | None) -> bool:
    """Whether the failure may go away by itself: no answer, too many requests, or a fault of the Hub's."""
    status = status_of(error)
    return status is None or status in (408, 429) or status >= 500


def tried(call: Callable[[], T], done: Callable[[], T | None] = lambda: None) -> T:
    """What `call` returns; after a failure that may go away, called again, some times.

    done: for a call that must not be repeated once it got through, such as a commit, which the client itself never
    repeats. Asked after each failure; if it returns something, the answer was lost and this stands for it.
    """
    for wait_s in (*WAITS_S, None):
        try:
            return call()
        except client_errors() as error:
            if (found := done()) is not None:
                return found
            if wait_s is None or not worth_another_try(error):
                raise
            time.sleep(wait_s)
    raise AssertionError


@contextmanager
def explained(place: str, doing: str = "cannot be had") -> Iterator[None]:
    """Turn every known failure of the Hub's client into a CalibenchError about `place`."""
    from huggingface_hub import errors

    try:
        yield
    except CalibenchError:
        raise
    except errors.RevisionNotFoundError as error:
        raise _failure(place, "is not on the Hub", "Its page there lists tags, branches and commits.") from error
    except errors.RepositoryNotFoundError as error:
        raise _failure(place, "is not on the Hub, or you may not see it", _LOG_IN) from error
    except errors.LocalEntryNotFoundError as error:
        found = "cannot be had: the Hub cannot be reached, and this revision is not in the cache"
        raise _failure(place, found, "Ask once while online; it then works offline.") from error
    except client_errors() as error:
        status = status_of(error)
        if status == 401:
            raise _failure(place, f"{doing}: the Hub does not know you", _LOG_IN) from error
        if status == 403:
            do = "Use a token with the right to write here."
            raise _failure(place, f"{doing}: your token does not allow it", do) from error
        if status is None and isinstance(error, client_errors()[0]):
            do = "Run again when it can be reached."
            raise _failure(place, f"{doing}: the Hub gave no answer ({reason(error)})", do) from error
        raise _failure(place, f"{doing}: {reason(error)}", "") from error


def reason(error: BaseException) -> str:
    """What went wrong, in one line: the innermost cause that says something."""
    while error.__cause__ is not None:
        error = error.__cause__
    return next(iter(str(error).strip().splitlines()), type(error).__name__).rstrip(".")


def _failure(place: str, found: str, do: str) -> CalibenchError:
    return CalibenchError([Problem(place, found, do=do)])
