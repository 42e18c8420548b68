"""The length of the brightness's gradient: reference.py FOLDER WIDTH"""

from math import hypot
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from texels import at_edge, flat, load, rows, save

folder, width = sys.argv[1], int(sys.argv[2])
image = rows(load(folder, "image", "rgba8unorm"), width)


def brightness(x, y):
    red, green, blue, _ = at_edge(image, x, y)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def edge(x, y):
    def difference(dx, dy):  # along (dx, dy), weighted across it
        return sum(weight * (brightness(x + dx + side * dy, y + dy + side * dx) -
                             brightness(x - dx + side * dy, y - dy + side * dx))
                   for side, weight in ((-1, 1), (0, 2), (1, 1)))

    return [hypot(difference(1, 0), difference(0, 1)) / 4]


save(folder, "edges", "r8unorm", flat([[edge(x, y) for x in range(width)] for y in range(len(image))]))
