"""Compares what the WebAssembly module of msci-lint prints with what the native program prints.

    compare.py NATIVE MODULE_FOLDER [FILE_OR_FOLDER ...]

MODULE_FOLDER is what packaging/wasm/build.sh makes. Both lint the files with --json. They must agree in every byte but
for what the module lacks: proofs, and the findings that they make or withdraw. Fifty files with equal reports must also
have equal fixes and SARIF. Then it checks the sizes of the package.
"""

import json
import os
import subprocess
import sys

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


def main():
    native, folder, *files = sys.argv[1:]
    if not os.path.exists(os.path.join(folder, "msci-lint.wasm")):
        print(f"{folder} has no module; packaging/wasm/build.sh makes it")
        return 77
    documentation = os.path.normpath(os.path.join(os.path.realpath(native), "../../share/doc/msci"))
    env = dict(os.environ, MSCI_DOCUMENTATION=documentation)
    arguments = ["--no-cache", "--json", *files]
    expected = lines_of([native, *arguments], env)
    found = lines_of(["node", os.path.join(folder, "lint.mjs"), *arguments], env)
    equal, unproved, added = [], 0, []
    wrong = [f"{len(expected)} reports, of the module {len(found)}"] if len(expected) != len(found) else []
    for ours, theirs in zip(expected, found, strict=False):
        if ours == theirs:
            if json.loads(ours)["diagnostics"]:
                equal.insert(0, json.loads(ours)["file"])
            else:
                equal.append(json.loads(ours)["file"])
            continue
        (report, has_proofs, proved), (other, _, also) = without_proofs(ours), without_proofs(theirs)
        known = {(each["rule"], each["line"]) for each in proved}
        added += [f"{other['file']}:{each['line']} {each['rule']}" for each in also
                  if (each["rule"], each["line"]) not in known]
        if report == other and has_proofs:
            unproved += 1
        else:
            wrong.append(f"{report['file']}\n    native: {ours[:1500]}\n    module: {theirs[:1500]}")
    print(f"{len(equal)} reports are equal, {unproved} differ in proofs alone")
    for options in (["--format=sarif"], ["--diff"]):
        wrong += differences(native, folder, env, [*options, *equal[:50]])
    wrong += sizes(os.path.join(folder, "msci-lint.wasm"))
    for each in added:
        print(f"a finding of the module alone, which a proof withdraws: {each}")
    for each in wrong:
        print(f"differs: {each}")
    return 1 if wrong or not equal else 0


if __name__ == "__main__":
    sys.exit(main())
