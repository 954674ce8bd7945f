"""A real Chromium without a window, and the videos and the label page to look at in it."""

import os
import re
import shutil
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

import av
import numpy as np
import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.support.ui import WebDriverWait
from submissions import TOML

import calibench_data

ROOT = Path(calibench_data.__file__).parent.parent
_NAMES = {"CHROME": ("chromium", "chromium-browser", "google-chrome"), "CHROMEDRIVER": ("chromedriver",)}


def _program(variable):
    found = os.environ.get(variable) or next(filter(None, map(shutil.which, _NAMES[variable])), None)
    if found is None:
        pytest.fail(
            f"{_NAMES[variable][0]} is not there. The tests of the label page need Chromium and its driver: "
            "`apt-get install chromium chromium-driver`, or set CHROME and CHROMEDRIVER to the two programs.",
            pytrace=False,
        )
    return found


@pytest.fixture(scope="session")
def browser():
    """One Chromium for all tests."""
    options = webdriver.ChromeOptions()
    options.binary_location = _program("CHROME")
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--window-size=1280,900"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, Service(_program("CHROMEDRIVER")))
    driver.set_script_timeout(60)
    yield driver
    driver.quit()


def press(browser, *keys):
    """Keys, as a person presses them."""
    ActionChains(browser, duration=0).send_keys(*keys).perform()


def wait(browser, script, *arguments):
    """Until a JavaScript expression is true; its value."""
    return WebDriverWait(browser, 20, 0.02).until(lambda _: browser.execute_script(f"return {script}", *arguments))


# Resolves when another video than `before` can be seen, or all are answered; its colour tells the outcome.
_SEE = """
const [before, done] = arguments;
const look = () => {
  const video = document.getElementById("video");
  if (!document.getElementById("finished").hidden) return done(null);
  if (!video.dataset.ready || video.src === before || document.getElementById("choices").disabled)
    return setTimeout(look, 5);
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const context = canvas.getContext("2d");
  context.drawImage(video, 0, 0, 1, 1);
  const [red, , , alpha] = context.getImageData(0, 0, 1, 1).data;
  if (!alpha) return setTimeout(look, 5); // loaded, and its first frame not painted yet
  done([video.src, document.getElementById("title").textContent, red]);
};
look();
"""


def see(browser, before=""):
    """What a person sees: (address of the video, title, number that its colour stands for); None at the end."""
    found = browser.execute_async_script(_SEE, before)
    return None if found is None else (found[0], found[1], round(found[2] / 11))


def film(path, numbers, frames=6):
    """A video whose frames have the colour of each number, 0 to 22, in turn."""
    codec = {".mp4": "libx264", ".webm": "libvpx"}[path.suffix]
    with av.open(str(path), "w") as container:
        stream = container.add_stream(codec, rate=12)
        stream.width = stream.height = 64
        stream.pix_fmt = "yuv420p"
        for index in range(frames):
            grey = numbers[index * len(numbers) // frames] * 11
            picture = av.VideoFrame.from_ndarray(np.full((64, 64, 3), grey, np.uint8), format="rgb24")
            container.mux(stream.encode(picture))
        container.mux(stream.encode(None))
    return path


@contextmanager
def served(*arguments, cwd=None):
    """`calibench label ARGUMENTS...` as a process: (address, process). It is ended as by Ctrl-C unless it has ended."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "calibench_data.cli", "label", *map(str, arguments)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stderr=pipe, stdout=pipe, text=True, env=environment, cwd=cwd) as process:
        guard = Timer(100, process.kill)
        guard.start()
        said = []
        try:
            for line in process.stderr:
                said.append(line)
                if match := re.fullmatch(r"(http://127\.0\.0\.1:\d+/[\w-]+/)\n", line):
                    break
            else:
                raise AssertionError("".join(said))
            process.said = said
            yield match[1], process
            if process.poll() is None:
                process.send_signal(signal.SIGINT)
                said += process.stderr
                assert process.wait() == 0, "".join(said)
                assert process.stdout.read() == ""
        finally:
            guard.cancel()
            process.kill()


def models_folder(root, truth, films):
    """A folder of models, with a video for each (model, scene, seed) of `truth`: number -> film in `films`."""
    for (model, scene, seed), number in truth.items():
        path = root / model / "videos" / scene / f"{seed}{films[number].suffix}"
        path.parent.mkdir(parents=True, exist_ok=True)
        os.link(films[number], path)
        (root / model / "submission.toml").write_text(TOML.replace("my-model", model), "utf-8")
    return root
