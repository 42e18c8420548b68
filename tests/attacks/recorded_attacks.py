#!/usr/bin/env python3
"""Judges recorded attacks that are not part of the project: recorded_attacks.py BIN FILE.jsonl.gz [--id TEXT] [--more OPTION]

Each line of the file has an attack: `id`, `task`, `kind`, `class`, `why`, `source`, and `options`, which are options of
msci-eval or, for the task "plan", the files of a plan's folder. Prints for each what the strict verdict says of it
(accepted, accepted and named, refused, could not judge), the processor time, and a table by class. An attack on the text
counts as accepted if a line of the output begins with `::` or holds a control character but a tab. Of the kind "border" are right
kernels, which have to be accepted.

Exit status: 0 if nothing was accepted that has to be refused, 1 otherwise, 77 without the file.
"""
import argparse
import collections
import gzip
import json
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

ANSWERS = ["accepted", "named", "refused", "not judged"]
BY_STATUS = {0: "accepted", 1: "refused", 2: "not judged"}
COMMANDS_IN_TEXT = re.compile(r"^::|[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]", re.MULTILINE)


def read_attacks(path):
    with gzip.open(path, "rt") as lines:
        return [json.loads(line) for line in lines]


def run(command, seconds):
    """The exit status, the text, and the seconds of processor time."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None, f"no answer within {seconds} s", float(seconds)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.returncode, done.stdout.decode(errors="replace"), used


def judge(attack, folder, tools, options):
    kernel = folder / (attack["id"] + ".metal")
    kernel.write_text(attack["source"])
    more = attack.get("options", "")
    command = [tools / "msci-eval", kernel, *options.more]
    if "--gate" not in more:
        command.append("--no-cache")
    if attack["task"] == "plan":
        for name, text in more.items():
            (folder / name).write_text(text)
        command += ["--plan", folder / "plan.json", "--strict", "--protocol", "metal-sci"]
    elif "--gate" in more:
        command += ["--task", attack["task"], *more.split()]
    else:
        command += ["--task", attack["task"], "--strict", "--verify-only", *more.split()]
    status, text, used = run(command, options.seconds)
    if attack["class"] == "D":
        answer = "accepted" if COMMANDS_IN_TEXT.search(text) else "refused"
    else:
        answer = BY_STATUS.get(status, "not judged")
        if answer == "accepted" and "never executed: " in text:
            answer = "named"
    return answer, text, used


def reason_in(text):
    lines = [line.strip() for line in text.splitlines()]
    said = [line for line in lines if re.search(r"never executed|could not|WRONG|wrong|not judged|certificate|gate", line)]
    return (said or lines or [""])[0][:150]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("file", type=pathlib.Path, nargs="?", default=os.environ.get("MSCI_ATTACKS"))
    parser.add_argument("--id", default="", help="only attacks with this text in their id")
    parser.add_argument("--class", dest="classes", default="", help="only attacks of these classes: AR")
    parser.add_argument("--more", action="append", default=[], help="a further option of msci-eval")
    parser.add_argument("--seconds", type=int, default=900, help="the longest wait for an answer")
    options = parser.parse_args()
    if not options.file or not pathlib.Path(options.file).exists():
        print("skipped: the recorded attacks are not part of the project; name their file, or set MSCI_ATTACKS")
        return 77
    counts = collections.defaultdict(collections.Counter)
    failed = False
    for attack in read_attacks(options.file):
        if options.id not in attack["id"] or (options.classes and attack["class"] not in options.classes):
            continue
        with tempfile.TemporaryDirectory() as folder:
            answer, text, used = judge(attack, pathlib.Path(folder), options.bin, options)
        counts[attack["class"]][answer] += 1
        is_right = attack["kind"] == "border"
        failed |= (answer == "accepted") != is_right
        print(f"{attack['class']} {answer:<11} {used:7.1f} s  {attack['id']}: {reason_in(text)}", flush=True)
    print(f"\n{'class':<8}" + "".join(f"{answer:>12}" for answer in ANSWERS))
    for name, count in [*sorted(counts.items()), ("all", sum(counts.values(), collections.Counter()))]:
        print(f"{name:<8}" + "".join(f"{count[answer]:>12}" for answer in ANSWERS))
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
