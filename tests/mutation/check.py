#!/usr/bin/env python3
"""Plants the flaw of every rule into the good kernels of the corpus, and asks msci-lint to find it.

    check.py MSCI_LINT [--rule ID …] [--least PERCENT] [--least-of-rule PERCENT] [--show FOLDER] [--smoke]

Prints for each rule how many mutants were planted, how many it found, and those that it missed. Exits with 1 where
less than 95 % are found in all, or less than 70 % of a rule of which at least ten were planted. A mutant is the text
of a good kernel with one flaw; what plants it sees to it that the flaw is real. --show keeps the mutants that were
missed. --smoke plants two and is what ctest runs.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

import behaviour_flaws  # noqa: F401  (registers its mutators)
import grammar_flaws  # noqa: F401
from flaws import MUTATORS

CORPUS = pathlib.Path(__file__).parents[2] / "corpus" / "good"
SMOKE = {"restrict_of_c": "advect1d", "barrier_left_out": "reduce_tree"}
ENOUGH = 10  # mutants of one rule to say how good it is
BATCH = 100  # files for one run of the linter

Mutant = collections.namedtuple("Mutant", "mutator kernel where text options")


def mutants_of(mutators, kernels):
    for mutator in mutators:
        touched = 0
        for kernel in kernels:
            if touched == mutator.files:
                break
            source = kernel.read_text()
            standard = ["--std", source.split()[2]] if source.startswith("// language: ") else []
            planted = [Mutant(mutator, kernel.stem, where, text, (*mutator.options(where), *standard))
                       for where, text in mutator.plant(source) if text != source]
            touched += bool(planted)
            yield from planted


def findings_in(linter, files, options):
    """The rules that found something, by file."""
    run = subprocess.run([linter, "--json", "--no-config", *options, *map(str, files)], capture_output=True, text=True)
    if run.returncode not in (0, 1):
        sys.exit(f"{linter} could not check the mutants: {run.stderr}")
    reports = [json.loads(line) for line in run.stdout.splitlines()]
    return {report["file"]: {each["rule"] for each in report["diagnostics"]} for report in reports}


def check(linter, mutants, folder):
    """The mutants with what was found in them."""
    by_options = collections.defaultdict(list)
    for number, mutant in enumerate(mutants):
        file = folder / f"{number:05}_{mutant.kernel}.metal"
        file.write_text(mutant.text)
        by_options[mutant.options].append((file, mutant))
    for options, group in by_options.items():
        for first in range(0, len(group), BATCH):
            batch = group[first:first + BATCH]
            found = findings_in(linter, [file for file, _ in batch], options)
            for file, mutant in batch:
                yield mutant, found[str(file)]


def percent(part, whole):
    return 100.0 * part / whole if whole else 100.0


def poor_rules(planted, caught, least):
    """The rules that were asked often enough, and found too little."""
    return [rule for rule in sorted(planted)
            if planted[rule] >= ENOUGH and percent(caught[rule], planted[rule]) < least]


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("linter")
    arguments.add_argument("--rule", action="append", default=[])
    arguments.add_argument("--least", type=float, default=95.0)
    arguments.add_argument("--least-of-rule", type=float, default=70.0)
    arguments.add_argument("--show", type=pathlib.Path)
    arguments.add_argument("--smoke", action="store_true")
    options = arguments.parse_args()

    kernels = sorted(CORPUS.glob("*.metal"))
    mutators = [each for each in MUTATORS if not options.rule or each.rule in options.rule]
    mutants = list(mutants_of(mutators, kernels))
    if options.smoke:
        chosen = {}
        for each in mutants:
            if SMOKE.get(each.mutator.plant.__name__) == each.kernel:
                chosen.setdefault(each.mutator.plant.__name__, each)
        mutants = list(chosen.values())
        assert len(mutants) == len(SMOKE), "a mutator of the smoke run plants nothing"
    if options.show:
        options.show.mkdir(parents=True, exist_ok=True)

    planted, caught = collections.Counter(), collections.Counter()
    missed = collections.defaultdict(list)
    with tempfile.TemporaryDirectory() as folder:
        for mutant, rules in check(options.linter, mutants, pathlib.Path(folder)):
            rule = mutant.mutator.rule
            planted[rule] += 1
            if rule in rules:
                caught[rule] += 1
                continue
            name = mutant.mutator.plant.__name__
            missed[rule].append(f"{mutant.kernel}.metal ({mutant.where}): {name}; said instead: "
                                f"{', '.join(sorted(rules)) or 'nothing'}")
            if options.show:
                (options.show / f"{rule}.{len(missed[rule])}.{mutant.kernel}.metal").write_text(mutant.text)

    print(f"{'rule':42}{'planted':>8}{'caught':>8}")
    for rule in sorted(planted):
        print(f"{rule:42}{planted[rule]:8}{caught[rule]:8}{percent(caught[rule], planted[rule]):7.1f} %")
        for each in missed[rule]:
            print(f"    missed: {each}")
    total = percent(caught.total(), planted.total())
    print(f"{'all':42}{planted.total():8}{caught.total():8}{total:7.1f} %")
    poor = poor_rules(planted, caught, options.least_of_rule)
    for rule in poor:
        print(f"{rule} found less than {options.least_of_rule:g} %")
    sys.exit(0 if planted and total >= options.least and not poor else 1)


if __name__ == "__main__":
    main()
