"""A deck of cards face down on a table, in perspective, with room beside it for the card that is drawn."""

from __future__ import annotations

import math

from .svg import HEIGHT, WIDTH, Point, document, linear, polygon, polyline, radial, rect

# In card widths: a card is 1 by 1.4, the deck 0.36 high; x to the right, y away from the camera, z up.
CARD, THICK = (1.0, 1.4), 0.36
CORNER = 0.07
PLACE, TURN = (-0.62, 0.0), 14.0  # of the deck's middle; degrees anticlockwise
CAMERA = (0.0, -3.4, 3.1)
LOOK_DOWN, FOCUS = 43.0, 1150.0


def seen(x: float, y: float, z: float) -> Point:
    """Where a point of the table's space is in the picture."""
    dx, dy, dz = x - CAMERA[0], y - CAMERA[1], z - CAMERA[2]
    tilt = math.radians(LOOK_DOWN)
    depth = dy * math.cos(tilt) - dz * math.sin(tilt)
    height = dy * math.sin(tilt) + dz * math.cos(tilt)
    return WIDTH / 2 + FOCUS * dx / depth, HEIGHT / 2 - FOCUS * height / depth


def on_card(u: float, v: float, z: float) -> Point:
    """Where a point of a card of the deck is: (u, v) from its middle, at height z."""
    turn = math.radians(TURN)
    x = PLACE[0] + u * math.cos(turn) - v * math.sin(turn)
    y = PLACE[1] + u * math.sin(turn) + v * math.cos(turn)
    return seen(x, y, z)


def _rounded(inset: float, z: float, corner: float) -> list[Point]:
    a, b = CARD[0] / 2 - inset, CARD[1] / 2 - inset
    points = []
    for sx, sy, start in ((1, 1, 0), (-1, 1, 90), (-1, -1, 180), (1, -1, 270)):
        for step in range(9):
            angle = math.radians(start + step * 11.25)
            u = sx * (a - corner) + corner * math.cos(angle)
            points.append(on_card(u, sy * (b - corner) + corner * math.sin(angle), z))
    return points


def _back() -> list[str]:
    # The back of the top card: white edge, a lattice inside a frame, a medallion in the middle.
    parts = [polygon(_rounded(0, THICK, CORNER), "#fdfdfb", 'stroke="#9a968c" stroke-width="1"')]
    field = _rounded(0.07, THICK, 0.04)
    parts.append(polygon(field, "url(#red)"))
    inner = _rounded(0.1, THICK, 0.03)
    parts += ['<clipPath id="field">', polygon(inner, "#000"), '</clipPath><g clip-path="url(#field)">']
    step = 0.09
    for line in range(-16, 17):
        for lean in (1, -1):
            ends = [on_card(line * step - lean * 0.7, -0.7, THICK), on_card(line * step + lean * 0.7, 0.7, THICK)]
            parts.append(polyline(ends, "#f3d9d6", 1.8, 'opacity="0.85"'))
    parts.append("</g>")
    parts.append(polygon(inner, "none", 'stroke="#fdfdfb" stroke-width="3"'))
    turns = [math.tau * step / 72 for step in range(72)]
    for size, fill in ((0.25, "#fdfdfb"), (0.225, "#a3141d"), (0.17, "#fdfdfb"), (0.15, "#a3141d")):
        parts.append(polygon([on_card(size * math.cos(t), size * math.sin(t), THICK) for t in turns], fill))
    star = [(0.13 if step % 2 else 0.055) for step in range(16)]
    points = [(r * math.cos(math.tau * i / 16), r * math.sin(math.tau * i / 16)) for i, r in enumerate(star)]
    parts.append(polygon([on_card(u, v, THICK) for u, v in points], "#fdfdfb"))
    return parts


def cards() -> str:
    """The deck on green cloth, lit from above and behind."""
    defs = [
        radial("cloth", "#2f8f63", "#1f6d4a@0.55", "#0d3a27@1", light=(0.45, 0.42), radius=0.8),
        linear("red", "#c8202b", "#98121b"),
        linear("side", "#f2efe6", "#c9c4b6"),
    ]
    body = [rect(0, 0, WIDTH, HEIGHT, "url(#cloth)")]
    ground = [(x + 26, y + 20) for x, y in _rounded(-0.03, 0, CORNER)]
    body.append(polygon(ground, "#031a10", 'opacity="0.65" filter="url(#softer)"'))
    layers = 52
    for layer in range(layers):
        z = THICK * layer / layers
        shade = "#b9b3a4" if layer % 2 else "#f4f1e8"
        body.append(polygon(_rounded(0, z, CORNER), shade))
    return document([*body, *_back()], defs)
