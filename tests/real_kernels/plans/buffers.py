"""Buffers of a plan's reference: read from FOLDER/NAME.bin, written to FOLDER/NAME.out."""

import math
import pathlib
import struct
import sys

# Metal's types as the struct module names them; a bfloat is the upper half of a float.
CODES = {"float": "f", "half": "e", "char": "b", "uchar": "B", "short": "h", "ushort": "H", "int": "i", "uint": "I",
         "long": "q", "ulong": "Q", "bool": "B"}


def unpack(data, kind):
    if kind == "bfloat":
        return [struct.unpack("<f", b"\0\0" + data[i:i + 2])[0] for i in range(0, len(data), 2)]
    code = CODES[kind]
    return list(struct.unpack(f"<{len(data) // struct.calcsize(code)}{code}", data))


def pack(values, kind):
    if kind == "bfloat":
        return b"".join(rounded_upper_half(value) for value in values)
    return struct.pack(f"<{len(values)}{CODES[kind]}", *values)


def rounded_upper_half(value):
    bits = struct.unpack("<I", struct.pack("<f", value))[0]
    return struct.pack("<H", (bits + 0x7FFF + (bits >> 16 & 1)) >> 16 & 0xFFFF)


def rounded(value, kind):
    """The value as the type holds it."""
    return unpack(pack([value], kind), kind)[0]


class Folder:
    """The buffers of one size."""

    def __init__(self, path):
        self.path = pathlib.Path(path)

    def read(self, name, kind="float"):
        return unpack((self.path / f"{name}.bin").read_bytes(), kind)

    def bytes(self, name):
        return (self.path / f"{name}.bin").read_bytes()

    def write(self, name, values, kind="float"):
        (self.path / f"{name}.out").write_bytes(pack(values, kind))


def rows_of(values, width):
    return [values[i:i + width] for i in range(0, len(values), width)]


def soft_max(values):
    largest = max(values)
    powers = [math.exp(value - largest) for value in values]
    total = math.fsum(powers)
    return [power / total for power in powers]


def dot(a, b):
    return math.fsum(x * y for x, y in zip(a, b))


def q4_0(data):
    """ggml's blocks of 32 numbers: a scale, then 16 bytes of two numbers each."""
    values = []
    for block in rows_of(data, 18):
        scale = unpack(block[:2], "half")[0]
        values += [scale * ((byte & 15) - 8) for byte in block[2:]]
        values += [scale * ((byte >> 4) - 8) for byte in block[2:]]
    return values


def run(functions):
    """reference.py KERNEL FOLDER [NUMBER…]: calls the function of that name."""
    name, folder, *numbers = sys.argv[1:]
    functions[name](Folder(folder), *(int(number) for number in numbers))
