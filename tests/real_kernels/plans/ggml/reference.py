"""What ggml's kernels compute, in double precision."""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import buffers  # noqa: E402


def soft_max(folder, width, rows, heads):
    x, mask = folder.read("x"), buffers.rows_of(folder.read("mask"), width)
    result = []
    for i, row in enumerate(buffers.rows_of(x, width)):
        head = i // rows
        slope = 0.5 ** (head + 1) if head < 2 else 0.25 ** (2 * (head - 2) + 1)
        result += buffers.soft_max([0.25 * value + slope * m for value, m in zip(row, mask[i % rows])])
    folder.write("y", result)


def norm_mul_add(folder, width):
    factor, term = folder.read("factor"), folder.read("term")
    result = []
    for row in buffers.rows_of(folder.read("x"), width):
        mean = math.fsum(row) / width
        scale = 1 / math.sqrt(math.fsum((value - mean) ** 2 for value in row) / width + 1e-5)
        result += [(value - mean) * scale * f + t for value, f, t in zip(row, factor, term)]
    folder.write("y", result)


def rms_norm_mul(folder, width):
    factor = folder.read("factor")
    result = []
    for row in buffers.rows_of(folder.read("x"), width):
        scale = 1 / math.sqrt(buffers.dot(row, row) / width + 1e-5)
        result += [value * scale * f for value, f in zip(row, factor)]
    folder.write("y", result)


def rope_norm(folder, width, turned, heads):
    positions = folder.read("position", "int")
    result = []
    for i, row in enumerate(buffers.rows_of(folder.read("x"), width)):
        position = positions[i // heads]
        for k in range(0, width, 2):
            angle = 0.5 * position * 10000.0 ** (-k / turned)
            cosine, sine = (math.cos(angle), math.sin(angle)) if k < turned else (1, 0)
            result += [row[k] * cosine - row[k + 1] * sine, row[k] * sine + row[k + 1] * cosine]
    folder.write("y", result)


def q8_0(data):
    """Blocks of 32 numbers: a scale, then a byte for each."""
    values = []
    for block in buffers.rows_of(data, 34):
        scale = buffers.unpack(block[:2], "half")[0]
        values += [scale * value for value in buffers.unpack(block[2:], "char")]
    return values


def write_products(folder, matrix, width):
    rows = buffers.rows_of(matrix, width)
    vectors = buffers.rows_of(folder.read("v"), width)
    folder.write("y", [buffers.dot(row, vector) for vector in vectors for row in rows])


def mul_mv_q4_0(folder, width):
    write_products(folder, buffers.q4_0(folder.bytes("m")), width)


def mul_mv_q8_0(folder, width):
    write_products(folder, q8_0(folder.bytes("m")), width)


def get_rows_q4_0(folder, width):
    rows = buffers.rows_of(buffers.q4_0(folder.bytes("m")), width)
    folder.write("y", [value for row in folder.read("which", "int") for value in rows[row]])


def argsort_desc(folder, width):
    result = []
    for row in buffers.rows_of(folder.read("x"), width):
        result += sorted(range(width), key=lambda i: -row[i])
    folder.write("y", result, "int")


def cpy_transposed(folder, width, rows):
    x = folder.read("x")
    folder.write("y", [x[i + rows * k] for i in range(rows) for k in range(width)], "half")


def sum_rows(folder, width):
    folder.write("y", [math.fsum(row) for row in buffers.rows_of(folder.read("x"), width)])


def im2col(folder, channels, width, height):
    x = folder.read("x")
    result = []
    for oh in range((height + 2 - 3) // 2 + 1):
        for ow in range((width + 2 - 3) // 2 + 1):
            for c in range(channels):
                for kh in range(3):
                    for kw in range(3):
                        ih, iw = 2 * oh + kh - 1, 2 * ow + kw - 1
                        inside = 0 <= ih < height and 0 <= iw < width
                        result.append(x[(c * height + ih) * width + iw] if inside else 0)
    folder.write("y", result, "half")


buffers.run(globals())
