"""A white die in a wooden box, seen from above in mid-tumble: its faces 1 and 5 are in view."""

from __future__ import annotations

import math

from .board import wood_grain
from .svg import HEIGHT, WIDTH, Point, document, linear, polygon, radial, rect

SIZE, PIP = 138.0, 0.09  # edge in pixels at the height of the die's middle; radius of a pip in edges
CENTRE: Point = (420.0, 335.0)
ROLL, HEADING = 35.0, -22.0  # degrees: how far it has tipped over, and which way it runs on the floor
CAMERA = 4.2  # edges from the camera to the die's middle: near enough for faces to taper
BOX = (150.0, 50.0, 1130.0, 670.0)  # outer edge
WALL = 58.0
PIPS = {1: ((0.5, 0.5),), 5: ((0.25, 0.25), (0.75, 0.25), (0.5, 0.5), (0.25, 0.75), (0.75, 0.75))}


def on_face(face: int, u: float, v: float) -> Point:
    """Where (u, v) of a face, from its corner at (0, 0) to that at (1, 1), is in the picture."""
    roll, turn = math.radians(ROLL), math.radians(HEADING)
    x, z = (u - 0.5, 0.5) if face == 1 else (0.5, 0.5 - u)
    y = v - 0.5
    x, z = x * math.cos(roll) - z * math.sin(roll), z * math.cos(roll) + x * math.sin(roll)
    scale = SIZE * CAMERA / (CAMERA - z)
    along, across = x * scale, y * scale
    return (
        CENTRE[0] + along * math.cos(turn) - across * math.sin(turn),
        CENTRE[1] + along * math.sin(turn) + across * math.cos(turn),
    )


def _outline(face: int, inset: float) -> list[Point]:
    a, b = inset, 1 - inset
    return [on_face(face, u, v) for u, v in ((a, a), (b, a), (b, b), (a, b))]


def _pip(face: int, u: float, v: float) -> str:
    radius = PIP * (1.5 if face == 1 else 1)
    turns = [math.tau * step / 48 for step in range(48)]
    return polygon([on_face(face, u + radius * math.cos(t), v + radius * math.sin(t)) for t in turns], "#141414")


def dice() -> str:
    """The die on its way from the left, over a box lit from the upper left."""
    defs = [
        radial("table", "#56704f", "#2f4230", light=(0.4, 0.3), radius=0.9),
        linear("floor", "#d8a767", "#c48d4c", across=True),
        radial("glow", "#ffffff@0/0.28", "#ffffff@0.6/0", "#000000@1/0.25", light=(0.4, 0.4), radius=0.75),
    ]
    return document([*_box(), *_die()], defs)


def _box() -> list[str]:
    left, top, right, bottom = BOX
    il, it, ir, ib = left + WALL, top + WALL, right - WALL, bottom - WALL
    edge = 22.0  # the flat upper edge of the walls
    l2, t2, r2, b2 = left + edge, top + edge, right - edge, bottom - edge
    parts = [rect(0, 0, WIDTH, HEIGHT, "url(#table)")]
    shade = 'opacity="0.5" filter="url(#softer)"'
    parts.append(rect(left + 14, top + 16, right - left, bottom - top, "#000000", shade))
    parts.append(rect(left, top, right - left, bottom - top, "#8a5529", 'rx="12"'))
    parts += ['<clipPath id="box">', rect(left, top, right - left, bottom - top, "#000", 'rx="12"'), "</clipPath>"]
    parts += ['<g clip-path="url(#box)">', *wood_grain(5, left, right, top - 10, bottom, "#3d210c"), "</g>"]
    parts.append(rect(il, it, ir - il, ib - it, "url(#floor)"))
    parts += ['<clipPath id="inside">', rect(il, it, ir - il, ib - it, "#000"), "</clipPath>"]
    parts += ['<g clip-path="url(#inside)">', *wood_grain(11, il - 20, ir + 20, it - 10, ib + 10, "#7a4a1c")]
    parts.append(rect(il - 20, it - 20, ir - il + 40, 48, "#2a1605", 'opacity="0.55" filter="url(#softer)"'))
    parts.append(rect(il - 20, it - 20, 44, ib - it + 40, "#2a1605", 'opacity="0.5" filter="url(#softer)"'))
    parts += [rect(il, it, ir - il, ib - it, "url(#glow)"), "</g>"]
    inner = 'stroke="#3d210c" stroke-width="1"'
    parts.append(polygon([(l2, t2), (r2, t2), (ir, it), (il, it)], "#5b3416", inner))
    parts.append(polygon([(l2, t2), (il, it), (il, ib), (l2, b2)], "#6b3f1d", inner))
    parts.append(polygon([(r2, t2), (ir, it), (ir, ib), (r2, b2)], "#a9713f", inner))
    parts.append(polygon([(l2, b2), (r2, b2), (ir, ib), (il, ib)], "#b67d49", inner))
    return parts


def _die() -> list[str]:
    corner = 'stroke-linejoin="round" stroke-width="26"'
    parts = ['<g transform="translate(36 42)" opacity="0.6" filter="url(#softer)">']
    parts += [polygon(_outline(face, 0.08), "#1d0f04", f'stroke="#1d0f04" {corner}') for face in PIPS]
    parts.append("</g>")
    # The body, whose edge between the two faces is as round as the others; then the faces, each a shade of its own.
    one, five = _outline(1, 0.1), _outline(5, 0.1)
    body = [one[0], on_face(1, 1, 0.1), five[1], five[2], on_face(1, 1, 0.9), one[3]]
    parts.append(polygon(body, "#77776f", 'stroke-linejoin="round" stroke="#77776f" stroke-width="29"'))
    parts.append(polygon(body, "#d9d9d2", f'stroke="#d9d9d2" {corner}'))
    parts.append(polygon(_outline(5, 0.1), "#c3c3bb", f'stroke="#c3c3bb" {corner}'))
    parts.append(polygon(_outline(1, 0.1), "#e9e9e4", f'stroke="#e9e9e4" {corner}'))
    inner = 'stroke-linejoin="round" stroke-width="14"'
    parts.append(polygon(_outline(5, 0.1), "#cfcfc8", f'stroke="#cfcfc8" {inner}'))
    parts.append(polygon(_outline(1, 0.1), "#fbfbf8", f'stroke="#fbfbf8" {inner}'))
    return [*parts, *(_pip(face, u, v) for face, pips in PIPS.items() for u, v in pips)]
