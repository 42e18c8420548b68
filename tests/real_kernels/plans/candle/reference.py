"""What candle's kernels compute, in double precision."""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import buffers  # noqa: E402


def affine(folder):
    folder.write("y", [1.5 * value - 0.25 for value in folder.read("x", "half")], "half")


def binary_strided(folder, rows, columns):
    a, b = folder.read("a", "bfloat"), folder.read("b", "bfloat")
    pairs = ((i, k) for i in range(rows) for k in range(columns))
    folder.write("y", [a[i * columns + k] * b[i + k * rows] for i, k in pairs], "bfloat")


def where(folder, rows, columns):
    choice, yes, no = folder.read("choice", "uchar"), folder.read("yes"), folder.read("no")
    places = [(i * columns + k, i + k * rows) for i in range(rows) for k in range(columns)]
    folder.write("y", [yes[turned] if choice[straight] else no[straight] for straight, turned in places])


def soft_max(folder, width):
    rows = buffers.rows_of(folder.read("x", "half"), width)
    folder.write("y", [value for row in rows for value in buffers.soft_max(row)], "half")


def rms_norm(folder, width):
    factor = folder.read("factor")
    result = []
    for row in buffers.rows_of(folder.read("x"), width):
        scale = 1 / math.sqrt(buffers.dot(row, row) / width + 1e-5)
        result += [value * scale * f for value, f in zip(row, factor)]
    folder.write("y", result)


def rope_thd(folder, positions, heads, width):
    half = width // 2
    cosines, sines = folder.read("cosines"), folder.read("sines")
    result = []
    for i, row in enumerate(buffers.rows_of(folder.read("x"), width)):
        batch, position = i // (positions * heads), i // heads % positions
        at = (batch * positions + position) * half
        c, s = cosines[at:at + half], sines[at:at + half]
        result += [row[k] * c[k] - row[k + half] * s[k] for k in range(half)]
        result += [row[k] * s[k] + row[k + half] * c[k] for k in range(half)]
    folder.write("y", result)


def index_select(folder, left, rows, right):
    x, result = folder.read("x"), []
    for i in range(left):
        for row in folder.read("which", "uint"):
            at = (i * rows + min(row, rows - 1)) * right  # an index beyond the end is the last one
            result += [0.0] * right if row == 0xFFFFFFFF else x[at:at + right]
    folder.write("y", result)


def argsort(folder, width):
    rows = buffers.rows_of(folder.read("x"), width)
    folder.write("y", [i for row in rows for i in sorted(range(width), key=lambda i: row[i])], "uint")


def max_pool2d(folder, width, height):
    result = []
    for plane in buffers.rows_of(folder.read("x"), width * height):
        for x in range((width - 3) // 2 + 1):
            for y in range(height - 1):
                result.append(max(plane[(2 * x + i) * height + y + k] for i in range(3) for k in range(2)))
    folder.write("y", result)


def mul_mv_q4_0(folder, width):
    rows = buffers.rows_of(buffers.q4_0(folder.bytes("m")), width)
    vectors = buffers.rows_of(folder.read("v"), width)
    folder.write("y", [buffers.dot(row, vector) for vector in vectors for row in rows])


def gemv(folder, width):
    rows, vector = buffers.rows_of(folder.read("m", "half"), width), folder.read("v", "half")
    folder.write("y", [buffers.dot(row, vector) for row in rows], "half")


def sdpa_vector(folder, keys, width):
    k, v = buffers.rows_of(folder.read("k"), width), buffers.rows_of(folder.read("v"), width)
    result = []
    for head, query in enumerate(buffers.rows_of(folder.read("q"), width)):
        first = head // 2 * keys
        weights = buffers.soft_max([0.5 * buffers.dot(query, key) for key in k[first:first + keys]])
        result += [buffers.dot(weights, [value[i] for value in v[first:first + keys]]) for i in range(width)]
    folder.write("y", result)


buffers.run(globals())
