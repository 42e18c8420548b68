"""What bindless_gather.metal should give: reads NAME.bin, writes NAME.out."""

import array
import pathlib
import sys

folder, queries, rows = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
WIDTH = 8


def read(name, kind):
    values = array.array(kind)
    values.frombytes((folder / f"{name}.bin").read_bytes())
    return values


first, second = read("first", "f"), read("second", "f")
tables = [(first, rows, 0.5), (second, 2 * rows, 3.0), (second[WIDTH * rows :], rows, -1.0)]
results = [array.array("f"), array.array("f")]
wanted = read("queries", "I")
for i in range(queries):
    values, count, scale = tables[wanted[2 * i]]
    row = min(wanted[2 * i + 1], count - 1)
    results[i % 2].extend(scale * value for value in values[WIDTH * row : WIDTH * (row + 1)])
for name, result in zip(("even", "odd"), results):
    (folder / f"{name}.out").write_bytes(result.tobytes())
