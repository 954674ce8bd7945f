"""The open edition of the frames: what they show, read back from the pixels, and that they are drawn alike."""

import hashlib
import io
import itertools
import math
import os
import subprocess
import sys
from pathlib import Path

import glyphs
import numpy as np
import pytest
from calibench_data.builders.source_files import FOLDER
from PIL import Image
from scipy import ndimage

import calibench_data

SOURCES = FOLDER / "calibench" / "frames"
SCENES = [
    scene
    for (scene,) in calibench_data.sql(
        "SELECT scene FROM scenes WHERE benchmark = 'calibench' ORDER BY position"
    ).rows()
]
PICTURES = dict(calibench_data.sql("SELECT scene, image.bytes FROM frames WHERE edition = 'open'").rows())


def pixels(scene):
    """A frame of the release: height x width x 3, 0 to 255."""
    return np.asarray(Image.open(io.BytesIO(PICTURES[scene])).convert("RGB")).astype(int)


def blobs(mask, least, most):
    """Centres (x, y) of the connected parts of a mask with areas from `least` to `most` pixels, in order."""
    named, _ = ndimage.label(mask)
    area = np.bincount(named.ravel())
    wanted = [n for n in range(1, len(area)) if least <= area[n] <= most]
    return sorted((round(x), round(y)) for y, x in ndimage.center_of_mass(mask, named, wanted))


def near(picture, colour, tolerance=30):
    return np.abs(picture - np.array(colour)).max(axis=-1) <= tolerance


def close(found, expected, tolerance):
    return math.dist(found, expected) <= tolerance


def rows_of(points, tolerance=5):
    """Points grouped by their height, from above: y -> sorted x."""
    rows = {}
    for x, y in points:
        key = next((row for row in rows if abs(row - y) <= tolerance), y)
        rows.setdefault(key, []).append(x)
    return {y: sorted(rows[y]) for y in sorted(rows)}


def test_nine_pictures_of_the_size_and_digest_that_the_table_gives():
    rows = calibench_data.sql("SELECT * FROM frames").to_dicts()
    assert {(row["scene"], row["edition"]) for row in rows} == {(scene, "open") for scene in SCENES}
    assert len(rows) == 9
    for row in rows:
        data = row["image"]["bytes"]
        picture = Image.open(io.BytesIO(data))
        assert (picture.format, picture.size) == ("PNG", (1280, 720)) == ("PNG", (row["width"], row["height"]))
        assert row["sha256"] == hashlib.sha256(data).hexdigest()
        assert data == (SOURCES / row["image"]["path"]).read_bytes()


def test_datasets_decodes_them(tmp_path):
    import datasets

    folder = Path(calibench_data.__file__).parent.parent / "release" / "dataset"
    loaded = datasets.load_dataset(str(folder), "frames", split="train", cache_dir=str(tmp_path))
    assert isinstance(loaded.features["image"], datasets.Image)
    assert [row["image"].size for row in loaded] == [(1280, 720)] * 9
    assert loaded["scene"][:] == SCENES
    assert [row["image"].size for row in calibench_data.load("frames")] == [(1280, 720)] * 9


