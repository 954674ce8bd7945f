"""A reader that is a command: paths of the evidence as arguments, the prompt on its input, the reply on its output."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from calibench_data.errors import CalibenchError, Problem

from .protocol import Reply, Show, Unanswered
from .secrecy import environment_secrets, hide

_SHOWN = 300


class CommandReader:
    """Runs a command for each reading, without a shell."""

    def __init__(self, command: str, timeout_s: float) -> None:
        self.name = self.key = f"cmd:{command}"
        self.secrets = environment_secrets()
        self._timeout_s = timeout_s
        try:
            self._arguments = shlex.split(command)
        except ValueError as error:
            raise CalibenchError([Problem("--reader", f"{command}: {error}", "a command")]) from None
        if not self._arguments or shutil.which(self._arguments[0]) is None:
            raise CalibenchError([Problem("--reader", f"there is no command {command}", "a command that can be run")])

    def read(self, shown: Sequence[Show], prompt: str) -> Reply:
        """Run the command once. A status other than 0 is no answer."""
        # In a folder of its own: the path of the evidence would name the submission, and with it the model.
        with tempfile.TemporaryDirectory(prefix="evidence-") as folder:
            paths = []
            for number, one in enumerate(shown, start=1):
                path = Path(folder) / f"{number:03}{one.path.suffix}"
                path.write_bytes(one.data)
                paths.append(str(path))
            captions = [f"{Path(path).name}: {one.caption}" for path, one in zip(paths, shown, strict=True)]
            lines = [prompt, *(captions if any(one.caption for one in shown) else [])]
            status, out, err = self._run([*self._arguments, *paths], "\n".join(lines).encode())
        text = out.decode("utf-8", "replace")
        if status:
            said = err.decode("utf-8", "replace").strip()[-_SHOWN:]
            reason = hide(f"the command ended with {status}: {said}", self.secrets)
            raise Unanswered(reason, reply=Reply(hide(text, self.secrets)))
        return Reply(text, "stop")

    def _run(self, arguments: list[str], given: bytes) -> tuple[int, bytes, bytes]:
        """Status, output and errors of a command. In a session of its own: it is stopped with all that it started."""
        environment = {**os.environ, "PYTHONIOENCODING": "utf-8"}
        try:
            process = subprocess.Popen(
                arguments,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                start_new_session=True,
            )
        except OSError as error:
            raise Unanswered(f"the command cannot be run: {error.strerror}", "stop") from None
        with process:
            try:
                out, err = process.communicate(given, self._timeout_s)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                raise Unanswered(f"the command took longer than {self._timeout_s:g} s") from None
        return process.returncode, out, err
