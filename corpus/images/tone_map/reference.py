"""Radiances as colours: reference.py FOLDER"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from texels import load, save

EXPOSURE = 1.5

folder = sys.argv[1]


def colour(radiance):
    exposed = EXPOSURE * radiance
    return min(exposed * (1 + exposed / 16) / (1 + exposed), 1)


scene = load(folder, "scene", "rgba16float")
save(folder, "screen", "rgba8unorm_srgb", [[*map(colour, texel[:3]), texel[3]] for texel in scene])
