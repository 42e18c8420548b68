#!/usr/bin/env python3
"""msci-lint --fix on a folder that an editor writes into meanwhile: fix_while_editing_test.py MSCI_LINT [SEED…]

The editor saves 200 times at random moments into files at random, by appending in place or by renaming a new file. No
edit may be lost, each file that is not fixed has to be named, and the exit status has to be 2 if there is one.
"""
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

LINT = pathlib.Path(sys.argv[1])
SEEDS = [int(each) for each in sys.argv[2:]] or [random.SystemRandom().randrange(1 << 32)]
FILES, EDITS = 120, 200
BAD = "kernel void f(device float* restrict x [[buffer(0)]]) { x[0] = 0; }\n"


def append_in_place(file, line):
    with open(file, "a") as out:
        out.write(line)


def rename_over(file, line):
    text = file.read_text()
    fresh = file.with_suffix(".saved")
    fresh.write_text(text + line)
    fresh.rename(file)


def fix(files):
    return subprocess.Popen([LINT, "--fix", "--no-cache", "--no-config", "--jobs", "1", *files], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def seconds_of_a_fix(folder):
    """For each file of a run."""
    files = [folder / f"first{number}.metal" for number in range(10)]
    for file in files:
        file.write_text(BAD)
    start = time.monotonic()
    fix(files).communicate()
    for file in files:
        file.unlink()
    return (time.monotonic() - start) / len(files)


def check(seed):
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        pause = seconds_of_a_fix(folder) * FILES / EDITS
        files = [folder / f"{number:03}.metal" for number in range(FILES)]
        for number, file in enumerate(files):
            file.write_text(f"// {number}\n{BAD}")
        edits = {file: [] for file in files}
        start = time.monotonic()
        run = fix([folder])
        for number in range(EDITS):
            file, save = rng.choice(files), rng.choice((append_in_place, rename_over))
            save(file, f"// edit {number}\n")
            edits[file].append((number, save))
            time.sleep(rng.uniform(0, 2 * pause))
        saved = time.monotonic() - start
        _, said = run.communicate()
        took = time.monotonic() - start
        # A busy machine may stop the editor while it has a file open.
        reasons = "changed while msci-lint ran; not fixed.*|is open for writing in another program; .*"
        named = set(re.findall(rf"msci-lint: (\S+) (?:{reasons})$", said, re.MULTILINE))
        texts = {file: file.read_text() for file in files}
        left = {entry.name for entry in os.scandir(folder)}
    fixed = {file for file in files if "__restrict" in texts[file]}
    print(f"seed {seed}: {EDITS} edits in {saved:.1f} s, {len(fixed)} files fixed, {len(named)} named, {took:.1f} s", flush=True)
    for file in files:
        lines = texts[file].splitlines()
        assert BAD.replace("restrict", "__restrict" if file in fixed else "restrict").strip() in lines, (file, lines)
        for number, save in edits[file]:
            assert f"// edit {number}" in lines, f"{file.name}: edit {number} by {save.__name__} is lost"
        assert not (str(file) in named and file in fixed), file
    # An editor may rename its file over one that was fixed after it had read it; few of its edits meet such an instant.
    unnamed = [file for file in files if file not in fixed and str(file) not in named]
    assert all(edits[file] and edits[file][-1][1] is rename_over for file in unnamed) and len(unnamed) <= FILES // 20, unnamed
    assert named and fixed, said
    assert run.returncode == 2, run.returncode
    assert left == {file.name for file in files}, left


for seed in SEEDS:
    check(seed)
