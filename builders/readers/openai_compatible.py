"""A reader behind the chat-completions protocol of OpenAI, which many services and local servers speak."""

from __future__ import annotations

import base64
import os
from collections.abc import Sequence
from typing import Any

from calibench_data.errors import CalibenchError, Problem

from .protocol import Reply, Show, Unanswered
from .registry import Parameters, key_of
from .retry_after import remedy, retry_after
from .secrecy import environment_secrets, hide

KEY = "OPENAI_API_KEY"


class OpenAIReader:
    """Asks with one message: the pictures, each behind its caption, then the prompt.

    A video goes as `video_url`, as vLLM and SGLang take it; the service of OpenAI takes pictures alone.
    """

    def __init__(self, model: str, parameters: Parameters) -> None:
        import openai

        base_url = parameters.base_url or os.environ.get("OPENAI_BASE_URL") or None
        api_key = os.environ.get(KEY)
        if not api_key and base_url is None:
            raise CalibenchError([Problem(KEY, "is not set", "the key of the service, in the environment")])
        self.name, self.key = model, key_of(f"openai:{model}", parameters)
        self.secrets = environment_secrets()
        self._parameters = parameters
        # A local server wants no key, and the library wants one. Trying again is not the library's business.
        self._client = openai.OpenAI(
            api_key=api_key or "none", base_url=base_url, timeout=parameters.timeout_s, max_retries=0
        )

    def read(self, shown: Sequence[Show], prompt: str) -> Reply:
        """Ask once."""
        import openai

        content: list[dict[str, Any]] = []
        for one in shown:
            if one.caption:
                content.append({"type": "text", "text": one.caption})
            kind = "image_url" if one.mime.startswith("image/") else "video_url"
            url = f"data:{one.mime};base64,{base64.b64encode(one.data).decode()}"
            content.append({"type": kind, kind: {"url": url}})
        content.append({"type": "text", "text": prompt})
        asked: dict[str, Any] = {"model": self.name, "messages": [{"role": "user", "content": content}]}
        if self._parameters.temperature is not None:
            asked["temperature"] = self._parameters.temperature
        if self._parameters.max_tokens is not None:
            asked["max_completion_tokens"] = self._parameters.max_tokens
        try:
            return _reply(self._client.chat.completions.create(**asked))
        except openai.APIStatusError as error:
            said = f"{error.message}"
            wait = retry_after(error.response.headers)
            reason = hide(f"HTTP {error.status_code}: {said}", self.secrets)
            raise Unanswered(reason, remedy(error.status_code, f"{said} {error.code}"), wait) from None
        except openai.APITimeoutError:
            raise Unanswered(f"no answer within {self._parameters.timeout_s:g} s") from None
        except (openai.OpenAIError, ValueError) as error:
            raise Unanswered(hide(f"{type(error).__name__}: {error}", self.secrets)) from None


def _reply(answer: Any) -> Reply:
    """The text of the first choice, if the model ended it by itself. What it thought before is not its answer."""
    usage = getattr(answer, "usage", None)
    tokens = (getattr(usage, "prompt_tokens", None), getattr(usage, "completion_tokens", None))
    choices = getattr(answer, "choices", None)
    if not choices:
        raise Unanswered("the answer has no choices", reply=Reply("", "", *tokens))
    message, finish = choices[0].message, choices[0].finish_reason or ""
    text = message.content if isinstance(getattr(message, "content", None), str) else ""
    reply = Reply(text, finish, *tokens)
    if refusal := getattr(message, "refusal", None):
        raise Unanswered(f"refused: {refusal}", reply=reply)
    if finish == "content_filter":
        raise Unanswered("refused: content_filter", reply=reply)
    if finish == "length":
        raise Unanswered("cut off: length", reply=reply)
    if not text.strip():
        raise Unanswered(f"empty reply, finish reason {finish or 'not given'}", reply=reply)
    return reply
