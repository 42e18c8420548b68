#!/usr/bin/env python3
"""Lints the Metal sources of real projects: what Apple's compiler takes must not get an error.

  projects.py MSCI_LINT ARCHIVE [--jobs N] [--findings FILE] [--project NAME] [--std VERSION]

ARCHIVE holds the projects; it is unpacked into a temporary folder. Prints a table of projects, files, errors, warnings,
seconds and memory, and the messages by frequency. Exits with 2 without the archive.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

# By the project: folders to include from, relative to the project.
INCLUDES = {
    "ggml": ["src", "include"],
    "mlx": ["."],
    "candle": ["candle-metal-kernels/src/metal_src"],
    "mistral.rs": [],
}
# By the project: flags that its build gives to the compiler.
FLAGS = {"mlx": ["--no-fast-math"]}
# What a project's build puts before a source, by the end of its path.
BEFORE = {"mistralrs-paged-attn/src/metal/kernels/gather_kv_cache.metal": ["float8.metal"]}


class Run:
    """What one run of msci-lint on one source said and cost."""

    def __init__(self, program, standard, project, source):
        command = [program, "--json", "--no-config", "--jobs", "1", "--std", standard or self.standard(source)]
        for folder in INCLUDES.get(project.name, []):
            command += ["-I", str(project / folder)]
        command += FLAGS.get(project.name, [])
        for end, files in BEFORE.items():
            if str(source).endswith(end):
                command += [word for file in files for word in ("--include", str(source.parent / file))]
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(command + [str(source)], stdout=output)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            output.seek(0)
            lines = output.read().decode().splitlines()
        self.project, self.source = project.name, source
        self.judged = process.returncode in (0, 1)
        self.seconds = usage.ru_utime + usage.ru_stime
        self.megabytes = usage.ru_maxrss / 1024
        self.findings = [each for line in lines for each in json.loads(line).get("diagnostics", [])]

    @staticmethod
    def standard(source):
        # mlx builds the sources that compute with tensors for Metal 4.
        return "metal4.0" if source.stem.endswith("_nax") else "metal3.2"

    def of(self, severity):
        return [each for each in self.findings if each["severity"] == severity]


def form_of(finding):
    """The finding without the names that it quotes."""
    return f"{finding['severity']} [{finding['rule']}] " + re.sub(r"'[^']*'", "'…'", finding["message"])


def row_of(name, runs):
    def count(severity):
        # Sources that include one file each report what is in it.
        return len({(each["file"], each["line"], each["column"], each["message"])
                    for run in runs for each in run.of(severity)})
    slowest = max(runs, key=lambda run: run.seconds)
    return (f"| {name} | {len(runs)} | {count('error')} | {count('warning')} | "
            f"{sum(run.seconds for run in runs):.1f} | {slowest.seconds:.1f} ({slowest.source.name}) | "
            f"{max(run.megabytes for run in runs):.0f} |")


@contextlib.contextmanager
def unpacked(archive):
    """The folder with the contents of an archive, as long as it is needed."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.unpack_archive(archive, folder)
        yield pathlib.Path(folder)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("archive", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--findings", type=pathlib.Path, help="writes every finding to this file")
    parser.add_argument("--project", help="only this one")
    parser.add_argument("--std", help="the version of Metal, in place of the one that each project builds its sources for")
    options = parser.parse_args()
    if not options.archive.exists():
        print(f"{options.archive} is absent")
        return 2
    with unpacked(options.archive) as folder:
        projects = sorted(folder.glob(f"projects/{options.project or '*'}"))
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            runs = list(pool.map(lambda job: Run(options.program, options.std, *job),
                                 [(project, source) for project in projects
                                  for source in sorted(project.rglob("*.metal"))]))
    print("| project | files | errors | warnings | seconds | slowest file | MiB at most |")
    print("|---|---|---|---|---|---|---|")
    for project in projects:
        print(row_of(project.name, [run for run in runs if run.project == project.name]))
    forms = collections.Counter(form_of(each) for run in runs for each in run.findings)
    for form, count in forms.most_common():
        print(f"{count:6} {form}")
    if options.findings:
        options.findings.write_text("".join(
            json.dumps({"source": run.source.name} | each) + "\n" for run in runs for each in run.findings))
    if not runs:
        print(f"{options.archive} has no project {options.project}", file=sys.stderr)
        return 1
    bad = [run for run in runs if not run.judged or run.of("error")]
    for run in bad:
        print(f"{run.source.name}: {'' if run.judged else 'could not be judged'}", file=sys.stderr)
        for each in run.of("error"):
            print(f"  {pathlib.Path(each['file']).name}:{each['line']}: {each['message']} [{each['rule']}]",
                  file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
