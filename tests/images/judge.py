#!/usr/bin/env python3
"""Judges the kernels of corpus/images: tests/images/judge.py BIN_DIR SOURCE_DIR DEVICE

Each kernel must be right on the device. On the device cpu the strict verdict must accept it, its checked run must find
nothing, and a kernel that computes something else must be wrong, so that the plans can tell: none of this depends on the
device, since the processor reaches strict verdicts and runs the checked mode."""
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

BIN, SOURCE = (Path(each).resolve() for each in sys.argv[1:3])
DEVICE = sys.argv[3]
CORPUS = SOURCE / "corpus"
PLANS = sorted(CORPUS.glob("images/*/plan.json"))

# What of a kernel is replaced, and by what.
MUTANTS = {
    "box_blur": ("min(place + radius", "min(place + radius + 1"),
    "denoise": ("address::clamp_to_zero", "address::clamp_to_edge"),
    "distance_transform": ("y <= 1; ++y", "y <= 0; ++y"),
    "filter_graph": ("operations[chosen](colour", "operations[min(chosen, 2u)](colour"),
    "histogram": ("bins - 1)", "bins - 2)"),
    "materials": ("materials[id]", "materials[id / 2]"),
    "page_atlas": (">> level, level)", ">> level, 0)"),
    "panorama": ("filter::linear", "filter::nearest"),
    "resize": ("+ 0.5f", "+ 0.25f"),
    "tensor_matmul": ("b.slice(column, 0)", "b.slice(0, 0)"),
}


def evaluate(*words):
    standard = ["--std", "metal4.0"] if any("tensor_matmul" in word for word in words) else []
    done = subprocess.run([BIN / "msci-eval", "--device", DEVICE, *standard, *words], capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout + done.stderr


def failures_of(plan):
    found = []
    runs = [["--verify-only", "--strict", "--nonce", "5eed"], ["--check"]] if DEVICE == "cpu" else [["--verify-only"]]
    for words in runs:
        status, output = evaluate("--plan", str(plan), *words)
        if status != 0:
            found.append(f"{plan.parent.name} {' '.join(words)}: exit status {status}\n{output}")
    return found


def failures_of_mutant(folder, name):
    right, wrong = MUTANTS[name]
    kernel, plan = CORPUS / f"images/{name}/{name}.metal", CORPUS / f"images/{name}/plan.json"
    if not plan.exists():
        kernel, plan = CORPUS / f"good/{name}.metal", CORPUS / f"plans/{name}.json"
    text = kernel.read_text()
    assert right in text, f"{name} has no '{right}'"
    changed = Path(folder) / kernel.name
    changed.write_text(text.replace(right, wrong))
    status, output = evaluate(str(changed), "--plan", str(plan), "--verify-only")
    return [f"{name} with '{wrong}' is not wrong: exit status {status}\n{output}"] if status != 1 else []


def failures():
    if len(PLANS) < 19:
        yield f"only {len(PLANS)} plans found in {CORPUS / 'images'}"
    with ThreadPoolExecutor(max_workers=2) as pool, tempfile.TemporaryDirectory() as folder:
        for found in pool.map(failures_of, PLANS):
            yield from found
        if DEVICE == "cpu":
            for found in pool.map(lambda name: failures_of_mutant(folder, name), MUTANTS):
                yield from found


found = list(failures())
print(*found, sep="\n")
sys.exit(bool(found))
