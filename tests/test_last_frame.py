"""The last frame that a player shows, on files on which it is easily missed; and files that are refused."""

import struct

import av
import numpy as np
import pytest
from calibench_data.builders.evidence import EvidenceStore, sample
from calibench_data.builders.video_decoding import frames
from vlm.films import film, number_of, numbered, numbers, patched

from calibench_data.errors import CalibenchError

FRAGMENTED = {"movflags": "frag_keyframe+empty_moov"}
TURNED = {
    "turned-90.mp4": (90, False, lambda pixels: np.rot90(pixels, -1)),
    "turned-180.mp4": (180, False, lambda pixels: np.rot90(pixels, 2)),
    "turned-270.mp4": (-90, False, lambda pixels: np.rot90(pixels)),
    "mirrored.mp4": (0, True, lambda pixels: pixels[:, ::-1]),
}


def turned(path):
    degrees, flip, undo = TURNED[path.name]
    return film(path, [undo(numbered(index)) for index in range(20)], rotation=degrees, flip=flip)


def avi_that_says(count):
    said = struct.pack("<I", count)
    return lambda path: patched(numbers(path, codec="mpeg4"), (b"avih", 20, said), (b"strh", 36, said))


def with_cover(path):
    """A video before which a picture stands in the file, as players show it in a list."""
    cover = np.full((32, 32, 3), 200, np.uint8)
    with av.open(str(path), "w") as file:
        picture, video = file.add_stream("mjpeg", rate=10), file.add_stream("libx264", rate=10)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        picture.width, picture.height, picture.pix_fmt = 32, 32, "yuvj420p"
        picture.disposition = av.stream.Disposition.attached_pic
        for packet in [*picture.encode(av.VideoFrame.from_ndarray(cover, format="rgb24")), *picture.encode(None)]:
            file.mux(packet)
        for index in range(20):
            file.mux(video.encode(av.VideoFrame.from_ndarray(numbered(index), format="rgb24")))
        file.mux(video.encode(None))
    return path


def with_longer_sound(path):
    with av.open(str(path), "w") as file:
        video, sound = file.add_stream("libx264", rate=10), file.add_stream("aac", rate=8000)
        video.width, video.height, video.pix_fmt = 64, 48, "yuv420p"
        for index in range(20):
            file.mux(video.encode(av.VideoFrame.from_ndarray(numbered(index), format="rgb24")))
        file.mux(video.encode(None))
        for start in range(0, 40_000, 1000):
            frame = av.AudioFrame.from_ndarray(np.zeros((1, 1000), np.float32), format="fltp", layout="mono")
            frame.sample_rate, frame.pts = 8000, start
            file.mux(sound.encode(frame))
        file.mux(sound.encode(None))
    return path


def written(path, data):
    path.write_bytes(data)
    return path


# Name -> how it is made, and the number of its last frame.
NASTY = {
    "b-frames.mp4": (lambda path: numbers(path, options={"bf": "3"}), 19),
    "single.mp4": (lambda path: numbers(path, 1), 0),
    "variable-rate.mp4": (lambda path: numbers(path, 6, times=[0, 1, 2, 7, 8, 30]), 5),
    "late-start.mp4": (lambda path: numbers(path, 6, times=[50, 51, 52, 53, 54, 55]), 5),
    "no-count.webm": (lambda path: numbers(path, codec="libvpx-vp9"), 19),
    "hidden-frames.webm": (
        lambda path: numbers(path, codec="libvpx", options={"auto-alt-ref": "1", "lag-in-frames": "16"}),
        19,
    ),
    "b-frames.mkv": (lambda path: numbers(path, options={"bf": "3"}), 19),
    "b-frames.ts": (lambda path: numbers(path, options={"bf": "3"}), 19),
    "says-200.avi": (avi_that_says(200), 19),
    "says-5.avi": (avi_that_says(5), 19),
    "edit-list.mp4": (lambda path: patched(numbers(path), (b"elst", 8, struct.pack(">I", 1000))), 9),
    "fragmented.mp4": (lambda path: numbers(path, container=FRAGMENTED), 19),
    "odd-size.webm": (lambda path: numbers(path, size=(131, 97), codec="libvpx-vp9"), 19),
    "odd-size.mkv": (lambda path: numbers(path, size=(131, 97), codec="ffv1", pixel_format="yuv444p"), 19),
    "10-bit.mp4": (lambda path: numbers(path, pixel_format="yuv420p10le"), 19),
    "alpha.mov": (
        lambda path: numbers(path, codec="qtrle", pixel_format="argb", alpha=np.full((48, 64), 255, np.uint8)),
        19,
    ),
    "av1.mp4": (lambda path: numbers(path, codec="libsvtav1", options={"preset": "12", "svtav1-params": "lp=1"}), 19),
    "bytes-behind.mp4": (lambda path: written(path, numbers(path).read_bytes() + bytes(9)), 19),
    "cover.mp4": (with_cover, 19),
    "longer-sound.mp4": (with_longer_sound, 19),
    **dict.fromkeys(TURNED, (turned, 19)),
}


def full_decode(path):
    """Every frame, by packets, the empty one at the end included: independent of the code under test."""
    found = []
    with av.open(str(path)) as file:
        stream = next(one for one in file.streams.video if one.codec_context.name != "mjpeg")
        for packet in file.demux(stream):
            found += [frame.to_ndarray(format="rgb24") for frame in packet.decode()]
    return found


