"""A European roulette wheel from above: 37 pockets in their true order and colours, a white ball on the track."""

from __future__ import annotations

import math

from .svg import HEIGHT, WIDTH, Point, circle, document, linear, numeral, path, polyline, radial, rect

# Clockwise, as on every single-zero wheel.
ORDER = (
    *(0, 32, 15, 19, 4, 21, 2, 25, 17, 34, 6, 27, 13, 36, 11, 30, 8, 23, 10),
    *(5, 24, 16, 33, 1, 20, 14, 31, 9, 22, 18, 29, 7, 28, 12, 35, 3, 26),
)
RED = frozenset({1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36})
CENTRE: Point = (WIDTH / 2, HEIGHT / 2)
RIM, TRACK, NUMBERS, POCKETS, SLOPE, HUB = 350.0, 292.0, 262.0, 212.0, 150.0, 54.0
BALL, BALL_AT = 13.0, (311.0, 40.0)  # radius; distance from the centre and degrees clockwise from the top
TURN = 360 / len(ORDER)


def colour(number: int) -> str:
    """red, black or green: what a pocket counts as."""
    return "green" if number == 0 else "red" if number in RED else "black"


def place(distance: float, degrees: float) -> Point:
    """A point by its distance from the centre and its angle clockwise from the top."""
    angle = math.radians(degrees)
    return CENTRE[0] + distance * math.sin(angle), CENTRE[1] - distance * math.cos(angle)


def _sector(outer: float, inner: float, degrees: float, fill: str) -> str:
    (ax, ay), (bx, by) = place(outer, degrees - TURN / 2), place(outer, degrees + TURN / 2)
    (cx, cy), (dx, dy) = place(inner, degrees + TURN / 2), place(inner, degrees - TURN / 2)
    return path(
        f"M{ax:.2f} {ay:.2f}A{outer} {outer} 0 0 1 {bx:.2f} {by:.2f}"
        f"L{cx:.2f} {cy:.2f}A{inner} {inner} 0 0 0 {dx:.2f} {dy:.2f}Z",
        fill,
    )


def wheel() -> str:
    """The wheel at rest with zero at the top, lit from the upper left."""
    defs = [
        radial("felt", "#1d6b4a", "#0c3a28", light=(0.5, 0.5), radius=0.7),
        linear("rim", "#a0612f", "#6b3a18", "#3d1e0b"),
        linear("track", "#4a2710", "#7d4a22", "#a86a36"),
        radial("slope", "#e0a667", "#b97a3e@0.5", "#7d4a22@1", light=(0.5, 0.5), radius=0.5),
        linear("gold", "#fff3c4", "#d9ae4f", "#8a6420"),
        radial("dome", "#fffbe6", "#e3bd62@0.4", "#8a6420@1", radius=0.8),
        radial("ball", "#ffffff", "#f4f4f2@0.6", "#b9b9b6@1"),
        radial("deep", "#000000@0/0", "#000000@0.72/0.5", "#000000@0.8/0", light=(0.5, 0.5), radius=0.5),
    ]
    body = [rect(0, 0, WIDTH, HEIGHT, "url(#felt)")]
    body.append(circle(CENTRE[0] + 10, CENTRE[1] + 12, RIM, "#000000", 'opacity="0.5" filter="url(#softer)"'))
    body += [circle(*CENTRE, RIM, "url(#rim)"), circle(*CENTRE, RIM - 22, "url(#track)")]
    body.append(circle(*CENTRE, RIM - 22, "none", 'stroke="#2a1407" stroke-width="2"'))
    for index in range(8):  # the diamond-shaped deflectors of the track
        x, y = place((RIM - 22 + TRACK) / 2, 22.5 + 45 * index)
        turn = 22.5 + 45 * index + (90 if index % 2 else 0)
        lozenge = f'transform="translate({x:.2f} {y:.2f}) rotate({turn:.1f})" stroke="#6b4c14" stroke-width="1"'
        body.append(path("M0 -15L5 0L0 15L-5 0Z", "url(#gold)", lozenge))
    body.append(circle(*CENTRE, TRACK, "url(#gold)"))
    paint = {"red": ("#c8141e", "#98101a"), "black": ("#17171a", "#0c0c0e"), "green": ("#0f8a3c", "#0a682d")}
    for index, number in enumerate(ORDER):
        bright, dark = paint[colour(number)]
        body.append(_sector(TRACK - 4, NUMBERS - 10, index * TURN, bright))
        body.append(_sector(NUMBERS - 12, POCKETS - 24, index * TURN, dark))
    body.append(circle(*CENTRE, NUMBERS - 11, "none", 'stroke="#e3bd62" stroke-width="2.5"'))
    for index, number in enumerate(ORDER):
        edge = (index + 0.5) * TURN
        body.append(polyline([place(TRACK - 4, edge), place(POCKETS - 24, edge)], "#e3bd62", 2))
        body.append(numeral(number, *place(270, index * TURN), 17, "#ffffff", 15, index * TURN))
    body += [circle(*CENTRE, POCKETS - 24, "url(#gold)"), circle(*CENTRE, POCKETS - 28, "url(#slope)")]
    seams = [[place(HUB, 45.0 * i), place(POCKETS - 30, 45.0 * i)] for i in range(8)]
    body += [polyline(seam, "#6b3a18", 1.2, 'opacity="0.5"') for seam in seams]
    body += _turret()
    x, y = place(*BALL_AT)
    body.append(circle(x + 5, y + 6, BALL, "#000000", 'opacity="0.55" filter="url(#soft)"'))
    body.append(circle(x, y, BALL, "url(#ball)", 'stroke="#8d8d8a" stroke-width="0.7"'))
    return document(body, defs)


def _turret() -> list[str]:
    # The brass spinner in the middle: four arms with knobs around a dome.
    x, y = CENTRE
    parts = [circle(x + 6, y + 8, HUB + 4, "#000000", 'opacity="0.4" filter="url(#soft)"')]
    parts.append(circle(x, y, HUB, "url(#gold)", 'stroke="#6b4c14" stroke-width="1.5"'))
    for arm in range(4):
        end = place(104, 45 + 90 * arm)
        below = [(x + 5, y + 7), (end[0] + 5, end[1] + 7)]
        parts.append(polyline(below, "#000000", 14, 'opacity="0.35" filter="url(#soft)"'))
        parts += [polyline([CENTRE, end], "#8a6420", 13, 'stroke-linecap="round"')]
        parts += [polyline([CENTRE, end], "#e3bd62", 8, 'stroke-linecap="round"')]
        parts.append(circle(*end, 14, "url(#dome)", 'stroke="#6b4c14" stroke-width="1"'))
    return [*parts, circle(x, y, 34, "url(#dome)", 'stroke="#6b4c14" stroke-width="1.2"')]
