"""Readers: what is shown evidence and a prompt, and replies. A VLM behind a service, or a command."""

from .protocol import Reader, Reply, Show, Unanswered
from .registry import open_reader

__all__ = ["Reader", "Reply", "Show", "Unanswered", "open_reader"]
