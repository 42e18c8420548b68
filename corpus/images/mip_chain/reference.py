"""All levels of a texture: reference.py FOLDER WIDTH HEIGHT LEVELS"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from texels import at_edge, flat, load, rows, save

folder = sys.argv[1]
width, height, levels = map(int, sys.argv[2:])
image = rows(load(folder, "image", "rgba16float")[: width * height], width)
texels = flat(image)
for _ in range(1, levels):
    width, height = max(width // 2, 1), max(height // 2, 1)
    image = [[[sum(four) / 4 for four in zip(*(at_edge(image, 2 * x + i, 2 * y + j)
                                               for i in range(2) for j in range(2)))]
              for x in range(width)] for y in range(height)]
    texels += flat(image)
save(folder, "image", "rgba16float", texels)
