"""A person seen from behind in a corridor that ends at a symmetric T-junction, from a camera near the floor."""

from __future__ import annotations

from collections.abc import Iterable

from .svg import WIDTH, Point, document, ellipse, linear, path, polygon, polyline, radial, rect

# Metres: x to the right of the corridor's middle, y above the floor, z away from the camera.
HALF, CEILING = 1.7, 2.9  # half the corridor's width; its height
CORNER, END = 7.0, 10.5  # where its side walls stop at the junction, and the wall that faces us
NEAR = 1.2  # nothing nearer is in the picture
CAMERA, HORIZON, FOCUS = 0.7, 410.0, 900.0  # height in metres; in pixels
PERSON = 5.0  # how far away the person is


def seen(x: float, y: float, z: float) -> Point:
    """Where a point of the corridor is in the picture."""
    return WIDTH / 2 + FOCUS * x / z, HORIZON - FOCUS * (y - CAMERA) / z


def _quad(fill: str, *corners: tuple[float, float, float], more: str = "") -> str:
    return polygon([seen(*corner) for corner in corners], fill, more)


def _twice(fill: str, *corners: tuple[float, float, float], more: str = "") -> Iterable[str]:
    # On the right, and its mirror image on the left: no wall may tell one passage from the other.
    for side in (1, -1):
        yield _quad(fill, *((side * x, y, z) for x, y, z in corners), more=more)


def _on_walls(fill: str, low: float, high: float, near: float, far: float) -> Iterable[str]:
    return _twice(fill, (HALF, high, far), (HALF, high, near), (HALF, low, near), (HALF, low, far))


def walking() -> str:
    """The corridor under its ceiling lights; daylight comes out of both passages alike."""
    defs = [
        linear("ceiling", "#8f9499", "#d7dadb"),
        linear("floor", "#b9b2a4", "#7d776c"),
        linear("right", "#e6e2d8", "#b3afa6", across=True),
        linear("left", "#b3afa6", "#e6e2d8", across=True),
        linear("low_right", "#7f99a8", "#52697a", across=True),
        linear("low_left", "#52697a", "#7f99a8", across=True),
        linear("end", "#fffdf3", "#e3dfd3@0.22", "#c9c5ba@0.5", "#e3dfd3@0.78", "#fffdf3", across=True),
        linear("low_end", "#b4cbd8", "#7d97a6@0.25", "#6b8595@0.5", "#7d97a6@0.75", "#b4cbd8", across=True),
        linear("day", "#fff7d8@0/0.45", "#fff7d8@0.35/0", "#fff7d8@0.65/0", "#fff7d8@1/0.45", across=True),
        linear("jacket", "#8f3a1c", "#cf5f30@0.35", "#c25528@0.65", "#853317", across=True),
        linear("trousers", "#1d2433", "#323d54@0.5", "#1a202d", across=True),
        linear("pack", "#1f5c56", "#2f8078@0.4", "#1b4f4a", across=True),
        radial("hair", "#6b4a33", "#3a2619@0.6", "#26180f@1", light=(0.45, 0.25), radius=0.8),
    ]
    return document([*_junction(), *_corridor(), *_sign(), *_person()], defs)


def _junction() -> list[str]:
    left, top = seen(-HALF, CEILING, CORNER)
    right, bottom = seen(HALF, 0, CORNER)
    wall, foot = seen(0, CEILING, END)[1], seen(0, 0, END)[1]
    wide = right - left
    parts = [rect(left, top, wide, wall - top, "#d2d5d6"), rect(left, wall, wide, foot - wall, "url(#end)")]
    rail = seen(0, 1.0, END)[1]
    parts += [rect(left, rail, wide, foot - rail, "url(#low_end)"), rect(left, rail - 2, wide, 4, "#5a4632")]
    parts += [rect(left, foot, wide, bottom - foot, "#a39c8f"), rect(left, foot - 7, wide, 7, "#4b4f55")]
    for z in (CORNER + 0.9, CORNER + 1.8, CORNER + 2.7):  # seams of its floor and ceiling
        seams = ((0.0, "#6f695e"), (CEILING, "#9a9ea1"))
        parts += [polyline([seen(-3, y, z), seen(3, y, z)], colour, 1) for y, colour in seams]
    parts += _twice("#ffffff", (1.3, CEILING, 8.4), (3, CEILING, 8.4), (3, CEILING, 9.1), (1.3, CEILING, 9.1))
    for line in (0.6, 1.2, 1.8, 2.4):
        parts += [polyline([seen(x, 0, END), seen(x, 0, CORNER)], "#6f695e", 1) for x in (-line, line)]
    return [*parts, rect(left, top, wide, bottom - top, "url(#day)")]


