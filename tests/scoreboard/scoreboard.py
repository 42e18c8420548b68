#!/usr/bin/env python3
"""What tools find of the public corpus of Metal faults: tests/scoreboard/scoreboard.py BIN [--tool NAME=COMMAND]...

Each file of corpus/faults has a faulty kernel, with labels at the lines of the fault, and a fixed twin. A tool finds the
fault if it names one of these lines, and is right about the twin if it names none. BIN is the folder of msci's programs.
Its ways are `lint` (msci-lint alone), `check` and `prove` (msci-eval with the launch at the head of the file).

COMMAND adds a tool. It is called with a folder: kernel.metal holds one kernel, `faulty` or `fixed`, with the lines of the
corpus; kernel.cl its translation to OpenCL C; plan.json its launch (docs/reference/plan_file.md). It prints
`LINE: MESSAGE` for each finding, and exits with 0. Line 0 means that it knows no line; such a finding counts as right.
Another status means that it cannot judge the kernel. tests/scoreboard/tools has examples.

Prints a Markdown table by kind of fault: files with a launch in numbers, and of each way the faults found, the twins
without a finding, and the kernels that it cannot judge.
"""
import argparse
import collections
import concurrent.futures
import functools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(SOURCE / "tests/support"))
from fault_plans import plan_of

LABEL = re.compile(r"  // (?:lint|check): ")
KERNELS = ("faulty", "fixed")


def with_one_kernel(text, kernel):
    """The source without the other kernel, each line where it was."""
    other = KERNELS[1 - KERNELS.index(kernel)]
    lines, inside = [], False
    for line in text.splitlines():
        inside = inside or re.match(rf"kernel void {other}\b", line) is not None
        lines.append("" if inside else line)
        inside = inside and line != "}"
    return "\n".join(lines) + "\n"


def json_of(command):
    """The first object that the command prints; None if it cannot judge."""
    ran = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, check=False)
    return json.loads(ran.stdout.splitlines()[0]) if ran.returncode != 2 and ran.stdout else None


def lines_of(finding):
    return {finding["line"], *(note["line"] for note in finding.get("notes", []))}


def by_lint(programs, folder):
    report = json_of([programs / "msci-lint", "--json", "--no-config", folder / "kernel.metal"])
    return report and [lines_of(each) for each in report["diagnostics"] if each["severity"] != "note"]


def by_eval(programs, folder, mode):
    return json_of([programs / "msci-eval", folder / "kernel.metal", "--plan", folder / "plan.json", "--device", "cpu",
                    "--json", mode])


def by_check(programs, folder):
    checked = by_eval(programs, folder, "--check")
    return checked and [lines_of(each) for each in checked["findings"]]


def by_prove(programs, folder):
    proved = by_eval(programs, folder, "--prove")
    if not proved or "error" in proved:
        return None
    claims = [claim for size in proved["sizes"] for proof in size["proofs"] for claim in proof["claims"]]
    refuted = [claim["counterexample"] for claim in claims if claim["answer"] == "refuted"]
    return [{place["line"] for place in (each["first"], each.get("second")) if place} for each in refuted]


def by_command(command, _programs, folder):
    ran = subprocess.run(f"{command} {folder}", shell=True, capture_output=True, text=True, timeout=300, check=False)
    found = re.findall(r"^(\d+): ", ran.stdout, re.M)
    return [{int(line)} for line in found] if ran.returncode == 0 else None


def judged(programs, tools, file, kernel):
    """Of each tool whether it names a line of the fault, and whether it finds anything; None if it cannot judge."""
    text = file.read_text()
    fault = {number for number, line in enumerate(text.splitlines(), 1) if LABEL.search(line)}
    results = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "kernel.metal").write_text(with_one_kernel(text, kernel))
        (folder / "plan.json").write_text(json.dumps(plan_of(text, kernel)))
        translated = subprocess.run([programs / "msci-eval", "--emit", "opencl", folder / "kernel.metal"],
                                    capture_output=True, text=True, timeout=300, check=False)
        (folder / "kernel.cl").write_text(translated.stdout)
        for tool, run in tools.items():
            found = run(programs, folder)
            results[tool] = None if found is None else (any(each & (fault | {0}) for each in found), bool(found))
    return results


def kind_of(file):
    return file.stem.split("_")[0]


def table_of(files, tools, results):
    """A row for each kind, and one for all: of each tool "found / silent twins / not judged"."""
    kinds = collections.Counter(map(kind_of, files))
    rows = [["kind", "files", *tools], ["---", "---:", *["---:"] * len(tools)]]
    for kind in [*sorted(kinds), "all"]:
        some = [file for file in files if kind in ("all", kind_of(file))]
        row = [kind, str(len(some))]
        for tool in tools:
            of_faulty, of_fixed = ([results[file, kernel][tool] for file in some] for kernel in KERNELS)
            found = sum(each is not None and each[0] for each in of_faulty)
            silent = sum(each is not None and not each[1] for each in of_fixed)
            row.append(f"{found} / {silent} / {(of_faulty + of_fixed).count(None)}")
        rows.append(row)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--tool", action="append", default=[], metavar="NAME=COMMAND")
    parser.add_argument("--ways", default="lint,check,prove", help="msci's own ways, by commas")
    parser.add_argument("--only", default="", help="files whose name begins so")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    own = {"lint": by_lint, "check": by_check, "prove": by_prove}
    tools = {way: own[way] for way in filter(None, options.ways.split(","))}
    tools |= {name: functools.partial(by_command, command) for name, command in (each.split("=", 1) for each in options.tool)}
    files = [file for file in sorted((SOURCE / "corpus/faults").glob(f"{options.only}*.metal"))
             if plan_of(file.read_text(), "faulty")]
    work = [(file, kernel) for file in files for kernel in KERNELS]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        done = pool.map(lambda each: judged(options.bin.resolve(), tools, *each), work)
        results = dict(zip(work, done))
    print(table_of(files, tools, results))


if __name__ == "__main__":
    main()
