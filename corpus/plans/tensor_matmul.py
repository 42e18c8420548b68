"""What tensor_matmul.metal should give: reads NAME.bin, writes NAME.out."""

import array
import pathlib
import struct
import sys

folder = pathlib.Path(sys.argv[1])
rows, inner, columns = map(int, sys.argv[2:])


def halves(name):
    return [value for (value,) in struct.iter_unpack("<e", (folder / f"{name}.bin").read_bytes())]


inputs, weights = halves("inputs"), halves("weights")
bias = array.array("f", (folder / "bias.bin").read_bytes())
across = [weights[column::columns] for column in range(columns)]
outputs = array.array("f")
for row in range(rows):
    line = inputs[row * inner : (row + 1) * inner]
    outputs.extend(max(bias[column] + sum(a * b for a, b in zip(line, across[column])), 0) for column in range(columns))
(folder / "outputs.out").write_bytes(outputs.tobytes())
