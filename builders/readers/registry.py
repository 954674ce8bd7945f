"""Which reader a specification means: `gemini:MODEL`, `openai:MODEL` or `cmd:COMMAND`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from calibench_data.errors import CalibenchError, Problem, quoted

from .protocol import Reader, Reply, Show, Unanswered

_LIBRARIES = {"gemini": "google.genai", "openai": "openai"}


@dataclass(frozen=True)
class Parameters:
    """How a service is asked; None: as it does by itself. timeout_s: of one call."""

    base_url: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    timeout_s: float = 120.0


@dataclass(frozen=True)
class NamedReader:
    """A reader that is only named: its replies are there, and it is not asked."""

    name: str
    key: str
    secrets: tuple[str, ...] = ()

    def read(self, shown: Sequence[Show], prompt: str) -> Reply:
        raise Unanswered("this reader is not to be asked", "stop")


def open_reader(spec: str, parameters: Parameters | None = None, asking: bool = True) -> Reader:
    """The reader of a specification. Keys of services are taken from the environment, and nothing is asked yet.

    asking: whether it will be asked; else it needs neither key nor library. Raises CalibenchError for another
    specification, for one whose library is not installed, and for a lacking key.
    """
    kind, _, what = spec.partition(":")
    if kind not in (*_LIBRARIES, "cmd") or not what.strip():
        allowed = "gemini:MODEL, openai:MODEL or cmd:COMMAND"
        raise CalibenchError([Problem("--reader", f"found {quoted(spec)}", allowed)])
    parameters = parameters or Parameters()
    if not asking:
        named = spec if kind == "cmd" else what.strip()
        return NamedReader(named, named if kind == "cmd" else key_of(f"{kind}:{named}", parameters))
    if kind == "cmd":
        from .command import CommandReader

        return CommandReader(what.strip(), parameters.timeout_s)
    require(_LIBRARIES[kind])
    if kind == "gemini":
        from .gemini import GeminiReader

        return GeminiReader(what.strip(), parameters)
    from .openai_compatible import OpenAIReader

    return OpenAIReader(what.strip(), parameters)


def require(library: str) -> None:
    """Raise CalibenchError, which says what to install, where a library of the extra `collect` is not there."""
    try:
        found = find_spec(library) is not None
    except ModuleNotFoundError:
        found = False
    if not found:
        do = "Install it: pip install 'calibench-data[collect]'"
        raise CalibenchError([Problem("", f"the library {library} is not installed", do=do)])


def key_of(name: str, parameters: Parameters) -> str:
    """A reader's key: its kind and name, and what can change its replies. Where it is reached is no such thing."""
    given = {"temperature": parameters.temperature, "max_tokens": parameters.max_tokens}
    return " ".join([name, *(f"{name}={value:g}" for name, value in given.items() if value is not None)])
