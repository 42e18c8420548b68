#!/usr/bin/env python3
"""Runs the commands in docs/ and the README: tests/docs/commands.py BIN_DIR SOURCE_DIR

The script takes the commands of our programs from indented and fenced blocks. It runs those of a page one after the
other in a folder with the files that they name, and they must succeed. If a block shows the output of a command
(`$ command`, then the text), the output must match. NOT_RUN names the commands that cannot run here, with reasons.
Every option of every command must be one that the program knows. tests/tutorial checks docs/tutorial."""
import functools
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BIN, SOURCE = (Path(each).resolve() for each in sys.argv[1:3])

# By the beginning of a command, without "build/bin/".
RECORDED = "reads recorded verdicts, which are not part of the project"
MINUTES = "takes minutes"
NETWORK = "asks a model over the network"
IN_SEARCH = "tests/search/msci_search_test.cpp runs it"
BUILDS = "installs packages and builds"
NOT_RUN = {
    "msci-agree": RECORDED,
    "msci-clock": RECORDED,
    "msci-check-recorded": RECORDED,
    "msci-lint --json build/records": RECORDED,
    "msci-lint --fix build/records": RECORDED,
    'msci-eval "$task"/*.metal': RECORDED,
    "msci-aa": MINUTES,
    "msci-handwritten": MINUTES,
    "msci-bandwidth": MINUTES,
    "msci-check-cost": MINUTES,
    "msci-differential": MINUTES,
    "msci-against-c": MINUTES,
    "msci-texture-speed": "tests/bench builds it on request",
    "msci-tasks audit all": MINUTES,
    "msci-eval new.metal --task nbody --vs": MINUTES,
    "msci-eval k.metal --task nbody --perf-result": MINUTES,
    "msci-eval --task all": MINUTES,
    "msci-eval best.metal --task nbody --gate": MINUTES,
    "msci-eval tasks/nbody/nbody.metal --task nbody --held-out": "prints times",
    "msci-search --task nbody --iterations 10": NETWORK,
    "msci-generate openai": NETWORK,
    "msci-generate anthropic": NETWORK,
    "msci-generate replay": IN_SEARCH,
    "msci-search --task nbody --iterations 4": IN_SEARCH,
    "msci-search --task adi3d": RECORDED,
    "msci-eval *.metal --task all --strict --verify-only --json --slurm": "tests/evaluator/slurm_batch_test.sh runs it",
    "msci-eval four.metal": "tests/evaluator/msci_eval_test.cpp runs it",
    "msci-eval --server": "tests/evaluator/server/server_test.py runs it",
    "msci-lint --server --socket": "runs until it is stopped",
    "msci-lint --server --task": "a dialogue, which tests/lint/server_test.py runs",
    "./package.sh": BUILDS,
}

BLOCK = re.compile(r"^```\w*\n(.*?)^```$|((?:^    [^\n]*\n)+)", re.M | re.S)
LEAD = re.compile(r"^\s*(?:\$ |(?:- )?(?:run|script): )?")  # before a line's first command
PROGRAM = re.compile(r"(?:^|[|&] *)((?:build/bin/)?msci-[a-z-]+|\./(?:run|package)\.sh)(?= |$)")


def blocks_of(page):
    return [fenced or indented for fenced, indented in BLOCK.findall(page.read_text())]


def commands_of(block):
    """Each line with a command of ours, from the command on, and the output that the page shows, or None."""
    lines = block.splitlines()
    for i, line in enumerate(lines):
        whole = LEAD.sub("", line).split("  #")[0].strip().replace("build/bin/", "")
        if program := PROGRAM.search(whole):
            shown = [*itertools.takewhile(lambda each: not each.startswith("$ "), lines[i + 1:])]
            yield whole, whole[program.start(1):], shown if line.startswith("$ ") else None


def without_measurements(line):
    """The part that is the same on every machine."""
    return re.sub(r" on .*|max_abs\w* \S+", "", line)


def reason_not_to_run(command):
    return next((start for start in NOT_RUN if command.startswith(start)), None)


