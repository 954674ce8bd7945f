"""A ball at the top of a straight ramp that ends in a symmetric fork: the picture is its own mirror image."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .svg import HEIGHT, WIDTH, Point, circle, document, linear, polygon, polyline, radial, rect

AXIS = WIDTH / 2
WIDE = 66.0  # of a channel, in pixels
TOP, SPLIT, BEND, END = 40.0, 310.0, 520.0, 634.0
REACH = 250.0  # from the axis to the middle of an exit
BALL, START = 24.0, (AXIS, 92.0)


def mirrored(points: Sequence[Point]) -> list[Point]:
    return [(WIDTH - x, y) for x, y in points]


def _outer() -> list[Point]:
    half = WIDE / 2
    return [(AXIS + half, TOP), (AXIS + half, SPLIT), (AXIS + REACH + half, BEND), (AXIS + REACH + half, END)]


def _inner() -> list[Point]:
    # Parallel to the outer wall, as far below it as makes the sloping part as wide as the upright ones.
    half, slope = WIDE / 2, (BEND - SPLIT) / REACH
    below = WIDE * math.hypot(1, slope) + SPLIT
    x = AXIS + REACH - half
    return [(AXIS, below - slope * half), (x, below + slope * (REACH - WIDE)), (x, END)]


def fork() -> str:
    """The fork on a plain panel; channels shaded towards their ends, light from straight above."""
    defs = [
        linear("back", "#eef2f6", "#d5dde6"),
        linear("panel", "#5f7d9c", "#47627f"),
        linear("floor", "#dfe6ee", "#b7c4d2"),
        radial("ball", "#ffb199", "#e8452c@0.5", "#9c2110@1", light=(0.5, 0.22), radius=0.8),
        linear("tray", "#8a5f3a", "#6a4527"),
    ]
    line = 'stroke-linejoin="round" stroke-linecap="round"'
    channel = [*_outer(), *reversed(_inner()), *mirrored(_inner())[1:], *reversed(mirrored(_outer()))]
    body = [rect(0, 0, WIDTH, HEIGHT, "url(#back)")]
    body.append(rect(AXIS - 400, 22, 800, 620, "#1b2a3a", 'rx="22" opacity="0.35" filter="url(#softer)"'))
    body.append(rect(AXIS - 400, 14, 800, 620, "url(#panel)", 'rx="22" stroke="#2f455c" stroke-width="3"'))
    body.append(polygon(channel, "url(#floor)"))
    rails = [_outer(), mirrored(_outer()), [*reversed(_inner()), *mirrored(_inner())[1:]]]
    for rail in rails:
        lower = [(x, y + 7) for x, y in rail]
        body.append(polyline(lower, "#1b2a3a", 12, f'{line} opacity="0.35" filter="url(#soft)"'))
    for rail in rails:
        body += [polyline(rail, "#22384e", 12, line), polyline(rail, "#9db4ca", 5, line)]
    for side in (AXIS - REACH, AXIS + REACH):
        body.append(rect(side - 62, 652, 124, 44, "url(#tray)", 'rx="6" stroke="#4a2f19" stroke-width="3"'))
        body.append(rect(side - 52, 652, 104, 12, "#3a2413", 'rx="4"'))
    body.append(circle(START[0], START[1] + 9, BALL, "#1b2a3a", 'opacity="0.4" filter="url(#soft)"'))
    body.append(circle(*START, BALL, "url(#ball)", 'stroke="#7d1a0c" stroke-width="1.5"'))
    return document(body, defs)
