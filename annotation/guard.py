"""Who may ask: only the page itself, in a browser of this machine, with the token of its address."""

from __future__ import annotations

import hmac
from collections.abc import Mapping

HOST = "127.0.0.1"
_NAMES = (HOST, "localhost")

# The page may load what comes from here and nothing else, runs no script but its own, and stands in no frame.
SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; media-src 'self'; "
    "img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cache-Control": "no-store",
}


def is_refused(method: str, headers: Mapping[str, list[str]], port: int) -> bool:
    """Whether a request is not the page's own. headers: lower-case name -> all values.

    The Host must be a name of the loopback: a page of another name that was made to point here (DNS rebinding) sends
    its own. The Origin, where there is one, must be this server, and a request that changes something must have one.
    """
    hosts = headers.get("host", [])
    if len(hosts) != 1 or hosts[0].lower() not in [f"{name}:{port}" for name in _NAMES]:
        return True
    origins, sites = headers.get("origin", []), headers.get("sec-fetch-site", [])
    if any(origin != f"http://{hosts[0].lower()}" for origin in origins):
        return True
    # A page of this machine at another port is same-site, and not the page.
    if any(site not in ("same-origin", "none") for site in sites):
        return True
    if method != "POST":
        return False
    kinds = headers.get("content-type", [])
    return len(origins) != 1 or len(kinds) != 1 or kinds[0].split(";")[0].strip().lower() != "application/json"


def has_token(path: str, token: str) -> bool:
    """Whether a path begins with the token, compared in constant time."""
    return hmac.compare_digest(path.split("/", 2)[1].encode() if path.startswith("/") else b"", token.encode())