def test_drawing_them_again_gives_the_same_bytes_on_one_cpu_and_in_another_locale():
    code = "\n".join(
        [
            "import hashlib, locale, os",
            "if hasattr(os, 'sched_setaffinity'): os.sched_setaffinity(0, list(os.sched_getaffinity(0))[:1])",
            "locale.setlocale(locale.LC_ALL, '')",
            "from calibench_data.builders.drawing.pictures import pictures",
            "for name, data in pictures().items(): print(name, hashlib.sha256(data).hexdigest())",
        ]
    )
    root = str(Path(calibench_data.__file__).parent.parent)
    other = {"LC_ALL": "C", "LANG": "C", "TZ": "Asia/Kathmandu", "PYTHONHASHSEED": "7", "RAYON_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, **other, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    drawn = dict(line.split() for line in done.stdout.splitlines())
    kept = {path.stem: hashlib.sha256(path.read_bytes()).hexdigest() for path in SOURCES.glob("*.png")}
    assert drawn == kept
    assert set(kept) == {*SCENES, "contact_sheet"}


def test_the_contact_sheet_is_in_the_release_and_in_its_card():
    root = Path(calibench_data.__file__).parent.parent / "release" / "dataset"
    assert (root / "frames.png").read_bytes() == (SOURCES / "contact_sheet.png").read_bytes()
    assert "](frames.png)" in (root / "README.md").read_text("utf-8")
    sheet = np.asarray(Image.open(root / "frames.png").convert("RGB")).astype(int)
    for index, scene in enumerate(SCENES):
        # Each tile is that scene's frame: a quarter of the size, so that a block of 4 x 4 pixels is one of the tile's.
        y, x = 8 + index // 3 * 188, 8 + index % 3 * 328
        small = pixels(scene).reshape(180, 4, 320, 4, 3).mean(axis=(1, 3))
        assert np.abs(sheet[y : y + 180, x : x + 320] - small).mean() < 3, scene


@pytest.fixture(scope="module")
def digits():
    return glyphs.digits_of(pixels("animated_board"))


def check_pegs(pegs):
    """Ten rows: the nth has n pegs, evenly apart, each between two of the row below."""
    rows = list(rows_of(pegs).items())
    assert [len(xs) for _, xs in rows] == list(range(1, 11))
    heights = np.diff([y for y, _ in rows])
    assert np.ptp(heights) <= 2
    pitch = (rows[9][1][9] - rows[9][1][0]) / 9
    for n, (_, xs) in enumerate(rows, start=1):
        assert np.abs(np.array(xs) - (640 + (np.arange(n) - (n - 1) / 2) * pitch)).max() <= 2
    return pitch


def runs(mask):
    """Where a row of a mask is set: (first, last) of each run."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(int)))
    return [(int(a), int(b) - 1) for a, b in zip(edges[::2], edges[1::2], strict=True)]


def test_animated_board(digits):
    picture = pixels("animated_board")
    pitch = check_pegs(blobs(near(picture, (74, 111, 165)), 150, 260))
    bins = runs(near(picture[590], (227, 237, 251), 6))
    assert len(bins) == 11
    middles = [(a + b) / 2 for a, b in bins]
    assert np.abs(np.diff(middles) - pitch).max() <= 1.5
    ink = picture[650:690].max(axis=2) < 150
    assert [glyphs.number(ink[:, round(x) - 25 : round(x) + 25], digits) for x in middles] == list(range(1, 12))
    (ball,) = blobs(near(picture, (33, 179, 75)), 300, 700)
    assert close(ball, (640, 84), 2)


def test_physical_board(digits):
    picture = pixels("physical_board")
    grey = np.ptp(picture, axis=2) < 30
    steel = np.zeros_like(grey)
    steel[30:520, 275:1005] = grey[30:520, 275:1005]
    parts = blobs(ndimage.binary_fill_holes(steel), 120, 900)
    (ball,) = [part for part in parts if part[1] < 130]
    assert close(ball, (640, 84), 2)
    pitch = check_pegs([part for part in parts if part != ball])
    brass = np.ptp(picture[590], axis=1) > 108
    brass[:290] = brass[990:] = False
    walls = runs(ndimage.binary_closing(brass, np.ones(9)))
    assert len(walls) == 12
    assert np.abs(np.diff([(a + b) / 2 for a, b in walls]) - pitch).max() <= 3
    middles = [(a[1] + b[0]) / 2 for a, b in itertools.pairwise(walls)]
    ink = picture[655:682].max(axis=2) < 130
    assert [glyphs.number(ink[:, round(x) - 20 : round(x) + 20], digits) for x in middles] == list(range(1, 12))


def test_the_fork_is_its_own_mirror_image():
    picture = pixels("ball_fork")
    off = np.abs(picture - picture[:, ::-1])  # the renderer rounds the two sides of an edge differently
    assert off.max() <= 20
    assert off.mean() < 0.05
    floor = (picture.min(axis=2) > 170) & (np.abs(np.arange(1280) - 640) < 395)
    assert [len(runs(floor[y])) for y in (60, 200, 300, 420, 500, 600)] == [1, 1, 1, 2, 2, 2]
    assert all(np.ptp([b - a for a, b in runs(floor[y])]) <= 1 for y in (420, 500, 560, 600))
    (ball,) = blobs((picture[..., 0] - picture[..., 2] > 60) & (np.arange(720)[:, None] < 300), 1000, 3000)
    assert close(ball, (640, 92), 2)


def test_the_corridor_is_symmetric_and_ends_at_a_junction():
    picture = pixels("walking")
    off = np.abs(picture - picture[:, ::-1]).max(axis=2)
    off[205:570, 560:720] = 0  # the person
    assert off.max() <= 20
    assert off.mean() < 0.05
    # The lower edges of the side walls meet in the vanishing point: in the middle, and low, since the camera is.
    skirting = near(picture, (75, 79, 85), 8)
    ys = np.array([640, 650, 660, 670])
    xs = np.array([np.flatnonzero(skirting[y, :300])[-1] for y in ys])
    slope, start = np.polyfit(xs, ys, 1)
    horizon = slope * 639.5 + start
    assert abs(horizon - 410) <= 4
    jacket = (picture[..., 0] > 130) & (picture[..., 2] < 70) & (np.abs(np.arange(1280) - 640) < 80)
    assert abs(np.flatnonzero(jacket.any(axis=0)).mean() - 640) <= 3
    hair = (picture.max(axis=2) < 110) & (np.abs(np.arange(1280) - 640) < 30)
    head, feet = np.flatnonzero(hair[200:].any(axis=1))[0] + 200, 536
    assert (feet - horizon) / (feet - head) < 0.5  # the camera is lower than the person's waist
    skin = near(picture[head : head + 48, 620:660], (201, 141, 106), 25).mean()
    assert skin < 0.1  # ears, no face
    # The opening between the two corners, and behind it a wall that goes on past both of them.
    corners = [x for x, _ in runs(near(picture[300], (109, 113, 119), 12)) if 400 < x < 880]
    assert corners[0] < 430
    assert corners[-1] > 850
    rail = runs(near(picture[384], (90, 70, 50), 40))
    assert any(a <= corners[0] + 6 for a, _ in rail)
    assert any(b >= corners[-1] - 6 for _, b in rail)
    sign = near(picture[162], (255, 255, 255), 20)
    assert len(runs(sign[544:736])) >= 2


def test_pendulum():
    picture = pixels("pendulum")
    brass = (picture[..., 0] - picture[..., 2] > 45) & (np.arange(720)[:, None] < 600)
    y, x = np.mgrid[-8:9, -8:9]
    round_bodies = ndimage.binary_opening(ndimage.binary_fill_holes(brass), x**2 + y**2 <= 64)
    named, count = ndimage.label(round_bodies)
    assert count == 3
    tip, middle, pivot = (np.array(c)[::-1] for c in sorted(ndimage.center_of_mass(round_bodies, named, [1, 2, 3])))
    first, second = middle - pivot, tip - middle
    angles = [math.degrees(math.atan2(dx, dy)) % 360 for dx, dy in (first, second)]
    assert angles == pytest.approx([146, 215], abs=0.5)
    assert np.hypot(*second) / np.hypot(*first) == pytest.approx(0.82, abs=0.01)


def test_the_die_shows_1_and_5_in_a_wooden_box():
    picture = pixels("dice")
    die = ndimage.binary_fill_holes((np.ptp(picture, axis=2) < 20) & (picture.min(axis=2) > 150))
    assert len(blobs(die, 5000, 100_000)) == 1
    pips = {}
    for face, colour in (("light", (251, 251, 248)), ("dark", (207, 207, 200))):
        own = near(picture, colour, 4)
        pips[face] = blobs(ndimage.binary_fill_holes(own) & ~own & (picture.max(axis=2) < 60), 150, 2000)
    assert len(pips["light"]) == 1
    assert len(pips["dark"]) == 5
    around = sorted(pips["dark"], key=lambda pip: math.dist(pip, np.mean(pips["dark"], axis=0)))
    assert close(around[0], np.mean(around[1:], axis=0), 4)  # the fifth is in the middle of the other four
    wood = (picture[..., 0] - picture[..., 2] > 25) & ~die
    x, y = blobs(die, 5000, 100_000)[0]
    for line in (wood[y], wood[:, x]):
        assert line.mean() > 0.4
    green = picture[..., 1] > picture[..., 0]
    assert green[:40].all()  # the table, on all four sides of the box
    assert green[-30:].all()
    assert green[:, :140].all()
    assert green[:, -130:].all()


def test_the_deck_lies_face_down():
    picture = pixels("cards")
    red = (picture[..., 0] > 110) & (picture[..., 1] < 80)
    white = picture.min(axis=2) > 235
    top = ndimage.binary_fill_holes(red | white)
    named, _ = ndimage.label(top)
    top = named == np.bincount(named.ravel())[1:].argmax() + 1
    ys, xs = np.nonzero(top)
    assert xs.max() < 660  # the right half of the table is free for the drawn card
    assert not red[:, 660:].any()
    assert not white[:, 660:].any()
    # A back looks the same upside down: in the plane of the card, red is where red is after half a turn.
    corners = [(xs[i], ys[i]) for i in ((xs + ys).argmin(), (xs - ys).argmax(), (xs + ys).argmax(), (xs - ys).argmin())]
    plane = Image.fromarray((red * 255).astype(np.uint8)).transform(
        (200, 280), Image.Transform.PERSPECTIVE, perspective(corners, (200, 280)), Image.Resampling.BILINEAR
    )
    back = ndimage.gaussian_filter(np.asarray(plane).astype(float) / 255, 3)
    assert back.std() > 0.2
    assert np.corrcoef(back.ravel(), back[::-1, ::-1].ravel())[0, 1] > 0.7
    side = picture[415:470, 500].sum(axis=1)
    assert len(runs(side > side.mean())) >= 10  # the edges of many cards


def perspective(corners, size):
    """The coefficients by which PIL takes a picture of this size from the quadrilateral with these corners."""
    wide, high = size
    rows, wanted = [], []
    for (x, y), (u, v) in zip(((0, 0), (wide, 0), (wide, high), (0, high)), corners, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        wanted += [u, v]
    return np.linalg.solve(np.array(rows, float), np.array(wanted, float)).tolist()


def test_the_lottery_machine_holds_the_balls_1_to_20(digits):
    picture = pixels("lottery")
    white = (picture.min(axis=2) > 150) & (np.arange(720)[:, None] > 250)
    white[:, :420] = white[:, 860:] = False
    y, x = np.mgrid[-14:15, -14:15]
    cores = ndimage.binary_erosion(ndimage.binary_fill_holes(white), x**2 + y**2 <= 14**2)
    balls = blobs(cores, 100, 4000)
    assert len(balls) == 20
    read = []
    for x, y in balls:
        ink = picture[y - 16 : y + 17, x - 27 : x + 28].max(axis=2) < 140
        read.append(glyphs.number(ink, digits))
    assert sorted(read) == list(range(1, 21))
    tube = picture[40:180, 605:675]
    assert tube.min(axis=2).max() < 150  # no ball in it yet


EUROPEAN = [0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10,
            5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26]  # fmt: skip
RED = {1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36}


def upright(whole, degrees, distance, size, scale):
    """The part of the wheel at an angle clockwise from the top and a distance from the middle, turned to the top."""
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    left, up = size[0] / 2 / scale, size[1] / 2 / scale + distance
    across = (cos / scale, -sin / scale, 640 - cos * left + sin * up)
    down = (sin / scale, cos / scale, 360 - sin * left - cos * up)
    return np.asarray(whole.transform(size, Image.Transform.AFFINE, (*across, *down), Image.Resampling.BICUBIC))


def test_the_wheel_has_the_european_pockets_in_order_and_colour(digits):
    picture = pixels("roulette")
    whole = Image.fromarray(picture.astype(np.uint8))
    numbers, colours = [], []
    for pocket in range(37):
        label = upright(whole, pocket * 360 / 37, 270, (126, 60), 3)
        numbers.append(glyphs.number(label.min(axis=2) > 170, digits, least=120))
        r, g, b = upright(whole, pocket * 360 / 37, 230, (8, 8), 1).reshape(-1, 3).mean(axis=0)
        colours.append("black" if max(r, g, b) < 50 else "red" if r > g else "green")
    assert numbers == EUROPEAN
    assert colours == ["green" if n == 0 else "red" if n in RED else "black" for n in EUROPEAN]
    y, x = np.mgrid[:720, :1280]
    from_middle = np.hypot(x - 640, y - 360)
    (ball,) = blobs((picture.min(axis=2) > 170) & (from_middle > 294), 300, 700)  # on the track, in no pocket yet
    assert math.dist(ball, (640, 360)) < 330
