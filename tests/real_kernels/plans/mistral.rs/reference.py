"""What mistral.rs's kernels compute, in double precision."""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent))
import buffers  # noqa: E402


def softcap(folder):
    folder.write("y", [15 * math.tanh(value / 15) for value in folder.read("x")])


def rms_norm_residual(folder, width):
    weight = folder.read("weight", "half")
    residuals = buffers.rows_of(folder.read("residual", "half"), width)
    result = []
    for row, residual in zip(buffers.rows_of(folder.read("x", "half"), width), residuals):
        scale = 1 / math.sqrt(buffers.dot(row, row) / width + 1e-6)
        result += [0.75 * (value * scale * w + r) for value, w, r in zip(row, weight, residual)]
    folder.write("y", result, "half")


def moe_weighted_reduce(folder, experts, width):
    weights = folder.read("weights")
    rows = buffers.rows_of(folder.read("x", "bfloat"), width)
    result = []
    for first in range(0, len(rows), experts):
        mine = range(first, first + experts)
        result += [math.fsum(rows[i][k] * weights[i] for i in mine) for k in range(width)]
    folder.write("y", result, "bfloat")


def hqq_dequantize_4bit(folder, width):
    weights, scale, zero = folder.bytes("w"), folder.read("scale", "half"), folder.read("zero", "half")
    numbers = [byte >> 4 for byte in weights] + [byte & 15 for byte in weights]
    # The difference is rounded before it is scaled.
    folder.write("y", [buffers.rounded(number - zero[i % width], "half") * scale[i % width]
                       for i, number in enumerate(numbers)], "half")


FP4 = [0, 5.208333333e-03, 0.66666667, 1, 0.33333333, 0.5, 0.16666667, 0.25]


def bnb_dequantize_fp4(folder):
    scale, result = folder.read("scale"), []
    for i, byte in enumerate(folder.bytes("x")):
        for number in (byte >> 4, byte & 15):
            result.append((-1 if number & 8 else 1) * FP4[number & 7] * scale[i // 32 * 2])
    folder.write("y", result)


def small_float(byte):
    """Four bits of exponent, three of fraction."""
    exponent, fraction = byte >> 3 & 15, byte & 7
    magnitude = math.ldexp(fraction, -9) if exponent == 0 else math.ldexp(8 + fraction, exponent - 10)
    return -magnitude if byte & 128 else magnitude


def f8q8_dequantize(folder):
    result = []
    for block in buffers.rows_of(folder.bytes("x"), 33):
        scale = 0 if block[0] & 127 == 127 else small_float(block[0]) / 448  # all ones are not a number
        result += [scale * value for value in buffers.unpack(block[1:], "char")]
    folder.write("y", result)


def dequantize_fp8_blockwise(folder, width):
    scale, tiles = folder.read("scale"), (width + 15) // 16
    weights = folder.bytes("w")
    folder.write("y", [small_float(byte) * scale[i // width // 16 * tiles + i % width // 16]
                       for i, byte in enumerate(weights)])


def soft_max_with_sinks(folder, queries, keys):
    sinks, result = folder.read("sinks"), []
    for i, row in enumerate(buffers.rows_of(folder.read("x"), keys)):
        result += buffers.soft_max(row + [sinks[i // queries]])[:-1]
    folder.write("y", result)


def rotary_qk(folder, positions, width, pairs):
    cosines, sines = folder.read("cosines"), folder.read("sines")
    for name in ("q", "k"):
        result = []
        for i, row in enumerate(buffers.rows_of(folder.read(name), width)):
            at = i % positions * pairs
            c, s = cosines[at:at + pairs], sines[at:at + pairs]
            result += [row[k] * c[k] - row[k + pairs] * s[k] for k in range(pairs)]
            result += [row[k + pairs] * c[k] + row[k] * s[k] for k in range(pairs)]
            result += row[2 * pairs:]
        folder.write(f"y_{name}", result)


def ssm_scan(folder, heads, width, steps, states):
    x, dt, a, d, bias = (folder.read(name) for name in ("x", "dt", "a", "d", "bias"))
    b, c = buffers.rows_of(folder.read("b"), states), buffers.rows_of(folder.read("c"), states)
    state = buffers.rows_of(folder.read("state"), states)
    y = [0.0] * len(x)
    for i, row in enumerate(state):
        batch, head, k = i // (heads * width), i // width % heads, i % width
        for step in range(steps):
            at = (batch * steps + step) * heads + head
            pace = min(max(math.log1p(math.exp(dt[at] + bias[head])), 0.01), 1.5)
            decay, value = math.exp(pace * a[head]), x[at * width + k]
            row[:] = [old * decay + term * value * pace for old, term in zip(row, b[at])]
            y[at * width + k] = buffers.dot(row, c[at]) + d[head] * value
    folder.write("y", y)
    folder.write("state", [value for row in state for value in row])


def topk_logits(folder, chunk, k):
    x, values, indices, maxima, sums = folder.read("x"), [], [], [], []
    for first in range(0, len(x), chunk):
        part = range(first, min(first + chunk, len(x)))
        best = sorted(part, key=lambda i: -x[i])
        values += [x[i] for i in best[:k]]
        indices += best[:k]
        maxima.append(1.25 * x[best[0]])
        sums.append(math.fsum(math.exp(1.25 * x[i] - maxima[-1]) for i in part))
    folder.write("values", values)
    folder.write("indices", indices, "uint")
    folder.write("maxima", maxima)
    folder.write("sums", sums)


def fused_glu_silu(folder):
    folder.write("y", [a / (1 + math.exp(-a)) * b for a, b in zip(folder.read("a"), folder.read("b"))])


buffers.run(globals())
