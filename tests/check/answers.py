#!/usr/bin/env python3
"""answers.py MSCI_EVAL FILE...: what a checked run concludes of the faulty kernel of each file of corpus/faults.

The comments at the head of a file (tests/compiler/fixture.h) become a plan file, so that msci-eval runs the kernel as
the tests do. Prints the kernel's name, the kinds of faults, and whether the answer depends on the order of the threads.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from fault_plans import plan_of


def conclusion(msci_eval, file, folder):
    plan = pathlib.Path(folder, "plan.json")
    plan.write_text(json.dumps(plan_of(file.read_text(), "faulty")))
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
