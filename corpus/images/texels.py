"""Textures as plan files hand them to a reference: texels in a pixel format, as lists of numbers."""

import struct
from pathlib import Path

# The struct code of a component, how many there are, and the number that means 1.
FORMATS = {
    "r8unorm": ("B", 1, 255),
    "rgba8unorm": ("B", 4, 255),
    "rgba8unorm_srgb": ("B", 4, 255),
    "r16unorm": ("H", 1, 65535),
    "r16float": ("e", 1, None),
    "rgba16float": ("e", 4, None),
    "r32float": ("f", 1, None),
    "rg32float": ("f", 2, None),
    "rgba32float": ("f", 4, None),
    "r32uint": ("I", 1, None),
}


def linear(encoded):
    """The linear value of an sRGB component."""
    return encoded / 12.92 if encoded <= 0.04045 else ((encoded + 0.055) / 1.055) ** 2.4


def encoded(linear):
    """The way back."""
    return 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055


def load(folder, name, format):
    """The texels of NAME.bin, in order: each a list of the format's components."""
    code, count, one = FORMATS[format]
    data = Path(folder, name + ".bin").read_bytes()
    numbers = [item[0] for item in struct.iter_unpack("<" + code, data)]
    if one:
        numbers = [number / one for number in numbers]
    texels = [numbers[i : i + count] for i in range(0, len(numbers), count)]
    if format.endswith("_srgb"):
        texels = [[*map(linear, texel[:3]), *texel[3:]] for texel in texels]
    return texels


def save(folder, name, format, texels):
    """Writes NAME.out; numbers beyond a normalised format are limited."""
    code, count, one = FORMATS[format]
    if format.endswith("_srgb"):
        texels = [[*(encoded(max(0, c)) for c in texel[:3]), *texel[3:]] for texel in texels]
    numbers = [number for texel in texels for number in texel[:count]]
    if one:
        numbers = [round(min(max(number, 0), 1) * one) for number in numbers]
    Path(folder, name + ".out").write_bytes(struct.pack(f"<{len(numbers)}{code}", *numbers))


def rows(texels, width):
    """The texels as rows: image[y][x][component]."""
    return [texels[i : i + width] for i in range(0, len(texels), width)]


def flat(image):
    return [texel for row in image for texel in row]


def clamp(value, low, high):
    return min(max(value, low), high)


def at_edge(image, x, y):
    """The texel at x and y, or the nearest one of the image."""
    row = image[clamp(y, 0, len(image) - 1)]
    return row[clamp(x, 0, len(row) - 1)]


def mix(a, b, share):
    return [p + (q - p) * share for p, q in zip(a, b)]


def bilinear(texel_at, x, y):
    """The value at x and y, in texels; texel_at(i, j) has an address mode."""
    x, y = x - 0.5, y - 0.5
    i, j = int(x // 1), int(y // 1)
    upper = mix(texel_at(i, j), texel_at(i + 1, j), x - i)
    lower = mix(texel_at(i, j + 1), texel_at(i + 1, j + 1), x - i)
    return mix(upper, lower, y - j)
