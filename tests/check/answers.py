#!/usr/bin/env python3
"""answers.py MSCI_EVAL FILE...: what a checked run concludes of the faulty kernel of each file of corpus/faults.

The comments at the head of a file (tests/compiler/fixture.h) become a plan file, so that msci-eval runs the kernel as
the tests do. Prints the kernel's name, the kinds of faults, and whether the answer depends on the order of the threads.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile


def number(word):
    """Hexadecimal numbers are the bits of unsigned integers."""
    if word.startswith("0x"):
        return int(word, 16)
    return int(word) if re.fullmatch(r"-?\d+", word) else float(word)


def numbers_of(words):
    """The numbers that "0..3 2*7" stands for: 0 1 2 3 7 7."""
    for word in words:
        times, _, rest = word.rpartition("*")
        first, dots, last = rest.partition("..")
        some = range(int(first), int(last) + 1) if dots else [number(first)]
        for _ in range(int(times or 1)):
            yield from some


def plan_of(text):
    head = dict(re.findall(r"^// (grid|threadgroup): (.*)$", text, re.M))
    plan = {"sizes": [{"label": "one"}], "buffers": {}}
    launch = {"kernel": "faulty", "grid": [int(n) for n in head["grid"].split()],
              "threadgroup": [int(n) for n in head["threadgroup"].split()], "bind": {}}
    for index, offset, type_, values in re.findall(r"^// in (\d+)(?: at (\d+))?: (\w+) (.*)$", text, re.M):
        name = f"b{index}"
        buffer = plan["buffers"].setdefault(name, {"type": type_, "values": []})
        buffer["values"] += numbers_of(values.split())
        launch["bind"][index] = {"buffer": name, "offset": int(offset)} if offset else name
    memory = dict(re.findall(r"^// shared (\d+): (\d+)$", text, re.M))
    if memory:
        launch["threadgroup_memory"] = {index: int(count) for index, count in memory.items()}
    return plan | {"launches": [launch]}


def conclusion(msci_eval, file, folder):
    plan = pathlib.Path(folder, "plan.json")
    plan.write_text(json.dumps(plan_of(file.read_text())))
    command = [msci_eval, file, "--plan", plan, "--check", "--kernel", "faulty", "--device", "cpu", "--json"]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    if ran.returncode == 2:
        return ran.stderr.strip()
    checked = json.loads(ran.stdout)
    kinds = sorted({finding["id"] for finding in checked["findings"]})
    reruns = checked["reruns"]
    if not reruns:
        return f"{' '.join(kinds)}: no race"
    return f"{' '.join(kinds)}: " + (f"the answer changes: {reruns['differs']}" if reruns["differs"]
                                     else f"the same answer in {len(reruns['orders'])} orders")


def main():
    msci_eval, *files = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for file in map(pathlib.Path, files):
            print(f"{file.stem}: {conclusion(msci_eval, file, folder)}", flush=True)


if __name__ == "__main__":
    main()
