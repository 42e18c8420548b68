#!/usr/bin/env python3
"""What linting at all versions costs beside linting at one: tests/bench/versions_speed.py [MSCI_LINT [ROUNDS [FOLDER]]]

Each source is linted at one version and at all, in turns and without kept results. Prints the median of the ratios of each
source and of all. Sources are the shipped kernels where no folder is named."""
import pathlib
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
lint = sys.argv[1] if len(sys.argv) > 1 else ROOT / "build/bin/msci-lint"
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 7
folder = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else ROOT / "tasks"


def seconds(source, *options):
    begin = time.perf_counter()
    status = subprocess.run([lint, "--no-cache", *options, source], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, check=False).returncode
    if status not in (0, 1):
        sys.exit(f"{source}: msci-lint exits with {status}")
    return time.perf_counter() - begin


every_ratio = []
for source in sorted(folder.rglob("*.metal")):
    ones, ratios = [], []
    for _ in range(rounds):
        one = seconds(source)
        ones.append(one)
        ratios.append(seconds(source, "--std", "all") / one)
    every_ratio += ratios
    print(f"{source.name:30} {1000 * statistics.median(ones):7.0f} ms  all versions: {statistics.median(ratios):.2f} times")
if not every_ratio:
    sys.exit(f"{folder} has no Metal source")
print(f"{'median':30}             all versions: {statistics.median(every_ratio):.2f} times")
