#!/usr/bin/env python3
"""Lints sources of one behaviour each, and compares with what Apple's compiler does with them.

  facts.py MSCI_LINT FACTS [--misses] [--min-refused PERCENT] [--min-accepted PERCENT]

FACTS is corpus/facts, or a recorded file (.jsonl.gz). Prints, for each topic, how many of the facts that are sure get the
same answer, then all misses. What rests on one author's word (`sure` is false) is listed apart and counts nowhere. A source
of corpus/facts may name a part of the message; a refusal in other words is a miss. Exit status: 1 if a share is below its
minimum or a proof stopped, 77 if the facts are absent.
"""

import argparse
import collections
import gzip
import json
import pathlib
import subprocess
import sys
import tempfile


PREFIX = "#include <metal_stdlib>\nusing namespace metal;\n"


def of_folder(folder):
    """The facts of corpus/facts: `// --- NAME: refused [at VERSION] | MESSAGE`, `// evidence: …`, and a source."""
    facts = []
    for path in sorted(folder.glob("*.metal")):
        for block in path.read_text().split("// --- ")[1:]:
            head, evidence, source = block.split("\n", 2)
            name, rest = head.split(": ", 1)
            want, _, message = rest.partition(" | ")
            want, _, version = want.partition(" at ")
            if want not in ("refused", "accepted") or not evidence.startswith("// evidence: "):
                sys.exit(f"{path}: {name}: a fact needs `refused` or `accepted`, and its evidence")
            facts.append({"id": f"{path.stem}/{name}", "topic": path.stem, "std": version or "metal3.2", "want": want,
                          "message": message, "apple": message, "sure": True,
                          "source": source if source.startswith("#include") else PREFIX + source})
    return facts


def of_file(path):
    with gzip.open(path, "rt") as lines:
        return [json.loads(line) for line in lines]


def lint(program, folder, facts):
    """The report of msci-lint for each fact: one run for each version of Metal."""
    by_version = collections.defaultdict(list)
    for number, fact in enumerate(facts):
        path = folder / f"{number:04}.metal"
        path.write_text(fact["source"])
        by_version[fact["std"]].append((path, fact))
    reports = {}
    for version, sources in sorted(by_version.items()):
        command = [program, "--json", "--no-config", "--jobs", "2"] + (["--std", version] if version else [])
        run = subprocess.run(command + [str(path) for path, _ in sources], stdout=subprocess.PIPE, check=False)
        if run.returncode not in (0, 1):
            sys.exit(f"{program} exits with {run.returncode} at {version or 'the default version'}")
        for line in run.stdout.splitlines():
            report = json.loads(line)
            reports[pathlib.Path(report["file"]).name] = report
    return [reports[f"{number:04}.metal"] for number in range(len(facts))]


def agrees(fact, report):
    if fact["want"] == "accepted" or report["valid"]:
        return report["valid"] == (fact["want"] == "accepted")
    return any(fact.get("message", "") in each["message"] for each in report["diagnostics"])


def stopped(report):
    """The kernels whose proof ended early: a crash of msci, whatever the source is."""
    return [each for each in (report["proofs"] or {}).get("unproved", []) if "stopped" in json.dumps(each)]


def first_error(report):
    errors = [each for each in report["diagnostics"] if each["severity"] == "error"]
    return f"{errors[0]['message']} [{errors[0]['rule']}]" if errors else ""


def share(right, total):
    return 100.0 * right / total if total else 100.0


def print_table(rows, title):
    print(f"| {title} | refused | as Apple | accepted | as Apple |\n|---|---|---|---|---|")
    for name, counts in sorted(rows.items()):
        print(f"| {name} | {counts['refused']} | {counts['refused', True]} | {counts['accepted']} | "
              f"{counts['accepted', True]} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("facts", type=pathlib.Path)
    parser.add_argument("--misses", action="store_true", help="print the source of each miss, too")
    parser.add_argument("--min-refused", type=float, default=0)
    parser.add_argument("--min-accepted", type=float, default=0)
    options = parser.parse_args()
    if not options.facts.exists():
        print(f"{options.facts} is absent")
        return 77
    facts = of_folder(options.facts) if options.facts.is_dir() else of_file(options.facts)
    with tempfile.TemporaryDirectory() as folder:
        reports = lint(options.program, pathlib.Path(folder), facts)

    rows, all_sure = collections.defaultdict(collections.Counter), collections.Counter()
    for fact, report in zip(facts, reports):
        if fact["sure"]:
            for counts in (rows[fact["topic"]], all_sure):
                counts[fact["want"]] += 1
                counts[fact["want"], agrees(fact, report)] += 1
    print_table(rows | {"all": all_sure}, "topic")
    for fact, report in zip(facts, reports):
        if not agrees(fact, report):
            doubt = "" if fact["sure"] else "not sure, "
            print(f"{fact['id']} ({doubt}{fact['topic']}, {fact['std'] or 'default'}): {fact['want']} by Apple: "
                  f"{fact['apple']}; here: {first_error(report) or 'accepted'}")
            if options.misses:
                print("    " + fact["source"].strip().replace("\n", "\n    "))
    crashes = [fact["id"] for fact, report in zip(facts, reports) if stopped(report)]
    print("".join(f"{each}: the proof of a kernel stopped\n" for each in crashes), end="")
    refused = share(all_sure["refused", True], all_sure["refused"])
    accepted = share(all_sure["accepted", True], all_sure["accepted"])
    print(f"refused as Apple: {refused:.1f} %, accepted as Apple: {accepted:.1f} %")
    return int(bool(crashes) or refused < options.min_refused or accepted < options.min_accepted)


if __name__ == "__main__":
    sys.exit(main())
