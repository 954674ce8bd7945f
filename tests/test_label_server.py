"""Who gets an answer from the label page's server, and what it gives away."""

import http.client
import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

import pytest
from browser import film, press, see, wait
from calibench_data.annotation.answers import AnswerFile
from calibench_data.annotation.byte_ranges import UnsatisfiableRange, byte_range
from calibench_data.annotation.choices import choices
from calibench_data.annotation.digests import Digests
from calibench_data.annotation.folders import VideoFile
from calibench_data.annotation.server import LabelServer
from calibench_data.annotation.session import Session
from calibench_data.queries.cells import Scene
from selenium.webdriver.common.keys import Keys

HOSTILE = ("<img src=x onerror=document.title='taken'>", '"><script>document.title="taken"</script>', "a&amp;b\u202ec")


@pytest.fixture
def make(tmp_path):
    """Serve two videos of one scene from this process: (server, session)."""
    stack = []

    def make(outcomes=("left", "right"), title="Fork", content=b"0123456789" * 100, suffix=".mp4"):
        paths = [tmp_path / f"secret-{seed}{suffix}" for seed in (0, 1)]
        for path in paths:
            path.write_bytes(content)
        videos = [VideoFile(path, "calibench", "fork", "secret", seed) for seed, path in enumerate(paths)]
        scene = Scene("calibench", "fork", title, "", 32, tuple(outcomes), None)
        answers = AnswerFile(tmp_path, "ada")
        rules = {"fork": f"<b>{title}</b>"}
        session = Session("ada", videos, {"fork": scene}, rules, answers, Digests(), lambda: None)
        server = LabelServer(session, 0)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        stack.append((server, thread, answers))
        return server, session

    yield make
    for server, thread, answers in stack:
        server.shutdown()
        thread.join()
        server.server_close()
        answers.close()


