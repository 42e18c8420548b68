#!/usr/bin/env python3
"""Lints and translates sources of thousands of kernels, in the shapes in which libraries write them.

  many_kernels.py FOLDER_OF_PROGRAMS [--kernels N ...] [--translate N] [--shape NAME ...] [--most-megabytes MB]
                  [--keep FOLDER]

Each file of libraries/ is a shape: a head, and rows that follow once for each number. Prints for each shape and number
of kernels (default: 1000 and 5000) the seconds of processor time and the memory of msci-lint, and of msci-eval
--emit opencl for N kernels (default: 200; 0 translates none). Exits with 1 if a program misses a kernel, reports a
finding or a refusal, or needs more memory.
"""

import argparse
import contextlib
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

LIBRARIES = pathlib.Path(__file__).resolve().parent / "libraries"
ROWS = re.compile(r"^// For each N, (\d+) kernels:\n", re.MULTILINE)
NUMBER = re.compile(r"@N@|\bN\b(?=\))")
CONSTANTS = {"constants": {"has_bias": "true", "has_mask": "true", "height": "40", "width": "30", "kind": "3",
                           "slope": "0.5"}}


def source_of(shape, kernels):
    """A source of at least so many kernels, and their number."""
    head, a_row, row = ROWS.split((LIBRARIES / f"{shape}.metal").read_text())
    rows = -(-kernels // int(a_row))
    return head + "".join(NUMBER.sub(str(number), row) for number in range(1, rows + 1)), rows * int(a_row)


def run(command):
    """Standard output, standard error, the seconds of processor time, and the memory in MiB of the largest process."""
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as said:
        process = subprocess.Popen(list(map(str, command)), stdout=output, stderr=said)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        said.seek(0)
        return (output.read().decode(), said.read().decode(), usage.ru_utime + usage.ru_stime,
                usage.ru_maxrss / 1024)


def lint(programs, source, kernels):
    output, _, seconds, megabytes = run([programs / "msci-lint", "--json", "--no-config", "--no-cache", "--jobs", "1",
                                         "-I", LIBRARIES, "--std", "metal3.2", source])
    report = json.loads(output)
    found = report["checks"]["kernel_exists"]["kernels"] or []
    problems = []
    if len(found) != kernels or len(set(found)) != kernels:
        problems.append(f"{len(set(found))} kernels instead of {kernels}")
    for finding in itertools.islice((each for each in report["diagnostics"] if each["severity"] != "note"), 3):
        problems.append(f"{finding['line']}: {finding['severity']}: {finding['message']} [{finding['rule']}]")
    if report["error"]:
        problems.append(report["error"])
    return seconds, megabytes, problems


def translate(programs, shape, source, kernels):
    command = [programs / "msci-eval", "--emit", "opencl", "--json", "-I", LIBRARIES, "--std", "metal3.2", source]
    for name, value in CONSTANTS.get(shape, {}).items():
        command += ["--set", f"{name}={value}"]
    output, said, seconds, megabytes = run(command)
    problems = []
    try:
        report = json.loads(output)
        if len(report["kernels"]) != kernels:
            problems.append(f"{len(report['kernels'])} of {kernels} kernels are translated")
        problems += [f"refused: {each}" for each in itertools.islice(report.get("refused", []), 3)]
    except ValueError:
        problems.append(f"no translation: {said[-400:]}")
    return seconds, megabytes, problems


class Shape:
    def __init__(self, name, options, folder):
        self.name, self.options, self.folder, self.failures = name, options, folder, 0

    def written(self, kernels):
        text, kernels = source_of(self.name, kernels)
        path = self.folder / f"{self.name}_{kernels}.metal"
        path.write_text(text)
        return path, kernels

    def report(self, work, path, kernels, seconds, megabytes, problems):
        print(f"| {self.name} | {work} | {kernels} | {seconds:.1f} | {megabytes:.0f} |", flush=True)
        if megabytes > self.options.most_megabytes:
            problems.append(f"more than {self.options.most_megabytes:.0f} MiB of memory")
        for problem in problems:
            print(f"{path.name}: {problem}")
        self.failures += len(problems)

    def check(self):
        for kernels in self.options.kernels:
            path, kernels = self.written(kernels)
            self.report("lint", path, kernels, *lint(self.options.programs, path, kernels))
        if self.options.translate:
            path, kernels = self.written(self.options.translate)
            self.report("translation", path, kernels, *translate(self.options.programs, self.name, path, kernels))
        return self.failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("--kernels", type=int, nargs="+", default=[1000, 5000])
    parser.add_argument("--translate", type=int, default=200)
    parser.add_argument("--shape", nargs="+", default=sorted(each.stem for each in LIBRARIES.glob("*.metal")))
    parser.add_argument("--most-megabytes", type=float, default=1024)
    parser.add_argument("--keep", type=pathlib.Path, help="write the sources to this folder")
    options = parser.parse_args()
    print("| shape | work | kernels | seconds | MiB |\n|---|---|---|---|---|")
    with contextlib.ExitStack() as stack:
        folder = options.keep or pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        failures = sum(Shape(name, options, folder).check() for name in options.shape)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
