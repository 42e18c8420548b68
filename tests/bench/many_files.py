#!/usr/bin/env python3
"""Lints many files twice, without and with the results of the first run: many_files.py MSCI_LINT SOURCE_DIR [FILES]

The files are those of corpus/good, each with a comment of its own, one folder for each hundred. Prints the median of
five warm runs beside the cold one."""
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

LINT, SOURCE = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2])
FILES = int(sys.argv[3]) if len(sys.argv) > 3 else 1000


def generate(folder):
    kernels = sorted((SOURCE / "corpus/good").glob("*.metal"))
    for i in range(FILES):
        kernel = kernels[i % len(kernels)]
        file = folder / f"{i // 100:03}" / f"{kernel.stem}_{i}.metal"
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"{kernel.read_text()}\n// {i}\n")


def timed(folder, cache, *arguments):
    began = time.monotonic()
    done = subprocess.run([LINT, "--no-config", *arguments, folder], capture_output=True, text=True,
                          env={**os.environ, "XDG_CACHE_HOME": str(cache)})
    return time.monotonic() - began, (done.returncode, done.stdout, done.stderr)


with tempfile.TemporaryDirectory() as work:
    files, cache = pathlib.Path(work) / "files", pathlib.Path(work) / "cache"
    files.mkdir()
    generate(files)
    cold, first = timed(files, cache)
    warm = []
    for _ in range(5):
        seconds, again = timed(files, cache)
        assert again == first and first[0] != 2, (first, again)
        warm.append(seconds)
    print(f"{FILES} files, exit code {first[0]}: {cold:.2f} s, then {statistics.median(warm):.3f} s")
