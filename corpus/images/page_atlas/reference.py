"""A picture assembled from pages with mip levels: reference.py FOLDER WIDTH HEIGHT"""

import struct
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from texels import flat, load, rows, save

folder, width, height = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
TILE = 8


def levels(name, format, count):
    """The levels of a page as images: each has half the side of the one before."""
    texels, images, side = load(folder, name, format), [], TILE
    for _ in range(count):
        images.append(rows(texels[: side * side], side))
        texels, side = texels[side * side :], side // 2
    return images


pages = [levels("forest", "rgba8unorm", 4), levels("desert", "rgba16float", 2), levels("sea", "rgba8unorm_srgb", 1)]
tiles = list(struct.iter_unpack("<HH", Path(folder, "tiles.bin").read_bytes()))
tiles_per_row = -(-width // TILE)


def texel(x, y):
    page, level = tiles[y // TILE * tiles_per_row + x // TILE]
    level = min(level, len(pages[page]) - 1)
    return pages[page][level][(y % TILE) >> level][(x % TILE) >> level]


save(folder, "picture", "rgba32float", flat([[texel(x, y) for x in range(width)] for y in range(height)]))
