#!/usr/bin/env python3
"""numerics_faults.py MSCI_EVAL FILE...: the meanings of fast math under which kernels of corpus/faults split.

Both kernels of a file run under the launch at its head, and have to agree with what the fixed kernel computes as it is
written, within a thousandth. The result is the last buffer of floats. Prints one line for each kernel: the meanings that
split, with the line and the first difference; or why the results could not be compared."""
import json
import pathlib
import subprocess
import sys
import tempfile

from answers import plan_of


def run(msci_eval, file, plan, folder, kernel, *options):
    plan["launches"][0]["kernel"] = kernel
    place = pathlib.Path(folder, "plan.json")
    place.write_text(json.dumps(plan))
    return subprocess.run([msci_eval, file, "--plan", place, "--kernel", kernel, "--device", "cpu", "--json", *options],
                          capture_output=True, text=True, check=False)


def expect_what_is_written(msci_eval, file, plan, folder):
    """Adds the results of the fixed kernel to the plan, or returns why not."""
    names = [name for name, buffer in plan["buffers"].items() if buffer["type"] == "float"]
    if not names:
        return "no buffer of floats"
    result = names[-1]
    kept = pathlib.Path(folder, "expected.bin")
    kept.unlink(missing_ok=True)
    copying = plan | {"expect": {result: {}},
                      "check": ["sh", "-c", f"cp {{folder}}/{result}.got {kept} && echo right > {{folder}}/verdict"]}
    ran = run(msci_eval, file, copying, folder, "fixed", "--verify-only")
    if not kept.exists():
        return (ran.stderr.strip() or ran.stdout.strip())[:200]
    plan["expect"] = {result: {"file": str(kept)}}
    plan["tolerance"] = {"relative": 1e-3}
    return None


def splits(msci_eval, file, plan, folder, kernel):
    ran = run(msci_eval, file, plan, folder, kernel, "--numerics")
    if ran.returncode == 2:
        return ran.stderr.strip()[:200]
    answer = json.loads(ran.stdout)
    if answer["message"]:
        return answer["message"]
    found = [f"{each['meaning']} at line {each['line']} ({each['first_difference']})"
             for each in answer["meanings"] if each["splits"]]
    return "; ".join(found) or "agrees"


def main():
    msci_eval, *files = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        for file in map(pathlib.Path, files):
            plan = plan_of(file.read_text())
            problem = expect_what_is_written(msci_eval, file, plan, folder)
            for kernel in ("faulty", "fixed"):
                said = problem or splits(msci_eval, file, plan, folder, kernel)
                print(f"{file.stem} {kernel}: {said}", flush=True)


if __name__ == "__main__":
    main()
