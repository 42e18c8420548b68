#!/usr/bin/env python3
"""Lints small sources of real projects, each of which was once judged wrongly: repros.py MSCI_LINT ARCHIVE

ARCHIVE holds the sources and truth.tsv, which says of each what is true. All are valid, with the options below, but for
the two that include a broken header. Prints each source that is judged in another way. Exit status: 1 if there is one, 77
without the archive.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

OPTIONS = {
    "int4b.metal": ["--std", "metal4.0"],
    "host_app_delegate.metal": ["--host", "host_app_delegate.cpp"],
}
# They are linted in one run, and each includes the header that is broken.
INVALID = ["header_error_hidden_a.metal", "header_error_hidden_b.metal"]


def lint(program, folder, arguments):
    """Whether each file of one run is valid, with its errors and warnings."""
    ran = subprocess.run([program, "--json", "--no-config", "--no-cache", *arguments], cwd=folder, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    reports = [json.loads(line) for line in ran.stdout.splitlines()]
    return [(each["valid"], [found["message"] for found in each["diagnostics"] if found["severity"] != "note"])
            for each in reports]


def main():
    program, archive = pathlib.Path(sys.argv[1]).absolute(), pathlib.Path(sys.argv[2])
    if not archive.exists():
        print(f"{archive} is absent")
        return 77
    wrong = 0
    with tempfile.TemporaryDirectory() as unpacked:
        shutil.unpack_archive(archive, unpacked)
        truth = next(pathlib.Path(unpacked).rglob("truth.tsv"))
        names = [line.split("\t")[0] for line in truth.read_text().splitlines()[1:]]
        for name in names:
            files = INVALID if name in INVALID else [name]
            reports = lint(program, truth.parent, OPTIONS.get(name, []) + files)
            if name in INVALID:
                right = len(reports) == 2 and not any(valid for valid, _ in reports)
            else:
                right = [valid for valid, _ in reports] == [True] and ("--host" not in OPTIONS.get(name, [])
                                                                        or not reports[0][1])
            if not right:
                print(f"{name}: {reports}")
            wrong += not right
    print(f"{len(names) - wrong} of {len(names)} as their truth says")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
