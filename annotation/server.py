"""The page of one session, on a port of this machine's loopback."""

from __future__ import annotations

import json
import re
import secrets
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import TCPServer
from typing import Any

from calibench_data.errors import CalibenchError

from .byte_ranges import UnsatisfiableRange, byte_range
from .folders import MEDIA_TYPES
from .guard import HOST, SECURITY_HEADERS, has_token, is_refused
from .session import Session, StaleAnswer, WrongAnswer

_PAGE = Path(__file__).parent / "page"
_FILES = {
    "": ("index.html", "text/html; charset=utf-8"),
    "label.css": ("label.css", "text/css; charset=utf-8"),
    "label.js": ("label.js", "text/javascript; charset=utf-8"),
}
_LONGEST_BODY = 4_000
_PIECE = 1 << 18


class LabelServer(ThreadingHTTPServer):
    """Serves a session to whoever has the token in `address`. Port 0 takes a free one."""

    daemon_threads = True
    # On Windows the option would let another program listen on the same port.
    allow_reuse_address = False

    def __init__(self, session: Session, port: int) -> None:
        """Raises OSError if the port is taken."""
        self.session = session
        self.token = secrets.token_urlsafe(24)
        super().__init__((HOST, port), _Handler)

    @property
    def address(self) -> str:
        """The page's address; only who knows it gets anything."""
        return f"http://{HOST}:{self.server_port}/{self.token}/"

    def server_bind(self) -> None:
        # Without the look-up of this machine's name that HTTPServer makes.
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.socket.getsockname()[:2]

    def handle_error(self, request: Any, client_address: Any) -> None:
        # A browser that has seen enough of a video hangs up: that is no news. The rest answers 500 itself.
        pass


class _Handler(BaseHTTPRequestHandler):
    server: LabelServer
    protocol_version = "HTTP/1.1"
    timeout = 60

    def do_GET(self) -> None:
        self._guarded(self._get)

    def do_HEAD(self) -> None:
        self._guarded(self._get)

    def do_POST(self) -> None:
        self._guarded(self._post)

    def _guarded(self, act: Callable[[str], None]) -> None:
        headers: dict[str, list[str]] = {}
        for name, value in self.headers.items():
            headers.setdefault(name.lower(), []).append(value)
        refused = is_refused(self.command, headers, self.server.server_port)
        if refused or not has_token(self.path, self.server.token):
            self._say(HTTPStatus.FORBIDDEN, "not allowed")
            return
        act(self.path.split("/", 2)[2] if self.path.count("/") > 1 else "/")

    def _get(self, path: str) -> None:
        if path in _FILES:
            name, kind = _FILES[path]
            self._send(HTTPStatus.OK, kind, (_PAGE / name).read_bytes())
        elif path == "state":
            self._send_json(self.server.session.state())
        elif path.startswith("video/") and (video := self.server.session.video(path.removeprefix("video/"))):
            self._send_file(video.path)
        else:
            self._say(HTTPStatus.NOT_FOUND, "not found")

    def _post(self, path: str) -> None:
        length = self.headers.get("Content-Length", "")
        if (
            not re.fullmatch(r"[0-9]{1,6}", length)
            or int(length) > _LONGEST_BODY
            or "Transfer-Encoding" in self.headers
        ):
            self._say(HTTPStatus.BAD_REQUEST, "wrong length")
            return
        session = self.server.session
        try:
            asked = json.loads(self.rfile.read(int(length)))
            if path == "answer":
                state = session.answer(asked["video"], asked["answer"], asked["outcome"])
            elif path == "undo":
                state = session.undo(asked["video"])
            else:
                self._say(HTTPStatus.NOT_FOUND, "not found")
                return
        except CalibenchError as error:
            self._say(HTTPStatus.INTERNAL_SERVER_ERROR, str(error))
        except (ValueError, TypeError, KeyError, RecursionError, WrongAnswer):
            self._say(HTTPStatus.BAD_REQUEST, "not one of the answers that were offered")
        except StaleAnswer:
            self._say(HTTPStatus.CONFLICT, "answered in another window meanwhile")
        except OSError as error:
            self._say(HTTPStatus.INTERNAL_SERVER_ERROR, f"could not be written: {error.strerror}")
        else:
            self._send_json(state)

    def _send_file(self, path: Path) -> None:
        try:
            file = path.open("rb")
        except OSError:
            self._say(HTTPStatus.NOT_FOUND, "not found")
            return
        with file:
            size = path.stat().st_size
            # Without validators (they would tell the file's date) a range of an earlier answer cannot be vouched for.
            asked = None if "If-Range" in self.headers else self.headers.get("Range")
            try:
                found = byte_range(asked, size)
            except UnsatisfiableRange:
                self._head(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, {"Content-Range": f"bytes */{size}"}, 0)
                return
            first, end = found or (0, size)
            headers = {"Content-Type": MEDIA_TYPES[path.suffix.lower()], "Accept-Ranges": "bytes"}
            if found:
                headers["Content-Range"] = f"bytes {first}-{end - 1}/{size}"
            self._head(HTTPStatus.PARTIAL_CONTENT if found else HTTPStatus.OK, headers, end - first)
            file.seek(first)
            while self.command != "HEAD" and first < end and (piece := file.read(min(_PIECE, end - first))):
                self.wfile.write(piece)
                first += len(piece)
            if first < end and self.command != "HEAD":
                self.close_connection = True  # the file became shorter: the browser must not wait for the rest

    def _send_json(self, value: Any) -> None:
        self._send(HTTPStatus.OK, "application/json", json.dumps(value).encode())

    def _say(self, status: HTTPStatus, text: str) -> None:
        self.close_connection = True  # what else the request holds was not read
        self._send(status, "text/plain; charset=utf-8", f"{text}\n".encode())

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self._head(status, {"Content-Type": kind}, len(body))
        if self.command != "HEAD":
            self.wfile.write(body)

    def _head(self, status: HTTPStatus, headers: dict[str, str], length: int) -> None:
        self.send_response_only(status)
        for name, value in {**SECURITY_HEADERS, **headers, "Content-Length": str(length)}.items():
            self.send_header(name, value)
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        # For requests that cannot be read: as bare as every other refusal.
        self._say(HTTPStatus(code), "not allowed")

    def log_message(self, format: str, *arguments: Any) -> None:
        # Requests are not logged: each has the token in it.
        pass
