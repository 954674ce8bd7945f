"""What all pictures are drawn with: an SVG document of the frame's size, paints, shadows, and numerals as strokes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

WIDTH, HEIGHT = 1280, 720

Point = tuple[float, float]


def document(body: Iterable[str], defs: Iterable[str] = ()) -> str:
    """A picture of the frame's size; `defs` are the paints and filters that `body` refers to."""
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">'
    return "\n".join([head, "<defs>", blur("soft", 6), blur("softer", 14), *defs, "</defs>", *body, "</svg>"])


def blur(name: str, deviation: float) -> str:
    """A filter that softens an edge, for shadows and shine; the region is wide enough for thin shapes."""
    return (
        f'<filter id="{name}" filterUnits="userSpaceOnUse" x="-100" y="-100" width="{WIDTH + 200}" '
        f'height="{HEIGHT + 200}"><feGaussianBlur stdDeviation="{deviation}"/></filter>'
    )


def _stops(colours: Sequence[str]) -> str:
    # "#rrggbb" spread evenly, or "#rrggbb@0.3" at a place, or "#rrggbb@0.3/0.5" with an opacity.
    stops = []
    for position, colour in enumerate(colours):
        paint, _, rest = colour.partition("@")
        place, _, opacity = rest.partition("/")
        offset = place or f"{position / (len(colours) - 1):.4f}"
        stops.append(f'<stop offset="{offset}" stop-color="{paint}" stop-opacity="{opacity or 1}"/>')
    return "".join(stops)


def linear(name: str, *colours: str, across: bool = False) -> str:
    """A paint that changes from top to bottom of a shape, or `across` from left to right."""
    end = 'x2="1" y2="0"' if across else 'x2="0" y2="1"'
    return f'<linearGradient id="{name}" x1="0" y1="0" {end}>{_stops(colours)}</linearGradient>'


def radial(name: str, *colours: str, light: Point = (0.36, 0.3), radius: float = 0.75) -> str:
    """A paint that changes outwards from `light`, in shares of the shape's box: a lit sphere, a vignette."""
    x, y = light
    return f'<radialGradient id="{name}" cx="{x}" cy="{y}" r="{radius}">{_stops(colours)}</radialGradient>'


def polygon(points: Iterable[Point], fill: str, more: str = "") -> str:
    listed = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
    return f'<polygon points="{listed}" fill="{fill}" {more}/>'


def polyline(points: Iterable[Point], stroke: str, width: float, more: str = "") -> str:
    listed = " ".join(f"{x:.2f},{y:.2f}" for x, y in points)
    return f'<polyline points="{listed}" fill="none" stroke="{stroke}" stroke-width="{width:.2f}" {more}/>'


def circle(x: float, y: float, r: float, fill: str, more: str = "") -> str:
    return f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{r:.2f}" fill="{fill}" {more}/>'


def ellipse(x: float, y: float, rx: float, ry: float, fill: str, more: str = "") -> str:
    return f'<ellipse cx="{x:.2f}" cy="{y:.2f}" rx="{rx:.2f}" ry="{ry:.2f}" fill="{fill}" {more}/>'


def rect(x: float, y: float, width: float, height: float, fill: str, more: str = "") -> str:
    return f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" fill="{fill}" {more}/>'


def path(d: str, fill: str, more: str = "") -> str:
    return f'<path d="{d}" fill="{fill}" {more}/>'


# Numerals as strokes on a box 60 wide and 100 high: no font, whose version or absence would change the picture.
_SIX = "M50 6C44 2 38 0 32 0C12 0 0 20 0 55C0 85 12 100 31 100C48 100 60 87 60 69C60 51 48 39 32 39C16 39 2 50 1 66"
_DIGITS = {
    "0": "M30 0C50 0 60 20 60 50S50 100 30 100S0 80 0 50S10 0 30 0Z",
    "1": "M0 20L28 0V100",
    "2": "M4 28C4 10 16 0 31 0C47 0 58 11 58 28C58 46 42 58 3 100H60",
    "3": "M5 14C12 4 20 0 30 0C46 0 56 10 56 25C56 40 45 48 26 48C46 48 60 57 60 73"
    "C60 90 47 100 30 100C17 100 7 95 1 85",
    "4": "M46 100V0L0 70H62",
    "5": "M54 0H12L7 45C14 38 22 35 31 35C48 35 60 48 60 67C60 87 47 100 29 100C17 100 7 95 1 86",
    "6": _SIX,
    "7": "M0 0H60C40 30 26 62 22 100",
    "8": "M30 47C14 47 5 38 5 24C5 10 15 0 30 0S55 10 55 24C55 38 46 47 30 47C12 47 0 58 0 74C0 90 12 100 30 100"
    "S60 90 60 74C60 58 48 47 30 47Z",
    "9": _SIX,
}
_ADVANCE = {"1": 54.0}


def numeral(number: int, x: float, y: float, height: float, stroke: str, weight: float = 13, turn: float = 0) -> str:
    """A whole number centred on (x, y), its digits `height` pixels high, turned clockwise by `turn` degrees."""
    digits = str(number)
    advances = [_ADVANCE.get(digit, 84.0) for digit in digits]
    drawn, left = [], -(sum(advances) - 24) / 2
    for digit, advance in zip(digits, advances, strict=True):
        upside = " rotate(180 30 50)" if digit == "9" else ""
        drawn.append(f'<path d="{_DIGITS[digit]}" transform="translate({left:.1f} -50){upside}"/>')
        left += advance
    return (
        f'<g transform="translate({x:.2f} {y:.2f}) rotate({turn:.3f}) scale({height / 100:.4f})" fill="none" '
        f'stroke="{stroke}" stroke-width="{weight}" stroke-linecap="round" stroke-linejoin="round">{"".join(drawn)}</g>'
    )
