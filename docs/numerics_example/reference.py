"""The shares of each row of 8 numbers, in double precision."""
import array
import math
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
x = array.array("f", (folder / "x.bin").read_bytes())
y = array.array("f")
for row in range(0, len(x), 8):
    powers = [math.exp(each - max(x[row:row + 8])) for each in x[row:row + 8]]
    y.extend(each / sum(powers) for each in powers)
(folder / "y.out").write_bytes(y.tobytes())
