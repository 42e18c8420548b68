#!/usr/bin/env python3
"""How many findings in real projects are true and useful, by verdicts of readers of the sources.

  precision.py FINDINGS

FINDINGS is what `projects.py --findings FINDINGS` writes. Prints a table of rules: all verdicts, and those on findings
that the run still has. Exits with 1 if a finding has no verdict, or if the page of a rule states other numbers.
"""

import argparse
import collections
import json
import pathlib
import sys

VERDICTS = ("useful", "useless", "false")
ROOT = pathlib.Path(__file__).resolve().parents[2]
JUDGED = ROOT / "corpus/precision/verdicts.jsonl"


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines() if line]


def key_of(entry):
    return (entry["rule"], entry["project"], entry["file"], entry["line"])


def findings_in(path):
    """The findings of a run by their keys; sources that include one file each report what is in it."""
    found = {}
    for each in lines_of(path):
        project, _, file = each["file"].partition("/projects/")[2].partition("/")
        entry = {"rule": each["rule"], "severity": each["severity"], "project": project, "file": file,
                 "line": each["line"], "message": each["message"]}
        found.setdefault(key_of(entry), entry)
    return found


def share(useful, judged):
    return f"{100 * useful / judged:.0f} %" if judged else "–"


def counts_of(findings, verdicts):
    """By the severity and the rule: all verdicts, those on findings of the run ("useful now"), and the findings."""
    counts = collections.defaultdict(collections.Counter)
    for entry in findings.values():
        counts[entry["severity"], entry["rule"]]["found"] += 1
    for entry in verdicts:
        severity = findings.get(key_of(entry), entry)["severity"]
        counts[severity, entry["rule"]][entry["verdict"]] += 1
        counts[severity, entry["rule"]][entry["verdict"] + " now"] += key_of(entry) in findings
    return counts


def judged_now(counts):
    return sum(counts[each + " now"] for each in VERDICTS)


def row(name, counts):
    verdicts = [counts[each] for each in VERDICTS]
    cells = [name, *verdicts, share(counts["useful"], sum(verdicts)), counts["found"], counts["useful now"],
             share(counts["useful now"], judged_now(counts))]
    return "| " + " | ".join(str(each) for each in cells) + " |"


def table_of(counts):
    lines = ["| rule | true and useful | true, of no use | false | precision | reported now | useful now | precision now |",
             "|---|---:|---:|---:|---:|---:|---:|---:|"]
    whole = collections.Counter()
    for severity in ("warning", "note"):
        total = collections.Counter()
        for of, rule in sorted(counts):
            if of == severity:
                lines.append(row(rule, counts[of, rule]))
                total.update(counts[of, rule])
        lines.append(row(f"**{severity}s**", total))
        whole.update(total)
    return "\n".join([*lines, row("**all**", whole)])


def statement_of(counts):
    """Of a rule: its warnings and notes together."""
    return f"{counts['useful now']} of {judged_now(counts)} findings in four projects are true and useful"


def pages_that_differ(counts_by_severity):
    """Pages of rules that do not state what the table does; a page may break the line anywhere."""
    rules = collections.defaultdict(collections.Counter)
    for (_, rule), counts in counts_by_severity.items():
        rules[rule].update(counts)
    for rule, counts in sorted(rules.items()):
        page = ROOT / "rules" / (rule.replace(".", "/") + ".md")
        if judged_now(counts) and statement_of(counts) not in " ".join(page.read_text().split()):
            yield f"{page.relative_to(ROOT)} lacks: {statement_of(counts)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("findings", type=pathlib.Path)
    parser.add_argument("--verdicts", type=pathlib.Path, default=JUDGED)
    options = parser.parse_args()
    findings = findings_in(options.findings)
    verdicts = lines_of(options.verdicts)
    counts = counts_of(findings, verdicts)
    print(table_of(counts))
    judged = {key_of(entry) for entry in verdicts}
    missing = sorted(set(findings) - judged)
    for rule, project, file, line in missing:
        print(f"no verdict: {project}/{file}:{line}: {rule}", file=sys.stderr)
    differing = list(pages_that_differ(counts))
    for each in differing:
        print(each, file=sys.stderr)
    return 1 if missing or differing else 0


if __name__ == "__main__":
    sys.exit(main())
