"""A cube map as a panorama: reference.py FOLDER SIDE WIDTH HEIGHT LEVEL"""

import sys
from math import cos, floor, pi, sin
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from texels import clamp, load, mix, save

folder = sys.argv[1]
side, width, height, level = map(int, sys.argv[2:])
texels = load(folder, "cube", "rgba8unorm")
if level == 1:
    texels, side = texels[6 * side * side :], side // 2

# The direction of the middle of each face, of its columns and of its rows.
FACES = [
    ((1, 0, 0), (0, 0, -1), (0, -1, 0)),
    ((-1, 0, 0), (0, 0, 1), (0, -1, 0)),
    ((0, 1, 0), (1, 0, 0), (0, 0, 1)),
    ((0, -1, 0), (1, 0, 0), (0, 0, -1)),
    ((0, 0, 1), (1, 0, 0), (0, -1, 0)),
    ((0, 0, -1), (-1, 0, 0), (0, -1, 0)),
]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def on_face(direction):
    """The face, and the place on it from -1 to 1."""
    face = max(range(6), key=lambda i: dot(FACES[i][0], direction))
    middle, across, down = FACES[face]
    along = dot(middle, direction)
    return face, dot(across, direction) / along, dot(down, direction) / along


def texel(face, i, j):
    """A texel of the face, or beyond one of its edges in the next face; nothing beyond a corner."""
    beyond = [not 0 <= k < side for k in (i, j)]
    if all(beyond):
        return None
    if any(beyond):
        # Half a texel inside of the next face.
        middle, across, down = FACES[face]
        s, t = (clamp((2 * k + 1) / side - 1, -1, 1) for k in (i, j))
        face, s, t = on_face([m * (1 - 1 / side) + a * s + d * t for m, a, d in zip(middle, across, down)])
        i, j = (clamp(floor((k + 1) / 2 * side), 0, side - 1) for k in (s, t))
    return texels[(face * side + j) * side + i]


def sampled(direction):
    face, s, t = on_face(direction)
    x, y = ((k + 1) / 2 * side - 0.5 for k in (s, t))
    i, j = floor(x), floor(y)
    four = [texel(face, i + a, j + b) for b in (0, 1) for a in (0, 1)]
    there = [each for each in four if each]
    mean = [sum(component) / len(there) for component in zip(*there)]
    four = [each or mean for each in four]
    return mix(mix(four[0], four[1], x - i), mix(four[2], four[3], x - i), y - j)


def seen(x, y):
    longitude, latitude = ((x + 0.5) / width * 2 - 1) * pi, (0.5 - (y + 0.5) / height) * pi
    return sampled([cos(latitude) * sin(longitude), sin(latitude), cos(latitude) * cos(longitude)])


save(folder, "picture", "rgba16float", [seen(x, y) for y in range(height) for x in range(width)])
