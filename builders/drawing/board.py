"""The two Galton boards: one geometry, once as a lit wooden board with a metal ball, once flat with a green ball."""

from __future__ import annotations

import random
from collections.abc import Iterator

from .svg import HEIGHT, WIDTH, Point, circle, document, linear, numeral, path, polygon, polyline, radial, rect

ROWS, BINS = 10, 11
CENTRE, PITCH, RISE = WIDTH / 2, 62.0, 37.0
FIRST_ROW, PEG, BALL = 168.0, 8.0, 14.0
BIN_TOP, BIN_FLOOR, LABELS = 536.0, 640.0, 668.0
START: Point = (CENTRE, 84.0)
EDGE = PITCH * BINS / 2


def pegs() -> Iterator[Point]:
    """The centres of the pegs, row by row: row n has n pegs, so a ball makes ten choices."""
    for row in range(ROWS):
        for place in range(row + 1):
            yield CENTRE + (place - row / 2) * PITCH, FIRST_ROW + row * RISE


def bin_centre(number: int) -> float:
    return CENTRE + (number - (BINS + 1) / 2) * PITCH


def _walls() -> list[float]:
    return [CENTRE + (wall - BINS / 2) * PITCH for wall in range(BINS + 1)]


def _rails() -> list[list[Point]]:
    # From the funnel down beside the outermost pegs to the outer walls of the bins.
    right = [(CENTRE + 24, 118), (CENTRE + 58, FIRST_ROW), (CENTRE + EDGE, BIN_TOP - 12), (CENTRE + EDGE, BIN_FLOOR)]
    return [right, [(WIDTH - x, y) for x, y in right]]


def _funnel() -> list[list[Point]]:
    right = [(CENTRE + 118.0, 42.0), (CENTRE + 24.0, 104.0), (CENTRE + 24.0, 120.0)]
    return [right, [(WIDTH - x, y) for x, y in right]]


def animated() -> str:
    """The flat board: plain colours, outlines, a green ball in the mouth of the funnel."""
    body = [rect(0, 0, WIDTH, HEIGHT, "#f4f6fa")]
    frame = 'rx="18" stroke="#2b3a55" stroke-width="5"'
    body.append(rect(CENTRE - EDGE - 40, 20, 2 * EDGE + 80, 684, "#ffffff", frame))
    line = 'stroke-linecap="round" stroke-linejoin="round"'
    body += [polyline(side, "#2b3a55", 7, line) for side in (*_funnel(), *_rails())]
    for number in range(1, BINS + 1):
        body.append(rect(bin_centre(number) - PITCH / 2, BIN_TOP, PITCH, BIN_FLOOR - BIN_TOP, "#e3edfb"))
        body.append(numeral(number, bin_centre(number), LABELS, 24, "#2b3a55"))
    body += [polyline([(x, BIN_TOP), (x, BIN_FLOOR)], "#2b3a55", 6, line) for x in _walls()]
    body.append(polyline([(CENTRE - EDGE, BIN_FLOOR), (CENTRE + EDGE, BIN_FLOOR)], "#2b3a55", 7, line))
    body += [circle(x, y, PEG, "#4a6fa5") for x, y in pegs()]
    body.append(circle(*START, BALL, "#21b34b", 'stroke="#0d6b29" stroke-width="3"'))
    return document(body)


def wood_grain(seed: int, left: float, right: float, top: float, bottom: float, colour: str) -> Iterator[str]:
    # random.Random.random gives the same numbers on every platform and version of Python.
    draw = random.Random(seed).random
    y = top
    while (y := y + 3 + 9 * draw()) < bottom:
        bow, tilt = 10 * draw() - 5, 6 * draw() - 3
        third = (right - left) / 3
        curve = f"M{left:.1f} {y:.1f}c{third:.1f} {bow:.1f} {2 * third:.1f} {-bow:.1f} {right - left:.1f} {tilt:.1f}"
        width, opacity = 0.6 + 1.6 * draw(), 0.1 + 0.2 * draw()
        yield path(curve, "none", f'stroke="{colour}" stroke-width="{width:.2f}" opacity="{opacity:.2f}"')


