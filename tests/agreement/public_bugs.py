#!/usr/bin/env python3
"""Shows what msci says of public bugs: kernels that people reported, written anew, each beside its mended twin.

  public_bugs.py BIN BUGS [--ways lint,check,prove,run] [--min-lint PERCENT] [--min-check PERCENT] [--only TEXT]

BIN is the folder of the programs, BUGS a recorded file (.jsonl.gz): `id`, `source`, `plan`, `want` and `lines` of each,
and `std` where the build states a version.
The ways are msci-lint alone, `msci-eval --check` and `--prove` with the plan, and the run with the plan, which looks for
the cause of a wrong result. Prints for each bug whether a way names one of its lines, another line or none, and whether
it is silent about the twin. Notes of lint do not count. Exit status: 1 if a share is below its minimum or a twin is not silent,
77 if the bugs are absent.
"""

import argparse
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile

WAYS = ("lint", "check", "prove", "run")


def json_lines(command):
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300, check=False)
    objects = []
    for line in run.stdout.splitlines():
        try:
            objects.append(json.loads(line))
        except ValueError:
            sys.exit(f"{' '.join(command)} exits with {run.returncode} and prints: {line[:200]} {run.stderr[:400]}")
    return objects


def places(diagnostic):
    """The lines that a finding names, the first as its own."""
    return [diagnostic["line"]] + [note["line"] for note in diagnostic.get("notes", [])]


def findings(diagnostics, with_notes=False):
    return [(places(each), f"{each.get('rule') or each.get('id')}: {each['message']}") for each in diagnostics
            if with_notes or each["severity"] != "note"]


def of_lint(programs, kernel, _plan, version):
    report = json_lines([programs / "msci-lint", "--json", "--no-config", *version, kernel])[0]
    return findings(report["diagnostics"])


def of_check(programs, kernel, plan, version):
    said = []
    for result in json_lines([programs / "msci-eval", kernel, "--plan", plan, "--check", "--json", *version]):
        said += findings(result["diagnostics"]) + findings(result["findings"], with_notes=True)
    return said


def of_prove(programs, kernel, plan, version):
    said = []
    for result in json_lines([programs / "msci-eval", kernel, "--plan", plan, "--prove", "--json", *version]):
        for size in result.get("sizes", []):
            for proof in size["proofs"]:
                for claim in proof["claims"]:
                    if claim["answer"] != "refuted" or claim.get("confirmed") is False:
                        continue
                    example = claim["counterexample"]
                    lines = [example[thread]["line"] for thread in ("first", "second") if example.get(thread)]
                    said.append((lines, f"{claim['subject']} of {claim['object']}"))
    return said


def of_run(programs, kernel, plan, version):
    said = []
    for result in json_lines([programs / "msci-eval", kernel, "--plan", plan, "--verify-only", "--json", *version]):
        said += findings(result["diagnostics"])
        if not result["correct"]:
            said += findings((result.get("diagnosis") or {}).get("findings", []), with_notes=True)
    return said


OF_WAY = {"lint": of_lint, "check": of_check, "prove": of_prove, "run": of_run}


def ask(way, programs, folder, bug):
    name = bug["id"].replace("/", "_")
    kernel, plan = folder / f"{name}.metal", folder / f"{name}.json"
    kernel.write_text(bug["source"])
    if bug.get("plan"):
        plan.write_text(json.dumps(bug["plan"]) if not isinstance(bug["plan"], str) else bug["plan"])
    # A source that Apple refuses has no plan: each way stops at its errors.
    return OF_WAY[way if bug.get("plan") else "lint"](programs, kernel, plan,
                                                             ["--std", bug["std"]] if bug.get("std") else [])


def answer(said, lines):
    if not said:
        return "silent"
    return "line" if any(set(places) & set(lines) for places, _ in said) else "elsewhere"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("bugs", type=pathlib.Path)
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--only", default="")
    parser.add_argument("--min-lint", type=float, default=0)
    parser.add_argument("--min-check", type=float, default=0)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    if not options.bugs.exists():
        print(f"{options.bugs} is absent")
        return 77
    with gzip.open(options.bugs, "rt") as lines:
        bugs = [json.loads(line) for line in lines]
    ways = options.ways.split(",")
    by_id = {bug["id"]: bug for bug in bugs}
    named, loud, total = dict.fromkeys(ways, 0), 0, 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for bug in bugs:
            if bug["id"].endswith("_fix") or options.only not in bug["id"]:
                continue
            is_right = bug["want"] == "silent"
            twin = bug if is_right else by_id.get(bug["id"].removesuffix("_bug") + "_fix")
            total += not is_right
            row, details = [], []
            for way in ways:
                if bug.get("kind") == "lint" and way in ("check", "run"):
                    continue  # the plan shows the size, which no machine holds
                said = [] if is_right else ask(way, options.programs, folder, bug)
                of_twin = ask(way, options.programs, folder, twin) if twin else []
                at = "right" if is_right else answer(said, bug["lines"])
                named[way] += at == "line"
                loud += bool(of_twin)
                row.append(f"{way} {at:9}" + (" TWIN" if of_twin else "     "))
                details += [f"    {way}: {where} {what}" for where, what in said]
                details += [f"    {way} of the twin: {where} {what}" for where, what in of_twin]
            print(f"{bug['id']:56}", *row)
            if options.verbose:
                print("".join(line + "\n" for line in details), end="")
    for way in ways:
        print(f"{way}: {named[way]} of {total} at a right line ({100 * named[way] / max(total, 1):.0f} %)")
    print(f"twins: {loud} answers that are not silent")
    enough = all(100 * named.get(way, total) >= least * total
                 for way, least in (("lint", options.min_lint), ("check", options.min_check)))
    return 0 if enough and not loud else 1


if __name__ == "__main__":
    sys.exit(main())
