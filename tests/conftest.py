"""What many tests share: a built release, and the command line as a user runs it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from browser import browser  # noqa: F401
from hub.fixture import hub  # noqa: F401
from vlm.fixture import model, small_release  # noqa: F401

import calibench_data


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """A release built from the sources; not to be changed."""
    folder = tmp_path_factory.mktemp("built") / "release"
    calibench_data.build(folder)
    return folder


@pytest.fixture(scope="session")
def run():
    """Run `calibench ARGS...` as a process of its own."""
    root = str(Path(calibench_data.__file__).parent.parent)

    def run(*arguments, check=None, **options):
        environment = {**os.environ, "PYTHONPATH": root, **options.pop("env", {})}
        found = subprocess.run(
            [sys.executable, "-m", "calibench_data.cli", *map(str, arguments)],
            capture_output=True,
            text=True,
            encoding="utf-8",
            env=environment,
            timeout=120,
            check=False,
            **options,
        )
        assert "Traceback" not in found.stderr, found.stderr
        if check is not None:
            assert found.returncode == check, found.stderr
        return found

    return run
