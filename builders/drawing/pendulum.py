"""A double pendulum raised to the angles from which the published reference was simulated."""

from __future__ import annotations

import math

from .svg import HEIGHT, WIDTH, Point, circle, document, ellipse, linear, path, polygon, polyline, radial, rect

# Degrees from hanging straight down, positive to the right; lengths in pixels.
ANGLES = (146.0, 215.0)
LENGTH = 165.0
LENGTHS = (LENGTH, 0.82 * LENGTH)
PIVOT: Point = (WIDTH / 2, 336.0)
FLOOR = 680.0


def joints() -> tuple[Point, Point, Point]:
    """Pivot, middle joint and tip."""
    points = [PIVOT]
    for angle, length in zip(ANGLES, LENGTHS, strict=True):
        x, y = points[-1]
        points.append((x + length * math.sin(math.radians(angle)), y + length * math.cos(math.radians(angle))))
    return points[0], points[1], points[2]


def _rod(start: Point, end: Point) -> list[str]:
    # Three strokes, dark edge to bright middle, make a round rod at any angle.
    strokes = (("#5d430f", 11.0), ("#b98f36", 8.0), ("#f3da8b", 3.0))
    return [polyline([start, end], colour, width, 'stroke-linecap="round"') for colour, width in strokes]


def _disk(at: Point, r: float) -> list[str]:
    x, y = at
    return [
        circle(x, y, r, "url(#disk)", 'stroke="#5d430f" stroke-width="1.5"'),
        circle(x, y, r * 0.72, "none", 'stroke="#8a6420" stroke-width="1.2" opacity="0.8"'),
        circle(x, y, 5.5, "url(#screw)", 'stroke="#4c4c4c" stroke-width="0.8"'),
    ]


def pendulum() -> str:
    """The pendulum before a plain backdrop, on a slim steel post with a wooden foot."""
    pivot, middle, tip = joints()
    x, y = pivot
    defs = [
        radial("backdrop", "#f1efea", "#cfcac1@0.7", "#a9a399@1", light=(0.5, 0.4), radius=0.75),
        linear("table", "#8d8579", "#b4aca0"),
        linear("post", "#4a4f55", "#c9ced3", "#8d949b", "#3d4247", across=True),
        linear("foot", "#7a4b29", "#4c2c14"),
        radial("disk", "#fff6d2", "#e3bd62@0.35", "#a87b28@0.8", "#7b5817@1", radius=0.85),
        radial("screw", "#ffffff", "#9aa0a6", radius=0.8),
    ]
    body = [rect(0, 0, WIDTH, HEIGHT, "url(#backdrop)"), rect(0, 650, WIDTH, 70, "url(#table)")]
    body.append(ellipse(x + 14, FLOOR + 22, 190, 18, "#000000", 'opacity="0.45" filter="url(#soft)"'))
    body.append(rect(x - 12, y - 12, 24, FLOOR - y + 6, "url(#post)", 'rx="10" stroke="#33373b" stroke-width="1"'))
    body.append(path(f"M{x - 150} {FLOOR + 24}L{x - 118} {FLOOR}H{x + 118}L{x + 150} {FLOOR + 24}Z", "url(#foot)"))
    body.append(polygon([(x - 118, FLOOR), (x + 118, FLOOR), (x + 108, FLOOR - 6), (x - 108, FLOOR - 6)], "#946039"))
    shade = 'stroke-linecap="round"'
    body.append('<g transform="translate(22 18)" opacity="0.22" filter="url(#soft)">')
    body += [polyline([pivot, middle, tip], "#000000", 11, shade), circle(*middle, 24, "#000000")]
    body += [circle(*tip, 24, "#000000"), "</g>"]
    body += [*_rod(pivot, middle), *_disk(pivot, 15), *_rod(middle, tip), *_disk(middle, 24), *_disk(tip, 24)]
    return document(body, defs)
