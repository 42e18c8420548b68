#!/usr/bin/env python3
"""Compares what two builds of msci say about the same kernels, field by field.

tests/agreement/compare_builds.py OLD/bin NEW/bin [--data FOLDER] [--only REGEX] [--what lint,strict,check] [--jobs N]

The kernels: the recorded candidates (if FOLDER, by default ../shared/data, has them), the kernels of corpus/ with their
plans, of corpus/faults and of corpus/cheats. Each build lints, judges strictly with one nonce, and checks. Times, rates, scores,
versions and paths are left out, because they differ between two runs of one build. Prints each field that differs, and a
count. Exit status: 0 if nothing differs, 1 if something does, 2 if a build could not be run or neither has an answer."""
import argparse
import concurrent.futures
import gzip
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / "tests/check"))
from answers import plan_of  # noqa: E402  a launch in the comments of a kernel, as a plan
# What two runs of one build do not share.
VOLATILE = re.compile(r"(^|_)(seconds|ms|time|times|gflops|gbps|rate|score|fraction|ceiling|version|phases|path|file|"
                      r"bandwidth|speedup|interval|device|peak|memory_mib|timing|url)($|_)")


def stable(value):
    """The value without what differs between two runs."""
    if isinstance(value, dict):
        return {key: stable(each) for key, each in sorted(value.items()) if not VOLATILE.search(key)}
    if isinstance(value, list):
        return [stable(each) for each in value]
    return value


def differences(old, new, place=""):
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            yield from differences(old.get(key), new.get(key), f"{place}.{key}")
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for index, (one, other) in enumerate(zip(old, new)):
            yield from differences(one, other, f"{place}[{index}]")
    elif old != new:
        yield place, old, new


def answer(command):
    """The exit status and the objects on standard output; without objects, the first line of standard error."""
    ran = subprocess.run(command, capture_output=True, text=True, timeout=600)
    try:
        lines = [stable(json.loads(line)) for line in ran.stdout.splitlines() if line.strip()]
    except json.JSONDecodeError:
        lines = [ran.stdout]
    return {"status": ran.returncode, "lines": lines, "error": "" if lines else ran.stderr.partition("\n")[0]}


def recorded(data, folder):
    file = data / "recorded_candidates.jsonl.gz"
    if not file.exists():
        print(f"left out: the recorded candidates ({file} is missing)", file=sys.stderr)
        return
    for line in gzip.open(file, "rt"):
        record = json.loads(line)
        kernel = folder / f"{record['id']}.metal"
        kernel.write_text(record["source"])
        yield kernel, ["--task", record["task"]]


def corpus(folder):
    for plan in sorted((TOP / "corpus/plans").glob("*.json")):
        yield TOP / "corpus/good" / f"{plan.stem}.metal", ["--plan", str(plan)]
    for kernel in sorted((TOP / "corpus/faults").glob("*.metal")):
        text = kernel.read_text()
        if re.search(r"^// in \d+: (pointer|functions|texture|sampler) ", text, re.M):
            continue  # which plan_of() does not read
        plan = folder / f"{kernel.stem}.json"
        plan.write_text(json.dumps(plan_of(text)))
        yield kernel, ["--plan", str(plan), "--kernel", "faulty"]
    for kernel in sorted((TOP / "corpus/cheats").rglob("*.metal")):
        task = re.search(r"^// task: (\w+)", kernel.read_text(), re.M)
        yield kernel, ["--task", task[1]] if task else []


def commands(kernel, task):
    yield "lint", ["msci-lint", kernel, "--json"]
    if task:
        yield "strict", ["msci-eval", kernel, *task, "--device", "cpu", "--verify-only", "--strict", "--nonce", "5eed", "--json"]
        yield "check", ["msci-eval", kernel, *task, "--check", "--json"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--data", type=Path, default=TOP / "../shared/data")
    parser.add_argument("--only", type=re.compile, default=re.compile(""), help="kernels whose name matches")
    parser.add_argument("--what", type=lambda text: text.split(","), default=["lint", "strict", "check"],
                        help="lint, strict and check, divided by commas")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    if unknown := set(options.what) - {"lint", "strict", "check"}:
        parser.error(f"--what: unknown: {', '.join(sorted(unknown))}")
    for folder in (options.old, options.new):
        if not (folder / "msci-eval").exists():
            parser.error(f"{folder} has no msci-eval: name the folder bin of a build")

    with tempfile.TemporaryDirectory() as folder:
        work = [(kernel, what, command)
                for kernel, task in [*recorded(options.data, Path(folder)), *corpus(Path(folder))]
                if options.only.search(kernel.name) for what, command in commands(kernel, task) if what in options.what]
        if not work:
            parser.error("no kernel of that name has an answer to compare")

        def compare(job):
            kernel, what, command = job
            old, new = (answer([build / command[0], *command[1:]]) for build in (options.old, options.new))
            return kernel, what, list(differences(old, new)), "" if old["lines"] or new["lines"] else old["error"]

        differing = unanswered = 0
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for done, (kernel, what, found, error) in enumerate(pool.map(compare, work), 1):
                differing += bool(found)
                unanswered += bool(error)
                if error:
                    print(f"{kernel.name} {what}: neither build answers: {error}")
                for place, old, new in found:
                    print(f"{kernel.name} {what}{place}: {json.dumps(old)[:200]} -> {json.dumps(new)[:200]}")
                if done % 50 == 0:
                    print(f"{done} of {len(work)} compared, {differing} differ", file=sys.stderr, flush=True)
    print(f"{len(work) - unanswered} answers compared, {differing} differ; neither build has one for {unanswered} more")
    sys.exit(2 if unanswered else bool(differing))


main()
