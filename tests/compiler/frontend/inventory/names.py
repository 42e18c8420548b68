#!/usr/bin/env python3
"""Lists the names of Metal's headers that sources use and ours lack.

  names.py MSCI_LINT SOURCE... [--all] [--names FILE]

SOURCE is a file, a folder of sources, an archive of them, or JSON lines with a field "source" (also compressed).
The names: identifiers behind metal::, mpp:: and simd::, macros __METAL_..., __HAVE_... and HUGE_..., and headers in
angle brackets. FILE has further ones, several a line; comments start with ` # `. What a source defines itself does not count. msci-lint itself says
which names it has: it lints a unit with a line for each name, at each version of Metal. Prints the names that no version
has, with the number of sources that use each; --all prints every name and its first version. Exits with 1 if one is
lacking.
"""

import argparse
import collections
import concurrent.futures
import gzip
import json
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

VERSIONS = ["metal1.0", "metal1.1", "metal1.2", "metal2.0", "metal2.1", "metal2.2", "metal2.3", "metal2.4", "metal3.0",
            "metal3.1", "metal3.2", "metal4.0", "metal4.1"]
ENDINGS = {".metal", ".h", ".hpp", ".metalh", ".msl", ".inc"}
# A unit stays below the number of errors at which the compiler stops.
BATCH = 60

NOT_CODE = re.compile(r'//[^\n]*|/\*.*?\*/|(#\s*include\s*)?"(?:[^"\\\n]|\\.)*"', re.S)
QUALIFIED = re.compile(r"(?<![\w:.>])(?:::\s*)?((?:metal|mpp|simd)(?:\s*::\s*[A-Za-z_]\w*)+)")
MACRO = re.compile(r"\b(?:__METAL_\w+|__HAVE_\w+|HUGE_\w+)\b")
HEADER = re.compile(r"#\s*include\s*<((?:metal|simd/|MetalPerf|SwiftUI/|TargetCond)[^>\n]*)>")
MACRO_DEFINED = re.compile(r"#\s*define\s+(\w+)")
TYPE_DEFINED = re.compile(r"\b(?:struct|class|enum(?:\s+class)?)\s+([A-Za-z_]\w*)\s*[{:;]|\busing\s+(\w+)\s*="
                          r"|\bconstexpr\s+constant\s+[\w:]+\s+(\w+)\s*=")
REOPENED = re.compile(r"(?<!using )\bnamespace\s+(?:metal|mpp|simd)\b")
LACKS = re.compile(r"no (?:member|type|template) named|undeclared|cannot be used|available from|lacks_|not available")


def texts_of_lines(data):
    for line in data.decode(errors="replace").splitlines():
        yield json.loads(line).get("source", "")


def texts_of(path):
    """The texts of the sources at a path."""
    if path.is_dir():
        for file in sorted(path.rglob("*")):
            if file.suffix in ENDINGS and file.is_file():
                yield file.read_text(errors="replace")
    elif ".tar" in path.name:
        with tarfile.open(path) as tar:
            for member in tar:
                if member.isfile() and pathlib.Path(member.name).suffix in ENDINGS:
                    yield tar.extractfile(member).read().decode(errors="replace")
    elif path.name.endswith(".jsonl.gz"):
        yield from texts_of_lines(gzip.decompress(path.read_bytes()))
    elif path.suffix == ".jsonl":
        yield from texts_of_lines(path.read_bytes())
    else:
        yield path.read_text(errors="replace")


def names_of(text):
    """The names of Metal that a source uses."""
    code = NOT_CODE.sub(lambda found: found.group() if found.group(1) else " ", text)
    names = {re.sub(r"\s", "", each) for each in QUALIFIED.findall(code)}
    return names | set(MACRO.findall(code)) | {f"<{each}>" for each in HEADER.findall(code)}


def own_names_of(text):
    """The macros that a source defines, and the types and constants that it adds where it opens Metal's namespaces."""
    added = TYPE_DEFINED.findall(text) if REOPENED.search(text) else []
    return set(MACRO_DEFINED.findall(text)) | {name for group in added for name in group if name}


def line_for(name):
    if name.startswith("<"):
        return f"#if !__has_include({name})\n#error lacks_it\n#endif"
    if "::" in name:
        return f"\nusing {name};\n"
    return f"#ifndef {name}\n#error lacks_it\n#endif"


def lacking(program, version, names, headers):
    """Those of the names that a version lacks."""
    lines = [f"#include {each}" for each in headers] + [line for name in names for line in line_for(name).split("\n")]
    with tempfile.TemporaryDirectory() as folder:
        unit = pathlib.Path(folder, "names.metal")
        unit.write_text("\n".join(lines) + "\n")
        ran = subprocess.run([program, "--json", "--no-config", "--select", "metal", "--std", version, str(unit)],
                             stdout=subprocess.PIPE, text=True, check=False)
    if ran.returncode not in (0, 1):
        raise SystemExit(f"msci-lint ended with {ran.returncode} on the unit of {names[0]}")
    findings = [each for line in ran.stdout.splitlines() for each in json.loads(line)["diagnostics"]]
    bad = {(each["line"] - 1 - len(headers)) // 3 for each in findings
           if each["severity"] == "error" and LACKS.search(each["message"])}
    return {name for at, name in enumerate(names) if at in bad}


def first_versions(program, names, jobs):
    """The first version that has each name; none if no version has it."""
    headers = sorted(each for each in names if each.startswith("<"))
    first = dict.fromkeys(names)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for version in VERSIONS:
            open_names = sorted(each for each in names if first[each] is None)
            lacks = lacking(program, version, headers, []) if headers else set()
            have = ["<metal_stdlib>"] + [each for each in headers if each not in lacks and each != "<metal_stdlib>"]
            batches = [open_names[at:at + BATCH] for at in range(0, len(open_names), BATCH)]
            lack = set().union(*pool.map(lambda batch: lacking(program, version, batch, have), batches), set())
            for name in open_names:
                if name not in lack:
                    first[name] = version
    return first


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("sources", nargs="+", type=pathlib.Path)
    parser.add_argument("--all", action="store_true", help="print all names with their first versions")
    parser.add_argument("--names", type=pathlib.Path, help="a file of further names")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    uses = collections.Counter()
    for source in options.sources:
        texts = list(texts_of(source))
        own = set().union(*map(own_names_of, texts), set())
        for text in texts:
            uses.update(name for name in names_of(text) if not own & set(name.split("::")))
    if options.names:
        uses.update(re.sub(r"# .*", "", options.names.read_text()).split())
    first = first_versions(options.program, sorted(uses), options.jobs)
    lacks = [name for name, _ in uses.most_common() if first[name] is None]
    if options.all:
        for name in sorted(uses):
            print(f"{name:60} {uses[name]:5} {first[name] or 'lacking'}")
    else:
        for name in lacks:
            print(f"{uses[name]:5} {name}")
    print(f"{len(uses)} names, {len(lacks)} lacking", file=sys.stderr)
    return 1 if lacks else 0


if __name__ == "__main__":
    sys.exit(main())
