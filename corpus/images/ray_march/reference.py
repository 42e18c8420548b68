"""Light through a volume: reference.py FOLDER SIDE WIDTH HEIGHT STEPS"""

from math import exp
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from texels import at_edge, bilinear, flat, load, mix, rows, save

folder = sys.argv[1]
side, width, height, steps = map(int, sys.argv[2:])
texels = load(folder, "density", "r8unorm")
layers = [rows(texels[i : i + side * side], side) for i in range(0, len(texels), side * side)]


def sample(x, y, z):
    z = z * side - 0.5
    k = int(z // 1)
    near, far = (bilinear(lambda i, j: at_edge(layers[min(max(layer, 0), side - 1)], i, j), x * side, y * side)
                 for layer in (k, k + 1))
    return mix(near, far, z - k)[0]


def ray(x, y):
    light, passed = 0, 1
    for i in range(steps):
        depth = (i + 0.5) / steps
        absorbed = 1 - exp(-4 / steps * sample((x + 0.5) / width, (y + 0.5) / height, depth))
        light += passed * absorbed * (1 - depth)
        passed *= 1 - absorbed
    return [light, passed]


save(folder, "picture", "rg32float", flat([[ray(x, y) for x in range(width)] for y in range(height)]))
