"""A small video of each scene that ends in a chosen outcome, and the eye that reads the pictures."""

import io
import random

import av
import numpy as np

from .films import film

WIDTH, HEIGHT = 220, 80
BALL = (40, 200, 60)
COLOURS = {
    "hearts": (220, 30, 30),
    "diamonds": (240, 150, 20),
    "clubs": (30, 160, 50),
    "spades": (30, 40, 160),
    "red": (200, 20, 20),
    "black": (15, 15, 15),
    "green": (20, 150, 40),
}
LEFT_RIGHT = ("ball_fork", "walking", "pendulum")
BOARDS = ("physical_board", "animated_board")
CONTAINERS = (
    ("mp4", {"options": {"bf": "2"}}),
    ("webm", {"codec": "libvpx-vp9"}),
    ("mkv", {"codec": "ffv1"}),
    ("avi", {"codec": "mjpeg", "pixel_format": "yuvj420p"}),
    ("mov", {"pixel_format": "yuv420p10le"}),
)


def picture(scene, outcome, progress, seed):
    """The scene at `progress`, from 0 to 1; only its end shows the outcome. None: no outcome can be scored."""
    pixels = np.full((HEIGHT, WIDTH, 3), 235, np.uint8)
    noise = np.random.default_rng(seed * 1000 + round(progress * 100))
    pixels[-8:] = noise.integers(200, 255, (8, WIDTH, 3))  # a floor: no two videos show the very same
    over = progress >= 1 and outcome is not None
    if scene in BOARDS or scene in LEFT_RIGHT:
        goal = 0.5
        if outcome is not None:
            goal = (int(outcome) - 0.5) / 11 if scene in BOARDS else {"left": 0.2, "right": 0.8}[outcome]
        if outcome is not None or scene in LEFT_RIGHT:
            at = round(WIDTH * (0.5 + (goal - 0.5) * progress))
            pixels[30:44, at - 7 : at + 7] = BALL
    elif scene in ("dice", "lottery"):
        for number in range(int(outcome) if over else 0):
            row, column = divmod(number, 7)
            pixels[8 + 20 * row : 18 + 20 * row, 8 + 30 * column : 18 + 30 * column] = 20
    elif over:
        pixels[10:60, 60:160] = COLOURS[outcome]
    return pixels


def scene_film(path, scene, outcome, seed, frames=8, **options):
    """The video of a rollout."""
    return film(path, [picture(scene, outcome, i / (frames - 1), seed) for i in range(frames)], **options)


def rollouts(folder, sets, seeds, draw_seed=0, nulls=0.1):
    """A film of each seed of each scene in `folder/videos`, in containers by turns; -> {(scene, seed): outcome}."""
    draw, truth = random.Random(draw_seed), {}
    for scene, outcomes in sets.items():
        place = folder / "videos" / scene
        place.mkdir(parents=True, exist_ok=True)
        for seed in range(seeds):
            outcome = None if draw.random() < nulls else draw.choice(outcomes)
            suffix, options = CONTAINERS[len(truth) % len(CONTAINERS)]
            scene_film(place / f"{seed}.{suffix}", scene, outcome, draw_seed * 10_000 + len(truth), **options)
            truth[scene, seed] = outcome
    return truth


def last_picture(data):
    """The pixels of a picture, or of the last frame of a video."""
    with av.open(io.BytesIO(data)) as file:
        *_, last = file.decode(video=0)
    return last.to_ndarray(format="rgb24").astype(int)


def see(data, prompt):
    """What the eye sees in a picture or video, as the prompt asks: an outcome, or null."""
    pixels = last_picture(data)[:-12]
    if any(word in prompt for word in ("Galton", "fork", "corridor", "pendulum")):
        ball = (pixels[..., 1] > pixels[..., 0] + 60) & (pixels[..., 1] > pixels[..., 2] + 60)
        if not ball.any():
            return "null"
        at = np.nonzero(ball)[1].mean() / WIDTH
        if "Galton" in prompt:
            return str(int(at * 11) + 1)
        return "null" if abs(at - 0.5) < 0.1 else "left" if at < 0.5 else "right"
    if "die" in prompt or "lottery" in prompt:
        dark = pixels.sum(2) < 300
        count = sum(
            dark[8 + 20 * row : 18 + 20 * row, 8 + 30 * column : 18 + 30 * column].mean() > 0.5
            for row in range(3)
            for column in range(7)
        )
        return str(count) if count else "null"
    colour = pixels[20:50, 80:140].reshape(-1, 3).mean(0)
    if colour.min() > 200:
        return "null"
    names = ("hearts", "diamonds", "clubs", "spades") if "card" in prompt else ("red", "black", "green")
    return min(names, key=lambda name: np.abs(colour - COLOURS[name]).sum())
