"""One step of Lucas and Kanade: reference.py FOLDER WIDTH"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from texels import at_edge, flat, load, rows, save

REACH = 2

folder, width = sys.argv[1], int(sys.argv[2])
before = rows(load(folder, "before", "r8unorm"), width)
after = rows(load(folder, "after", "r8unorm"), width)
height = len(before)


def slopes(x, y):
    def value(dx, dy):
        return at_edge(before, x + dx, y + dy)[0]

    change = at_edge(after, x, y)[0] - value(0, 0)
    return (value(1, 0) - value(-1, 0)) / 2, (value(0, 1) - value(0, -1)) / 2, change


# Slopes continue beyond the edges, where the frames repeat their last texels.
known = {(x, y): slopes(x, y) for x in range(-REACH, width + REACH) for y in range(-REACH, height + REACH)}


def shift(x, y):
    window = [known[x + dx, y + dy] for dx in range(-REACH, REACH + 1) for dy in range(-REACH, REACH + 1)]
    xx = sum(p * p for p, q, t in window) + 0.125
    xy = sum(p * q for p, q, t in window)
    yy = sum(q * q for p, q, t in window) + 0.125
    px = -sum(p * t for p, q, t in window)
    py = -sum(q * t for p, q, t in window)
    determinant = xx * yy - xy * xy
    return [(yy * px - xy * py) / determinant, (xx * py - xy * px) / determinant]


save(folder, "flow", "rg32float", flat([[shift(x, y) for x in range(width)] for y in range(height)]))
