"""The distance from the nearest bright texel, by jump flooding: reference.py FOLDER WIDTH HEIGHT"""

import sys
from math import dist
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from texels import load, rows, save

THRESHOLD = 0.96

folder, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
image = rows(load(folder, "image", "r16float"), width)
PLACES = [(x, y) for y in range(height) for x in range(width)]
known = {(x, y): (x, y) for x, y in PLACES if image[y][x][0] >= THRESHOLD}


def nearest(here, step):
    asked = ((here[0] + i * step, here[1] + j * step) for j in (-1, 0, 1) for i in (-1, 0, 1))
    seeds = [known[place] for place in asked if place in known]
    # Of seeds that are equally far away, the first one, as in the kernel.
    return min(seeds, key=lambda seed: (seed[0] - here[0]) ** 2 + (seed[1] - here[1]) ** 2, default=None)


step = 1 << ((max(width, height) - 1).bit_length() - 1)
while step:
    found = {place: nearest(place, step) for place in PLACES}
    known = {place: seed for place, seed in found.items() if seed}
    step //= 2

distances = [[dist(place, known[place]) if place in known else -1] for place in PLACES]
save(folder, "distances", "r32float", distances)
