#!/usr/bin/env python3
"""Moves a real project to Metal 4.1: mlx before its authors did.

  move_to_4_1.py FOLDER_OF_PROGRAMS ARCHIVE CHANGES

ARCHIVE holds the sources, and CHANGES the lines of some files that the authors changed. metal.implicit_thread has to find at
least 95 % of these lines; other lines that it finds are printed. After --fix, no source that had no error before may have one
at metal3.2, metal4.0 or metal4.1, and each source that can be translated has the translation that it had before. Exits with
77 without the archive.
"""

import concurrent.futures
import json
import os
import pathlib
import shutil
import subprocess
import sys

from projects import Run, unpacked

VERSIONS = ["metal3.2", "metal4.0", "metal4.1"]
# Some lines are compiled below metal3.2 only.
MOVED_AT = ["metal3.1", "metal4.0"]
FEWEST_FOUND = 0.95

programs, archive, changes = (pathlib.Path(word) for word in sys.argv[1:4])


def lint(root, files, *options):
    """The diagnostics of msci-lint, with paths from the project's folder."""
    command = [programs / "msci-lint", "--json", "--no-config", "--no-cache", "--no-ignore", "-I", root, *options, *files]
    output = subprocess.run(command, stdout=subprocess.PIPE, check=False, text=True).stdout
    found = [each for line in output.splitlines() for each in json.loads(line).get("diagnostics", [])]
    for each in found:
        each["file"] = str(pathlib.Path(each["file"]).relative_to(root))
    return found


def translation(root, source):
    """The OpenCL of all kernels that can be translated; None for a source that is refused. It names files from `root`."""
    run = subprocess.run([programs.resolve() / "msci-eval", source, "-I", ".", "--std", Run.standard(source), "--emit", "opencl",
                          "--time-limit", "60", "--memory-limit", "3000"], cwd=root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False)
    return run.stdout if run.stdout else None


def check_lines(root, files):
    """What is wrong with the lines that the rule finds."""
    found = {}
    for version in MOVED_AT:
        for each in lint(root, files, "--std", version, "--select", "metal.implicit_thread"):
            if each["rule"] == "metal.implicit_thread":
                found.setdefault(each["file"], set()).add(each["line"])
    known = {file: set(lines) for file, lines in json.loads(changes.read_text()).items()}
    count = sum(len(lines) for lines in known.values())
    hits = sum(len(lines & found.get(file, set())) for file, lines in known.items())
    print(f"{hits} of {count} known lines found; {sum(len(lines) for lines in found.values())} lines in {len(found)} files", flush=True)
    for file, lines in sorted(known.items()):
        for what, which in (("missed", lines - found.get(file, set())), ("also found", found.get(file, set()) - lines)):
            text = (root / file).read_text().splitlines()
            for line in sorted(which):
                print(f"  {what}: {file}:{line}: {text[line - 1].strip()}")
    return [] if hits >= FEWEST_FOUND * count else [f"only {hits} of {count} known lines found"]


def errors_by_version(root, sources):
    return {version: {(each["file"], each["line"], each["message"])
                      for each in lint(root, sources, "--std", version) if each["severity"] == "error"}
            for version in VERSIONS}


def check_errors(before, after):
    bad = []
    for version in VERSIONS:
        print(f"{version}: {len(before[version])} errors before, {len(after[version])} after")
        # What needs a newer version was refused before, at the same lines.
        known = {(file, line) for file, line, _ in before["metal3.2"]} if version == "metal3.2" else set()
        bad += [f"{version}: {file}:{line}: {message}" for file, line, message in sorted(after[version])
                if (file, line) not in known]
    return bad


def check_translations(old, new, sources):
    bad, compared = [], 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        pairs = list(pool.map(lambda source: (translation(old, source), translation(new, source)), sources))
    for source, (before, after) in zip(sources, pairs):
        compared += before is not None
        if before != after:
            bad.append(f"{source}: the translations differ")
    print(f"{compared} of {len(sources)} sources translated and compared")
    return bad if compared else bad + ["nothing could be translated"]


def main():
    if not archive.exists() or not changes.exists():
        print(f"{archive} is absent")
        return 77
    with unpacked(archive) as folder:
        old = next(path for path in folder.iterdir() if path.is_dir())
        new = folder / "moved"
        shutil.copytree(old, new)
        files = [path.relative_to(old) for path in sorted(old.rglob("*")) if path.suffix in (".h", ".metal")]
        sources = [file for file in files if file.suffix == ".metal"]
        bad = check_lines(old, [old / file for file in files])
        before = errors_by_version(old, [old / source for source in sources])
        for version in MOVED_AT:
            lint(new, [new / file for file in files], "--std", version, "--fix", "--select", "metal.implicit_thread")
        bad += check_errors(before, errors_by_version(new, [new / source for source in sources]))
        bad += check_translations(old, new, sources)
    for each in bad:
        print(each, file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
