"""What the kernels should give: reads NAME.bin, writes NAME.out."""

import array
import math
import pathlib
import sys

what, folder, count = sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3])


def read(name):
    values = array.array("f")
    values.frombytes((folder / f"{name}.bin").read_bytes())
    return values


def softmax(row):
    most = max(row)
    powers = [math.exp(x - most) for x in row]
    return [each / sum(powers) for each in powers]


out = array.array("f")
if what == "gated":
    out.extend(g / (1 + math.exp(-g)) * u for g, u in zip(read("gate"), read("up")))
else:
    x = read("x")
    for row in range(count):
        out.extend(softmax(x[128 * row : 128 * (row + 1)]))
(folder / "out.out").write_bytes(out.tobytes())
