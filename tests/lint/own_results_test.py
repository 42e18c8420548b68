#!/usr/bin/env python3
"""The result of a file is the same alone, beside others, in any order, with any number of jobs and from the cache.

  own_results_test.py MSCI_LINT [SEED]

Lints a hundred random selections of a folder whose sources share headers, and compares the result of each file with
that of a run on the file alone.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

METAL = "#include <metal_stdlib>\nusing namespace metal;\n"

HEADERS = {
    "types.h": "#pragma once\nstruct Shape { uint rows, columns; };\n"
               "inline uint at(constant Shape& s, uint r, uint c) { return r * s.columns + c; }\n",
    "broken.h": "#pragma once\ninline float twice(float restrict x) { return 2.0f * x; }\n",
    "wait.h": "#pragma once\n#include <metal_stdlib>\n"
              "inline void wait(uint i, uint n) {\n"
              "  if (i < n) metal::threadgroup_barrier(metal::mem_flags::mem_device);\n}\n",
    # What is in it depends on the source that includes it.
    "macro.h": "#ifdef BROKEN\nconstant int lengths = missing;\n#else\nconstant int lengths = 3;\n#endif\n",
    "reduce.h": "#pragma once\n#include <metal_stdlib>\n"
                "template <typename T> T sum(threadgroup T* line, uint t, uint n) {\n"
                "  for (uint k = n / 2; k > 0; k /= 2) {\n"
                "    if (t < k) line[t] += line[t + k];\n"
                "    metal::threadgroup_barrier(metal::mem_flags::mem_threadgroup);\n  }\n  return line[0];\n}\n",
}

SUM = """kernel void sum_%s(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                  uint t [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]]) {
  threadgroup float line[256];
  line[t] = x[g * 256 + t];
%s  y[g] = sum(line, t, 256);
}
"""
BARRIER = "  threadgroup_barrier(mem_flags::mem_threadgroup);\n"
RACE = """kernel void swap_%s(device float* x [[buffer(0)]], uint t [[thread_index_in_threadgroup]]) {
  const float other = x[t ^ 1];
  x[t] += other;
}
"""
COPY = """kernel void copy_%s(device const float* x [[buffer(0)]], device float* y [[buffer(1)]],
                   constant Shape& s [[buffer(2)]], uint2 p [[thread_position_in_grid]]) {
  if (p.y < s.rows && p.x < s.columns) y[at(s, p.y, p.x)] = %s;
}
"""
COPIED = "x[at(s, p.y, p.x)]"
WAITS = """kernel void waits_%s(device uint* x [[buffer(0)]], uint i [[thread_index_in_threadgroup]]) {
  wait(i, 9);
  x[i] = i;
}
"""


def including(*headers):
    return METAL + "".join(f'#include "{header}"\n' for header in headers)


def write_sources(folder):
    sources = {
        "copy.metal": including("types.h") + COPY % ("a", COPIED),
        "twice.metal": including("types.h", "broken.h") + COPY % ("b", f"twice({COPIED})"),
        "other_twice.metal": including("broken.h", "types.h") + COPY % ("c", f"twice({COPIED})"),
        "deep/twice.metal": including("../broken.h", "../types.h") + COPY % ("d", f"twice({COPIED})"),
        "waits.metal": including("wait.h") + WAITS % "a",
        "other_waits.metal": including("wait.h", "types.h") + WAITS % "b" + COPY % ("e", COPIED),
        "allowed.metal": including("wait.h") + WAITS % "c" + "// msci: allow(slow.x) none\n",
        "macro.metal": including("macro.h") + RACE % "a",
        "broken_macro.metal": METAL + '#define BROKEN\n#include "macro.h"\n' + RACE % "b",
        "sum.metal": including("reduce.h") + SUM % ("a", BARRIER),
        "race.metal": including("reduce.h") + SUM % ("b", ""),
        "both.metal": including("reduce.h", "wait.h") + SUM % ("c", "") + WAITS % "d" + RACE % "c",
        "includes_source.metal": including("wait.h") + '#include "waits.metal"\n',
        "functions.metal": "float half_of(float x) { return 0.5f * x; }\n",
    }
    # So many that share their first lines that these are read ahead for all.
    sources |= {f"copy_{i}.metal": including("types.h") + COPY % (f"n{i}", COPIED) for i in range(20)}
    for name, text in (HEADERS | sources).items():
        path = folder / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)
        os.utime(path, (1, 1))  # a result is kept only if it depends on older files than its run
    return sorted(sources)


def sarif_results(document):
    """The results, without where their rule stands among those of the run."""
    results = json.loads(document)["runs"][0]["results"]
    for result in results:
        del result["ruleIndex"]
    return results


def suites(document):
    return [xml.etree.ElementTree.tostring(each).strip() for each in xml.etree.ElementTree.fromstring(document)]


# By format: the parts of its output, those of one file after those of the other. Formats that have a shared finding once
# are not among them.
PARTS = {"json": str.splitlines, "gitlab": json.loads, "sarif": sarif_results, "junit": suites}


def main():
    program = os.path.abspath(sys.argv[1])
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(10**6)
    print("seed", seed, flush=True)
    chance = random.Random(seed)
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work, "src")
        folder.mkdir()
        names = write_sources(folder)

        def lint(files, form, *options):
            done = subprocess.run([program, "--no-config", "--format", form, *options, *files], cwd=folder,
                                  capture_output=True, text=True, timeout=300,
                                  env=os.environ | {"XDG_CACHE_HOME": work + "/cache"})
            assert done.returncode in (0, 1), (files, done.stderr)
            return done.returncode, PARTS[form](done.stdout)

        alone = {}

        def result_alone(file, form):
            if (file, form) not in alone:
                alone[file, form] = lint([file], form, "--no-cache", "--jobs", "1")
            return alone[file, form]

        for file in ("twice.metal", "deep/twice.metal", "broken_macro.metal"):
            assert not json.loads(result_alone(file, "json")[1][0])["valid"], file
        assert json.loads(result_alone("macro.metal", "json")[1][0])["valid"]
        for count in range(100):
            form = "json" if count % 5 else chance.choice(sorted(PARTS))
            files = chance.sample(names, len(names) if count == 50 else chance.randint(2, 8))
            options = ["--jobs", str(chance.randint(1, 5))] + ["--no-cache"] * chance.randint(0, 1)
            status, parts = lint(files, form, *options)
            expected = [result_alone(file, form) for file in files]
            assert status == max(each for each, _ in expected), (files, options)
            assert parts == [part for _, own in expected for part in own], (form, files, options)


if __name__ == "__main__":
    main()
