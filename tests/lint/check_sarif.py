#!/usr/bin/env python3
"""Compares what msci-lint writes as SARIF with the published schema of SARIF 2.1.0.

    check_sarif.py MSCI_LINT [SCHEMA]

Without SCHEMA it is taken from the npm package @microsoft/jest-sarif, which carries it; it belongs to OASIS and is no
part of this project. The sources are the examples of the rules' pages, so that every rule speaks. Skips with a word
(and exit code 77) where Python's jsonschema, npm or the package cannot be had.
"""

import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

PACKAGE = "@microsoft/jest-sarif@1.0.0-beta.0"
MEMBER = "package/lib/schemas/sarif-2.1.0-rtm.5.json"
PAGES = pathlib.Path(__file__).parents[2] / "docs" / "rules"


def skip(why):
    print(f"skipped: {why}")
    sys.exit(77)


try:
    import jsonschema
except ImportError:
    skip("the Python package jsonschema is missing (python3-jsonschema)")


def published_schema(folder):
    command = ["npm", "pack", "--silent", "--pack-destination", folder, PACKAGE]
    try:
        packed = subprocess.run(command, check=True, capture_output=True, text=True)
    except FileNotFoundError:
        skip("npm, which fetches the schema, is missing; name a file")
    except subprocess.CalledProcessError as error:
        skip(f"npm cannot get {PACKAGE}: {error.stderr.strip()[:200]}")
    with tarfile.open(pathlib.Path(folder) / packed.stdout.strip()) as archive:
        return json.load(archive.extractfile(MEMBER))


def write_examples(folder):
    """One file an example; and some that are hard to name or to read."""
    for page in sorted(PAGES.glob("*.*.md")):
        blocks = re.findall(r"^```metal.*?\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)
        for number, block in enumerate(blocks):
            (folder / f"{page.stem}_{number}.metal").write_text(block)
    (folder / "a name % with # odd ? characters é.metal").write_text("int x = é;\n")
    (folder / "bytes.metal").write_bytes(b"int \xff\xfe = 3;\n")


def linted(tool, arguments):
    run = subprocess.run([tool, "--no-config", "--format", "sarif", *arguments], capture_output=True)
    assert run.returncode in (0, 1, 2), run
    return json.loads(run.stdout.decode("utf-8"))


def main(tool, schema_file=None):
    with tempfile.TemporaryDirectory() as folder:
        schema = json.load(open(schema_file)) if schema_file else published_schema(folder)
        validator = jsonschema.validators.validator_for(schema)(schema)
        sources = pathlib.Path(folder) / "sources"
        sources.mkdir()
        write_examples(sources)
        clean = sources / "clean.metal"
        clean.write_text("kernel void f(device float* x [[buffer(0)]]) { x[0] = 0.0f; }\n")
        logs = {
            "all examples": linted(tool, [str(sources)]),
            "nothing found": linted(tool, [str(clean)]),
            "a file that is not there": linted(tool, [str(sources / "absent.metal")]),
        }
    wrong = 0
    for name, log in logs.items():
        results = log["runs"][0]["results"]
        rules = {result["ruleId"] for result in results}
        errors = list(validator.iter_errors(log))
        wrong += len(errors)
        print(f"{name}: {len(results)} results of {len(rules)} rules, {len(errors)} breaches of the schema")
        for error in errors[:10]:
            print(f"  {'/'.join(map(str, error.absolute_path))}: {error.message[:200]}")
    assert logs["all examples"]["runs"][0]["results"], "the examples must not be clean"
    # A validator that takes everything would prove nothing.
    broken = logs["all examples"]
    broken["runs"][0]["results"][0]["level"] = "loud"
    assert not validator.is_valid(broken), "the schema takes nonsense"
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
