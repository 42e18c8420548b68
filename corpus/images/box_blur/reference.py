"""The mean of a square of texels: reference.py FOLDER WIDTH RADIUS"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from texels import flat, load, rows, save

folder, width, radius = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
image = rows(load(folder, "image", "rgba8unorm"), width)
height = len(image)


def mean(x, y):
    square = [image[j][i]
              for j in range(max(y - radius, 0), min(y + radius, height - 1) + 1)
              for i in range(max(x - radius, 0), min(x + radius, width - 1) + 1)]
    return [sum(component) / len(square) for component in zip(*square)]


save(folder, "blurred", "rgba8unorm", flat([[mean(x, y) for x in range(width)] for y in range(height)]))
