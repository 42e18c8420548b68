#!/usr/bin/env python3
"""Counts the source files of the product whose functions run while a command runs.

tests/architecture/files_that_run.py BUILD_DIR COMMAND...

BUILD_DIR was configured with -DCMAKE_UNITY_BUILD=OFF, so each object file belongs to one source.
Counts for COMMAND and the processes that it forks, but not for programs that it starts. Needs valgrind. Left out are
functions that a compiler has inlined everywhere, functions that several files have under one name, and initialisers of
global variables. Where the linker has merged equal functions, another file than that of the source may count.
"""
import collections
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOMS = ("base", "compiler", "driver", "evaluator", "frontend", "instrument", "lint", "mesa", "page", "plan", "prover",
         "report", "rules", "runtime", "search", "tasks")
INITIALISERS = ("_GLOBAL__sub_I", "__cxx_global")


def source_of(object_file, build):
    """build/lint/CMakeFiles/msci_lint.dir/output/text.cpp.o → lint/output/text.cpp"""
    folder, rest = str(object_file.relative_to(build)).split("/CMakeFiles/")
    return f"{folder}/{rest.split('.dir/')[1]}".removesuffix(".o")


def defining_files(build):
    """For the name of each function, the files that define it."""
    files = collections.defaultdict(set)
    for room in ROOMS:
        for object_file in (build / room).rglob("*.cpp.o"):
            names = subprocess.run(["nm", "-C", "--defined-only", object_file], capture_output=True, text=True)
            for line in names.stdout.splitlines():
                _, kind, name = (line.split(" ", 2) + ["", ""])[:3]
                if kind in "Tt" and not name.startswith(INITIALISERS):
                    files[name].add(source_of(object_file, build))
    return files


def functions_that_run(command):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/%p", *command], check=True,
                       capture_output=True)
        text = "\n".join(path.read_text(errors="replace") for path in Path(folder).iterdir())
    # Names are given once, and referred to by number then. A recursive call has a number behind its name.
    return {re.sub(r"'\d+$", "", name) for name in re.findall(r"^c?fn=\(\d+\) (.+)$", text, re.M)}


def main():
    build = Path(sys.argv[1]).resolve()
    if re.search(r"^CMAKE_UNITY_BUILD:\w+=(ON|1|TRUE|YES)$", (build / "CMakeCache.txt").read_text(), re.M | re.I):
        sys.exit(f"{build} compiles several sources at once. Configure a new folder with -DCMAKE_UNITY_BUILD=OFF")
    defined = defining_files(build)
    ran = functions_that_run(sys.argv[2:])
    files = {next(iter(defined[name])) for name in ran & defined.keys() if len(defined[name]) == 1}
    rooms = collections.Counter(file.split("/")[0] for file in files)
    for file in sorted(files):
        print(f"  {file}")
    print(f"{len(files)} files: " + ", ".join(f"{count} in {room}" for room, count in rooms.most_common()))


main()
