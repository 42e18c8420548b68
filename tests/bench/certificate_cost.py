"""What the certificate of a strict verdict costs: verdicts a minute with and without it.

    python3 tests/bench/certificate_cost.py build/bin CANDIDATES.jsonl.gz [--jobs N] [--rounds N] [--task TASK] [--each N]

CANDIDATES holds kernels with their "id", "task" and "source", and whether they are "correct". One msci-eval judges each
correct kernel with one nonce, --jobs of them at once. Each round judges all with and without the certificate, in an order
that alternates. --each takes only the first N kernels of each task. Prints medians over the rounds.
"""
import argparse
import collections
import concurrent.futures
import gzip
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

FORMS = {"with": [], "without": ["--no-certificate"]}


def right_kernels(path, task, each):
    taken = collections.Counter()
    with gzip.open(path, "rt") as lines:
        for kernel in map(json.loads, lines):
            if not kernel["correct"] or task not in (None, kernel["task"]) or taken[kernel["task"]] == each:
                continue
            taken[kernel["task"]] += 1
            yield kernel


def status(program, file, task, options):
    """The exit status of the strict verdict: 0 if it accepts the kernel, 1 if it refuses it, 2 if it could not judge."""
    done = subprocess.run([program, file, "--task", task, "--device", "cpu", "--strict", "--verify-only", "--no-cache",
                           "--json", "--nonce", "5", *options], capture_output=True, text=True)
    return done.returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("candidates")
    parser.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--task")
    parser.add_argument("--each", type=int, help="kernels of each task")
    options = parser.parse_args()
    seconds, accepted, not_judged = ({form: [] for form in FORMS} for _ in range(3))
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        files = []
        for kernel in right_kernels(options.candidates, options.task, options.each):
            file = pathlib.Path(folder) / f"{kernel['task']}_{kernel['id']}.metal"
            file.write_text(kernel["source"])
            files.append((file, kernel["task"]))
        for number in range(options.rounds):
            for form in list(FORMS)[:: 1 if number % 2 == 0 else -1]:
                start = time.perf_counter()
                verdicts = list(pool.map(lambda each: status(options.bin / "msci-eval", *each, FORMS[form]), files))
                seconds[form].append(time.perf_counter() - start)
                accepted[form].append(verdicts.count(0))
                not_judged[form].append(len(verdicts) - verdicts.count(0) - verdicts.count(1))
    print(f"{len(files)} kernels, {options.jobs} at once, {options.rounds} rounds, load {os.getloadavg()[0]:.1f}")
    for form in FORMS:
        median = statistics.median(seconds[form])
        print(f"  {form:8}{60 * len(files) / median:8.1f} a minute {median:8.1f} s  {min(accepted[form])} accepted, "
              f"{max(not_judged[form])} not judged")
    ratio = statistics.median(a / b for a, b in zip(seconds["with"], seconds["without"]))
    print(f"  {ratio:.2f} times the seconds")


main()
