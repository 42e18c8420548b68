"""A median, then non-local means: reference.py FOLDER WIDTH"""

import sys
from math import exp
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from texels import at_edge, flat, load, rows, save

REACH, STRENGTH = 2, 0.25

folder, width = sys.argv[1], int(sys.argv[2])
noisy = rows(load(folder, "noisy", "r8unorm"), width)
height = len(noisy)
AROUND = [(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)]


def or_black(x, y):
    return noisy[y][x][0] if 0 <= x < width and 0 <= y < height else 0


def median(x, y):
    return sorted(or_black(x + i, y + j) for i, j in AROUND)[4]


image = [[[median(x, y)] for x in range(width)] for y in range(height)]


def surroundings(x, y):
    return [at_edge(image, x + i, y + j)[0] for i, j in AROUND]


def mean(x, y):
    total = weights = 0
    own = surroundings(x, y)
    for j in range(-REACH, REACH + 1):
        for i in range(-REACH, REACH + 1):
            distance = sum((a - b) ** 2 for a, b in zip(own, surroundings(x + i, y + j))) / 9
            weight = exp(-distance / STRENGTH**2)
            total += weight * at_edge(image, x + i, y + j)[0]
            weights += weight
    return total / weights


save(folder, "without_specks", "r16unorm", flat(image))
save(folder, "clean", "r32float", [[mean(x, y)] for y in range(height) for x in range(width)])
