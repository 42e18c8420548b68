"""What mlx's kernels compute, in double precision."""

import bisect
import cmath
import math
import pathlib
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import buffers  # noqa: E402


def soft_max(folder, width):
    rows = buffers.rows_of(folder.read("x"), width)
    folder.write("y", [value for row in rows for value in buffers.soft_max(row)])


def rms_norm(folder, width):
    weights, result = folder.read("w", "half"), []
    for row in buffers.rows_of(folder.read("x", "half"), width):
        scale = 1 / math.sqrt(buffers.dot(row, row) / width + 1e-5)
        result += [value * scale * w for value, w in zip(row, weights)]
    folder.write("y", result, "half")


def layer_norm(folder, width):
    weights, biases, result = folder.read("w"), folder.read("b"), []
    for row in buffers.rows_of(folder.read("x"), width):
        mean = math.fsum(row) / width
        scale = 1 / math.sqrt(math.fsum((value - mean) ** 2 for value in row) / width + 1e-5)
        result += [(value - mean) * scale * w + b for value, w, b in zip(row, weights, biases)]
    folder.write("y", result)


def rope_single(folder, half):
    """The inverse rotation."""
    result = []
    for row in buffers.rows_of(folder.read("x"), 2 * half):
        angles = [-0.5 * 37 * 10000.0 ** (-k / half) for k in range(half)]
        result += [row[k] * math.cos(angle) - row[k + half] * math.sin(angle) for k, angle in enumerate(angles)]
        result += [row[k] * math.sin(angle) + row[k + half] * math.cos(angle) for k, angle in enumerate(angles)]
    folder.write("y", result)


def argmax(folder, rows):
    x = folder.read("x")
    columns = [x[i::rows] for i in range(rows)]
    folder.write("y", [column.index(max(column)) for column in columns], "uint")


def logsumexp(folder, width):
    result = []
    for row in buffers.rows_of(folder.read("x"), width):
        largest = max(row)
        result.append(largest + math.log(math.fsum(math.exp(value - largest) for value in row)))
    folder.write("y", result)


def copy_strided(folder, a, b, c):
    x = folder.read("x")
    places = ((i, k, m) for i in range(a) for k in range(b) for m in range(c))
    folder.write("y", [int(x[i + a * (k + b * m)]) for i, k, m in places], "int")


def searchsorted(folder):
    x = folder.read("x", "int")
    folder.write("y", [bisect.bisect_right(x, value) for value in folder.read("v", "int")], "uint")


def threefry(key, count):
    """The block cipher Threefry-2x32 with 20 rounds (Salmon and others, 2011)."""
    keys = (*key, key[0] ^ key[1] ^ 0x1BD11BDA)
    x, y = (count[0] + keys[0]) & 0xFFFFFFFF, (count[1] + keys[1]) & 0xFFFFFFFF
    for i in range(5):
        for turn in ((13, 15, 26, 6), (17, 29, 16, 24))[i % 2]:
            x = (x + y) & 0xFFFFFFFF
            y = ((y << turn | y >> 32 - turn) & 0xFFFFFFFF) ^ x
        x, y = (x + keys[(i + 1) % 3]) & 0xFFFFFFFF, (y + keys[(i + 2) % 3] + i + 1) & 0xFFFFFFFF
    return x, y


def random_bits(folder, count, words):
    keys, result = folder.read("keys", "uint"), b""
    for key in zip(keys[::2], keys[1::2]):
        pairs = [threefry(key, (i, i + words)) for i in range(words)]
        numbers = [pair[0] for pair in pairs] + [pair[1] for pair in pairs]
        result += struct.pack(f"<{2 * words}I", *numbers)[:count]
    folder.write("y", list(result), "uchar")


def qmv(folder, width):
    """Eight numbers of four bits a word, with a scale and a bias for 64 numbers."""
    scales, biases, x, result = folder.read("scales"), folder.read("biases"), folder.read("x"), []
    for i, row in enumerate(buffers.rows_of(folder.read("w", "uint"), width // 8)):
        numbers = [word >> 4 * k & 15 for word in row for k in range(8)]
        groups = range(i * width // 64, (i + 1) * width // 64)
        weights = [scales[groups[k // 64]] * number + biases[groups[k // 64]] for k, number in enumerate(numbers)]
        result.append(buffers.dot(weights, x))
    folder.write("y", result)


def fft(folder, n):
    result = []
    for row in buffers.rows_of(folder.read("x"), 2 * n):
        values = [complex(*pair) for pair in zip(row[::2], row[1::2])]
        for k in range(n):
            total = sum(value * cmath.exp(-2j * math.pi * i * k / n) for i, value in enumerate(values))
            result += [total.real, total.imag]
    folder.write("y", result)


def gemm_nt(folder, depth):
    a, b = (buffers.rows_of(folder.read(name, "half"), depth) for name in "ab")
    folder.write("d", [buffers.dot(row, column) for row in a for column in b], "half")


def attention(folder, queries, width):
    """A query sees the keys up to its own place."""
    q, k, v = (buffers.rows_of(folder.read(name, "half"), width) for name in "qkv")
    columns, result = list(zip(*v)), []
    for i, row in enumerate(q):
        weights = buffers.soft_max([buffers.dot(row, key) / math.sqrt(width) for key in k[:i % queries + 1]])
        result += [buffers.dot(weights, column) for column in columns]
    folder.write("o", result, "half")


buffers.run(globals())
