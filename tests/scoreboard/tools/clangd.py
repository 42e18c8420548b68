#!/usr/bin/env python3
"""clangd with stubs as a tool of the scoreboard: clangd.py FOLDER (tests/scoreboard/scoreboard.py). Needs clangd.

The stubs make C++ of Metal's words and of common functions. Warnings are findings; a source that the stubs do not cover
has errors and cannot be judged.
"""
import pathlib
import re
import shutil
import subprocess
import sys

STUBS = pathlib.Path(__file__).resolve().parent / "stubs"
CLANGD = next(filter(shutil.which, ("clangd-22", "clangd")), "clangd")
FLAGS = ["-xc++", "-std=c++17", f"-I{STUBS}", "-Wall", "-Wextra", "-Wno-unknown-attributes", "-Wno-ignored-attributes"]


def main():
    folder = pathlib.Path(sys.argv[1])
    (folder / "compile_flags.txt").write_text("\n".join(FLAGS) + "\n")
    ran = subprocess.run([CLANGD, f"--check={folder / 'kernel.metal'}", "--clang-tidy"], capture_output=True, text=True,
                         timeout=120, check=False)
    said = re.findall(r"^[EWI]\[[^\]]*\] \[([\w.+-]+)\] Line (\d+): (.*)$", ran.stderr, re.M)
    for code, line, message in said:
        print(f"{line}: {message} [{code}]")
    return 0 if ran.returncode == 0 else 1


sys.exit(main())
