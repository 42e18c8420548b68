#!/usr/bin/env python3
"""Sources without an end meet the module's limits: limits_test.py SOURCE MODULE_FOLDER

Each ends with the words and the status of the native program, and takes at most 300 MB until then. Says so and exits with 77 where Node.js
or the module is absent.
"""
import pathlib
import resource
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from wasm_module import what_lacks  # noqa: E402

SOURCE, MODULE = (pathlib.Path(each).absolute() for each in sys.argv[1:3])
MOST_KIB = 300 * 1000 * 1000 // 1024
BRANCHES = """#include <metal_stdlib>
using namespace metal;
kernel void f(device int* y [[buffer(0)]], device const int* x [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  if (x[i] == 0) y[i] = 1;
""" + "".join(f"  else if (x[i] == {k}) y[i] = {3 * k % 17};\n" for k in range(1, 2000)) + "}\n"


def main():
    if lack := what_lacks(MODULE):
        print(lack)
        return 77
    flaws = []
    with tempfile.TemporaryDirectory() as folder:
        branches = pathlib.Path(folder, "branches.metal")
        branches.write_text(BRANCHES)
        for file in (branches, SOURCE / "corpus/cheats/compile_bomb.metal"):
            command = ["node", MODULE / "lint.mjs", "--no-cache", "--no-config", "--time-limit", "3", file]
            ended = subprocess.run(command, capture_output=True, text=True)
            if ended.returncode != 2 or "could not be checked to its end: it takes more than 3 s of processor time" not in ended.stderr:
                flaws.append(f"{file.name} ends with {ended.returncode}: {ended.stderr}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    print(f"at most {peak} KiB")
    if peak > MOST_KIB:
        flaws.append(f"{peak} KiB of memory")
    print("\n".join(flaws))
    return 1 if flaws else 0


sys.exit(main())