def ask(server, path="", method="GET", body=None, **headers):
    """(status, headers, body) of a request with these headers alone; the path is below the token, or absolute."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    try:
        connection.putrequest(
            method,
            path if path.startswith("/") else f"/{server.token}/{path}",
            skip_host=True,
            skip_accept_encoding=True,
        )
        sent = {"Host": f"127.0.0.1:{server.server_port}"} | {n.replace("_", "-"): v for n, v in headers.items()}
        if body is not None:
            sent.setdefault("Content-Length", str(len(body)))
        for name, value in sent.items():
            if value is not None:
                connection.putheader(name, value)
        connection.endheaders(body)
        reply = connection.getresponse()
        return reply.status, {name.lower(): value for name, value in reply.getheaders()}, reply.read()
    finally:
        connection.close()


def answer_to(server, session, answer="null", **headers):
    body = {"video": session.state()["video"]["id"], "answer": answer, "outcome": None}
    own = {"Origin": f"http://127.0.0.1:{server.server_port}", "Content_Type": "application/json"}
    return ask(server, "answer", "POST", json.dumps(body).encode(), **(own | headers))[0]


def test_the_page_itself_is_answered(make):
    server, session = make()
    assert ask(server)[0] == 200
    assert ask(server, Host=f"localhost:{server.server_port}")[0] == 200
    assert ask(server, Sec_Fetch_Site="none")[0] == 200
    assert ask(server, "state", Sec_Fetch_Site="same-origin")[0] == 200
    assert answer_to(server, session) == 200
    assert session.counted()["null"] == 1


@pytest.mark.parametrize(
    "path", ["/", "/state", "/label.js", "//state", "/x/state", "/{token}x/state", "/{half}/state"]
)
def test_without_the_token_nothing_is_answered(make, path):
    server, _ = make()
    path = path.format(token=server.token, half=server.token[:16])
    for method in ("GET", "HEAD", "POST"):
        status, headers, body = ask(server, path, method)
        assert status == 403
        assert body == (b"" if method == "HEAD" else b"not allowed\n")
        assert "server" not in headers


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": None},
        {"Host": "evil.example"},
        {"Host": "evil.example:{port}"},
        {"Host": "127.0.0.1"},
        {"Host": "127.0.0.1:1"},
        {"Host": "127.0.0.1.evil.example:{port}"},
        {"Host": "localhost:{port}@evil.example"},
        {"Origin": "http://evil.example"},
        {"Origin": "https://127.0.0.1:{port}"},
        {"Origin": "http://127.0.0.1:1"},
        {"Origin": "null"},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_another_host_or_origin_is_refused_even_with_the_token(make, headers):
    server, session = make()
    headers = {name: value and value.format(port=server.server_port) for name, value in headers.items()}
    for path in ("", "state", f"video/{session.state()['video']['id']}"):
        assert ask(server, path, **headers)[0] == 403
    assert answer_to(server, session, **headers) == 403
    assert session.counted()["null"] == 0


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": None},
        {"Content_Type": "text/plain"},
        {"Content_Type": "application/x-www-form-urlencoded"},
        {"Content_Type": None},
    ],
)
def test_what_a_form_of_another_page_could_send_changes_nothing(make, headers):
    server, session = make()
    assert answer_to(server, session, **headers) == 403
    assert session.counted()["null"] == 0


@pytest.mark.parametrize(
    ("path", "body", "status"),
    [
        ("answer", b'{"video": "x", "answer": "null", "outcome": null}', 400),
        ("answer", b'{"video": "{id}", "answer": "outcome", "outcome": "up"}', 400),
        ("answer", b'{"video": "{id}", "answer": "null", "outcome": "left"}', 400),
        ("answer", b'{"video": "{id}", "answer": "undo", "outcome": null}', 400),
        ("answer", b'{"video": ["{id}"], "answer": "null", "outcome": null}', 400),
        ("answer", b"[" * 3000, 400),
        ("answer", b"\xff", 400),
        ("answer", b"", 400),
        ("answer", b" " * 5000, 400),
        ("undo", b'{"video": "{id}"}', 409),
        ("other", b"{}", 404),
    ],
)
def test_what_is_no_answer_is_told_and_kept_nowhere(make, path, body, status):
    server, session = make()
    body = body.replace(b"{id}", session.state()["video"]["id"].encode())
    origin = f"http://127.0.0.1:{server.server_port}"
    assert ask(server, path, "POST", body, Origin=origin, Content_Type="application/json")[0] == status
    assert session.counted()["all"] == sum(session.counted().values())


@pytest.mark.parametrize("method", ["PUT", "DELETE", "OPTIONS", "PATCH", "TRACE"])
def test_other_methods_are_refused(make, method):
    server, _ = make()
    status, headers, body = ask(server, method=method)
    assert (status, body) == (501, b"not allowed\n")
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("path", ["../label.js", "video/", "video/../state", "%2e%2e/x", "index.html", "video/x?y"])
def test_there_is_nothing_else(make, path):
    server, _ = make()
    assert ask(server, path)[0] == 404


def test_headers_keep_the_page_to_itself_and_give_nothing_away(make):
    server, session = make()
    for path in ("", "label.js", "label.css", "state", f"video/{session.state()['video']['id']}"):
        status, headers, body = ask(server, path)
        assert status == 200
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["cross-origin-resource-policy"] == "same-origin"
        assert not {"server", "date", "last-modified", "etag", "content-disposition"} & set(headers)
        assert b"secret" not in body
        assert "secret" not in str(headers)
        assert b"http://" not in body or path == "state"


@pytest.mark.parametrize(
    ("header", "found"),
    [
        (None, None),
        ("bytes=0-", (0, 1000)),
        ("bytes=0-0", (0, 1)),
        ("bytes=10-19", (10, 20)),
        ("bytes=990-5000", (990, 1000)),
        ("bytes=-5", (995, 1000)),
        ("bytes=-5000", (0, 1000)),
        ("Bytes=1-2", (1, 3)),
        ("bytes=1000-", UnsatisfiableRange),
        ("bytes=-0", UnsatisfiableRange),
        ("bytes=5-4", None),
        ("bytes=-", None),
        ("bytes=1-2,5-6", None),
        ("bytes=a-b", None),
        ("bytes=1-2x", None),
        ("seconds=1-2", None),
        ("bytes=" + "9" * 30 + "-", None),
    ],
)
def test_ranges(make, header, found):
    server, session = make()
    content = b"0123456789" * 100
    path = f"video/{session.state()['video']['id']}"
    for method in ("GET", "HEAD"):
        status, headers, body = ask(server, path, method, Range=header)
        if found is UnsatisfiableRange:
            assert (status, headers["content-range"], body) == (416, "bytes */1000", b"")
            continue
        first, end = found or (0, 1000)
        assert status == (206 if found else 200)
        assert headers.get("content-range") == (f"bytes {first}-{end - 1}/1000" if found else None)
        assert (headers["accept-ranges"], headers["content-type"]) == ("bytes", "video/mp4")
        assert int(headers["content-length"]) == end - first
        assert body == (content[first:end] if method == "GET" else b"")
    if found is UnsatisfiableRange:
        with pytest.raises(UnsatisfiableRange):
            byte_range(header, 1000)
    else:
        assert byte_range(header, 1000) == found


def test_a_range_of_an_earlier_answer_gets_the_whole(make):
    server, session = make()
    path = f"video/{session.state()['video']['id']}"
    assert ask(server, path, Range="bytes=0-1", If_Range='"x"')[0] == 200


@pytest.mark.parametrize(
    ("outcomes", "typed"),
    [
        (["1", "2", "12"], "1 2 12 x t"),
        (["left", "right"], "l r x t"),
        (["red", "black", "green"], "r b g x t"),
        (["stays", "slides"], "1 2 x t"),
        (["tails", "heads"], "1 2 x t"),
        (["up", "down"], "1 2 x t"),
        (["é", "b"], "1 2 x t"),
    ],
)
def test_the_keys_of_a_scene_are_distinct_and_no_key_of_the_page(outcomes, typed):
    assert " ".join(choice.typed for choice in choices(outcomes)) == typed


@contextmanager
def other_origin(page):
    """Another page of this machine, on a port of its own."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(page.encode())

        def log_message(self, *arguments):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        server.block_on_close = False  # a browser keeps connections open
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()
        thread.join()


