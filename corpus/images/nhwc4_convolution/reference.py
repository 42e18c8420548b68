"""A 3 x 3 convolution of halves and what is negative cut off: reference.py FOLDER WIDTH HEIGHT CHANNELS OUTPUTS"""

import array
import struct
import sys
from pathlib import Path

folder = Path(sys.argv[1])
width, height, channels, outputs = map(int, sys.argv[2:])
fours = (channels + 3) // 4


def floats(name):
    return array.array("f", (folder / f"{name}.bin").read_bytes())


def half(value):
    return struct.unpack("e", struct.pack("e", value))[0]


values = [half(value) for value in floats("values")]
weights = floats("weights")
bias = floats("bias")


def convolved(x, y, output):
    total = bias[output]
    for j in range(max(0, 1 - y), min(3, height + 1 - y)):
        for i in range(max(0, 1 - x), min(3, width + 1 - x)):
            pixel = ((y + j - 1) * width + x + i - 1) * channels
            taps = ((output * 9) + 3 * j + i) * fours * 4
            total += sum(weights[taps + c] * values[pixel + c] for c in range(channels))
    return half(max(total, 0))


result = array.array("f", (convolved(x, y, output) for y in range(height) for x in range(width)
                           for output in range(outputs)))
(folder / "result.out").write_bytes(result.tobytes())
