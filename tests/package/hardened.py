#!/usr/bin/env python3
"""The programs lie at other addresses in each start (PIE), all that they call through is read-only once they run (full
RELRO), and no stack holds code: hardened.py BIN_DIR"""
import struct
import sys
from pathlib import Path

PROGRAMS = ["msci", "msci-worker", "msci-report", "msci-search", "msci-generate"]
SHARED = 3  # the type of a program that may lie anywhere
DYNAMIC, STACK, RELRO = 2, 0x6474E551, 0x6474E552  # segments
FLAGS, FLAGS_1, BIND_NOW, NOW, PIE = 30, 0x6FFFFFFB, 8, 1, 0x08000000
EXECUTABLE = 1


def segments(program):
    """Type, flags, place in the file and bytes of each."""
    begin, = struct.unpack_from("<Q", program, 32)
    size, count = struct.unpack_from("<HH", program, 54)
    for i in range(count):
        kind, flags, offset, _, _, length = struct.unpack_from("<IIQQQQ", program, begin + i * size)
        yield kind, flags, offset, length


def dynamic_entries(program):
    for kind, _, offset, length in segments(program):
        if kind == DYNAMIC:
            return dict(struct.iter_unpack("<QQ", program[offset:offset + length]))
    return {}


def faults(program):
    if program[:6] != b"\x7fELF\x02\x01":
        return ["is not a 64-bit program"]
    kinds = {kind: flags for kind, flags, _, _ in segments(program)}
    entries = dynamic_entries(program)
    found = []
    if struct.unpack_from("<H", program, 16)[0] != SHARED or not entries.get(FLAGS_1, 0) & PIE:
        found.append("has a fixed address")
    if RELRO not in kinds or not (entries.get(FLAGS, 0) & BIND_NOW or entries.get(FLAGS_1, 0) & NOW):
        found.append("has no full RELRO")
    if kinds.get(STACK, EXECUTABLE) & EXECUTABLE:
        found.append("has an executable stack")
    return found


def main():
    failed = False
    for name in PROGRAMS:
        for fault in faults((Path(sys.argv[1]) / name).read_bytes()):
            failed = True
            print(f"{name} {fault}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
