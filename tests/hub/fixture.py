"""The fixture `hub`: the test server, and the real clients run against it."""

import os
import subprocess
import sys
import warnings

import pytest

from .server import serve

PROLOGUE = """
import sys
if {datasets}:
    import datasets
    datasets.config.USE_PARQUET_EXPORT = False  # else it asks a host of its own about the revision main
"""


class Clients:
    """What a test sees of the Hub. `home` is the clients' cache, fresh for each test.

    endpoint, token, reader_token : what a client needs; the reader may open pull requests and no more.
    requests : {kind: how many came}. log : [(method, path, status)]. store : what the server holds.
    inject(kind, path="", method=None, times=1, ...) : see `faults.Fault`.
    """

    def __init__(self, server, home):
        self.server, self.home = server, home
        self.endpoint, self.token, self.reader_token = server.endpoint, server.token, server.reader_token
        self.requests, self.log, self.store = server.requests, server.log, server.store
        self.inject = server.faults.add

    def environment(self, token=None, offline=False, home=None):
        """The environment of a process whose clients speak to this Hub."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("HF_", "HUGGING"))}
        return kept | {
            "HF_ENDPOINT": self.endpoint,
            "HF_TOKEN": token or self.token,
            "HF_HOME": str(home or self.home),
            "HF_HUB_OFFLINE": str(int(offline)),
            "HF_HUB_DISABLE_XET": "1",
            "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_HUB_DISABLE_PROGRESS_BARS": "1",
            "HF_UPDATE_DOWNLOAD_COUNTS": "0",
        }

    def run(self, code, *args, check=True, **environment):
        """Run Python `code` (its `sys.argv[1:]` are `args`) as a process of its own; -> CompletedProcess, in text."""
        done = subprocess.run(
            [sys.executable, "-c", PROLOGUE.format(datasets="datasets" in code) + code, *map(str, args)],
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=self.environment(**environment),
            timeout=120,
            check=False,
        )
        assert not check or done.returncode == 0, done.stderr
        return done

    def api(self, token=None):
        """`HfApi` in this process."""
        from huggingface_hub import HfApi

        return HfApi(endpoint=self.endpoint, token=token or self.token)


@pytest.fixture
def hub(tmp_path, monkeypatch):
    """A Hub of the test's own, and the clients for it."""
    from huggingface_hub import constants

    # Read when huggingface_hub is imported, which another test may have done.
    for name in ("HF_HUB_DISABLE_XET", "HF_HUB_DISABLE_TELEMETRY"):
        monkeypatch.setattr(constants, name, True)
    with serve() as server, warnings.catch_warnings():
        # What the package itself calls in this process: the same Hub, a cache of the test's own.
        monkeypatch.setattr(constants, "ENDPOINT", server.endpoint)
        template = server.endpoint + "/{repo_id}/resolve/{revision}/{filename}"
        monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
        monkeypatch.setattr(constants, "HF_HUB_CACHE", str(tmp_path / "hf-home" / "hub"))
        monkeypatch.setenv("HF_TOKEN", server.token)
        # huggingface_hub 2.4's own LFS upload passes httpx a deprecated argument.
        warnings.filterwarnings("ignore", "Use 'content=", DeprecationWarning)
        yield Clients(server, tmp_path / "hf-home")
