#!/usr/bin/env python3
"""Runs the commands in docs/ and the README: tests/docs/commands.py BIN_DIR SOURCE_DIR front|others

The commands of a page run one after the other in a folder with the files that they name, and must succeed. If a block
shows the output of a command (`$ command`, then the text), the output must be that text (page_output.py).

On the front pages, every line of an indented block and every `$ command` is a command. It runs here, or RUN_ELSEWHERE
names the test that runs it. On the other pages, commands are those of our programs; NOT_RUN names the ones that cannot
run here, with reasons. Every option must be one that the program knows. tests/tutorial runs the tutorials."""
import functools
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import page_output

BIN, SOURCE = (Path(each).resolve() for each in sys.argv[1:3])

GENERATED = "<!-- Generated from the options of the program"  # whose examples are those of --help
FOLDERS = ["guide", "reference", "concepts", "developer", "reports"]  # of docs/
FRONT_PAGES = ["README.md", "docs/guide/installing.md", "docs/reference/python.md"]

# Commands of the front pages that install packages, build, or need an installation: what they begin with, and where
# they run.
RUN_ELSEWHERE = {
    "./run.sh": ".ci/run",
    "./test.sh": ".ci/run",
    "packaging/package.sh": "tests/package/installed_size.sh runs its steps",
    "packaging/release.sh": "docs/developer/long_checks.md",
    "packaging/arm64.sh": "tests/package/arm64.py tries what it made",
    "pip install ./msci-*x86_64.whl": "tests/package/clean_roots.sh",
    "sudo apt install ./msci_*amd64.deb": "tests/package/clean_roots.sh",
    "CXX=clang++-22 cmake -S . -B build": ".ci/run",
    "cmake --install build --prefix": "tests/package/install.sh",
    "(cd build && cpack)": "tests/package/installed_size.sh",
}

# Commands of the other pages, by their beginning, without "build/bin/".
RECORDED = "reads recorded verdicts, which are not part of the project"
MINUTES = "takes minutes"
NETWORK = "asks a model over the network"
IN_SEARCH = "tests/search/msci_search_test.cpp runs it"
ON_FRONT_PAGE = "runs as a command of the README"
NOT_RUN = {
    "msci-agree": RECORDED,
    "msci-clock": RECORDED,
    "msci-pipeline-registers": RECORDED,
    "msci-check-recorded": RECORDED,
    "msci-prove-random": MINUTES,
    "msci-prove-faults": "tests/analysis builds it on request",
    "msci-fault-table": "tests/rules builds it on request",
    "msci-lint --json build/records": RECORDED,
    "msci-lint --fix build/records": RECORDED,
    'msci-eval "$task"/*.metal': RECORDED,
    "msci-aa": MINUTES,
    "msci-handwritten": MINUTES,
    "msci-bandwidth": MINUTES,
    "msci-check-cost": MINUTES,
    "msci-differential": MINUTES,
    "msci-bench": MINUTES,
    "msci-texture-speed": "tests/bench builds it on request",
    "msci-tasks audit all": MINUTES,
    "msci-eval new.metal --task nbody --vs": MINUTES,
    "msci-eval k.metal --task nbody --perf-result": MINUTES,
    "msci-eval --task all": MINUTES,
    "msci-eval best.metal --task nbody --gate": MINUTES,
    "msci-search --task heat2d --iterations 20": MINUTES,
    "msci-search --task nbody --iterations 10": NETWORK,
    "msci-generate openai": NETWORK,
    "msci-generate anthropic": NETWORK,
    "msci-search --task nbody --iterations 4 --out demo": ON_FRONT_PAGE,
    "msci-search --task nbody --iterations 4 --out foreseen": IN_SEARCH,
    "msci-search --task nbody --tune": MINUTES,
    "msci-search --task adi3d": RECORDED,
    "msci-eval *.metal --task all --strict --verify-only --json --slurm": "tests/evaluator/slurm_batch_test.sh runs it",
    "msci-eval four.metal": "tests/evaluator/msci_eval_test.cpp runs it",
    "msci-eval --emit opencl -I . --std metal3.2 mlx/": "reads a project that is not part of this one",
    "msci-eval --emit apple": "tests/compiler/mesa/apple_code_test.py runs it",
    "msci-eval --server": "tests/evaluator/server/server_test.py runs it",
    "msci-eval --page": "tests/evaluator/page/person_test.py runs it",
    "msci-lint --server --socket": "runs until it is stopped",
    "msci-lint --server --task": "a dialogue, which tests/lint/server_test.py runs",
}

BLOCK = re.compile(r"^```\w*\n(.*?)^```$|((?:^    [^\n]*\n)+)", re.M | re.S)
LEAD = re.compile(r"^\s*(?:\$ |(?:- )?(?:run|script): )?")  # before a line's first command
PROGRAM = re.compile(r"(?:^|[|&] *)((?:build/bin/)?msci-[a-z-]+)(?= |$)")


def blocks_of(page):
    """The text of each block, with continued lines joined, and whether it is indented."""
    for fenced, indented in BLOCK.findall(page.read_text()):
        yield (fenced or indented).replace("\\\n", ""), bool(indented)


