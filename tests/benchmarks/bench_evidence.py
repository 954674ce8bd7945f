"""Evidence from videos as they come from a generator: 854 x 480, 24 frames a second, 3 s. Not part of the tests."""

import resource
import time

import numpy as np
import pytest
from calibench_data.builders.evidence import EvidenceStore
from calibench_data.builders.extraction import extract_all
from calibench_data.builders.ledger import Ledger
from calibench_data.builders.video_files import VideoFile
from vlm.films import film

WIDTH, HEIGHT, FRAMES = 854, 480, 72


@pytest.fixture(scope="module")
def videos(tmp_path_factory):
    """Eight videos of a moving pattern with sensor noise."""
    folder, noise = tmp_path_factory.mktemp("videos"), np.random.default_rng(0)
    ramp = (np.mgrid[0:HEIGHT, 0:WIDTH].sum(0)[..., None] * np.array([1, 2, 3]) % 256).astype(np.int16)
    made = []
    for seed in range(8):
        pictures = []
        for index in range(FRAMES):
            picture = np.roll(ramp, (index * 3 + seed, index * 2), (0, 1)) + noise.integers(-6, 7, (HEIGHT, WIDTH, 1))
            pictures.append(np.clip(picture, 0, 255).astype(np.uint8))
        made.append(VideoFile("main", "dice", seed, film(folder / f"{seed}.mp4", pictures, rate=24)))
    return made


@pytest.mark.parametrize("kind", ["last-frame", "video", "frames"])
@pytest.mark.benchmark(min_rounds=3, max_time=20)
def test_videos_a_second(benchmark, videos, tmp_path, kind):
    """Eight videos a round, two at a time, each into a new folder."""
    rounds = iter(range(1000))

    def extract():
        folder = tmp_path / str(next(rounds))
        folder.mkdir()
        with Ledger(folder / "ledger.sqlite") as ledger:
            extract_all(videos, lambda scene: kind, EvidenceStore(folder), ledger)

    begun = time.process_time()
    benchmark(extract)
    done = len(videos) * next(rounds)
    benchmark.extra_info["processor_ms_a_video"] = round(1000 * (time.process_time() - begun) / done, 1)
    benchmark.extra_info["videos_a_second"] = round(len(videos) / benchmark.stats.stats.median, 1)


def test_memory(benchmark, videos, tmp_path):
    """Peak memory after 8 and after 2,500 extractions: the same eight files under other names."""

    def extract(count, name):
        folder = tmp_path / name
        folder.mkdir()
        files = [VideoFile("main", "dice", seed, videos[seed % 8].path) for seed in range(count)]
        store = EvidenceStore(folder)
        for video in files:
            store.extract(video.path, "last-frame")
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

    few = extract(8, "few")
    many = benchmark.pedantic(extract, args=(2500, "many"), rounds=1)
    benchmark.extra_info.update(peak_mib_after_8=few, peak_mib_after_2500=many)
