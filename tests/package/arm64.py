#!/usr/bin/env python3
"""The programs for arm64 that packaging/arm64.sh built find and judge the same as those of this machine:

    tests/package/arm64.py SOURCE_DIR ARM64_BUILD_DIR BIN_DIR [all]

They run in qemu's emulation. By default, each 50th kernel of the corpus is linted and the seed of saxpy judged; with
"all", all kernels and all seeds, which takes hours. Exits with 77 and a word where that build is absent. The emulation has
no seccomp, no Landlock and no namespaces, so the layers of isolation are not tested."""
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE, BUILD, BIN = (Path(each).resolve() for each in sys.argv[1:4])
IS_ALL = sys.argv[4:] == ["all"]
# The engine reserves terabytes of addresses for its windows. Older emulators keep a table of all of them.
LEAST_QEMU = 8
MOST_BYTES = 6 << 30


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


def cached(name):
    found = re.search(rf"^{name}:\w+=(.*)$", (BUILD / "CMakeCache.txt").read_text(), re.M)
    return found[1] if found else ""


def run(command, **options):
    limit = lambda: resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))
    return subprocess.run(command, capture_output=True, text=True, cwd=SOURCE, preexec_fn=limit, **options)


def programs_in(folder, emulator):
    """A folder with the programs, in which the process for kernels starts in the emulation, too."""
    for program in ("msci", "msci-worker"):
        shutil.copy(BUILD / "bin" / program, folder / program)
    worker = folder / "msci-engine-worker"
    worker.write_text(f'#!/bin/sh\nexec {shlex.join(emulator)} -0 msci-engine-worker "${{0%/*}}/msci" "$@"\n')
    worker.chmod(0o755)
    return [*emulator, str(folder / "msci")]


def different_findings(arm64):
    """The kernels whose JSON differs."""
    kernels = sorted(str(each.relative_to(SOURCE)) for each in (SOURCE / "corpus").rglob("*.metal"))
    chosen = kernels if IS_ALL else kernels[::50]
    options = ["lint", "--json", "--no-cache", "--time-limit", "600", "--jobs", "1", "--rule-pages", ""]
    there = run([*arm64, *options, *chosen]).stdout.splitlines()
    here = run([str(BIN / "msci"), *options, *chosen]).stdout.splitlines()
    if len(there) != len(here):
        return [f"{len(there)} results in place of {len(here)}"]
    slow = [name for name, one in zip(chosen, there) if '"reason":"stopped"' in one]
    print(f"{len(here)} kernels linted; not compared, because a proof exceeds its processor time in the emulation: {slow}")
    return [name for name, one, other in zip(chosen, there, here) if one != other and name not in slow]


def wrong_seeds(arm64):
    """The tasks whose seed is not judged right."""
    tasks = [each.name for each in sorted((SOURCE / "tasks").iterdir()) if (each / f"{each.name}.metal").is_file()]
    wrong = []
    for task in tasks if IS_ALL else ["saxpy"]:
        kernel = SOURCE / f"tasks/{task}/{task}.metal"
        done = run([*arm64, "eval", str(kernel), "--task", task, "--verify-only", "--time-limit", "3600"])
        print(f"{task}: {'right' if done.returncode == 0 else done.stdout + done.stderr}")
        if done.returncode != 0 or "all sizes right" not in done.stdout:
            wrong.append(task)
    return wrong


def main():
    if not (BUILD / "bin/msci").is_file():
        skip(f"{BUILD} holds no programs for arm64; packaging/arm64.sh builds them")
    qemu = shutil.which(cached("MSCI_QEMU"))
    if not qemu:
        skip(f"{cached('MSCI_QEMU')} is not installed")
    version = int(re.search(r"version (\d+)", run([qemu, "--version"]).stdout)[1])
    with tempfile.TemporaryDirectory() as folder:
        arm64 = programs_in(Path(folder), [qemu, "-L", cached("MSCI_ARM64_ROOT")])
        failures = [f"other findings in {name}" for name in different_findings(arm64)]
        if version >= LEAST_QEMU:
            failures += [f"the seed of {task} is not right" for task in wrong_seeds(arm64)]
        else:
            print(f"no kernel runs: qemu {version} keeps a table of all addresses that the engine reserves; "
                  f"MSCI_QEMU may name version {LEAST_QEMU} or later")
    for failure in failures:
        print(f"FAILED: {failure}")
    sys.exit(bool(failures))


main()
