#!/usr/bin/env python3
"""msci-eval names the line of a fault that gives wrong values: python3 diagnosis_test.py MSCI_EVAL SOURCE_FOLDER"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

# The task, a part of its seed kernel, what replaces it, and words of the cause. The named lines must contain the changed
# one, and be at most three.
FAULTS = [
    ("heat2d", "u_in[at + NX];", "u_in[at + NX + 1];", "is computed from u_in["),
    ("heat2d", "4.0f * c)", "4.5f * c)", "does not compute this value"),
    ("heat2d", "i >= NX ||", "i >= NX / 8 * 8 ||", "the thread that should store it does not"),
    ("heat2d", "j == NY - 1)", "j == NY - 1 || j % 8 == 3)", "since this condition chooses that"),
    ("saxpy", "a * x[i] + y[i]", "0.0f * x[i] + y[i]", "in the task's own kernel only"),
    ("fft3d", "distance < N; distance", "distance < N / 2; distance", "computes this value, too"),
    ("lbm", " + 4.5f * cu * cu", "", "does not compute this value"),
    ("ising", "float(x >> 8)", "float(x >> 9)", "does not compute"),
    ("nbody", "j < N;", "j + 1 < N;", "this loop does not reach it"),
    ("nbody", "    pull +=", "    if (r2 < 0.5f) pull +=", "this condition leaves it out"),
    ("hmc", "angle = 2.0f", "angle = 3.0f", "does not compute this value"),
]


def said_of(program, path, task, *options):
    command = [program, str(path), "--task", task, "--verify-only", "--device", "cpu", "--no-cache", "--nonce", "5eed",
               "--time-limit", "600", *options]
    return subprocess.run(command, capture_output=True, text=True).stdout


def diagnosis(program, folder, name, text):
    """What msci-eval says of a kernel of that text, and the lines that it names."""
    path = folder / f"{name}.metal"
    path.write_text(text)
    out = said_of(program, path, name)
    one = re.search(rf"{re.escape(str(path))}:(\d+): note: (.*(?:kernel|line|condition|value|it|element|steps).*)", out)
    several = re.search(r"note: one of the lines ([0-9, ]+): (.*)", out)
    found = several or one
    return out, [int(line) for line in found[1].split(", ")] if found else [], found[2] if found else ""


def json_flaws(program, folder, sources):
    """What is wrong in the JSON of a kernel with other values, and of one with a fault that the strict verdict names."""
    multiplied = folder / "saxpy.metal"
    values, none = (json.loads(said_of(program, multiplied, "saxpy", "--json", *more))["diagnosis"]
                    for more in ((), ("--no-diagnosis",)))
    race = sources / "corpus/cheats/heat2d_without_column_guard.metal"
    fault = json.loads(said_of(program, race, "heat2d", "--json", "--strict"))["diagnosis"]
    difference = values["difference"]
    if (values["lines"], values["cause"]) != (difference["lines"], difference["cause"]) or len(values["lines"]) != 1:
        yield f"the line and the cause are missing: {values}"
    if none is not None:
        yield f"--no-diagnosis: {none}"
    if "while another thread writes it" not in fault["cause"] or len(fault["lines"]) != 1 or fault["difference"]:
        yield f"a fault names its line, and yet both kernels are compared: {fault}"


def main():
    program, sources = sys.argv[1], pathlib.Path(sys.argv[2])
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for task, part, wrong, words in FAULTS:
            seed = (sources / "tasks" / task / f"{task}.metal").read_text()
            assert part in seed, f"{task} has no '{part}'"
            line = seed[: seed.index(part)].count("\n") + 1
            out, lines, cause = diagnosis(program, folder, task, seed.replace(part, wrong, 1))
            if line in lines and len(lines) <= 3 and words in cause:
                continue
            failed += 1
            print(f"{task}: '{wrong}' stands in line {line}, not {lines}; expected '{words}':\n{out}")
        for flaw in json_flaws(program, folder, sources):
            failed += 1
            print(flaw)
    return 1 if failed else 0


sys.exit(main())
