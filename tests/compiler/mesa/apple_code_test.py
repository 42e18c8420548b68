#!/usr/bin/env python3
"""Machine code of Apple's GPUs: apple_code_test.py MSCI_EVAL SOURCE missing|seeds

missing: without Mesa's compiler, msci-eval says what to install. seeds: each seed has code for M1 and M2, with the lines
of its source. Where Mesa's compiler is not installed, it says so and exits with 77."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM, SOURCE, PART = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
SEEDS = sorted(path for path in SOURCE.glob("tasks/*/*.metal") if path.stem == path.parent.name)


def emit(kernel, language, **variables):
    return subprocess.run([PROGRAM, kernel, "--emit", language], capture_output=True, text=True, timeout=600,
                          env={**os.environ, **variables})


def check(condition, message):
    if not condition:
        sys.exit(message)


def missing():
    with tempfile.TemporaryDirectory() as empty:
        done = emit(SEEDS[0], "apple", MSCI_MESA_ROOT=empty)
    check(done.returncode == 2, f"status {done.returncode}")
    check(done.stdout == "", done.stdout)
    for word in ("mesa-drm-shim", "mesa-opencl-icd", "25.1 or later", "make_mesa_root.sh", "docs/concepts/apple_code.md"):
        check(word in done.stderr, f"'{word}' is not in: {done.stderr}")


def check_seed(seed, language, device):
    done = emit(seed, language)
    check(done.returncode == 0, f"{seed} --emit {language}: {done.stderr}")
    check(f"// Apple {device} (" in done.stdout, f"{seed}: another device: {done.stdout[:200]}")
    counts = [int(number) for number in re.findall(r"// (\d+) instructions, \d+ bytes, \d+ registers", done.stdout)]
    check(counts and all(counts), f"{seed}: no statistics")
    listed = len(re.findall(r"^ +[0-9a-f]+: (?:[0-9a-f]{2})+ ", done.stdout, re.MULTILINE))
    preambles = sum(map(int, re.findall(r"threads of a launch: (\d+) instructions", done.stdout)))
    check(listed == sum(counts) + preambles, f"{seed}: {listed} lines of code, {counts} and {preambles} instructions")
    check(done.stdout.count("  stop ") + len(re.findall(r"\bstop$", done.stdout, re.MULTILINE)) >= len(counts),
          f"{seed}: code without an end")
    length = seed.read_text().count("\n") + 1
    lines = [int(line) for line in re.findall(r"// line (\d+)$", done.stdout, re.MULTILINE)]
    check(len(lines) > listed / 4, f"{seed}: {len(lines)} of {listed} instructions have a line")
    check(all(0 < line <= length for line in lines), f"{seed}: lines outside of the source")
    return done.stdout


def seeds():
    first = emit(SEEDS[0], "apple")
    if first.returncode == 2 and "is not installed" in first.stderr:
        print("SKIP: " + first.stderr.strip())
        sys.exit(77)
    check(len(SEEDS) >= 12, f"{len(SEEDS)} seeds")
    for seed in SEEDS:
        code = check_seed(seed, "apple", "M1")
        print(f"{seed.stem}: {code.count(chr(10))} lines")
    check_seed(SEEDS[0], "apple-m2", "M2")
    heat = check_seed(SOURCE / "tasks/heat2d/heat2d.metal", "apple", "M1")
    source = (SOURCE / "tasks/heat2d/heat2d.metal").read_text()
    update = source[:source.rindex("u_out[at]")].count("\n") + 1
    check(re.search(rf"ffma .*// line {update}$", heat, re.MULTILINE), f"no product at line {update}:\n{heat}")


{"missing": missing, "seeds": seeds}[PART]()
