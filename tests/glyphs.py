"""Reading the numbers in a picture: digits are told apart by those under the bins of the animated board."""

import numpy as np
from PIL import Image
from scipy import ndimage

SIZE = 24


def parts(ink, least):
    """The connected parts of an ink mask from left to right, each cut out."""
    named, _ = ndimage.label(ink, np.ones((3, 3)))
    found = [(place[1].start, named[place] == n) for n, place in enumerate(ndimage.find_objects(named), start=1)]
    return [mask for _, mask in sorted(found, key=lambda pair: pair[0]) if mask.sum() >= least]


def shape(mask):
    """A glyph on a square of fixed size, its proportions kept."""
    high, wide = mask.shape
    square = np.zeros((high, max(high, wide)))
    left = (square.shape[1] - wide) // 2
    square[:, left : left + wide] = mask
    return np.asarray(Image.fromarray(square.astype(np.float32)).resize((SIZE, SIZE), Image.Resampling.BOX))


def digits_of(board):
    """Digit -> shape, from the labels below the bins: 1 to 9 one part each, then 10, which ends in the 0."""
    ink = board[650:690, 300:980].max(axis=2) < 150
    found = parts(ink, 20)
    assert len(found) == 9 + 2 + 2
    known = {str(n): shape(mask) for n, mask in enumerate(found[:9], start=1)}
    known["0"] = shape(found[10])
    for one in (9, 11, 12):
        assert np.abs(shape(found[one]) - known["1"]).mean() < 0.1
    return known


def number(ink, known, least=20):
    """The number that the ink shows."""
    read = ""
    for mask in parts(ink, least):
        there = shape(mask)
        off = {digit: float(np.abs(there - glyph).mean()) for digit, glyph in known.items()}
        read += min(off, key=off.__getitem__)
    return int(read)
