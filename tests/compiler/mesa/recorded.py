#!/usr/bin/env python3
"""Machine code of recorded kernels: recorded.py MSCI_EVAL COUNTS RECORDS... [--profiles PROFILES]

Compiles each recorded candidate that Apple's compiler accepts with --emit apple, and adds a line for each to the file COUNTS
(one JSON object: id, and what Mesa's compiler prints of each kernel); candidates that the file has are not compiled again.
Then prints how many compile, what the others are told, and, with the profiles of msci-clock, how Mesa's registers and
instructions agree with ours."""
import argparse
import collections
import concurrent.futures
import gzip
import json
import math
import os
import pathlib
import statistics
import tempfile

from machine_code import machine_code_of, print_summary

CLASSES = (104, 112, 128, 136, 144, 160, 184, 208, 232, 256)  # registers of Apple's classes of threads: 1024 to 384


def records_of(files):
    for name in files:
        with gzip.open(name, "rt") as lines:
            yield from (record for record in map(json.loads, lines) if record["compile_ok"])


def compiled(program, record):
    with tempfile.NamedTemporaryFile("w", suffix=".metal") as source:
        source.write(record["source"])
        source.flush()
        kernels, refused = machine_code_of(program, source.name)
    return {"id": record["id"], "kernels": kernels, "refused": refused}


def add_counts(arguments):
    path = pathlib.Path(arguments.counts)
    known = {json.loads(line)["id"] for line in path.read_text().splitlines()} if path.exists() else set()
    new = [record for record in records_of(arguments.records) if record["id"] not in known]
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool, open(path, "a") as file:
        for done in pool.map(lambda record: compiled(arguments.program, record), new):
            file.write(json.dumps(done) + "\n")
            file.flush()
    return [json.loads(line) for line in path.read_text().splitlines()]


def class_of(registers):
    return next((number for number, most in enumerate(CLASSES) if registers <= most), len(CLASSES))


def print_agreement(counts, profiles):
    """Each kernel once: a launch that profiles counted, beside Mesa's code of it."""
    by_task = collections.defaultdict(dict)
    for line in open(profiles):
        record = json.loads(line)
        for launch in record["profile"]["launches"]:
            by_task[record["task"]][record["id"], launch["kernel"]] = launch["registers"]
    mesa = {(each["id"], name): kernel for each in counts for name, kernel in each["kernels"].items()}
    print("\n| task | kernels | registers, Mesa's over ours, median | within a factor of 1.25 | in the same class of threads "
          "| within one class | spills, Mesa | beyond 256, ours |")
    print("|---|---|---|---|---|---|---|---|")
    rows = {**by_task, "all": {key: ours for task in by_task.values() for key, ours in task.items()}}
    for task, kernels in rows.items():
        pairs = [(mesa[key], ours) for key, ours in kernels.items() if key in mesa and ours > 0]
        if not pairs:
            continue
        ratios = [theirs["registers"] / min(ours, CLASSES[-1]) for theirs, ours in pairs]
        apart = [abs(class_of(theirs["registers"]) - class_of(min(ours, CLASSES[-1]))) for theirs, ours in pairs]
        share = lambda holds: f"{100 * sum(holds) / len(pairs):.0f} %"  # noqa: E731
        print(f"| {task} | {len(pairs)} | {statistics.median(ratios):.2f} | "
              f"{share([abs(math.log(ratio)) <= math.log(1.25) for ratio in ratios])} | "
              f"{share([each == 0 for each in apart])} | {share([each <= 1 for each in apart])} | "
              f"{sum(theirs['spills'] != 'no spills' for theirs, _ in pairs)} | "
              f"{sum(ours > CLASSES[-1] for _, ours in pairs)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("counts")
    parser.add_argument("records", nargs="*")
    parser.add_argument("--profiles")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    counts = add_counts(arguments)
    print_summary({each["id"]: (each["kernels"], each["refused"]) for each in counts})
    if arguments.profiles:
        print_agreement(counts, arguments.profiles)


main()
