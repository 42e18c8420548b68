"""Compares what the WebAssembly module of msci-lint prints with what the native program prints.

    compare.py NATIVE MODULE_FOLDER [FILE_OR_FOLDER ...]
    compare.py NATIVE MODULE_FOLDER --recorded SOURCES.jsonl.gz ...
    compare.py NATIVE MODULE_FOLDER --hosts KERNELS HOST_OR_FOLDER ...

MODULE_FOLDER is what packaging/wasm/build.sh makes. Both lint the files with --json. They must agree in every byte but
for what the module lacks: proofs, and the findings that they make or withdraw. Fifty files with equal reports must also
have equal fixes and SARIF. Then it checks the sizes of the package.
The second form takes recorded sources, each with its version of Metal; the third lints kernels with each host.
"""

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

# The module answers from the source alone what these rules learn from a proof or from optimised code.
PROVED = {
    "hazard.barrier_divergence",
    "hazard.device_race",
    "hazard.out_of_bounds",
    "hazard.threadgroup_race",
    "resource.threadgroup_memory",
}


def lines_of(command, env):
    ended = subprocess.run(command, env=env, capture_output=True, text=True, timeout=1200)
    if not ended.stdout:
        sys.exit(f"{command[:3]} ended with {ended.returncode}: {ended.stderr[-2000:]}")
    return ended.stdout.splitlines()


def without_proofs(line):
    """A report without proofs, and whether it holds any."""
    report = json.loads(line)
    kept = [each for each in report["diagnostics"] if each["rule"] not in PROVED]
    has_proofs = (report["proofs"] or {}).get("kernels", 0) != 0 or len(kept) != len(report["diagnostics"])
    proved = [each for each in report["diagnostics"] if each["rule"] in PROVED]
    report["diagnostics"] = kept
    for field in ("proofs", "valid", "regression_type", "suggestion", "checks"):
        report.pop(field)
    return report, has_proofs, proved


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
        self.equal, self.unproved, self.added, self.wrong = [], 0, [], []

    def compare(self, arguments):
        expected, found = (lines_of([*program, "--no-cache", "--json", *arguments], self.env) for program in self.programs)
        if len(expected) != len(found):
            self.wrong.append(f"{len(expected)} reports, of the module {len(found)}")
        for ours, theirs in zip(expected, found, strict=False):
            if ours == theirs:
                report = json.loads(ours)
                self.equal.insert(0 if report["diagnostics"] else len(self.equal), report["file"])
            else:
                self.note_difference(ours, theirs)

    def note_difference(self, ours, theirs):
        (report, has_proofs, proved), (other, _, also) = without_proofs(ours), without_proofs(theirs)
        known = {(each["rule"], each["line"]) for each in proved}
        self.added += [f"{other['file']}:{each['line']} {each['rule']}" for each in also
                       if (each["rule"], each["line"]) not in known]
        if report == other and has_proofs:
            self.unproved += 1
        else:
            self.wrong.append(f"{report['file']}\n    native: {ours[:1500]}\n    module: {theirs[:1500]}")

    def status(self):
        print(f"{len(self.equal)} reports are equal, {self.unproved} differ in proofs alone")
        for each in self.added:
            print(f"a finding of the module alone, which a proof withdraws: {each}")
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
