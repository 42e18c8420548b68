"""Lints the Metal sources of real projects: what Apple's compiler takes must not get an error.

  projects.py MSCI_LINT ARCHIVE

ARCHIVE holds the projects; it is unpacked into a temporary folder. Prints a table of projects, files,
errors and warnings, and the messages by frequency. Exits with 77 where there is no archive.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

# By the project: folders to include from, relative to the project.
INCLUDES = {
    "ggml": ["src", "include"],
    "mlx": ["."],
    "candle": ["candle-metal-kernels/src/metal_src"],
    "mistral.rs": [],
}


def lint(program, project, sources):
    # A file that others include has no kernel, which is no error in it.
    command = [program, "--json", "--no-config", "--std", "metal3.2", "--ignore", "degenerate.no_kernel"]
    for folder in INCLUDES.get(project.name, []):
        command += ["-I", str(project / folder)]
    result = subprocess.run(command + [str(each) for each in sources], capture_output=True, text=True)
    if result.returncode not in (0, 1):
        raise SystemExit(result.stderr)
    return [json.loads(line) for line in result.stdout.splitlines()]


def form_of(finding):
    """The finding without the names that it quotes."""
    return f"{finding['severity']} [{finding['rule']}] " + re.sub(r"'[^']*'", "'…'", finding["message"])


def main(program, archive):
    if not pathlib.Path(archive).exists():
        print(f"{archive} is absent: skipped")
        return 77
    errors_in_all = 0
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(archive) as tar:
            tar.extractall(folder, filter="data")
        forms = collections.Counter()
        print("| project | files | files with errors | errors | warnings |\n|---|---|---|---|---|")
        for project in sorted(pathlib.Path(folder).glob("projects/*")):
            sources = sorted(project.rglob("*.metal"))
            reports = lint(program, project, sources)
            findings = [each for report in reports for each in report["findings"]]
            errors = [each for each in findings if each["severity"] == "error"]
            warnings = [each for each in findings if each["severity"] == "warning"]
            failing = {each["file"] for each in errors}
            forms.update(form_of(each) for each in findings)
            errors_in_all += len(errors)
            print(f"| {project.name} | {len(sources)} | {len(failing)} | {len(errors)} | {len(warnings)} |")
            for each in errors:
                place = pathlib.Path(each["file"]).name
                print(f"{place}:{each['line']}: {each['message']} [{each['rule']}]", file=sys.stderr)
        for form, count in forms.most_common():
            print(f"{count:6} {form}")
    return 1 if errors_in_all else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
