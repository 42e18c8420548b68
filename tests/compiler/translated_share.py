#!/usr/bin/env python3
"""Translates every kernel of real projects whose source is valid, and counts the reasons of refusals.

  translated_share.py FOLDER_OF_PROGRAMS ARCHIVE [--jobs N] [--project NAME] [--file TEXT] [--at-least PERCENT]

ARCHIVE holds the projects, as for tests/lint/projects.py. Each file is translated as a whole by `msci-eval --emit opencl`,
N files at a time. Function constants get true, 4 and 1.0. Prints a table of the projects, the slowest files and the reasons.
Exits with 1 if fewer kernels are translated (default: 98), and with 2 without the archive.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/lint"))
from projects import BEFORE, INCLUDES, Run, unpacked  # noqa: E402

CONSTANT = re.compile(r"constant\s+(?:constexpr\s+)?([\w:]+)\s+(\w+)\s*\[\[\s*function_constant")
TYPICAL = {"bool": "true", "float": "1.0", "half": "1.0"}
NO_CONSTANT = re.compile(r"no function constant '([^']+)'|'([^']+)' has no value to set")


def text_with_includes(file, folders, seen):
    """The text of a file and of all that it includes from these folders."""
    if file in seen or not file.is_file():
        return ""
    seen.add(file)
    text = file.read_text(errors="replace")
    for name in re.findall(r'^\s*#\s*include\s*"([^"]+)"', text, re.MULTILINE):
        for folder in [file.parent, *folders]:
            text += text_with_includes((folder / name).resolve(), folders, seen)
    return text


class File:
    """What became of one source: `translated` of `kernels`, and the reasons for the others."""

    def __init__(self, programs, project, source):
        self.project, self.source = project.name, source
        folders = [project / each for each in INCLUDES.get(project.name, [])] + [source.parent]
        self.words = ["--std", Run.standard(source)]
        for folder in folders:
            self.words += ["-I", str(folder)]
        for end, files in BEFORE.items():
            if str(source).endswith(end):
                self.words += [word for each in files for word in ("--include", str(source.parent / each))]
        self.constants = {}
        for kind, name in CONSTANT.findall(text_with_includes(source.resolve(), folders, set())):
            self.constants[name] = TYPICAL.get(kind, "4")
        self.translated, self.reasons, self.seconds, self.processor_seconds = 0, [], 0, 0
        self.kernels = self.list_kernels(programs)
        if self.kernels:
            self.translate(programs)

    def list_kernels(self, programs):
        """The kernels of a valid source; of another one, none."""
        command = [programs / "msci-lint", "--json", "--no-config", *self.words, self.source]
        said = subprocess.run(command, capture_output=True, text=True, check=False).stdout
        report = json.loads(said.splitlines()[0]) if said else {}
        self.valid = report.get("valid", False)
        return report.get("checks", {}).get("kernel_exists", {}).get("kernels", []) if self.valid else []

    def translate(self, programs):
        begin = time.monotonic()
        with tempfile.TemporaryFile() as text, tempfile.TemporaryFile() as said:
            command = [programs / "msci-eval", "--emit", "opencl", *self.words, self.source]
            for name, value in self.constants.items():
                command += ["--set", f"{name}={value}"]
            process = subprocess.Popen(command, stdout=text, stderr=said)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.seconds += time.monotonic() - begin
            self.processor_seconds += usage.ru_utime + usage.ru_stime
            text.seek(0)
            said.seek(0)
            self.read(text, said.read().decode(errors="replace"), process.returncode, programs)

    def read(self, text, said, status, programs):
        if status != 0:
            unknown = NO_CONSTANT.search(said)
            name = next(filter(None, unknown.groups()), None) if unknown else None
            if self.constants.pop(name, None):
                return self.translate(programs)
            self.reasons = [said.strip()] * len(self.kernels)
            return None
        manifest = []
        for line in iter(text.readline, b""):
            if b"*/" in line:
                break
            manifest.append(line.decode())
        program = json.loads("".join(manifest[1:]))
        self.translated = len(program["kernels"])
        self.reasons = [each["reason"] for each in program.get("refused", [])]
        return None


def cause_of(reason):
    """A reason without names, places and numbers."""
    cause = re.sub(r"^.*?(line \d+: |cannot translate)", r"\1", reason.splitlines()[0])
    cause = re.sub(r"^line \d+: ", "", cause)
    cause = re.sub(r"'[^']*'", "'…'", cause)
    return re.sub(r"\d+", "N", cause)


def row_of(name, files):
    valid = [each for each in files if each.valid]
    kernels, translated = (sum(part) for part in ([len(each.kernels) for each in valid],
                                                  [each.translated for each in valid])) if valid else (0, 0)
    return (f"| {name} | {len(files)} | {len(valid)} | {kernels} | {translated} | "
            f"{100 * translated / max(kernels, 1):.2f} % | {sum(each.processor_seconds for each in files):.0f} s |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("programs", type=pathlib.Path)
    parser.add_argument("archive", type=pathlib.Path)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--project", default="*")
    parser.add_argument("--file", default="", help="only files whose paths contain this text")
    parser.add_argument("--at-least", type=float, default=98)
    options = parser.parse_args()
    if not options.archive.exists():
        print(f"{options.archive} is absent")
        return 2
    with unpacked(options.archive) as folder:
        jobs = [(options.programs.resolve(), project, source)
                for project in sorted(folder.glob(f"projects/{options.project}"))
                for source in sorted(project.rglob("*.metal")) if options.file in str(source)]
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            files = list(pool.map(lambda job: File(*job), jobs))
    print("| project | files | valid | kernels | translated | share | processor time |")
    print("|---|---|---|---|---|---|---|")
    for project in dict.fromkeys(each.project for each in files):
        print(row_of(project, [each for each in files if each.project == project]))
    print(row_of("all", files))
    for each in sorted(files, key=lambda each: -each.processor_seconds)[:5]:
        print(f"{each.source.name}: {len(each.kernels)} kernels, {each.seconds:.0f} s, "
              f"{each.processor_seconds:.0f} s of processor time")
    for each in files:
        if not each.valid:
            print(f"not valid: {each.project} {each.source.name}")
    causes = collections.Counter(cause_of(reason) for each in files for reason in each.reasons)
    for cause, count in causes.most_common():
        print(f"{count:6} {cause}")
    kernels, translated = (sum(len(each.kernels) for each in files), sum(each.translated for each in files))
    return 0 if kernels and translated >= options.at_least / 100 * kernels else 1


if __name__ == "__main__":
    sys.exit(main())
