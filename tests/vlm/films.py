"""Videos made for tests, with PyAV: frames that carry their own number, and scenes that end in a known outcome."""

from fractions import Fraction
from pathlib import Path

import av
import numpy as np

BITS = 8


def numbered(index, width=64, height=48):
    """A grey picture with `index` in it as eight stripes, black or white; a red patch is in the upper left."""
    pixels = np.full((height, width, 3), 128, np.uint8)
    for bit in range(BITS):
        left, right = width * bit // BITS, width * (bit + 1) // BITS
        pixels[height // 3 :, left:right] = 255 * (index >> bit & 1)
    pixels[: height // 3, : width // 3] = (220, 20, 20)
    return pixels


def number_of(pixels):
    """The number in a picture of `numbered`, and whether its red patch is in the upper left."""
    height, width = pixels.shape[:2]
    bits = [
        pixels[height // 2 : -2, width * bit // BITS + 2 : width * (bit + 1) // BITS - 2].mean() > 128
        for bit in range(BITS)
    ]
    red, _, blue = pixels[2 : height // 4, 2 : width // 4].reshape(-1, 3).mean(0)
    return sum(1 << bit for bit, is_set in enumerate(bits) if is_set), bool(red > blue + 80)


def film(
    path,
    pictures,
    codec="libx264",
    pixel_format="yuv420p",
    rate=10,
    options=None,
    rotation=None,
    flip=False,
    times=None,
    container=None,
    alpha=None,
):
    """Write pictures as a video. times: when each is shown, in tenths of a second; alpha: opacity of each pixel."""
    path = Path(path)
    with av.open(str(path), "w", options=container or {}) as file:
        stream = file.add_stream(codec, rate=rate)
        height, width = pictures[0].shape[:2]
        stream.width, stream.height, stream.pix_fmt = width, height, pixel_format
        stream.codec_context.thread_count = 1
        stream.options = options or {}
        if rotation is not None or flip:
            stream.set_display_rotation(rotation or 0, hflip=flip)
        if times is not None:
            stream.codec_context.time_base = Fraction(1, 1000)
        for index, pixels in enumerate(pictures):
            if alpha is None:
                frame = av.VideoFrame.from_ndarray(np.ascontiguousarray(pixels), format="rgb24")
            else:
                frame = av.VideoFrame.from_ndarray(np.dstack([pixels, alpha]), format="rgba")
            if times is not None:
                frame.pts, frame.time_base = times[index] * 100, Fraction(1, 1000)
            file.mux(stream.encode(frame))
        file.mux(stream.encode(None))
    return path


def numbers(path, count=20, size=(64, 48), **options):
    """A video of `count` numbered frames."""
    return film(path, [numbered(index, *size) for index in range(count)], **options)


def patched(path, *changes):
    """The file with bytes replaced: (mark, offset behind it, new bytes) each; the mark must be there."""
    data = bytearray(path.read_bytes())
    for mark, offset, new in changes:
        at = data.index(mark) + len(mark) + offset
        data[at : at + len(new)] = new
    path.write_bytes(data)
    return path
