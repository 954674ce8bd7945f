"""Released outcomes of the main condition: six models, nine scenes, 32 rollouts in seed order.

Facts transcribed from the public repository of the CaliBench authors (commit 4533e877). One character a rollout:
the position of the outcome in the order of the reference, from 1, in base 36 (a = 10, k = 20), `-` = null.
Orders: bins from the left; left, right; faces; hearts, diamonds, clubs, spades; tickets; red, black, green.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb

_BOARD = [Fraction(comb(10, i), 2**10) for i in range(11)]
_EVEN = [Fraction(1, 2)] * 2

REFERENCES: dict[str, list[Fraction]] = {
    "physical_board": _BOARD,
    "animated_board": _BOARD,
    "ball_fork": _EVEN,
    "walking": _EVEN,
    "pendulum": _EVEN,
    "dice": [Fraction(1, 6)] * 6,
    "cards": [Fraction(1, 4)] * 4,
    "lottery": [Fraction(1, 20)] * 20,
    "roulette": [Fraction(18, 37), Fraction(18, 37), Fraction(1, 37)],
}

RELEASED: dict[str, dict[str, str]] = {
    "wan-2.7": {
        "physical_board": "6-66666-6566-6-66-66-6666-6-66--",
        "animated_board": "6-66666-666666666-66666666666666",
        "ball_fork": "11111211212211111111211112111221",
        "walking": "222122222221222-1222111122212122",
        "pendulum": "--------------------------------",
        "dice": "11111311151151151111114111111111",
        "cards": "--4443-144444-4-4--4------44-144",
        "lottery": "2f787--ff8fa74-88-f787a7f77c7778",
        "roulette": "----223121111--11-131-111122-13-",
    },
    "seedance-2.0": {
        "physical_board": "96-6527-5859--a-6--6--9-5567--7-",
        "animated_board": "1311-61-2-5122121166827a1-62b192",
        "ball_fork": "21112122221112121122111111111111",
        "walking": "12121212111111112212221121111111",
        "pendulum": "-----------2-----------1--------",
        "dice": "15341115114111533512151331113111",
        "cards": "114-111141441-4414144-4441144444",
        "lottery": "-i3ei-ai-5chd8h----jb5iik9dbie-8",
        "roulette": "223121-221111-2112312--13123-112",
    },
    "happyhorse-1.0": {
        "physical_board": "6-67666667-46666676766666--66666",
        "animated_board": "666668666666666-66-666666666686-",
        "ball_fork": "12122221112211-12211-12212121212",
        "walking": "11212111112111122112121122112212",
        "pendulum": "--------------------------------",
        "dice": "51111111111111111111-11111111111",
        "cards": "-3-4--4--3-434-4--3-3-----3----4",
        "lottery": "-777-77-7777-77777-7777-777-7777",
        "roulette": "221-1222121212122121222122221222",
    },
    "veo-3.1": {
        "physical_board": "-----------------------a--------",
        "animated_board": "686a6656668666-66566866586988966",
        "ball_fork": "2112222222122122212122222112222-",
        "walking": "22222222222222222222222222222222",
        "pendulum": "-----------------1--------------",
        "dice": "55555555555555555555555555555555",
        "cards": "43---44-3----4--43--44---4------",
        "lottery": "-8---888-98888-8-8-8---898888-8-",
        "roulette": "11122-----111-211--221121321---2",
    },
    "runway-gen-4.5": {
        "physical_board": "6-5543--4-4---36-22--656-4--5a6-",
        "animated_board": "a666a-65649781-3-3258258755-5466",
        "ball_fork": "122121122111-21222221222-122-122",
        "walking": "12121112212212121222222212111112",
        "pendulum": "--------------------------------",
        "dice": "1435466-14444644-434644343434435",
        "cards": "---------------------3----------",
        "lottery": "--39-5-88623h2--29--i582-4-2-8-a",
        "roulette": "----3--------1--------1-12----22",
    },
    "cosmos3-super": {
        "physical_board": "----a----a-7----------9-------58",
        "animated_board": "----a---------------------------",
        "ball_fork": "22111222222-111--111122112-11-12",
        "walking": "111-112212-21-2211-22221-1221212",
        "pendulum": "-------2--22--------------------",
        "dice": "35134544555332445531213531113555",
        "cards": "---------------------------3----",
        "lottery": "--2--1-----a---c--------87-----a",
        "roulette": "--3---32---133-----1-3--1-32--2-",
    },
}


def positions(outcomes: str) -> list[int]:
    """Valid outcomes in seed order as positions in the reference, from 0."""
    return [int(o, 36) - 1 for o in outcomes if o != "-"]


def cells(model: str) -> list[tuple[list[int], int, list[float]]]:
    """One `(counts, nulls, reference)` a scene, in the order of REFERENCES."""
    result = []
    for scene, reference in REFERENCES.items():
        seen = positions(RELEASED[model][scene])
        counts = [seen.count(i) for i in range(len(reference))]
        result.append((counts, RELEASED[model][scene].count("-"), [float(p) for p in reference]))
    return result