_ATTACK = """<!doctype html><title>0</title><iframe src="{to}"></iframe><video src="{to}video/{id}"></video>
<iframe name="sink"></iframe><form method="post" action="{to}answer" target="sink" enctype="text/plain">
<input name='{{"video":"{id}","answer":"null","outcome":null,"x":"' value='"}}'></form>
<script>
document.querySelector("form").submit();
const body = JSON.stringify({{video: "{id}", answer: "null", outcome: null}});
const failed = (url, options) => fetch(url, options).then(() => 0, () => 1);
Promise.all([
  failed("{to}state"), failed("{to}answer", {{method: "POST", body}}),
  failed("{to}answer", {{method: "POST", body, headers: {{"Content-Type": "application/json"}}}}),
  fetch("{to}answer", {{method: "POST", body, mode: "no-cors"}}).then(() => 1, () => 1),
  new Promise((done) => {{ document.querySelector("video").onerror = () => done(1); }}),
]).then((all) => {{ document.title = "failed " + all.join(""); }});
</script>"""


def test_a_page_of_another_origin_gets_and_changes_nothing(make, browser, tmp_path):
    content = film(tmp_path / "film.webm", [5], 3).read_bytes()
    server, session = make(content=content, suffix=".webm")
    to = f"http://127.0.0.1:{server.server_port}/{server.token}/"
    with other_origin(_ATTACK.format(to=to, id=session.state()["video"]["id"])) as address:
        browser.get(address)
        wait(browser, "document.title === 'failed 11111'")
        browser.switch_to.frame(0)
        assert "Label videos" not in browser.page_source
        browser.switch_to.default_content()
    assert session.state()["done"] == 0
    browser.get(to)  # the same, asked by the page itself
    shown = see(browser)
    press(browser, "l", Keys.ENTER)
    assert see(browser, shown[0])
    assert session.state()["done"] == 1
    browser.get_log("browser")


def test_names_are_shown_letter_by_letter(make, browser, tmp_path):
    content = film(tmp_path / "film.mp4", [5], 3).read_bytes()
    server, session = make(HOSTILE, HOSTILE[0], content)
    browser.get(f"http://127.0.0.1:{server.server_port}/{server.token}/")
    shown = see(browser)
    assert shown[1] == f"{HOSTILE[0]}: video 1 of 2"
    texts = browser.execute_script(
        "return [...document.querySelectorAll('.choice > span')].map((one) => one.textContent)"
    )
    assert tuple(texts[:3]) == HOSTILE
    assert not browser.execute_script("return document.querySelector('main img, main script, main b')")
    press(browser, "2", Keys.ENTER)
    assert see(browser, shown[0])
    assert browser.title.startswith("<img")
    assert session._answers.answers[0].outcome == HOSTILE[1]
    assert browser.get_log("browser") == []


def test_a_video_that_breaks_off_can_no_longer_be_answered(make, browser, tmp_path):
    content = film(tmp_path / "film.mp4", [5], 3).read_bytes()
    server, session = make(content=content)
    browser.get(f"http://127.0.0.1:{server.server_port}/{server.token}/")
    shown = see(browser)
    press(browser, "l")
    browser.execute_script("document.getElementById('video').dispatchEvent(new Event('error'))")
    press(browser, Keys.ENTER)
    browser.execute_script("document.getElementById('unplayable').click()")
    assert see(browser, shown[0])
    assert dict(session.counted()) == {"unplayable": 1, "all": 2}


