#!/usr/bin/env python3
"""Runs `msci-eval --numerics` on the recorded kernels that were right on the chip.

    tests/check/numerics_recorded.py BIN RECORDED [--jobs N] [--task TASK] [--only REGEX] [--first N]

BIN is the folder of msci-eval, RECORDED the file of recorded candidates (one JSON object a line, compressed with gzip or
plain). Prints one JSON line for each kernel, as soon as it is compared:

    task, id      the kernel
    splits        the meanings of fast math under which its results leave the tolerance of the task, each with the measure
                  (`quantity`), `error` beside `tolerance`, the share of wrong elements, the first of them, and the line
    nearest       of the meanings that do not split, the one whose error takes the largest share of the tolerance
    message       why the kernel could not be compared, if so

Standard error has the progress and, at the end, a summary.
Exit status: 0 no kernel splits, 1 at least one does, 2 a kernel could not be compared.
"""
import argparse
import collections
import concurrent.futures
import gzip
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path


def right_kernels(path):
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else path.open()
    with opened as lines:
        for line in lines:
            record = json.loads(line)
            if record["correct"]:
                yield record


def share_of(meaning):
    """The part of the tolerance that the error takes; None where either is unknown."""
    if meaning["error_value"] is None or not meaning["tolerance"]:
        return None
    return meaning["error_value"] / meaning["tolerance"]


def measured(meaning):
    return {"meaning": meaning["meaning"], "quantity": meaning["error_kind"],
            "error": meaning["error_value"], "tolerance": meaning["tolerance"]}


def split_of(meaning):
    return measured(meaning) | {"wrong_elements": meaning["wrong_elements"],
                                "compared_elements": meaning["compared_elements"],
                                "first_difference": meaning["first_difference"], "line": meaning["line"],
                                "needs_lines_before": meaning["needs_lines_before"],
                                "message": meaning["message"]}


def summary_of(record, answer):
    """One line about a kernel, from the line of msci-eval."""
    meanings = answer["meanings"]
    quiet = [each for each in meanings if not each["splits"] and share_of(each) is not None]
    message = answer["error"] or answer["message"]
    return {"task": record["task"], "id": record["id"],
            "splits": [split_of(each) for each in meanings if each["splits"]],
            "nearest": measured(max(quiet, key=share_of)) if quiet else None} | (
                {"message": message} if message else {})


def compare(program, record, folder):
    kernel = Path(folder) / f"{record['id']}.metal"
    kernel.write_text(record["source"])
    # Unrolled kernels take longer to translate than the usual limit allows.
    command = [program, kernel, "--task", record["task"], "--numerics", "--json", "--time-limit", "120"]
    try:
        ran = subprocess.run(command, capture_output=True, text=True, timeout=1800)
        answer = json.loads(ran.stdout)
    except subprocess.TimeoutExpired:
        answer = {"meanings": [], "error": "it took more than half an hour", "message": None}
    except json.JSONDecodeError:
        answer = {"meanings": [], "error": ran.stderr.strip() or f"exit status {ran.returncode}", "message": None}
    return summary_of(record, answer)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=Path)
    parser.add_argument("recorded", type=Path)
    parser.add_argument("--jobs", type=int, default=2, help="kernels at a time (2)")
    parser.add_argument("--task", help="kernels of this task only")
    parser.add_argument("--only", type=re.compile, default=re.compile(""), help="kernels whose id matches")
    parser.add_argument("--first", type=int, help="so many kernels of each task at most")
    options = parser.parse_args()
    program = options.bin / "msci-eval"
    if not program.exists():
        parser.error(f"{options.bin} has no msci-eval: name the folder bin of a build")

    chosen, of_task = [], collections.Counter()
    for record in right_kernels(options.recorded):
        if options.task not in (None, record["task"]) or not options.only.search(record["id"]):
            continue
        of_task[record["task"]] += 1
        if options.first is None or of_task[record["task"]] <= options.first:
            chosen.append(record)

    split, failed, by_meaning = [], [], collections.Counter()
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        work = [pool.submit(compare, program, each, folder) for each in chosen]
        for done, ended in enumerate(concurrent.futures.as_completed(work), 1):
            result = ended.result()
            print(json.dumps(result), flush=True)
            if result["splits"]:
                split.append(result)
            if "message" in result:
                failed.append(result)
            by_meaning.update(each["meaning"] for each in result["splits"])
            if done % 10 == 0 or done == len(chosen):
                print(f"{done} of {len(chosen)} compared, {len(split)} split, {len(failed)} could not be compared",
                      file=sys.stderr, flush=True)

    for meaning, count in by_meaning.most_common():
        print(f"  {meaning}: {count} kernels split", file=sys.stderr)
    for each in failed:
        print(f"  not compared: {each['id']}: {each['message']}", file=sys.stderr)
    sys.exit(2 if failed else 1 if split else 0)


main()