def _corridor() -> list[str]:
    plan = ((-HALF, NEAR), (HALF, NEAR), (HALF, CORNER), (-HALF, CORNER))
    parts = [
        _quad("url(#ceiling)", *((x, CEILING, z) for x, z in plan)),
        _quad("url(#floor)", *((x, 0, z) for x, z in plan)),
    ]
    seam = 'opacity="0.55"'
    for step in range(12):  # seams of the floor tiles and the ceiling panels, every 0.6 m
        z = CORNER - 0.6 * step
        parts.append(polyline([seen(-HALF, 0, z), seen(HALF, 0, z)], "#5f594f", 9 / z, seam))
        parts.append(polyline([seen(-HALF, CEILING, z), seen(HALF, CEILING, z)], "#7c8185", 6 / z, seam))
    for line in (-1.2, -0.6, 0.0, 0.6, 1.2):
        parts.append(polyline([seen(line, 0, CORNER), seen(line, 0, NEAR)], "#5f594f", 1.3, seam))
    for z in (1.9, 3.3, 4.7, 6.1):  # the lights, and their shine on the floor
        lamp = [(-0.55, z), (0.55, z), (0.55, z + 0.6), (-0.55, z + 0.6)]
        parts.append(_quad("#9da2a5", *((x * 1.08, CEILING, d) for x, d in lamp)))
        parts.append(_quad("#ffffff", *((x, CEILING, d) for x, d in lamp)))
        parts.append(_quad("#ffffff", *((x, 0, d) for x, d in lamp), more='opacity="0.3" filter="url(#soft)"'))
    for side, name in ((1, "right"), (-1, "left")):
        x = side * HALF
        parts.append(_quad(f"url(#{name})", (x, CEILING, CORNER), (x, CEILING, NEAR), (x, 0, NEAR), (x, 0, CORNER)))
        parts.append(_quad(f"url(#low_{name})", (x, 1.0, CORNER), (x, 1.0, NEAR), (x, 0, NEAR), (x, 0, CORNER)))
    parts += [*_on_walls("#4b4f55", 0, 0.1, NEAR, CORNER), *_on_walls("#6f563c", 0.97, 1.06, NEAR, CORNER)]
    for near in (3.0, 5.4):  # a closed door on each side
        far = near + 0.95
        parts += _on_walls("#5d4a37", 0, 2.2, near - 0.1, far + 0.1)
        parts += _on_walls("#8b6b4a", 0, 2.1, near, far)
        parts += _on_walls("#d8d4c8", 1.02, 1.08, far - 0.2, far - 0.06)
    for side in (1, -1):  # the corners of the junction
        corner = [seen(side * HALF, CEILING, CORNER), seen(side * HALF, 0, CORNER)]
        parts += [polyline(corner, "#6d7177", 5), polyline(corner, "#f3f4f2", 1.5)]
    return parts


def _sign() -> list[str]:
    # An arrow both ways, hung from the ceiling where the corridor ends.
    (left, top), (right, bottom) = seen(-0.75, 2.8, CORNER), seen(0.75, 2.46, CORNER)
    middle, y = WIDTH / 2, (top + bottom) / 2
    parts = [polyline([seen(x, CEILING, CORNER), seen(x, 2.8, CORNER)], "#5a5e62", 3) for x in (-0.55, 0.55)]
    parts.append(rect(left, top, right - left, bottom - top, "#14703f", 'rx="4" stroke="#f3f4f2" stroke-width="2"'))
    for side in (1, -1):
        tip = middle + side * 70
        parts.append(polyline([(middle + side * 14, y), (tip, y)], "#ffffff", 6))
        parts.append(polyline([(tip - side * 14, y - 12), (tip, y), (tip - side * 14, y + 12)], "#ffffff", 6))
    return parts


