"""The distortion of a lens, with three address modes: reference.py FOLDER WIDTH HEIGHT"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from texels import at_edge, bilinear, flat, load, rows, save

STRENGTH = 1.5
BORDER = [1, 1, 1, 1]

folder, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
scene = rows(load(folder, "scene", "rgba8unorm"), width)


def mirror(i, count):
    i %= 2 * count
    return min(i, 2 * count - 1 - i)


def clamped(x, y):
    return at_edge(scene, x, y)


def mirrored(x, y):
    return scene[mirror(y, height)][mirror(x, width)]


def bordered(x, y):
    return scene[y][x] if 0 <= x < width and 0 <= y < height else BORDER


def distorted(texel_at):
    def at(x, y):
        u, v = (x + 0.5) / width - 0.5, (y + 0.5) / height - 0.5
        scale = 1 + STRENGTH * (u * u + v * v)
        return bilinear(texel_at, (0.5 + u * scale) * width, (0.5 + v * scale) * height)

    return flat([[at(x, y) for x in range(width)] for y in range(height)])


save(folder, "edged", "rgba8unorm", distorted(clamped))
save(folder, "mirrored", "rgba8unorm", distorted(mirrored))
save(folder, "bordered", "rgba8unorm", distorted(bordered))
