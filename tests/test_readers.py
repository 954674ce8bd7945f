"""The readers: what each answer of a service comes to, through the real client libraries; and what stays secret."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from pathlib import Path

import pytest
from calibench_data.builders import picture_encoding
from calibench_data.builders.readers import Show, Unanswered, open_reader, registry
from calibench_data.builders.readers.registry import Parameters
from calibench_data.builders.readers.retry_after import remedy, retry_after
from calibench_data.builders.readers.secrecy import hide
from vlm.scenes import picture

from calibench_data.errors import CalibenchError

PROMPT = "one six-sided die"


@pytest.fixture
def shown():
    return [Show(picture_encoding.png(picture("dice", "4", 1, 0)), "image/png", Path("4.png"))]


@pytest.mark.parametrize("kind", ["openai", "gemini"])
def test_an_answer(kind, model, shown):
    reply = open_reader(f"{kind}:eye").read(shown, PROMPT)
    assert (reply.text, reply.tokens_in, reply.tokens_out) == ("4", 1000, 10)
    assert reply.finish.lower() == "stop"


# Fault -> what the error says of it in both protocols, and the reply that is kept (None: nothing came).
FAULTS = {
    429: ("HTTP 429: .*injected", "HTTP 429: .*injected", None),
    503: ("HTTP 503: .*injected", "HTTP 503: .*injected", None),
    "drop": ("Connection error", "disconnected|Connection", None),
    "slow": ("no answer within 0.5 s", "no answer within 0.5 s", None),
    "garbage": ("JSONDecodeError", "JSON", None),
    "empty": ("empty reply, finish reason stop", "empty reply, finish reason STOP", ""),
    "refusal": ("refused: content_filter", "refused: SAFETY", ""),
    "cut": ("cut off: length", "cut off: MAX_TOKENS", "4"),
}


@pytest.mark.parametrize("kind", ["openai", "gemini"])
@pytest.mark.parametrize("fault", FAULTS)
def test_what_is_no_answer_says_why(kind, fault, model, shown):
    reason, kept = FAULTS[fault][kind == "gemini"], FAULTS[fault][2]
    model.script, model.slow = [fault], 1.0
    reader = open_reader(f"{kind}:eye", Parameters(timeout_s=0.5 if fault == "slow" else 20))
    with pytest.raises(Unanswered, match=reason) as error:
        reader.read(shown, PROMPT)
    assert error.value.remedy == "again"
    assert (error.value.reply and error.value.reply.text) == kept
    assert model.calls == 1  # the library did not try again by itself
    assert reader.read(shown, PROMPT).text == "4"


@pytest.mark.parametrize("kind", ["openai", "gemini"])
def test_a_wrong_key_helps_never_and_is_not_said(kind, model, shown, monkeypatch):
    for name in ("OPENAI_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(name, "sk-wrong-0123456789")
    with pytest.raises(Unanswered, match="HTTP 401") as error:
        open_reader(f"{kind}:eye").read(shown, PROMPT)
    assert error.value.remedy == "stop"
    assert "sk-wrong" not in str(error.value)


def test_parameters_reach_the_service_and_the_key_of_the_votes(model, shown):
    parameters = Parameters(temperature=0.5, max_tokens=100)
    assert open_reader("openai:eye", parameters).key == "openai:eye temperature=0.5 max_tokens=100"
    assert open_reader("gemini:eye", parameters).key == "gemini:eye temperature=0.5 max_tokens=100"
    open_reader("openai:eye", parameters).read(shown, PROMPT)
    open_reader("gemini:eye", parameters).read(shown, PROMPT)
    first, second = model.bodies
    assert (first["temperature"], first["max_completion_tokens"]) == (0.5, 100)
    assert second["generationConfig"] == {"temperature": 0.5, "maxOutputTokens": 100}


def test_captions_stand_before_their_pictures(model, shown):
    two = [
        Show(one.data, one.mime, one.path, caption) for caption, one in zip(("first", "last"), shown * 2, strict=True)
    ]
    open_reader("openai:eye").read(two, PROMPT)
    open_reader("gemini:eye").read(two, PROMPT)
    content = model.bodies[0]["messages"][0]["content"]
    assert [part.get("text", part["type"]) for part in content] == ["first", "image_url", "last", "image_url", PROMPT]
    parts = model.bodies[1]["contents"][0]["parts"]
    assert [part.get("text", "picture") for part in parts] == ["first", "picture", "last", "picture", PROMPT]


def test_a_local_server_needs_no_key(model, shown, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(Unanswered, match="HTTP 401"):
        open_reader("openai:eye").read(shown, PROMPT)  # it is asked, with no key of anybody
    monkeypatch.delenv("OPENAI_BASE_URL")
    with pytest.raises(CalibenchError, match="OPENAI_API_KEY: is not set"):
        open_reader("openai:eye")
    monkeypatch.delenv("GEMINI_API_KEY")
    with pytest.raises(CalibenchError, match="GEMINI_API_KEY: is not set"):
        open_reader("gemini:eye")


@pytest.mark.parametrize("spec", ["eye", "openai:", "claude:eye", "cmd: ", "cmd:no-such-command-here", "cmd:'"])
def test_specifications_that_are_none(spec):
    with pytest.raises(CalibenchError, match="--reader"):
        open_reader(spec)


def test_a_library_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setattr(registry, "find_spec", lambda name: None)
    with pytest.raises(CalibenchError, match=r"openai is not installed.*calibench-data\[collect\]"):
        open_reader("openai:eye")


def test_a_command_sees_neither_names_nor_paths(tmp_path, shown):
    named = [Show(one.data, one.mime, tmp_path / "my-model" / "abc.png", "last frame") for one in shown]
    reply = open_reader("cmd:sh -c 'cat; echo; echo $0; wc -c < $0'").read(named, PROMPT)
    prompt, caption, path, size = reply.text.splitlines()
    assert (prompt, caption, int(size)) == (PROMPT, "001.png: last frame", len(shown[0].data))
    assert path.endswith("/001.png")
    assert "my-model" not in path
    assert not Path(path).exists()


def test_a_command_that_fails_or_lasts_is_no_answer(shown):
    with pytest.raises(Unanswered, match="ended with 3: out of memory"):
        open_reader("cmd:sh -c 'echo left; echo out of memory >&2; exit 3'").read(shown, PROMPT)
    with pytest.raises(Unanswered, match=r"longer than 0\.2 s"):
        open_reader("cmd:sh -c 'sleep 30; echo left'", Parameters(timeout_s=0.2)).read(shown, PROMPT)


def test_how_long_to_wait():
    later = format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)
    assert retry_after({"retry-after": "7"}) == 7
    assert retry_after({"retry-after-ms": "1500", "retry-after": "7"}) == 1.5
    assert retry_after({"retry-after": later}) == pytest.approx(90, abs=2)
    assert retry_after({"retry-after": "soon"}) is None
    info = {"error": {"details": [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "13.5s"}]}}
    assert retry_after({}, info) == 13.5
    assert retry_after(None) is None


@pytest.mark.parametrize(
    ("status", "text", "helps"),
    [(429, "slow down", "again"), (429, "insufficient_quota", "stop"), (500, "", "again"), (408, "", "again"),
     (401, "", "stop"), (403, "", "stop"), (404, "", "stop"), (400, "", "leave"), (413, "", "leave")],
)  # fmt: skip
def test_what_helps(status, text, helps):
    assert remedy(status, text) == helps


def test_hiding():
    assert hide("key abcdefgh1 here", ("abcdefgh1",)) == "key [hidden] here"
    assert "wxyz" not in hide("Incorrect API key provided: sk-proj-********wxyz. See")
    assert hide("https://user:pass@host/a?key=abc&b=1") == "https://[hidden]@host/a?key=[hidden]&b=1"
    assert hide("Bearer abc.def") == "Bearer [hidden]"
    assert hide("the answer is 4") == "the answer is 4"
