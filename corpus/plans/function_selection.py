"""What function_selection.metal should give: reads NAME.bin, writes NAME.out."""

import array
import pathlib
import sys

folder, samples, wide = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])


def read(name):
    values = array.array("f")
    values.frombytes((folder / f"{name}.bin").read_bytes())
    return values


def layer(weights, rows, values, activation):
    columns = len(values)
    result = []
    for row in range(rows):
        line = weights[row * (columns + 1) : (row + 1) * (columns + 1)]
        result.append(activation(line[columns] + sum(w * v for w, v in zip(line, values))))
    return result


def bent(x):
    return 0.125 * x if x < 0 else x


def squashed(x):
    return x / (1 + abs(x))


weights, inputs = read("weights"), read("inputs")
outputs = array.array("f")
for sample in range(samples):
    hidden = layer(weights[: 5 * wide], wide, inputs[4 * sample : 4 * sample + 4], bent)
    outputs.extend(layer(weights[5 * wide :], 3, hidden, squashed))
(folder / "outputs.out").write_bytes(outputs.tobytes())
