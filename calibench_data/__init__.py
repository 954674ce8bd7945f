"""CaliBench and PAWBench as versioned data: load, count, score and reproduce, offline."""

from __future__ import annotations

from pathlib import Path

__version__ = "0.1.0"

# In a checkout the rooms (stats, queries, ...) stand beside this folder; an installed package holds them inside.
_ROOMS = Path(__file__).parent.parent
if not (Path(__file__).parent / "stats").is_dir() and (_ROOMS / "stats").is_dir():
    __path__.append(str(_ROOMS))
