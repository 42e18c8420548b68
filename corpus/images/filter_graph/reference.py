"""Filters in passes, and one for each texel: reference.py FOLDER WIDTH"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from texels import load, mix, save

folder = sys.argv[1]


def exposed(colour, stops):
    return [c * 2**stops for c in colour]


def contrasted(colour, amount):
    return [(c - 0.5) * amount + 0.5 for c in colour]


def saturated(colour, amount):
    grey = 0.25 * colour[0] + 0.625 * colour[1] + 0.125 * colour[2]
    return mix([grey] * 3, colour, amount)


def inverted(colour, amount):
    return mix(colour, [1 - c for c in colour], amount)


STEPS = [(exposed, 0.75), (saturated, 1.5), (exposed, -0.5), (contrasted, 1.25), (inverted, 0.875)]
BY_MASK = {0: saturated, 1: inverted, 2: exposed, 3: contrasted}


def filtered(texel, chosen):
    colour = texel[:3]
    for operation, amount in STEPS:
        colour = operation(colour, amount)
    if chosen in BY_MASK:
        colour = BY_MASK[chosen](colour, 0.25)
    return [*colour, texel[3]]


image = load(folder, "image", "rgba8unorm")
mask = Path(folder, "mask.bin").read_bytes()
save(folder, "filtered", "rgba8unorm", [filtered(*each) for each in zip(image, mask)])
