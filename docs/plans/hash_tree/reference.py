"""The root of the tree of hashes."""
import array
import pathlib
import sys

folder = pathlib.Path(sys.argv[1])
MASK = 0xFFFFFFFF


def turn(x, by):
    return (x << by | x >> (32 - by)) & MASK


def hash_of(words, kind):
    a, b, c, d = ((0x9E3779B9 * (i + 1) + kind) & MASK for i in range(4))
    for at in range(0, len(words), 4):
        a, b, c, d = a ^ words[at], b ^ words[at + 1], c ^ words[at + 2], d ^ words[at + 3]
        for index in range(4):
            a = (a + b) & MASK
            d = turn(d ^ a, 16)
            c = (c + d) & MASK
            b = turn(b ^ c, 12)
            a = (a + b + index) & MASK
            d = turn(d ^ a, 8)
            c = (c + d) & MASK
            b = turn(b ^ c, 7)
    return [a, b, c, d]


data = array.array("I", (folder / "data.bin").read_bytes()).tolist()
level = [hash_of(data[at:at + 16], 0) for at in range(0, len(data), 16)]
while len(level) > 1:
    pairs = [level[at:at + 2] for at in range(0, len(level), 2)]
    level = [hash_of(pair[0] + pair[1], 1) if len(pair) == 2 else pair[0] for pair in pairs]
(folder / "root.out").write_bytes(array.array("I", level[0]).tobytes())
