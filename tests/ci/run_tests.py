#!/usr/bin/env python3
"""Runs the tests of a build with ctest, and prints which of them were skipped, and why.

tests/ci/run_tests.py BUILD_DIR            all tests; fails, too, if a test is skipped that must not be
tests/ci/run_tests.py BUILD_DIR --again 3  then the quick ones again, in a random order each time: none may differ

A test is skipped as a whole (ctest's "Skipped"), or as a part of a program of many tests. allowed_skips.txt lists the
tests that may be skipped. Results are in BUILD_DIR/test_results. Exit status: 0, or 1 if something failed."""
import argparse
import os
import random
import re
import subprocess
import sys
import xml.etree.ElementTree
from fnmatch import fnmatchcase
from pathlib import Path

QUICK_SECONDS = 0.5  # a test that takes less is quick
TESTS_AT_ONCE = len(os.sched_getaffinity(0)) + 1  # one more than processors, since long tests often wait for other programs
ALLOWED = Path(__file__).parent / "allowed_skips.txt"


def run_ctest(build, results, *options, **environment):
    """Whether all tests passed. Writes the results to the file."""
    results.unlink(missing_ok=True)
    command = ["ctest", "--test-dir", build, "--output-on-failure", "--test-output-size-passed", "1000000",
               "-j", str(TESTS_AT_ONCE), "--output-junit", results.resolve(), *options]
    return subprocess.run(command, env={**os.environ, **environment}).returncode == 0


def reason_of(output):
    """The line of what a skipped test printed that says why."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    after_mark = [lines[i + 1] for i in range(len(lines) - 1) if re.search(r"\bSkipped$", lines[i])]  # GoogleTest
    telling = [line for line in lines if re.match("skip(ped)?:", line, re.I)]
    return (after_mark + telling + lines[-1:] + ["(no reason is printed)"])[0]


def read_ctest(text):
    """By test: its seconds, and why it was skipped or None."""
    tests = {}
    for case in xml.etree.ElementTree.fromstring(text).iter("testcase"):
        output = case.findtext("system-out") or ""
        reason = reason_of(output) if case.find("skipped") is not None else None
        tests[case.get("name")] = (float(case.get("time")), reason)
        # Python's unittest counts the skipped parts of a test that passes.
        named = re.findall(r"^(\S+) .*\.\.\. skipped '(.*)'$", output, re.M)
        if not named and re.search(r"^OK \(skipped=", output, re.M):
            named = [("unnamed", "unittest names its skipped parts with verbosity=2 only")]
        for name, why in named:
            tests[f"{case.get('name')}/{name}"] = (0, why)
    return tests


def failed_in(text):
    """The tests that failed, and what they printed."""
    cases = xml.etree.ElementTree.fromstring(text).iter("testcase")
    return {case.get("name"): case.findtext("system-out") or "" for case in cases if case.find("failure") is not None}


def read_google_test(text):
    """The skipped tests of a program, and why."""
    skipped = {}
    for case in xml.etree.ElementTree.fromstring(text).iter("testcase"):
        if (mark := case.find("skipped")) is not None:
            reason = (mark.get("message") or mark.text or "").strip().splitlines()
            skipped[f"{case.get('classname')}.{case.get('name')}"] = reason[-1] if reason else "(no reason is printed)"
    return skipped


def read_allowed(text):
    """Triples: a pattern of names, a regular expression of the reason, and why that is all right."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [tuple(part.strip() for part in line.split(" | ")) for line in lines]


def allowance(name, reason, allowed):
    """Why this test may be skipped for this reason, or None."""
    return next((why for pattern, expected, why in allowed
                 if fnmatchcase(name, pattern) and re.search(expected, reason)), None)


def skipped_in(results):
    skipped = {name: reason for name, (_, reason) in read_ctest(results.read_text()).items() if reason is not None}
    for file in sorted(results.parent.glob("parts/*.xml")):
        skipped.update(read_google_test(file.read_text()))
    return skipped


def report_skips(skipped, allowed):
    """Prints the skipped tests. Returns the names of those that must not be skipped."""
    unexpected = [name for name, reason in skipped.items() if allowance(name, reason, allowed) is None]
    if skipped:
        print(f"\n{len(skipped)} skipped:")
    for name, reason in sorted(skipped.items()):
        print(f"  {name}: {reason}\n    {allowance(name, reason, allowed) or 'UNEXPECTED: see tests/ci/allowed_skips.txt'}")
    return unexpected


def run_all(build, results):
    for old in results.parent.glob("parts/*.xml"):
        old.unlink()
    passed = run_ctest(build, results)
    if not results.exists():
        return False
    unexpected = report_skips(skipped_in(results), read_allowed(ALLOWED.read_text()))
    if unexpected:
        print(f"FAILED: {len(unexpected)} tests were skipped that must run: {' '.join(unexpected)}")
    return passed and not unexpected


def run_again(build, results, times):
    """The quick tests of the last run, in a random order each time."""
    tests = {name: of for name, of in read_ctest(results.read_text()).items() if "/" not in name}
    slow = [name for name, (seconds, _) in tests.items() if seconds >= QUICK_SECONDS]
    expected = {name for name, (_, reason) in tests.items() if reason is not None}
    for time in range(1, times + 1):
        seed = random.randint(1, 99999)  # of the order in programs of many tests
        print(f"\nThe {len(tests) - len(slow)} quick tests, time {time} of {times}: GTEST_SHUFFLE=1 GTEST_RANDOM_SEED={seed}", flush=True)
        again = results.with_name(f"again_{time}.xml")
        options = ["--exclude-regex", f"^({'|'.join(map(re.escape, slow))})$"] if slow else []
        if not run_ctest(build, again, "--schedule-random", "--quiet", *options, GTEST_SHUFFLE="1", GTEST_RANDOM_SEED=str(seed)):
            for name, output in failed_in(again.read_text()).items() if again.exists() else []:
                print(f"\n{name}:\n{output}")
            print(f"FAILED: a quick test passed, and failed at time {time}; it depends on chance or on the order")
            return False
        differing = {name for name, (_, reason) in read_ctest(again.read_text()).items()
                     if "/" not in name and (reason is not None) != (name in expected)}
        if differing:
            print(f"FAILED: tests were skipped in one run only: {' '.join(sorted(differing))}")
            return False
    return True


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=Path)
    parser.add_argument("--again", type=int, default=0, metavar="TIMES")
    options = parser.parse_args()
    results = options.build / "test_results" / "ctest.xml"
    results.parent.joinpath("parts").mkdir(parents=True, exist_ok=True)
    if options.again:
        return run_again(options.build, results, options.again)
    return run_all(options.build, results)


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
