"""References and tested cells shared by the tests of the exact engine, and an enumeration that is independent of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from math import comb, lcm

HALF = (Fraction(1, 2),) * 2
BOARD = tuple(Fraction(comb(10, i), 1024) for i in range(11))
DICE, CARDS, LOTTERY = (Fraction(1, 6),) * 6, (Fraction(1, 4),) * 4, (Fraction(1, 20),) * 20
ROULETTE = (Fraction(18, 37), Fraction(18, 37), Fraction(1, 37))
TWO_DICE = tuple(Fraction(i, 36) for i in (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1))
PLINKO = tuple(Fraction(i, 16) for i in (1, 4, 6, 4, 1))
REFERENCES = {
    "board": BOARD,
    "half": HALF,
    "dice": DICE,
    "cards": CARDS,
    "lottery": LOTTERY,
    "roulette": ROULETTE,
    "two dice": TWO_DICE,
    "plinko": PLINKO,
}

# The 44 cells of the main condition with at least four valid outcomes: counts in the order of the reference.
_TESTED = {
    "board": """0,0,0,0,1,21,0,0,0,0,0 0,1,0,0,5,5,3,1,3,1,0 0,0,0,1,0,23,4,0,0,0,0 0,2,2,4,4,5,0,0,0,1,0
        0,0,0,0,1,0,1,1,1,2,0 0,0,0,0,0,29,0,0,0,0,0 10,7,1,0,1,4,1,1,1,1,1 0,0,0,0,0,27,0,2,0,0,0
        0,0,0,0,3,19,0,6,2,1,0 1,2,2,2,6,7,2,3,1,2,0""",
    "half": "24,8 22,10 15,15 8,23 11,18 15,12 9,22 22,10 20,12 0,32 15,17 13,14",
    "dice": "27,0,1,1,3,0 18,1,6,2,5,0 30,0,0,0,1,0 0,0,0,0,32,0 2,0,6,16,2,4 6,2,8,5,11,0",
    "cards": "2,0,1,15 12,0,0,17 0,0,6,6 0,0,3,8",
    "lottery": """0,1,0,1,0,0,11,6,0,2,0,1,0,0,6,0,0,0,0,0 0,0,1,0,2,0,0,2,1,1,2,1,2,2,0,0,2,6,1,1
        0,0,0,0,0,0,25,0,0,0,0,0,0,0,0,0,0,0,0,0 0,0,0,0,0,0,0,17,2,0,0,0,0,0,0,0,0,0,0,0
        0,5,2,1,2,1,0,4,2,1,0,0,0,0,0,0,1,1,0,0 1,1,0,0,0,0,1,1,0,2,0,1,0,0,0,0,0,0,0,0""",
    "roulette": "14,5,3 13,10,4 10,21,0 12,8,1 3,3,1 3,3,6",
}
TESTED_CELLS = [
    ([int(x) for x in cell.split(",")], REFERENCES[name]) for name, cells in _TESTED.items() for cell in cells.split()
]

Law = dict[Fraction, tuple[Fraction, tuple[int, ...]]]


def pearson_term(n: int) -> Callable[[int, Fraction], Fraction]:
    return lambda x, p: (x - n * p) ** 2 / (n * p)


def tv_term(n: int) -> Callable[[int, Fraction], Fraction]:
    return lambda x, p: abs(Fraction(x, n) - p) / 2


def enumerate_law(
    n: int, p: Sequence[Fraction], q: Sequence[Fraction], term: Callable[[int, Fraction], Fraction]
) -> Law:
    """Value -> (probability under q, one cell that has it), for a sum of terms in p, by enumeration of all cells."""
    # Whole numbers over common denominators: the same arithmetic as with fractions, but faster.
    table = [[term(x, a) for x in range(n + 1)] for a in p]
    unit = lcm(*(value.denominator for row in table for value in row))
    terms = [[int(value * unit) for value in row] for row in table]
    whole = lcm(*(b.denominator for b in q))
    powers = [[int(b * whole) ** x for x in range(n + 1)] for b in q]
    found: dict[int, tuple[int, tuple[int, ...]]] = {}

    def go(i: int, left: int, weight: int, value: int, cell: tuple[int, ...]) -> None:
        if i == len(p) - 1:
            value += terms[i][left]
            found[value] = (found.get(value, (0, ()))[0] + weight * powers[i][left], (*cell, left))
            return
        for x in range(left + 1):
            go(i + 1, left - x, comb(left, x) * weight * powers[i][x], value + terms[i][x], (*cell, x))

    go(0, n, 1, 0, ())
    return {Fraction(value, unit): (Fraction(weight, whole**n), cell) for value, (weight, cell) in found.items()}


def enumerate_tails(law: Law) -> dict[Fraction, Fraction]:
    """Value -> P(statistic >= value)."""
    tails, total = {}, Fraction()
    for value in sorted(law, reverse=True):
        total += law[value][0]
        tails[value] = total
    return tails