def physical() -> str:
    """The wooden board in a room, lit from the upper left: steel pegs and ball, brass walls, shadows."""
    defs = [
        linear("wall", "#b9b4aa", "#8f8a80"),
        linear("table", "#5d4632", "#3b2b1d"),
        linear("maple", "#ecd0a0", "#d9b67f"),
        linear("walnut", "#7a4b29", "#57331a"),
        linear("brass", "#8c6a24", "#f6dd8e", "#b98f36", "#7d5c1c", across=True),
        radial("steel", "#ffffff", "#cfd5da@0.35", "#7b858e@0.75", "#474f57"),
        radial("ball", "#ffffff", "#e4e9ed@0.22", "#97a1aa@0.55", "#3a424a@0.88", "#5f6973@1"),
        radial("vignette", "#000000@0/0", "#000000@0.6/0", "#000000@1/0.35", light=(0.5, 0.45), radius=0.8),
        '<clipPath id="panel"><rect x="262" y="26" width="756" height="670" rx="6"/></clipPath>',
    ]
    body = [rect(0, 0, WIDTH, HEIGHT, "url(#wall)"), rect(0, 640, WIDTH, 80, "url(#table)")]
    body.append(rect(258, 40, 800, 668, "#000000", 'opacity="0.45" filter="url(#softer)"'))
    body.append(rect(236, 4, 808, 708, "url(#walnut)", 'rx="12"'))
    body += ['<g clip-path="url(#panel)">', *wood_grain(3, 236, 1044, 0, 720, "#2d1808"), "</g>"]
    body.append(rect(262, 26, 756, 670, "url(#maple)", 'rx="6"'))
    body += ['<g clip-path="url(#panel)">', *wood_grain(8, 240, 1040, 20, 700, "#8a5a24")]
    body += [rect(262, 26, 756, 18, "#000000", 'opacity="0.35" filter="url(#soft)"')]
    body += [rect(256, 26, 16, 670, "#000000", 'opacity="0.35" filter="url(#soft)"'), "</g>"]
    return document([*body, *_relief()], defs)


def _relief() -> list[str]:
    # Everything that stands out from the board: first all shadows, then the parts.
    line = 'stroke-linecap="round" stroke-linejoin="round"'
    shade = 'opacity="0.4" filter="url(#soft)"'
    strips = [*_funnel(), *_rails()]
    floor: list[Point] = [(CENTRE - EDGE, BIN_FLOOR), (CENTRE + EDGE, BIN_FLOOR)]
    walls: list[list[Point]] = [[(x, BIN_TOP), (x, BIN_FLOOR)] for x in _walls()]
    parts = [f'<g transform="translate(9 11)" {shade}>']
    parts += [polyline(strip, "#2a1605", 9, line) for strip in (*strips, *walls, floor)]
    parts += [circle(x, y, PEG, "#2a1605") for x, y in pegs()]
    parts += [circle(*START, BALL, "#2a1605"), "</g>"]
    for strip in (*strips, floor):
        parts += [polyline(strip, "#7d5c1c", 9, line), polyline(strip, "#d9b655", 5, line)]
    parts += [rect(x - 3.5, BIN_TOP, 7, BIN_FLOOR - BIN_TOP, "url(#brass)", 'rx="3"') for x in _walls()]
    parts += [circle(x, y, PEG, "url(#steel)", 'stroke="#3c434a" stroke-width="0.8"') for x, y in pegs()]
    for number in range(1, BINS + 1):
        plate = polygon(
            [(bin_centre(number) + dx, LABELS + dy) for dx, dy in ((-24, -18), (24, -18), (24, 18), (-24, 18))],
            "#fbf6e8",
            'stroke="#8c6a24" stroke-width="1.5"',
        )
        parts += [plate, numeral(number, bin_centre(number), LABELS, 22, "#1d1a16")]
    parts.append(circle(*START, BALL, "url(#ball)", 'stroke="#2d343b" stroke-width="0.8"'))
    parts.append(rect(0, 0, WIDTH, HEIGHT, "url(#vignette)"))
    return parts
