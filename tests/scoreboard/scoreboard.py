#!/usr/bin/env python3
"""What tools find of the public corpus of Metal: tests/scoreboard/scoreboard.py BIN [--tool NAME=COMMAND]...

Each file of corpus/faults has a faulty kernel, with labels at the lines of the fault, and a fixed twin. A tool finds the
fault if it names one of these lines, and is right about the twin if it names none. BIN is the folder of msci's programs.
Its ways are `lint` (msci-lint alone), `check` and `prove` (msci-eval with the launch at the head of the file).

Each source of corpus/versions that some versions of Metal accept and others refuse is judged at two neighbours of these.
A tool finds the difference if it says something at the version that refuses the source which it does not say at the
other, and is right about the other if it says nothing.

COMMAND adds a tool. It is called with a folder: kernel.metal holds one kernel, `faulty` or `fixed`, with the lines of the
corpus; kernel.cl its translation to OpenCL C; plan.json its launch (docs/reference/plan_file.md). A source of
corpus/versions has a file `version` (such as metal3.1) instead of the latter two. It prints `LINE: MESSAGE` for each
finding, and exits with 0. Line 0 means that it knows no line; such a finding counts as right. Another status means that
it cannot judge the kernel. tests/scoreboard/tools has examples.

Prints a Markdown table of each corpus, by kind: files with a launch in numbers, or sources, and of each way the faults
found, the twins without a finding, and the kernels that it cannot judge.
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
VERSIONS = ["metal2.3", "metal2.4", "metal3.0", "metal3.1", "metal3.2", "metal4.0", "metal4.1"]


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
    version = folder / "version"
    at = ["--std", version.read_text(), "--select", "metal"] if version.exists() else []
    report = json_of([programs / "msci-lint", "--json", "--no-config", *at, folder / "kernel.metal"])
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


def findings_of(programs, tools, write):
    """Of each tool the lines of each finding; None if it cannot judge. `write` fills the folder that it is called with."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        write(folder)
        return {tool: run(programs, folder) for tool, run in tools.items()}


class Fault:
    """A file of corpus/faults."""

    def __init__(self, file):
        self.text, self.kind = file.read_text(), file.stem.split("_")[0]
        self.lines = {number for number, line in enumerate(self.text.splitlines(), 1) if LABEL.search(line)}

    def findings(self, programs, tools):
        """Those in the faulty kernel and in its twin."""
        return [findings_of(programs, tools, functools.partial(self.write, programs, kernel)) for kernel in KERNELS]

    def write(self, programs, kernel, folder):
        (folder / "kernel.metal").write_text(with_one_kernel(self.text, kernel))
        (folder / "plan.json").write_text(json.dumps(plan_of(self.text, kernel)))
        translated = subprocess.run([programs / "msci-eval", "--emit", "opencl", folder / "kernel.metal"],
                                    capture_output=True, text=True, timeout=300, check=False)
        (folder / "kernel.cl").write_text(translated.stdout)

    def is_found(self, faulty, _fixed):
        return any(each & (self.lines | {0}) for each in faulty)


class Source:
    """A source of corpus/versions, and two neighbours: a version that refuses it, and one that accepts it."""

    def __init__(self, kind, text, pair):
        self.kind, self.text, self.pair = kind, text, pair

    def findings(self, programs, tools):
        return [findings_of(programs, tools, functools.partial(self.write, version)) for version in self.pair]

    def write(self, version, folder):
        (folder / "kernel.metal").write_text(self.text)
        (folder / "version").write_text(version)

    def is_found(self, refused, accepted):
        return any(each not in accepted for each in refused)


def neighbours(accepted):
    """The versions that the range "metal3.1.." or "..metal4.0" ends between; None if it ends nowhere among VERSIONS."""
    first, dots, last = accepted.partition("..")
    if dots and first in VERSIONS[1:]:
        return VERSIONS[VERSIONS.index(first) - 1], first
    if dots and last in VERSIONS[:-1]:
        return VERSIONS[VERSIONS.index(last) + 1], last
    return None


def sources_of(file):
    """The sources in a file of corpus/versions (corpus/README.md) that versions differ about."""
    for head, text in re.findall(r"^// --- ([^\n]*)\n(.*?)(?=^// --- |\Z)", file.read_text(), re.M | re.S):
        if pair := neighbours(head.split(": ")[1].split(" | ")[0]):
            yield Source(file.stem, text, pair)


def table_of(counted, cases, tools, results):
    """A row for each kind, and one for all: of each tool "found / silent twins / not judged"."""
    kinds = collections.Counter(case.kind for case in cases)
    rows = [["kind", counted, *tools], ["---", "---:", *["---:"] * len(tools)]]
    for kind in [*sorted(kinds), "all"]:
        some = [(case, result) for case, result in zip(cases, results) if kind in ("all", case.kind)]
        row = [kind, str(len(some))]
        for tool in tools:
            pairs = [(case, bad[tool], good[tool]) for case, (bad, good) in some]
            found = sum(bad is not None and case.is_found(bad, good or []) for case, bad, good in pairs)
            silent = sum(good == [] for _, _, good in pairs)
            unjudged = sum((bad is None) + (good is None) for _, bad, good in pairs)
            row.append(f"{found} / {silent} / {unjudged}")
        rows.append(row)
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--tool", action="append", default=[], metavar="NAME=COMMAND")
    parser.add_argument("--ways", default="lint,check,prove", help="msci's own ways, by commas")
    parser.add_argument("--only", default="", help="files of both corpora whose name begins so")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args()
    own = {"lint": by_lint, "check": by_check, "prove": by_prove}
    ways = {way: own[way] for way in filter(None, options.ways.split(","))}
    others = dict(each.split("=", 1) for each in options.tool)
    others = {name: functools.partial(by_command, command) for name, command in others.items()}
    faults = [Fault(file) for file in sorted((SOURCE / "corpus/faults").glob(f"{options.only}*.metal"))
              if plan_of(file.read_text(), "faulty")]
    sources = [source for file in sorted((SOURCE / "corpus/versions").glob(f"{options.only}*.metal"))
               for source in sources_of(file)]
    static = {way: run for way, run in ways.items() if way == "lint"}  # check and prove need a launch
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for counted, cases, tools in (("files", faults, ways | others), ("sources", sources, static | others)):
            if cases:
                results = list(pool.map(lambda case: case.findings(options.bin.resolve(), tools), cases))
                print(table_of(counted, cases, tools, results), end="\n\n", flush=True)


if __name__ == "__main__":
    main()
