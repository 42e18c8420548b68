#!/usr/bin/env python3
"""What msci-lint refuses is refused where kernels are judged, with the same words and before anything runs.

  refused_facts.py MSCI_LINT MSCI_EVAL FACTS

Pushes each refused source of FACTS (corpus/facts) through msci-eval and through its server.
"""

import collections
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import facts

TASK = ["--task", "saxpy", "--device", "cpu"]


def errors(diagnostics, rule):
    return sorted((each["line"], each["column"], each[rule], each["message"]) for each in diagnostics
                  if each["severity"] == "error")


def evaluations(program, version, paths):
    """What msci-eval says of the files, in their order."""
    command = [program, "--std", version, *TASK, "--verify-only", "--json", *map(str, paths)]
    run = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if run.returncode != 1:
        sys.exit(f"msci-eval exits with {run.returncode} for refused sources at {version}")
    return [json.loads(line) for line in run.stdout.splitlines()]


def served(program, version, paths):
    """What the server says of the same texts, in the same order."""
    requests = [{"id": number, "source": path.read_text(), "task": TASK[1]} for number, path in enumerate(paths)]
    run = subprocess.run([program, "--server", *TASK[2:], "--std", version], stdout=subprocess.PIPE, text=True, check=True,
                         input="".join(json.dumps(each) + "\n" for each in requests))
    answers = sorted((json.loads(line) for line in run.stdout.splitlines()), key=lambda each: each["id"])
    return [answer["evaluation"] for answer in answers]


def fault_of(report, evaluation):
    """In what an evaluation differs from lint's report; empty if in nothing."""
    if evaluation["compile_ok"] or evaluation["correct"] or evaluation["sizes"]:
        return "it runs"
    expected, told = errors(report["diagnostics"], "rule"), errors(evaluation["diagnostics"], "id")
    if told != expected:
        return f"msci-lint: {expected}; here: {told}"
    if not any(message in evaluation["fail_reason"] for *_, message in expected):
        return f"its reason is '{evaluation['fail_reason']}'"
    return ""


def main():
    lint, program, folder = sys.argv[1:]
    refused = [fact for fact in facts.of_folder(pathlib.Path(folder)) if fact["want"] == "refused"]
    faults = []
    with tempfile.TemporaryDirectory() as files:
        os.environ["XDG_CACHE_HOME"] = str(pathlib.Path(files, "cache"))
        reports = facts.lint(lint, pathlib.Path(files), refused)
        by_version = collections.defaultdict(list)
        for number, fact in enumerate(refused):
            by_version[fact["std"]].append(number)
        for version, numbers in sorted(by_version.items()):
            paths = [pathlib.Path(files, f"{number:04}.metal") for number in numbers]
            for say in (evaluations, served):
                answers = say(program, version, paths)
                assert len(answers) == len(paths), f"{len(answers)} answers to {len(paths)} sources"
                for number, answer in zip(numbers, answers):
                    if fault := fault_of(reports[number], answer):
                        faults.append(f"{refused[number]['id']} ({say.__name__}): {fault}")
    print("\n".join(faults) or f"{len(refused)} sources are refused by msci-eval and its server as by msci-lint")
    return int(bool(faults))


if __name__ == "__main__":
    sys.exit(main())
