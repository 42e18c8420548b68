#!/usr/bin/env python3
"""What is proved of the kernels of real projects: runs msci-prove-projects and counts.

    tests/analysis/projects_share.py build/bin/msci-prove-projects projects.tar.xz --jobs 16 --results projects.jsonl

Each kernel counts once for bounds (of its arrays), races and barriers, by the worst answer of its claims. Prints a table,
the reasons of what is unknown, every refutation with its lines, and why kernels could not be proved. The program writes a
line for each kernel into the file of results at once, so that a run that was ended goes on there; without a file, a
temporary one is used. Progress goes to stderr.
Exit status: 0, or 2 if the run failed.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

SUBJECTS = ("bounds", "races", "barriers")
RANK = {"proved": 0, "unknown": 1, "refuted": 2}


def fail(message):
    print(f"projects_share.py: {message}", file=sys.stderr)
    return 2


def lines_of(arguments):
    with tempfile.TemporaryDirectory() as folder:
        results = pathlib.Path(arguments.results or pathlib.Path(folder) / "results.jsonl")
        if not arguments.count_only:
            command = [arguments.program, arguments.archive, "--jobs", str(arguments.jobs), "--most",
                       str(arguments.most), "--results", str(results)]
            command += ["--project", arguments.project] if arguments.project else []
            if subprocess.run(command, check=False).returncode != 0:
                sys.exit(2)
        try:
            texts = results.read_text().splitlines()
        except OSError as error:
            sys.exit(fail(f"cannot read {results}: {error.strerror}"))
        for number, text in enumerate(texts, 1):
            try:
                line = json.loads(text)
            except json.JSONDecodeError:
                continue  # an empty line, or where a run was ended
            if not isinstance(line, dict) or "project" not in line or not line.keys() & {"error", "claims"}:
                sys.exit(fail(f"{results}:{number}: not a line of msci-prove-projects; give --results another file"))
            yield line


def form_of(reason):
    """Without the names and numbers, so that equal reasons are counted together."""
    return re.sub(r"\d+", "N", re.sub(r"`[^`]*`|'[^']*'", "…", reason.splitlines()[0]))


def place_of(side, place):
    return f"{place} by thread {side['thread']} of threadgroup {side['threadgroup']}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("archive")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--most", type=int, default=1, help="instantiations of one template; 0: all")
    parser.add_argument("--project", help="only this one")
    parser.add_argument("--results", help="a file that keeps the results")
    parser.add_argument("--count-only", action="store_true", help="of what the file of results has")
    arguments = parser.parse_args()
    if arguments.count_only and not arguments.results:
        parser.error("--count-only counts what a file has: add --results FILE")
    rows = collections.defaultdict(collections.Counter)
    reasons, failures, refuted = collections.Counter(), collections.Counter(), []
    for line in lines_of(arguments):
        row = rows[line["project"]]
        row["kernels"] += "kernel" in line
        if "error" in line:
            row["failed"] += 1
            failures[form_of(line["error"])] += 1
            continue
        worst, why, here = {}, set(), []
        for claim in line["claims"]:
            subject, answer = claim["subject"], claim["answer"]
            worst[subject] = max(worst.get(subject, "proved"), answer, key=RANK.get)
            if answer == "unknown":
                why.add(f"{subject}: {form_of(claim['reason'])}")
            if answer == "refuted":
                sides = claim["counterexample"]
                both = [place_of(sides[side], place) for side, place in
                        zip(("first", "second"), line["refuted_at"][len(here)])]
                here.append(f"{line['project']} {line['file']} {line['kernel']} ({line['launch']}): "
                            f"{subject} {claim['object']}, {' and '.join(both)}")
        refuted += here
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
