"""A reader behind Google's generate-content protocol: Gemini."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

from calibench_data.errors import CalibenchError, Problem

from .protocol import Reply, Show, Unanswered
from .registry import Parameters, key_of
from .retry_after import remedy, retry_after
from .secrecy import environment_secrets, hide

KEYS = ("GEMINI_API_KEY", "GOOGLE_API_KEY")
_ENDED = ("", "STOP", "FINISH_REASON_UNSPECIFIED")


class GeminiReader:
    """Asks with one content: the pictures or the video, each behind its caption, then the prompt."""

    def __init__(self, model: str, parameters: Parameters) -> None:
        from google import genai
        from google.genai import types

        api_key = next((os.environ[name] for name in KEYS if os.environ.get(name)), None)
        if not api_key:
            raise CalibenchError([Problem(KEYS[0], "is not set", "the key of the service, in the environment")])
        self.name, self.key = model, key_of(f"gemini:{model}", parameters)
        self.secrets = environment_secrets()
        self._timeout_s = parameters.timeout_s
        # One attempt: trying again is not the library's business, which would count calls that nobody sees.
        http = types.HttpOptions(
            base_url=parameters.base_url or os.environ.get("GOOGLE_GEMINI_BASE_URL") or None,
            timeout=int(parameters.timeout_s * 1000),
            retry_options=types.HttpRetryOptions(attempts=1),
        )
        self._client = genai.Client(api_key=api_key, vertexai=False, http_options=http)
        self._config = types.GenerateContentConfig(
            temperature=parameters.temperature,
            max_output_tokens=parameters.max_tokens,
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
        )

    def read(self, shown: Sequence[Show], prompt: str) -> Reply:
        """Ask once."""
        from google.genai import errors, types

        parts = []
        for one in shown:
            if one.caption:
                parts.append(types.Part.from_text(text=one.caption))
            parts.append(types.Part.from_bytes(data=one.data, mime_type=one.mime))
        parts.append(types.Part.from_text(text=prompt))
        contents = types.Content(role="user", parts=parts)
        try:
            return _reply(self._client.models.generate_content(model=self.name, contents=contents, config=self._config))
        except Unanswered:
            raise
        except errors.APIError as error:
            said = f"{error.status or ''} {error.message or ''}".strip()
            wait = retry_after(getattr(error.response, "headers", None), error.details)
            helps = "stop" if "API key" in said else remedy(error.code, said)
            raise Unanswered(hide(f"HTTP {error.code}: {said}", self.secrets), helps, wait) from None
        except Exception as error:  # of the HTTP library, which the client does not wrap, and of answers it cannot read
            name = type(error).__name__
            what = f"no answer within {self._timeout_s:g} s" if "Timeout" in name else f"{name}: {error}"
            raise Unanswered(hide(what, self.secrets)) from None


def _reply(answer: Any) -> Reply:
    """The text of the first candidate, if the model ended it by itself. What it thought before is not its answer."""
    usage = answer.usage_metadata
    written = [getattr(usage, name, None) for name in ("candidates_token_count", "thoughts_token_count")]
    counted = [number for number in written if number is not None]
    tokens = (getattr(usage, "prompt_token_count", None), sum(counted) if counted else None)
    blocked = getattr(answer.prompt_feedback, "block_reason", None)
    if not answer.candidates:
        reason = f"refused: {_name(blocked)}" if blocked else "the answer has no candidates"
        raise Unanswered(reason, reply=Reply("", _name(blocked), *tokens))
    candidate = answer.candidates[0]
    finish = _name(candidate.finish_reason)
    parts = (candidate.content.parts if candidate.content else None) or []
    text = "".join(part.text for part in parts if part.text and not part.thought)
    reply = Reply(text, finish, *tokens)
    if finish == "MAX_TOKENS":
        raise Unanswered("cut off: MAX_TOKENS", reply=reply)
    if finish not in _ENDED:
        raise Unanswered(f"refused: {finish}", reply=reply)
    if not text.strip():
        raise Unanswered(f"empty reply, finish reason {finish or 'not given'}", reply=reply)
    return reply


def _name(value: Any) -> str:
    return "" if value is None else str(getattr(value, "value", value))