def commands_of(block, every_line):
    """Each command, what of it begins with a program of ours or None, and the output that the page shows or None."""
    lines = block.splitlines()
    for i, line in enumerate(lines):
        whole = LEAD.sub("", line).split("  #")[0].strip()
        program = PROGRAM.search(whole.replace("build/bin/", ""))
        prompt = line.startswith("$ ")
        if whole and (program or every_line or prompt):
            shown = [*itertools.takewhile(lambda each: not each.startswith("$ "), lines[i + 1:])]
            yield whole, program and program.string[program.start(1):], shown if prompt else None


def reason_not_to_run(command, reasons):
    return next((start for start in reasons if command.startswith(start)), None)


@functools.cache
def help_of(program, subcommand):
    words = [BIN / program, *filter(None, [subcommand])]
    for option in ("--help-all", "--help"):
        done = subprocess.run([*words, option], capture_output=True, text=True, timeout=600)
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


def tutorials():
    """The pages that tests/tutorial runs."""
    return re.search(r"foreach\(page ([\w ]+)\)", (SOURCE / "tests/tutorial/CMakeLists.txt").read_text())[1].split()


def prepare(folder, page):
    """Creates the files that the commands of a page name."""
    for name in ("docs", "tasks", "corpus", "python"):
        (folder / name).symlink_to(SOURCE / name)
    (folder / "build").symlink_to(BIN.parent)
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
    (folder / "Runner.swift").write_text('let function = library.makeFunction(name: "saxpy")\n')
    (folder / "host.mm").write_text('NSString* source = @R"(\n' + of_hosts + ')";\n')
    (folder / "wrapper.cpp").write_text("void nothing() {}\n")
    for name, kernel in (("src", "matrix_vector"), ("shaders", "histogram")):
        (folder / name).mkdir()
        shutil.copy(SOURCE / f"corpus/good/{kernel}.metal", folder / name)
    results = sorted((SOURCE / "tests/search/report/results").rglob("*.jsonl"))
    for name in ("seeds.jsonl", "mine.jsonl"):
        shutil.copy(results[0], folder / name)
    for name, of in (("runs", "."), ("results", "."), ("demo", "search")):
        shutil.copytree(SOURCE / "tests/search/report/results" / of, folder / name)
    (folder / "demo/best.metal").write_text(seed("nbody"))
    if page == "README.md":  # its search makes this folder
        shutil.rmtree(folder / "demo")


def run(command, shown, folder):
    """The problem with the command, or None."""
    paths = f"{BIN}:{os.environ['PATH']}"
    environment = dict(os.environ, PATH=paths, HOME=str(folder), NO_COLOR="1", LC_ALL="C.UTF-8")
    done = subprocess.run(["bash", "-c", command.replace("build/bin/", "")], cwd=folder, env=environment, text=True,
                          timeout=900, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if shown is None:
        return None if done.returncode == 0 else f"exit status {done.returncode}\n{done.stdout}"
    if why := page_output.difference(shown, done.stdout.splitlines()):
        return f"{why}; it prints\n{done.stdout}"
    return None


def check_page(page, folder, reasons):
    """The problems of a page, how many commands ran, and which reasons not to run one it used."""
    problems, ran, used = [], 0, set()
    front = page.name in {Path(each).name for each in FRONT_PAGES}
    for block, indented in blocks_of(page):
        for whole, ours, shown in commands_of(block, front and indented):
            problem = None
            if ours and (option := unknown_option(ours)):
                problem = f"the program has no {option}"
            elif why := reason_not_to_run(whole if front else ours or whole, reasons):
                used.add(why)
            else:
                ran += 1
                problem = run(whole, shown, folder)
            if problem:
                problems.append(f"{page.name}: {whole}: {problem}")
    return problems, ran, used


def main():
    front = [SOURCE / page for page in FRONT_PAGES]
    others = [SOURCE / "CONTRIBUTING.md", *sorted(page for page in (SOURCE / "docs").glob("*/*.md")
                                                  if page.parent.name in FOLDERS and page not in front
                                                  and page.stem not in tutorials()
                                                  and GENERATED not in page.read_text())]
    pages, reasons = (front, RUN_ELSEWHERE) if sys.argv[3] == "front" else (others, NOT_RUN)
    problems, ran, used = [], 0, set()
    for page in pages:
        with tempfile.TemporaryDirectory() as name:
            prepare(Path(name), page.name)
            of_page = check_page(page, Path(name), reasons)
        problems += of_page[0]
        ran += of_page[1]
        used |= of_page[2]
    problems += [f"{start!r} is on no page, but has a reason not to be run" for start in reasons if start not in used]
    if reasons is RUN_ELSEWHERE:
        problems += [f"{start!r}: {where.split()[0]} is missing" for start, where in reasons.items()
                     if not (SOURCE / where.split()[0]).exists()]
    if problems:
        print("\n".join(problems))
        return 1
    print(f"{ran} commands do what the pages say, {len(used)} are not run here:")
    for start in sorted(used):
        print(f"  {start}: {reasons[start]}")
    return 0


sys.exit(main())
