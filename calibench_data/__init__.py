"""CaliBench and PAWBench as versioned data: load, count, score and reproduce, offline."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .collecting import collect
    from .database import connect, sql
    from .drawing import figures
    from .errors import CalibenchError, Problem
    from .exporting import export_inputs
    from .hub_results import eval_results
    from .identity import protocol
    from .labelling import label
    from .loading import load
    from .paw_reporting import paw_tables
    from .paw_scoring import paw_score
    from .planning import plan
    from .publishing import publish
    from .releasing import build, verify
    from .reporting import reproduce, tables
    from .revising import open_submission, withdraw
    from .scoring import score
    from .submitting import check_submission, new_submission
    from .versions import log

__version__ = "0.1.0"

__all__ = [
    "CalibenchError",
    "Problem",
    "build",
    "check_submission",
    "collect",
    "connect",
    "eval_results",
    "export_inputs",
    "figures",
    "label",
    "load",
    "log",
    "new_submission",
    "open_submission",
    "paw_score",
    "paw_tables",
    "plan",
    "protocol",
    "publish",
    "reproduce",
    "score",
    "sql",
    "tables",
    "verify",
    "withdraw",
]

_HOMES = {
    "CalibenchError": "errors",
    "Problem": "errors",
    "build": "releasing",
    "check_submission": "submitting",
    "collect": "collecting",
    "connect": "database",
    "export_inputs": "exporting",
    "label": "labelling",
    "eval_results": "hub_results",
    "figures": "drawing",
    "load": "loading",
    "log": "versions",
    "new_submission": "submitting",
    "open_submission": "revising",
    "paw_score": "paw_scoring",
    "paw_tables": "paw_reporting",
    "plan": "planning",
    "protocol": "identity",
    "publish": "publishing",
    "reproduce": "reporting",
    "score": "scoring",
    "sql": "database",
    "tables": "reporting",
    "verify": "releasing",
    "withdraw": "revising",
}

# In a checkout the rooms (stats, queries, ...) stand beside this folder; an installed package holds them inside.
_ROOMS = Path(__file__).parent.parent
if not (Path(__file__).parent / "stats").is_dir() and (_ROOMS / "stats").is_dir():
    __path__.append(str(_ROOMS))


def __getattr__(name: str) -> Any:
    # Each public function brings its own libraries: `import calibench_data` alone stays cheap.
    if name in _HOMES:
        return getattr(import_module(f".{_HOMES[name]}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
