#!/usr/bin/env python3
"""Judges the kernels of corpus/images: tests/images/judge.py BIN_DIR SOURCE_DIR DEVICE

Each kernel must be right on the device, by the strict verdict, too, and its checked run must find nothing. A kernel that
reads one texel beside the right one must be wrong, so that the plans can tell."""
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BIN, SOURCE = (Path(each).resolve() for each in sys.argv[1:3])
DEVICE = sys.argv[3]
PLANS = sorted((SOURCE / "corpus/images").glob("*/plan.json"))


def evaluate(*words):
    done = subprocess.run([BIN / "msci-eval", "--device", DEVICE, *words], capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


def failures_of(plan):
    found = []
    for words in (["--verify-only", "--strict", "--nonce", "5eed"], ["--check"]):
        status, output = evaluate("--plan", str(plan), *words)
        if status != 0:
            found.append(f"{plan.parent.name} {' '.join(words)}: exit status {status}\n{output}")
    return found


def failures():
    if len(PLANS) < 12:
        yield f"only {len(PLANS)} plans found in {SOURCE / 'corpus/images'}"
    with ThreadPoolExecutor(max_workers=2) as pool:
        for found in pool.map(failures_of, PLANS):
            yield from found
    with tempfile.TemporaryDirectory() as folder:
        for name, right, wrong in (("box_blur", "min(place + radius", "min(place + radius + 1"),
                                   ("resize", "+ 0.5f", "+ 0.25f"),
                                   ("histogram", "bins - 1)", "bins - 2)")):
            text = (SOURCE / f"corpus/images/{name}/{name}.metal").read_text()
            changed = Path(folder) / f"{name}.metal"
            changed.write_text(text.replace(right, wrong))
            assert right in text, f"{name} has no '{right}'"
            status, output = evaluate(str(changed), "--plan", str(SOURCE / f"corpus/images/{name}/plan.json"),
                                      "--verify-only")
            if status != 1:
                yield f"{name} with '{wrong}' is not wrong: exit status {status}\n{output}"


found = list(failures())
print(*found, sep="\n")
sys.exit(bool(found))