@pytest.mark.parametrize("name", NASTY)
def test_last_frame(tmp_path, name):
    make, number = NASTY[name]
    path = make(tmp_path / name)
    store = EvidenceStore(tmp_path / "evidence")
    evidence, facts = store.extract(path, "last-frame")
    with av.open(str(store.part_path(evidence.parts[0]))) as picture:
        shown = next(picture.decode(video=0)).to_ndarray(format="rgb24")
    decoded = full_decode(path)
    undo = TURNED[name][:2] if name in TURNED else (0, False)
    last = np.rot90(decoded[-1], undo[0] // 90)
    np.testing.assert_array_equal(shown, last[:, ::-1] if undo[1] else last)
    assert number_of(shown) == (number, True)
    assert (facts.frames, facts.height, facts.width) == (len(decoded), *shown.shape[:2])


def test_facts_of_a_file(tmp_path):
    path = numbers(tmp_path / "a.webm", codec="libvpx-vp9", rate=24)
    _, facts = EvidenceStore(tmp_path).extract(path, "video")
    assert (facts.bytes, facts.frames, facts.width, facts.height) == (path.stat().st_size, 20, 64, 48)
    assert facts.fps == 24
    assert facts.duration_s == pytest.approx(20 / 24, abs=0.002)  # its timestamps are milliseconds


def test_what_is_transparent_is_black(tmp_path):
    half = np.full((48, 64), 255, np.uint8)
    half[:, 32:] = 0
    path = film(
        tmp_path / "a.mov", [np.full((48, 64, 3), 200, np.uint8)], codec="qtrle", pixel_format="argb", alpha=half
    )
    (frame,) = frames(path)
    assert frame.rgb()[:, :32].min() > 190
    assert frame.rgb()[:, 32:].max() == 0


def cut(path, share=0.6):
    data = path.read_bytes()
    return written(path, data[: int(len(data) * share)])


def zeroed(path):
    size = path.stat().st_size
    cut(path)
    with path.open("ab") as file:
        file.truncate(size)
    return path


REFUSED = {
    "cut.mkv": lambda path: cut(numbers(path, 200)),
    "cut.webm": lambda path: cut(numbers(path, 200, codec="libvpx-vp9")),
    "cut.ts": lambda path: cut(numbers(path, 200)),
    "cut.avi": lambda path: cut(numbers(path, 200, codec="mpeg4")),
    "cut.mp4": lambda path: cut(numbers(path, 200, container={"movflags": "faststart"})),
    "cut-plain.mp4": lambda path: cut(numbers(path, 200)),
    "cut-fragmented.mp4": lambda path: cut(numbers(path, 200, container=FRAGMENTED, options={"g": "5"})),
    "last-bytes.mp4": lambda path: cut(numbers(path, 20, container={"movflags": "faststart"}), 0.99),
    "zeros.mp4": lambda path: zeroed(numbers(path, 200, container={"movflags": "faststart"})),
    "zeros.mkv": lambda path: zeroed(numbers(path, 200)),
    "empty.mp4": lambda path: written(path, b""),
    "playlist.mp4": lambda path: written(path, b"#EXTM3U\n#EXTINF:1,\nhttp://127.0.0.1:9/a.ts\n"),
    "picture.mp4": lambda path: written(path, b"\x89PNG\r\n\x1a\n"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_no_whole_video_is_refused_by_name(tmp_path, name):
    path = REFUSED[name](tmp_path / name)
    with pytest.raises(CalibenchError) as refused:
        EvidenceStore(tmp_path / "evidence").extract(path, "last-frame")
    assert str(path) in str(refused.value)
    assert not list((tmp_path / "evidence").rglob("*.png"))


def test_a_matroska_stream_without_size_is_held_against_its_duration(tmp_path):
    path = cut(numbers(tmp_path / "a.mkv", 200))
    data = bytearray(path.read_bytes())
    at = data.index(bytes.fromhex("18538067")) + 4
    data[at : at + 8] = b"\x01" + b"\xff" * 7
    path.write_bytes(data)
    with pytest.raises(CalibenchError, match=r"ends at 1\d\.\d+ s, though its header says 20"):
        EvidenceStore(tmp_path).extract(path, "last-frame")


def test_sampled_frames_have_phases(tmp_path):
    path = film(tmp_path / "a.mp4", [numbered(index, 1000, 500) for index in range(31)])
    store = EvidenceStore(tmp_path / "evidence")
    evidence, _ = store.extract(path, "frames")
    shown = []
    for part in evidence.parts:
        with av.open(str(store.part_path(part))) as picture:
            shown.append(next(picture.decode(video=0)).to_ndarray(format="rgb24"))
    assert {pixels.shape for pixels in shown} == {(384, 768, 3)}
    assert [number_of(pixels) for pixels in shown] == [(index, True) for index in (0, 5, 10, 15, 20, 25, 30)]
    assert [part.caption for part in evidence.parts] == [
        "first frame, 0.00 s of 3.00 s",
        "beginning, 0.50 s of 3.00 s",
        "middle part, 1.00 s of 3.00 s",
        "middle frame, 1.50 s of 3.00 s",
        "end, 2.00 s of 3.00 s",
        "end, 2.50 s of 3.00 s",
        "last frame, 3.00 s of 3.00 s",
    ]


def test_samples_of_the_shortest():
    assert list(sample([0.0])) == [0]
    assert list(sample([0.0, 0.1])) == [0, 1]
    assert list(sample([0.0, 0.1, 0.2, 0.3])) == [0, 1, 3]