@functools.cache
def help_of(program, subcommand):
    words = [BIN / program, *filter(None, [subcommand])]
    for option in ("--help-all", "--help"):
        done = subprocess.run([*words, option], capture_output=True, text=True, timeout=20)
        if done.returncode == 0:
            return done.stdout
    return ""


def unknown_option(command):
    """An option of the command that the help of its program does not list, or None."""
    words = re.split(r"[|&;>]|'", command)[0].replace("[", "").replace("]", "").split()
    if not (BIN / words[0]).exists():
        return None  # our scripts, and programs that are built on request only
    known = help_of(words[0], None)
    if len(words) > 1 and re.search(rf"^  {re.escape(words[1])}\s", known, re.M):
        known += help_of(words[0], words[1])
    for word in words[1:]:
        option = word.split("=")[0]
        if option.startswith("--") and not re.search(rf"{option}(?![a-z-])", known):
            return option
    return None


def prepare(folder, page):
    """Creates the files that the commands of a page name."""
    for name in ("docs", "tasks", "corpus"):
        (folder / name).symlink_to(SOURCE / name)
    seed = lambda task: (SOURCE / f"tasks/{task}/{task}.metal").read_text()
    example = SOURCE / "docs/plan_example"
    hosts = SOURCE / "tests/lint/host"
    of_hosts = (hosts / "kernels.metal").read_text().split("kernel void row_sum")[0]
    of_tasks = seed("heat2d") + (example / "smooth.metal").read_text()
    (folder / "kernel.metal").write_text(of_hosts if page == "linting.md" else of_tasks)
    (folder / "k.metal").write_text(seed("nbody"))
    for file in example.iterdir():
        shutil.copy(file, folder)
    for file, host in (("main.mm", "honest_class.cpp"), ("main.cpp", "honest_function.cpp")):
        shutil.copy(hosts / "hosts" / host, folder / file)
    (folder / "wrapper.cpp").write_text("void nothing() {}\n")
    for name, kernel in (("src", "matrix_vector"), ("shaders", "histogram")):
        (folder / name).mkdir()
        shutil.copy(SOURCE / f"corpus/good/{kernel}.metal", folder / name)
    results = sorted((SOURCE / "tests/evaluator/report/results").rglob("*.jsonl"))
    for name in ("seeds.jsonl", "mine.jsonl"):
        shutil.copy(results[0], folder / name)
    for name, of in (("runs", "."), ("results", "."), ("demo", "search")):
        shutil.copytree(SOURCE / "tests/evaluator/report/results" / of, folder / name)
    (folder / "demo/best.metal").write_text(seed("nbody"))


def run(command, shown, folder):
    """The problem with the command, or None."""
    environment = dict(os.environ, PATH=f"{BIN}:{os.environ['PATH']}", HOME=str(folder), NO_COLOR="1")
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, text=True, timeout=300,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if shown is None:
        return None if done.returncode == 0 else f"exit status {done.returncode}\n{done.stdout}"
    if [*map(without_measurements, done.stdout.splitlines())] == [*map(without_measurements, shown)]:
        return None
    return f"the output differs:\n{done.stdout}"


def main():
    problems, ran, used = [], 0, set()
    for page in [SOURCE / "README.md", SOURCE / "CONTRIBUTING.md", *sorted((SOURCE / "docs").glob("*.md"))]:
        with tempfile.TemporaryDirectory() as name:
            prepare(Path(name), page.name)
            for line, command, shown in (each for block in blocks_of(page) for each in commands_of(block)):
                problem = None
                if option := unknown_option(command):
                    problem = f"the program has no {option}"
                elif why := reason_not_to_run(command):
                    used.add(why)
                else:
                    ran += 1
                    problem = run(line, shown, Path(name))
                if problem:
                    problems.append(f"{page.name}: {line}: {problem}")
    problems += [f"NOT_RUN names {start!r}, which is on no page" for start in NOT_RUN if start not in used]
    print("\n".join(problems) or f"{ran} commands do what the pages say, {len(used)} are not run:")
    for start in sorted(used):
        print(f"  {start}: {NOT_RUN[start]}")
    return bool(problems)


sys.exit(main())