def _at(x: float, y: float) -> Point:
    return seen(x, y, PERSON)


def _limb(points: Iterable[Point], colour: str, width: float) -> str:
    line = 'stroke-linecap="round" stroke-linejoin="round"'
    return polyline([_at(*point) for point in points], colour, width * FOCUS / PERSON, line)


def _shape(outline: str, fill: str, more: str = "") -> str:
    # An outline in metres, mirrored upside down into pixels.
    (x, y), size = _at(0, 0), FOCUS / PERSON
    return path(outline, fill, f'transform="translate({x:.2f} {y:.2f}) scale({size:.2f} -{size:.2f})" {more}')


def _person() -> list[str]:
    (x, y), size = _at(0, 0), FOCUS / PERSON
    parts = [ellipse(x, y + 6, 78, 15, "#000000", 'opacity="0.5" filter="url(#soft)"')]
    # In mid-stride: the left foot is on the floor ahead, the right heel has left it.
    parts.append(_shape("M-.155 .11C-.17 .02 -.16 .01 -.105 .01S-.045 .02 -.055 .11Z", "#20201f"))
    parts.append(_shape("M-.18 .95L-.165 .5L-.15 .08H-.06L-.04 .5L0 .86V.95Z", "url(#trousers)"))
    parts.append(_shape("M.06 .24C.04 .12 .05 .0 .11 .0S.18 .12 .16 .24Z", "#3a3a38"))
    parts.append(_shape("M.075 .2C.06 .11 .07 .03 .11 .03S.165 .11 .15 .2Z", "#b9b3a6"))
    parts.append(_shape("M0 .95V.86L.045 .5L.06 .19H.16L.175 .5L.185 .95Z", "url(#trousers)"))
    for side, hand in ((-1, 0.8), (1, 0.84)):
        parts.append(_limb([(side * 0.275, hand), (side * 0.27, hand - 0.04)], "#c98d6a", 0.075))
        parts.append(_limb([(side * 0.2, 1.4), (side * 0.275, 1.14), (side * 0.275, hand + 0.06)], "#7a2e14", 0.115))
        parts.append(_limb([(side * 0.205, 1.4), (side * 0.27, 1.14), (side * 0.27, hand + 0.06)], "#a8481f", 0.085))
    parts.append(_shape("M-.055 1.6V1.44H.055V1.6Z", "#b97f5d"))
    parts.append(_shape("M-.06 1.5C-.14 1.49 -.24 1.46 -.25 1.36L-.2 1.12L-.21 .85Q0 .81 .21 .85L.2 1.12L.25 1.36"
                        "C.24 1.46 .14 1.49 .06 1.5Q0 1.47 -.06 1.5Z",
                        "url(#jacket)", 'stroke="#6b2811" stroke-width=".008"'))  # fmt: skip
    parts += [_limb([(side * 0.12, 1.47), (side * 0.13, 1.36)], "#123c38", 0.04) for side in (-1, 1)]
    parts.append(_shape("M-.16 .98Q-.17 .95 -.13 .95H.13Q.17 .95 .16 .98L.15 1.33Q.14 1.43 0 1.43T-.15 1.33Z",
                        "url(#pack)", 'stroke="#123c38" stroke-width=".01"'))  # fmt: skip
    parts.append(_shape("M-.11 .99H.11V1.17H-.11Z", "#266a63", 'stroke="#123c38" stroke-width=".008"'))
    parts.append(_limb([(-0.105, 1.13), (0.105, 1.13)], "#d9c58a", 0.012))
    parts.append(_limb([(-0.03, 1.42), (-0.03, 1.455), (0.03, 1.455), (0.03, 1.42)], "#123c38", 0.014))
    parts += [ellipse(*_at(side * 0.093, 1.62), 0.02 * size, 0.035 * size, "#c98d6a") for side in (-1, 1)]
    parts.append(_shape("M-.092 1.62C-.1 1.78 -.06 1.8 0 1.8S.1 1.78 .092 1.62"
                        "C.09 1.56 .06 1.52 0 1.52S-.09 1.56 -.092 1.62Z",
                        "url(#hair)"))  # fmt: skip
    return parts
