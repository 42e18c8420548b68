"""Compares what the WebAssembly module of msci-lint prints with what the native program prints.

    compare.py NATIVE MODULE_FOLDER [FILE_OR_FOLDER ...]
    compare.py NATIVE MODULE_FOLDER --recorded SOURCES.jsonl.gz ...
    compare.py NATIVE MODULE_FOLDER --hosts KERNELS HOST_OR_FOLDER ...

MODULE_FOLDER is what packaging/wasm/build.sh makes. Both lint the files with --json. They must agree in every byte but
for what proofs say: the module has none, and lacks, or has beyond the native program, the findings in proved.txt.
Fifty files with equal reports must also have equal fixes and SARIF. Then it checks the sizes of the package.
The second form takes recorded sources, each with its version of Metal; the third lints kernels with each host.
With MSCI_UPDATE=1 in the environment, the list is written.
"""

import collections
import gzip
import json
import os
import pathlib
import subprocess
import sys
import tempfile

MOST_BYTES = 40 << 20
MOST_COMPRESSED = 12 << 20  # by brotli, as servers send it
COMPRESS = """
const { constants, brotliCompressSync } = require('node:zlib');
const text = require('node:fs').readFileSync(process.argv[1]);
const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 24 };
console.log(brotliCompressSync(text, { params }).length);
"""

# Findings that a proof makes or withdraws, a line each: the program that has it, its source and its rule, and how many.
KNOWN = pathlib.Path(__file__).with_name("proved.txt")
# What follows from proofs and from these findings.
FOLLOWS = ("proofs", "valid", "regression_type", "suggestion", "checks", "diagnostics")


def lines_of(command, env):
    ended = subprocess.run(command, env=env, capture_output=True, text=True, timeout=1200)
    if not ended.stdout:
        sys.exit(f"{command[:3]} ended with {ended.returncode}: {ended.stderr[-2000:]}")
    return ended.stdout.splitlines()


def parts_of(line):
    """A report without what follows from proofs, and its findings, each as JSON."""
    report = json.loads(line)
    findings = collections.Counter(json.dumps(each, sort_keys=True) for each in report["diagnostics"])
    return {key: value for key, value in report.items() if key not in FOLLOWS}, findings


def differences(native, folder, env, arguments):
    """What is wrong with the module's output for these arguments."""
    outputs = []
    for program in ([native], ["node", os.path.join(folder, "lint.mjs")]):
        ended = subprocess.run([*program, "--no-cache", *arguments], env=env, capture_output=True, timeout=600)
        outputs.append((ended.returncode, ended.stdout))
    print(f"{arguments[0]}: {len(outputs[0][1])} bytes")
    at = len(os.path.commonprefix([outputs[0][1], outputs[1][1]]))
    return [] if outputs[0] == outputs[1] and outputs[0][0] in (0, 1) else [
        f"{arguments[0]}: status {outputs[0][0]}, of the module {outputs[1][0]}; "
        f"{outputs[0][1][at - 200:at + 200]}, of the module {outputs[1][1][at - 200:at + 200]}"
    ]


def name_of(report):
    """Of recorded sources, which lie in a temporary folder, the name alone."""
    file = pathlib.Path(report["file"])
    return file.stem if file.is_absolute() else str(file)


def sizes(module):
    compressed = int(subprocess.check_output(["node", "-e", COMPRESS, module]))
    size = os.path.getsize(module)
    print(f"{size} bytes, {compressed} compressed")
    return [] if size <= MOST_BYTES and compressed <= MOST_COMPRESSED else ["the module is too large"]


class Comparison:
    """Of the reports of both programs."""

    def __init__(self, native, folder, env):
        self.programs = [[native], ["node", os.path.join(folder, "lint.mjs")]]
        self.env = env
        self.equal, self.unproved, self.wrong = [], 0, []
        self.proved, self.compared = collections.Counter(), set()

    def compare(self, arguments):
        expected, found = (lines_of([*program, "--no-cache", "--json", *arguments], self.env) for program in self.programs)
        if len(expected) != len(found):
            self.wrong.append(f"{len(expected)} reports, of the module {len(found)}")
        for ours, theirs in zip(expected, found, strict=False):
            report = json.loads(ours)
            self.compared.add(name_of(report))
            if ours == theirs:
                self.equal.insert(0 if report["diagnostics"] else len(self.equal), report["file"])
            else:
                self.note_difference(ours, theirs)

    def note_difference(self, ours, theirs):
        (report, native), (other, module) = parts_of(ours), parts_of(theirs)
        if report != other:
            self.wrong.append(f"{report['file']}\n    native: {ours[:1500]}\n    module: {theirs[:1500]}")
            return
        self.unproved += 1
        for program, findings in (("native", native - module), ("module", module - native)):
            for finding, count in findings.items():
                self.proved[f"{program} {name_of(report)} {json.loads(finding)['rule']}"] += count

    def check_proved(self):
        """Compares the findings of one program alone with the list, for the sources that were compared."""
        found = {f"{finding} {count}" for finding, count in self.proved.items()}
        known = set(KNOWN.read_text().splitlines())
        here = {each for each in known if each.split()[1] in self.compared}
        if os.environ.get("MSCI_UPDATE"):
            KNOWN.write_text("".join(f"{each}\n" for each in sorted(known - here | found)))
            return
        self.wrong += [f"not in {KNOWN.name}: {each}" for each in sorted(found - here)]
        self.wrong += [f"in {KNOWN.name} alone: {each}" for each in sorted(here - found)]

    def status(self):
        self.check_proved()
        print(f"{len(self.equal)} reports are equal, {self.unproved} differ in proofs alone: "
              f"{self.proved.total()} findings of one program")
        for each in self.wrong:
            print(f"differs: {each}")
        return 1 if self.wrong or not self.equal else 0


def compare_recorded(comparison, archives):
    """Sources of one version lie in one folder, because it is an option of the program."""
    with tempfile.TemporaryDirectory() as name:
        for archive in archives:
            with gzip.open(archive, "rt") as lines:
                for record in map(json.loads, lines):
                    file = pathlib.Path(name, record["language"], f"{record['id']}.metal")
                    file.parent.mkdir(exist_ok=True)
                    file.write_text(record["source"])
        for folder in sorted(pathlib.Path(name).iterdir()):
            comparison.compare(["--no-config", "--std", folder.name, str(folder)])


def hosts_in(paths):
    for path in map(pathlib.Path, paths):
        yield from map(str, sorted(path.iterdir()) if path.is_dir() else [path])


def main():
    native, folder, *files = sys.argv[1:]
    if not os.path.exists(os.path.join(folder, "msci-lint.wasm")):
        print(f"{folder} has no module; packaging/wasm/build.sh makes it")
        return 77
    documentation = os.path.normpath(os.path.join(os.path.realpath(native), "../../share/doc/msci"))
    env = dict(os.environ, **({"MSCI_DOCUMENTATION": documentation} if os.path.isdir(documentation) else {}))
    comparison = Comparison(native, folder, env)
    if files[:1] == ["--recorded"]:
        compare_recorded(comparison, files[1:])
        return comparison.status()
    if files[:1] == ["--hosts"]:
        for host in hosts_in(files[2:]):
            comparison.compare(["--no-config", "--host", host, files[1]])
        return comparison.status()
    comparison.compare(files)
    for options in (["--format=sarif"], ["--diff"]):
        comparison.wrong += differences(native, folder, env, [*options, *comparison.equal[:50]])
    comparison.wrong += sizes(os.path.join(folder, "msci-lint.wasm"))
    return comparison.status()


if __name__ == "__main__":
    sys.exit(main())