def test_it_is_used_with_tab_arrows_and_space_alone_and_everything_has_a_name(make, browser, tmp_path):
    content = film(tmp_path / "film.mp4", [5], 3).read_bytes()
    server, session = make(content=content)
    browser.get(f"http://127.0.0.1:{server.server_port}/{server.token}/")
    shown = see(browser)
    browser.execute_script("document.getElementById('shortcuts').click(); document.getElementById('title').focus()")
    press(browser, "l")  # the single keys are off
    assert not browser.execute_script("return document.querySelector('#form input:checked')")
    active = "document.activeElement"
    for _ in range(20):
        press(browser, Keys.TAB)
        if browser.execute_script(f"return {active}.name === 'choice'"):
            break
    press(browser, Keys.SPACE, Keys.ARROW_DOWN)
    assert browser.execute_script(f"return {active}.closest('label').textContent").startswith("right")
    press(browser, Keys.TAB)
    assert browser.execute_script(f"return {active}.id") == "save"
    press(browser, Keys.SPACE)
    assert see(browser, shown[0])
    assert session._answers.answers[0].outcome == "right"
    assert browser.execute_script("return document.getElementById('status').textContent") == "Saved. Fork: video 2 of 2"
    nodes = browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
    named = {"button", "radio", "checkbox", "Video", "progressbar", "heading", "form", "region"}
    found = [(one["role"]["value"], one["name"].get("value")) for one in nodes if "name" in one]
    assert {role for role, _ in found} >= {"button", "radio", "checkbox", "Video", "heading"}
    assert not [role for role, name in found if role in named and not name]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_light_and_dark_can_be_read_and_a_phone_needs_no_scrolling_sideways(make, browser, tmp_path, scheme):
    content = film(tmp_path / "film.mp4", [5], 3).read_bytes()
    server, _ = make(("left", "right", "somewhere quite else"), content=content)
    media = {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    phone = {"width": 320, "height": 640, "deviceScaleFactor": 1, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    browser.get(f"http://127.0.0.1:{server.server_port}/{server.token}/")
    see(browser)
    assert browser.execute_script("return document.documentElement.scrollWidth") == 320
    style = "getComputedStyle(document.documentElement).getPropertyValue"
    names = ("ground", "panel", "text", "faint", "accent", "on-accent", "chosen", "fault", "fault-ground")
    colour = {name: browser.execute_script(f"return {style}('--{name}')") for name in names}
    assert (luminance(colour["ground"]) > 0.5) == (scheme == "light")
    for text, ground in (("text", "ground"), ("text", "panel"), ("text", "chosen"), ("faint", "ground"),
                         ("faint", "panel"), ("faint", "chosen"), ("on-accent", "accent"),
                         ("fault", "fault-ground")):  # fmt: skip
        low, high = sorted(luminance(colour[name]) for name in (text, ground))
        assert (high + 0.05) / (low + 0.05) >= 4.5, (text, ground)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def luminance(colour):
    """Relative luminance of #rrggbb (WCAG 2.2)."""
    parts = [int(colour.strip()[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_last_frame_can_be_held(make, browser, tmp_path):
    content = film(tmp_path / "film.webm", [2, 2, 20], 12).read_bytes()
    server, _ = make(content=content, suffix=".webm")
    browser.get(f"http://127.0.0.1:{server.server_port}/{server.token}/")
    see(browser)
    video = "document.getElementById('video')"
    assert browser.execute_script(f"return {video}.loop && {video}.muted")
    press(browser, "e")
    wait(browser, f"{video}.paused && !{video}.seeking && {video}.currentTime > {video}.duration - 0.1")
    assert see(browser)[2] == 20
    press(browser, "p")
    wait(browser, f"!{video}.paused")


def test_the_same_answer_twice_is_one_and_another_is_told(make):
    server, session = make()
    first = session.state()["video"]["id"]
    after = session.answer(first, "outcome", "left")
    assert session.answer(first, "outcome", "left") == after
    origin, kind = f"http://127.0.0.1:{server.server_port}", "application/json"
    body = json.dumps({"video": first, "answer": "outcome", "outcome": "right"}).encode()
    assert ask(server, "answer", "POST", body, Origin=origin, Content_Type=kind)[0] == 409
    assert session.state() == after
    assert session.undo(first)["done"] == 0


def test_tokens_are_new_and_long(make):
    server, _ = make()
    assert len(server.token) == 32
    assert urlsplit(server.address).hostname == "127.0.0.1"
