"""A frame shaded through a table of materials: reference.py FOLDER WIDTH HEIGHT"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from texels import at_edge, bilinear, flat, load, rows, save

folder, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
TEXELS_PER_SURFACE = 8

bricks = rows(load(folder, "bricks", "rgba8unorm"), 5)
water = rows(load(folder, "water", "rgba16float"), 4)
paint = rows(load(folder, "paint", "rgba8unorm_srgb"), 3)


def tiled(image):
    return lambda x, y: image[y % len(image)][x % len(image[0])]


def mirror(i, count):
    i %= 2 * count
    return min(i, 2 * count - 1 - i)


def nearest_mirrored(x, y):
    return water[mirror(int(y // 1), len(water))][mirror(int(x // 1), len(water[0]))]


# What each material gives at a place in texels: the size of its texture, and a function.
MATERIALS = [
    (bricks, 1, lambda x, y: bilinear(tiled(bricks), x, y)),
    (water, 0.5, nearest_mirrored),
    (bricks, 0.75, lambda x, y: bilinear(lambda i, j: at_edge(bricks, i, j), x, y)),
    (paint, -2, lambda x, y: bilinear(tiled(paint), x, y)),
]

ids = rows(load(folder, "ids", "r32uint"), width)


def shaded(x, y):
    image, factor, sample = MATERIALS[min(ids[y][x][0], len(MATERIALS) - 1)]
    u, v = (x + 0.5) / TEXELS_PER_SURFACE, (y + 0.5) / TEXELS_PER_SURFACE
    return [factor * component for component in sample(u * len(image[0]), v * len(image))]


save(folder, "shaded", "rgba32float", flat([[shaded(x, y) for x in range(width)] for y in range(height)]))
