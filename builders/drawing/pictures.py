"""All nine frames by scene, the sheet that shows them side by side, and the PNG bytes of a document."""

from __future__ import annotations

import re

from .board import animated, physical
from .cards import cards
from .dice import dice
from .fork import fork
from .lottery import lottery
from .pendulum import pendulum
from .roulette import wheel
from .svg import HEIGHT, WIDTH, rect
from .walking import walking

# In the order of the paper's Table 2.
FRAMES = {
    "physical_board": physical,
    "animated_board": animated,
    "ball_fork": fork,
    "walking": walking,
    "pendulum": pendulum,
    "dice": dice,
    "cards": cards,
    "lottery": lottery,
    "roulette": wheel,
}
SHEET = "contact_sheet"
_ACROSS, _TILE, _GAP = 3, 320.0, 8.0  # tiles in a row; width of a tile and between tiles, in pixels


def contact_sheet() -> str:
    """The nine frames in three rows, drawn small rather than scaled down, so that thin lines stay sharp."""
    scale = _TILE / WIDTH
    high = HEIGHT * scale
    rows = -(-len(FRAMES) // _ACROSS)
    across, down = _ACROSS * (_TILE + _GAP) + _GAP, rows * (high + _GAP) + _GAP
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{across:.0f}" height="{down:.0f}">']
    parts.append(rect(0, 0, across, down, "#ffffff"))
    for index, (scene, draw) in enumerate(FRAMES.items()):
        x, y = _GAP + index % _ACROSS * (_TILE + _GAP), _GAP + index // _ACROSS * (high + _GAP)
        # Each frame keeps its own paints: their names get the scene's before them.
        own = re.sub(r'(\bid="|url\(#)', rf"\g<1>{scene}-", draw())
        body = own.partition(">")[2].removesuffix("</svg>")
        parts.append(f'<clipPath id="{scene}-tile">{rect(0, 0, WIDTH, HEIGHT, "#000")}</clipPath>')
        parts.append(
            f'<g transform="translate({x:.2f} {y:.2f}) scale({scale})" clip-path="url(#{scene}-tile)">{body}</g>'
        )
    return "\n".join([*parts, "</svg>"])


def png(document: str) -> bytes:
    """The picture as PNG. The document names no font and no file, so nothing of the machine gets into it."""
    import resvg_py

    return bytes(resvg_py.svg_to_bytes(svg_string=document, skip_system_fonts=True))


def pictures() -> dict[str, bytes]:
    """File name without ending -> PNG, of the nine frames and the sheet."""
    return {name: png(draw()) for name, draw in (*FRAMES.items(), (SHEET, contact_sheet))}
