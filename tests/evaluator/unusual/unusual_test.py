#!/usr/bin/env python3
"""Right kernels in unusual styles are accepted by the strict verdict: unusual_test.py BIN [--nonces N] [--all]

The kernels lie in fields/ and others/, and with --all in more/, which CI leaves out; their first lines name their
tasks. Each is judged with N nonces, which are 1 to N.
"""
import argparse
import collections
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent


def kernels_by_task(has_more):
    kernels = collections.defaultdict(list)
    for path in sorted(HERE.rglob("*.metal")):
        if not has_more and "more" in path.relative_to(HERE).parts:
            continue
        kernels[path.read_text().split("\n")[0].removeprefix("// task: ")].append(path)
    return kernels


def why_not_accepted(result):
    strict = result["strict"] or {}
    if result["correct"] and strict.get("passed"):
        return None
    reasons = [result["fail_reason"], result["error"], *(strict.get("faults") or []),
               *(strict.get(each) for each in ("not_checked", "open_outcome", "not_certified"))]
    return next((reason for reason in reasons if reason), "refused")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--nonces", type=int, default=1)
    parser.add_argument("--all", action="store_true")
    options = parser.parse_args()
    failed = judged = 0
    for task, files in kernels_by_task(options.all).items():
        for nonce in range(1, options.nonces + 1):
            done = subprocess.run([options.bin / "msci-eval", *files, "--task", task, "--device", "cpu", "--strict",
                                   "--verify-only", "--no-cache", "--json", "--nonce", str(nonce)],
                                  capture_output=True, text=True)
            results = [json.loads(line) for line in done.stdout.splitlines()]
            if len(results) != len(files):
                print(f"{task}: {done.stderr}")
                failed += 1
            for result in results:
                judged += 1
                if why := why_not_accepted(result):
                    failed += 1
                    print(f"{pathlib.Path(result['file']).name} with nonce {nonce}: {why}")
    print(f"{judged} verdicts, {failed} not accepted")
    return int(failed > 0 or judged == 0)


if __name__ == "__main__":
    sys.exit(main())
