"""A lottery machine: twenty white balls, numbered 1 to 20, in a transparent drum with a clear tube on top."""

from __future__ import annotations

from .svg import HEIGHT, WIDTH, Point, circle, document, ellipse, linear, numeral, path, polyline, radial, rect

CENTRE: Point = (WIDTH / 2, 416.0)
DRUM, BALL = 226.0, 34.0
TUBE_WIDE, TUBE_TOP = 88.0, 26.0
# From the lowest row up; a fixed shuffle, so that no number has a marked place.
ROWS = ((13, 4, 18), (7, 16, 11, 20), (9, 3, 14, 1, 17), (19, 10, 6, 15, 8, 5), (2, 12))
APART, RISE = 70.0, 61.0  # between neighbours of a row and between rows: each ball lies between two of the row below


def balls() -> dict[int, Point]:
    """Number -> centre: a heap in the lower half of the drum."""
    low = CENTRE[1] + DRUM - BALL - 14
    found = {}
    for row, numbers in enumerate(ROWS):
        for place, number in enumerate(numbers):
            shift = -APART / 2 if row == 4 else 0.0  # the two on top do not lie in the middle
            x = CENTRE[0] + (place - (len(numbers) - 1) / 2) * APART + shift
            found[number] = (x + (APART / 2 if row == 4 and place else 0.0) * 2, low - row * RISE)
    return found


def lottery() -> str:
    """The machine on a table before a dark curtain of light, lit from the upper left."""
    x, y = CENTRE
    defs = [
        radial("back", "#3f66a6", "#23406f@0.6", "#132445@1", light=(0.5, 0.45), radius=0.75),
        linear("table", "#3a3f4a", "#20242c"),
        linear("metal", "#6d747c", "#eef1f4", "#aab2ba", "#5c636b", across=True),
        linear("base", "#c62f35", "#8e1a20"),
        radial("ball", "#ffffff", "#fbfbfb@0.55", "#d9dce0@0.82", "#a4a9b0@1", radius=0.8),
        radial("glass", "#ffffff@0/0.05", "#cfe4ff@0.8/0.1", "#e6f2ff@1/0.42", light=(0.5, 0.5), radius=0.5),
        linear("tube", "#ffffff@0/0.5", "#ffffff@0.2/0.12", "#ffffff@0.75/0.06", "#ffffff@1/0.4", across=True),
    ]
    body = [rect(0, 0, WIDTH, HEIGHT, "url(#back)"), rect(0, 640, WIDTH, 80, "url(#table)")]
    body.append(ellipse(x, 700, 300, 20, "#000000", 'opacity="0.6" filter="url(#soft)"'))
    for side in (-1, 1):  # the stand, with an axle on each side of the drum
        leg = [(x + side * 262, y - 20), (x + side * 262, 660.0)]
        body += [polyline(leg, "#4a5159", 30), polyline(leg, "#d5dade", 20)]
        body.append(rect(min(x + side * 222, x + side * 272), y - 12, 50, 24, "#8d959d", 'rx="4" stroke="#4a5159"'))
        body.append(circle(x + side * 262, y, 26, "url(#metal)", 'stroke="#4a5159" stroke-width="2"'))
    body.append(rect(x - 300, 652, 600, 50, "url(#base)", 'rx="12" stroke="#5e0f13" stroke-width="2"'))
    body.append(circle(x, y, DRUM, "#0c1a33", 'opacity="0.45"'))
    for number, (bx, by) in balls().items():
        body.append(circle(bx + 3, by + 5, BALL, "#000000", 'opacity="0.3"'))
        body.append(circle(bx, by, BALL, "url(#ball)", 'stroke="#7c828a" stroke-width="0.8"'))
        body.append(numeral(number, bx, by, 28, "#16181c", 15))
        if number in (6, 9):  # the line by which real balls tell these two apart
            body.append(polyline([(bx - 9, by + 21), (bx + 9, by + 21)], "#16181c", 3))
    return document([*body, *_glass()], defs)


def _glass() -> list[str]:
    x, y = CENTRE
    half, mouth = TUBE_WIDE / 2, y - DRUM + 6
    parts = [circle(x, y, DRUM, "url(#glass)", 'stroke="#d5e6fb" stroke-width="4"')]
    shine = 'stroke="#ffffff" stroke-width="16" stroke-linecap="round" opacity="0.45" filter="url(#soft)"'
    parts.append(path(f"M{x - 186} {y - 60}A196 196 0 0 1 {x - 60} {y - 186}", "none", shine))
    parts.append(rect(x - half, TUBE_TOP, TUBE_WIDE, mouth - TUBE_TOP, "url(#tube)"))
    for side in (-half, half):
        parts.append(polyline([(x + side, TUBE_TOP), (x + side, mouth)], "#d5e6fb", 4))
    parts.append(rect(x - half - 14, mouth - 12, TUBE_WIDE + 28, 22, "url(#metal)", 'rx="5" stroke="#4a5159"'))
    parts.append(rect(x - half - 8, TUBE_TOP - 12, TUBE_WIDE + 16, 18, "url(#metal)", 'rx="5" stroke="#4a5159"'))
    return parts
