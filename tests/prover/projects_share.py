#!/usr/bin/env python3
"""What is proved of the kernels of real projects: runs msci-prove-projects in parallel and counts.

    tests/prover/projects_share.py build/bin/msci-prove-projects projects.tar.xz --jobs 16

Each kernel counts once for bounds (of its arrays), races and barriers, by the worst answer of its claims. Prints a table,
the reasons of what is unknown, every refutation with its lines, and why kernels could not be proved.
Exit status: 0, or 2 if a run failed.
"""
import argparse
import collections
import json
import re
import subprocess
import sys
import tempfile

SUBJECTS = ("bounds", "races", "barriers")
RANK = {"proved": 0, "unknown": 1, "refuted": 2}


def lines_of(arguments):
    processes = []
    for part in range(arguments.jobs):
        output = tempfile.TemporaryFile("w+")
        processes.append((output, subprocess.Popen(
            [arguments.program, arguments.archive, "--parts", str(arguments.jobs), "--part", str(part),
             "--most", str(arguments.most)] + (["--project", arguments.project] if arguments.project else []),
            stdout=output, text=True)))
    for output, process in processes:
        if process.wait() != 0:
            sys.exit(2)
        output.seek(0)
        yield from map(json.loads, output)


def form_of(reason):
    """Without the names and numbers, so that equal reasons are counted together."""
    return re.sub(r"\d+", "N", re.sub(r"`[^`]*`|'[^']*'", "…", reason.splitlines()[0]))


def place_of(side):
    return f"line {side['line']} by thread {side['thread']} of threadgroup {side['threadgroup']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("archive")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--most", type=int, default=1, help="instantiations of one template; 0: all")
    parser.add_argument("--project", help="only this one")
    arguments = parser.parse_args()
    rows = collections.defaultdict(collections.Counter)
    reasons, failures, refuted = collections.Counter(), collections.Counter(), []
    for line in lines_of(arguments):
        row = rows[line["project"]]
        row["kernels"] += "kernel" in line
        if "error" in line:
            row["failed"] += 1
            failures[form_of(line["error"])] += 1
            continue
        worst, why = {}, set()
        for claim in line["claims"]:
            subject, answer = claim["subject"], claim["answer"]
            worst[subject] = max(worst.get(subject, "proved"), answer, key=RANK.get)
            if answer == "unknown":
                why.add(f"{subject}: {form_of(claim['reason'])}")
            if answer == "refuted":
                sides = claim["counterexample"]
                both = [place_of(sides[side]) for side in ("first", "second") if sides.get(side)]
                refuted.append(f"{line['project']} {line['file']} {line['kernel']} ({line['launch']}): "
                               f"{subject} {claim['object']}, {' and '.join(both)}")
        reasons.update(why)
        for subject, answer in worst.items():
            row[subject, answer] += 1
    print("| project | kernels | not proved at all | " + " | ".join(
        f"{subject}: proved, refuted, unknown" for subject in SUBJECTS) + " |")
    print("|---|---:|---:|---|---|---|")
    for name, row in sorted(rows.items()):
        cells = [", ".join(str(row[subject, answer]) for answer in ("proved", "refuted", "unknown"))
                 for subject in SUBJECTS]
        print(f"| {name} | {row['kernels']} | {row['failed']} | " + " | ".join(cells) + " |")
    for title, counts in (("reasons", reasons), ("not proved at all", failures)):
        print(f"{title}:")
        for reason, count in counts.most_common():
            print(f"{count:6} {reason}")
    print("refuted:")
    for each in refuted:
        print(f"  {each}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
