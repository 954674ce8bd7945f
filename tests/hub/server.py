"""A Hugging Face Hub for tests: loopback, in memory, spoken to by the real clients. Standard library only."""

import contextlib
import json
import sys
import threading
import time
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote

from . import commits, discussions, files, repositories  # noqa: F401  (their routes)
from .faults import Faults, altered
from .protocol import Answer, Request, answer, find
from .storage import Refused, Store

TOKENS = {"hf_writer": ("writer", True), "hf_reader": ("reader", False)}


class Hub(ThreadingHTTPServer):
    """endpoint, token, reader_token : what a client needs. store : what is held. faults : what goes wrong.
    requests : how many requests of each kind came, those that met a fault included.
    log : (method, path with query, status) in order of arrival of the answer; status 0 where none was sent."""

    daemon_threads = True
    request_queue_size = 64
    token, reader_token = TOKENS

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.endpoint = f"http://127.0.0.1:{self.server_address[1]}"
        self.store, self.faults = Store(), Faults()
        self.requests, self.log = Counter(), []

    def handle_error(self, request, client_address):
        """A client that hung up is no news; a mistake of the server's own is."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: Hub

    def log_message(self, *args):
        pass

    def handle_any(self):
        path, _, query = self.path.partition("?")
        self.status = 0
        kind = find(self.command, path)[0]
        fault = self.server.faults.take(self.command, unquote(self.path))
        hurt = fault.kind if fault else None
        with self.server.store.lock:
            self.server.requests[kind] += 1
        try:
            body = self.read(hurt)
            if body is None:
                return self.hang_up()
            if isinstance(hurt, int):
                given = self.error(Refused(hurt, "injected"))
                if fault.retry_after is not None:
                    given.headers["Retry-After"] = str(fault.retry_after)
            else:
                given = self.respond(path, query, body)
            if hurt == "lost":
                return self.hang_up()
            if hurt == "alter" and not body:
                given.body = altered(given.body)
            self.send(given, hurt if not body else None, fault)
        finally:
            with self.server.store.lock:
                self.server.log.append((self.command, self.path, self.status))

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = handle_any

    def read(self, hurt):
        """The request's body; None if the connection is to break half-way through it."""
        if self.headers.get("Transfer-Encoding", "").lower() == "chunked":
            parts = []
            while size := int(self.rfile.readline().split(b";")[0], 16):
                parts.append(self.rfile.read(size))
                self.rfile.readline()
            self.rfile.readline()
            body = b"".join(parts)
        else:
            size = int(self.headers.get("Content-Length") or 0)
            if size and hurt == "drop":
                self.rfile.read(size // 2)
                return None
            body = self.rfile.read(size)
        if body and hurt == "drop":
            return None
        return altered(body) if hurt == "alter" else body

    def respond(self, path, query, body):
        store, given = self.server.store, self.headers.get("Authorization", "")
        try:
            user, writer = TOKENS.get(given.removeprefix("Bearer "), (None, False))
            if given and user is None:
                raise Refused(401, "Invalid credentials in Authorization header")
            headers = {name.lower(): value for name, value in self.headers.items()}
            request = Request(self.command, path, query, headers, body, self.server.endpoint, user, writer)
            with store.lock:
                return answer(store, request)
        except Refused as refused:
            return self.error(refused)

    def error(self, refused):
        headers = {"Content-Type": "application/json", "X-Error-Message": refused.message}
        if refused.code:
            headers["X-Error-Code"] = refused.code
        headers |= getattr(refused, "headers", {})
        return Answer(json.dumps({"error": refused.message, **refused.body}).encode(), refused.status, headers)

    def send(self, given: Answer, hurt, fault):
        self.status = given.status
        self.send_response(given.status)
        for name, value in {**given.headers, "Content-Length": str(len(given.body))}.items():
            self.send_header(name, value)
        self.end_headers()
        if self.command == "HEAD":
            return
        half = len(given.body) // 2
        if hurt == "drop":
            self.wfile.write(given.body[:half])
            self.hang_up()
        elif hurt == "slow":
            for part in (given.body[:half], given.body[half:]):
                time.sleep(fault.seconds / 2)
                self.wfile.write(part)
                self.wfile.flush()
        else:
            self.wfile.write(given.body)

    def hang_up(self):
        self.wfile.flush()
        self.close_connection = True


@contextlib.contextmanager
def serve():
    """A Hub of its own on a free port of the loopback; gone at the end."""
    with Hub() as hub:
        thread = threading.Thread(target=hub.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield hub
        finally:
            hub.shutdown()
            thread.join()
