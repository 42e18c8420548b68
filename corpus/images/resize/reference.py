"""An interpolated image: reference.py FOLDER WIDTH HEIGHT NEW_WIDTH NEW_HEIGHT"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from texels import at_edge, bilinear, flat, load, rows, save

folder = sys.argv[1]
width, height, new_width, new_height = map(int, sys.argv[2:])
image = rows(load(folder, "image", "rgba8unorm"), width)


def texel_at(x, y):
    return at_edge(image, x, y)


resized = [[bilinear(texel_at, (x + 0.5) * width / new_width, (y + 0.5) * height / new_height)
            for x in range(new_width)] for y in range(new_height)]
save(folder, "resized", "rgba8unorm", flat(resized))
