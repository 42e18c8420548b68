"""A blur that keeps edges: reference.py FOLDER WIDTH"""

from math import exp
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from texels import at_edge, flat, load, rows, save

RADIUS = 2

folder, width = sys.argv[1], int(sys.argv[2])
image = rows(load(folder, "image", "r32float"), width)


def filtered(x, y):
    centre = image[y][x][0]
    total = weights = 0
    for dy in range(-RADIUS, RADIUS + 1):
        for dx in range(-RADIUS, RADIUS + 1):
            value = at_edge(image, x + dx, y + dy)[0]
            weight = exp(-0.25 * (dx * dx + dy * dy) - 8 * (value - centre) ** 2)
            total += weight * value
            weights += weight
    return [total / weights]


result = [[filtered(x, y) for x in range(width)] for y in range(len(image))]
save(folder, "smooth", "r32float", flat(result))
