"""A model to test against: on the loopback, it speaks the protocols of OpenAI and Gemini, sees, and can misbehave."""

import base64
import contextlib
import hashlib
import json
import random
import re
import sys
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from .scenes import see

OPENAI_KEY, GEMINI_KEY = "sk-test-0123456789abcdef", "AIzaTest-0123456789abcdef"
# What can go wrong with a call: a status, or one of these.
FAULTS = (429, 500, 503, "slow", "drop", "garbage", "empty", "refusal", "cut", "prose")


class Model(ThreadingHTTPServer):
    """endpoint: where it is. answer(data, prompt): what it says of the last picture or the video.

    faults: kinds to draw from, each call with `probability`; script: faults of the next calls, None for none, before
    that. log: of each call (protocol, digests of what it was shown, the prompt, fault or None, text or None) in the
    order of arrival; bodies: the last two requests; `answered` counts those whose whole good answer was sent.
    """

    daemon_threads = True
    request_queue_size = 64

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self.server_address[1]}"
        self.lock, self.log, self.answered = threading.Lock(), [], 0
        self.answer, self.delay, self.slow = see, 0.0, 3.0
        self.faults, self.probability, self.script, self.retry_after = FAULTS, 0.0, [], 0
        self.draws, self.bodies = random.Random(0), []
        self.now = self.most = 0

    @property
    def calls(self):
        return len(self.log)

    def kinds(self):
        return Counter(str(entry[3]) for entry in self.log)

    def environment(self):
        """What a client needs to know."""
        return {
            "OPENAI_BASE_URL": f"{self.endpoint}/v1",
            "OPENAI_API_KEY": OPENAI_KEY,
            "GOOGLE_GEMINI_BASE_URL": self.endpoint,
            "GEMINI_API_KEY": GEMINI_KEY,
        }

    def fault(self):
        if self.script:
            return self.script.pop(0)
        return self.draws.choice(self.faults) if self.draws.random() < self.probability else None

    def handle_error(self, request, client_address):
        """A client that hung up is no news; a mistake of the server's own is."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Model

    def log_message(self, *args):
        pass

    def do_POST(self):
        size = int(self.headers["Content-Length"])
        data = self.rfile.read(size)
        if len(data) < size:  # the client was killed
            self.close_connection = True
            return None
        body = json.loads(data)
        is_openai = self.path == "/v1/chat/completions"
        gemini = re.fullmatch(r"/v1(?:beta)?/models/([^:/]+):generateContent", self.path)
        if is_openai:
            allowed = self.headers.get("Authorization") == f"Bearer {OPENAI_KEY}"
        else:
            allowed = self.headers.get("x-goog-api-key") == GEMINI_KEY
        if not (is_openai or gemini):
            return self.refuse(is_openai, 404, f"no such address: {self.path}")
        if not allowed:
            given = self.headers.get("Authorization") or self.headers.get("x-goog-api-key")
            return self.refuse(is_openai, 401, f"Incorrect API key provided: {given}. API key not valid.")
        shown, prompt = read_openai(body) if is_openai else read_gemini(body)
        with self.server.lock:
            fault = self.server.fault()
            entry = ["openai" if is_openai else "gemini", [hashlib.sha256(one).hexdigest() for one in shown], prompt,
                     fault, None]  # fmt: skip
            self.server.log.append(entry)
            self.server.bodies = [*self.server.bodies[-1:], body]
            self.server.now += 1
            self.server.most = max(self.server.most, self.server.now)
        try:
            self.reply(is_openai, shown, prompt, fault, entry)
        finally:
            with self.server.lock:
                self.server.now -= 1

    def reply(self, is_openai, shown, prompt, fault, entry):
        time.sleep(self.server.delay)
        if isinstance(fault, int):
            return self.refuse(is_openai, fault, "injected")
        if fault == "drop":
            self.close_connection = True
            return None
        text = self.server.answer(shown[-1], prompt)
        finish, more = "stop", {}
        if fault == "slow":
            time.sleep(self.server.slow)
        elif fault == "empty":
            text = ""
        elif fault == "refusal":
            text, finish = "", "content_filter"
        elif fault == "cut":
            text, finish, more = text[:1], "length", {"reasoning_content": f"It is {text}, I think."}
        elif fault == "prose":
            text = f"It could be left, or 3, or red; not null. {text}"
        make = openai_answer if is_openai else gemini_answer
        data = json.dumps(make(text, finish, more)).encode()
        if fault == "garbage":
            data = data[: len(data) // 2]
        self.send(200, data)
        if fault is None:
            with self.server.lock:
                entry[4] = text
                self.server.answered += 1
        return None

    def refuse(self, is_openai, status, message):
        error = {"message": message, "type": "error", "code": str(status)} if is_openai else {
            "code": status, "message": message, "status": "INJECTED"}  # fmt: skip
        extra = {"Retry-After": str(self.server.retry_after)} if status == 429 else {}
        self.send(status, json.dumps({"error": error}).encode(), extra)

    def send(self, status, data, headers=()):
        self.send_response(status)
        for name, value in {
            "Content-Type": "application/json",
            "Content-Length": str(len(data)),
            **dict(headers),
        }.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)


def read_openai(body):
    """-> what is shown, in its order; the prompt."""
    (message,) = body["messages"]
    shown = []
    for part in message["content"]:
        kind = part["type"]
        if kind in ("image_url", "video_url"):
            head, _, data = part[kind]["url"].partition(";base64,")
            assert head.startswith("data:" + kind.removesuffix("_url"))
            shown.append(base64.b64decode(data, validate=True))
    return shown, message["content"][-1]["text"]


def read_gemini(body):
    (content,) = body["contents"]
    shown = [base64.urlsafe_b64decode(one["inlineData"]["data"]) for one in content["parts"] if "inlineData" in one]
    return shown, content["parts"][-1]["text"]


def openai_answer(text, finish, more):
    message = {"role": "assistant", "content": text or None, **more}
    choice = {"index": 0, "message": message, "finish_reason": finish}
    usage = {"prompt_tokens": 1000, "completion_tokens": 10, "total_tokens": 1010}
    return {"id": "1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}


def gemini_answer(text, finish, more):
    usage = {"promptTokenCount": 1000, "candidatesTokenCount": 4, "thoughtsTokenCount": 6, "totalTokenCount": 1010}
    if finish == "content_filter":
        return {"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": usage}
    parts = [{"text": "Let me see.", "thought": True}, *([{"text": text}] if text else [])]
    reason = {"stop": "STOP", "length": "MAX_TOKENS"}[finish]
    content = {"role": "model", "parts": parts}
    return {"candidates": [{"content": content, "finishReason": reason, "index": 0}], "usageMetadata": usage}


@contextlib.contextmanager
def serve():
    """A model of its own on a free port of the loopback; gone at the end."""
    with Model() as model:
        thread = threading.Thread(target=model.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield model
        finally:
            model.shutdown()
            thread.join()
