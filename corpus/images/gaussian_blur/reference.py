"""A Gaussian blur along rows, then along columns: reference.py FOLDER WIDTH"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from texels import at_edge, flat, load, rows, save

WEIGHTS = {0: 0.3125, 1: 0.234375, 2: 0.09375, 3: 0.015625}

folder, width = sys.argv[1], int(sys.argv[2])
image = rows(load(folder, "image", "rgba8unorm"), width)


def blurred(image, dx, dy):
    def at(x, y):
        taps = [(WEIGHTS[abs(i)], at_edge(image, x + i * dx, y + i * dy)) for i in range(-3, 4)]
        return [sum(weight * texel[c] for weight, texel in taps) for c in range(4)]

    return [[at(x, y) for x in range(width)] for y in range(len(image))]


save(folder, "blurred", "rgba8unorm", flat(blurred(blurred(image, 1, 0), 0, 1)))
