#!/usr/bin/env python3
"""The schema of plan files has the fields that msci reads, and msci-tasks new prints plans that run:
plan_test.py BIN SOURCE

Needs python3-jsonschema; says so and exits with 77 where it is absent."""
import copy
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

try:
    from jsonschema import Draft202012Validator
except ImportError as missing:
    print(f"SKIP: {missing} (apt-get install python3-jsonschema)")
    sys.exit(77)

BIN, SOURCE = (pathlib.Path(each).resolve() for each in sys.argv[1:3])
SCHEMA = json.loads((SOURCE / "docs/schemas/plan.schema.json").read_text())
VALIDATOR = Draft202012Validator(SCHEMA)

# A plan with every kind of object.
PLAN = {
    "sizes": [{"label": "s", "n": 4}],
    "buffers": {"x": {"type": "float", "count": "n", "fill": {"uniform": [0, 1], "seed": 1}},
                "y": {"type": "float", "count": "n"},
                "s": {"struct": [{"buffer": "x"}, {"texture": "t"}, {"sampler": "p"}, {"functions": ["f"]},
                                 {"struct": [["uint", 1]]}]}},
    "textures": {"t": {"format": "r32float", "width": "n", "height": 1, "fill": {"constant": 1}}},
    "samplers": {"p": {"filter": "linear"}},
    "launches": [{"kernel": "k", "grid": ["n"], "threadgroup": [4],
                  "bind": {"0": "x", "1": {"buffer": "y"}, "2": {"type": "uint", "values": [1], "name": "v"},
                           "3": {"functions": ["f"]}, "4": "s"}},
                 {"launches": [{"kernel": "k", "grid": [1], "threadgroup": [1], "bind": {}}]},
                 {"swap": [["x", "y"]]}, {"barrier": True}],
    "expect": {"y": {}}, "reference": ["true"], "tolerance": {"max_abs": 1e-5}, "work": {"bytes": 4},
    "stress": {"sizes": [{"label": "t", "n": 3}], "tolerance": 1e-5},
}

# Each object by its place in the plan, and where the schema describes it.
DEFS = SCHEMA["$defs"]
MEMBERS = DEFS["member"]["anyOf"]
OBJECTS = {
    (): SCHEMA, ("buffers", "x"): DEFS["buffer"], ("buffers", "x", "fill"): DEFS["fill"],
    ("buffers", "s", "struct", 0): DEFS["pointer"], ("buffers", "s", "struct", 1): MEMBERS[3],
    ("buffers", "s", "struct", 2): MEMBERS[4], ("buffers", "s", "struct", 3): DEFS["functions"],
    ("buffers", "s", "struct", 4): MEMBERS[5], ("textures", "t"): DEFS["texture"],
    ("textures", "t", "fill"): DEFS["fill"], ("samplers", "p"): DEFS["sampler"], ("launches", 0): DEFS["launch"],
    ("launches", 0, "bind", "1"): DEFS["bound"]["anyOf"][1], ("launches", 0, "bind", "2"): DEFS["bound"]["anyOf"][2],
    ("launches", 0, "bind", "3"): DEFS["functions"], ("launches", 1): DEFS["loop"], ("launches", 2): DEFS["exchange"],
    ("launches", 3): DEFS["barrier"],
    ("expect", "y"): SCHEMA["properties"]["expect"]["additionalProperties"],
    ("tolerance",): SCHEMA["properties"]["tolerance"], ("work",): SCHEMA["properties"]["work"],
    ("stress",): SCHEMA["properties"]["stress"],
}

ADD = """#include <metal_stdlib>
using namespace metal;
kernel void add(device const float *a [[buffer(0)]], device const float *b [[buffer(1)]],
                device float *sum [[buffer(2)]], constant uint &n [[buffer(3)]],
                uint i [[thread_position_in_grid]]) {
  if (i < n) sum[i] = a[i] + b[i];
}
"""
BLUR = """#include <metal_stdlib>
using namespace metal;
kernel void blur(device const uchar *from [[buffer(0)]], device uchar *to [[buffer(1)]], constant uint2 *unused [[buffer(4)]],
                 constant uint &width [[buffer(2)]], constant uint &height [[buffer(3)]],
                 uint2 at [[thread_position_in_grid]]) {
  if (at.x >= width || at.y >= height) return;
  const uint left = at.x > 0 ? at.x - 1 : 0;
  to[at.y * width + at.x] = (from[at.y * width + left] + from[at.y * width + at.x]) / 2 + (unused[0].x & 0);
}
"""
TWO = """#include <metal_stdlib>
using namespace metal;
kernel void square(device const float4 *x [[buffer(0)]], device float4 *squares [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) { squares[i] = x[i] * x[i]; }
kernel void halve(device float4 *squares [[buffer(0)]], threadgroup float4 *tile [[threadgroup(0)]],
                  uint i [[thread_position_in_grid]], uint t [[thread_position_in_threadgroup]]) {
  tile[t] = squares[i];
  squares[i] = tile[t] / 2;
}
"""
# The extent does not come first among the numbers.
SCALE = """#include <metal_stdlib>
using namespace metal;
kernel void scale(device const float *x [[buffer(0)]], device float *y [[buffer(1)]],
                  constant float &factor [[buffer(2)]], constant uint &count [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i < count) y[i] = factor * x[i];
}
"""
KERNELS = {"add": (ADD, "sum = [x + y for x, y in zip(a, b)]"),
           "blur": (BLUR, "to = [(from_[y * width + max(x - 1, 0)] + from_[y * width + x]) // 2\n"
                          "      for y in range(height) for x in range(width)]"),
           "scale": (SCALE, "y = [factor[0] * v for v in x]"),
           "two": (TWO, "squares = [v * v / 2 for v in x]")}


def msci(tool, *words, folder=None):
    return subprocess.run([BIN / tool, *map(str, words)], capture_output=True, text=True, cwd=folder)


class Plans(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_schema_accepts_the_plans_of_this_repository(self):
        count = 0
        for file in [*SOURCE.glob("docs/**/*.json"), *SOURCE.glob("corpus/**/*.json")]:
            plan = json.loads(file.read_text())
            if isinstance(plan, dict) and {"launches", "sizes"} <= set(plan):
                self.assertEqual([], [error.message for error in VALIDATOR.iter_errors(plan)], file)
                count += 1
        self.assertGreater(count, 20)

    def read_plan(self, plan, needs_results):
        """What msci says about a plan; only an evaluation reads what results must be."""
        (self.folder / "plan.json").write_text(json.dumps(plan))
        if not needs_results:
            return msci("msci-tasks", "describe", self.folder / "plan.json").stderr
        (self.folder / "k.metal").write_text(ADD)
        return msci("msci-eval", self.folder / "k.metal", "--plan", self.folder / "plan.json", "--verify-only").stderr

    def test_schema_has_the_fields_that_msci_reads(self):
        self.assertEqual([], [error.message for error in VALIDATOR.iter_errors(PLAN)])
        for place, description in OBJECTS.items():
            plan = copy.deepcopy(PLAN)
            inner = plan
            for step in place:
                inner = inner[step]
            inner["zzzzzzzz"] = 1
            self.assertTrue(list(VALIDATOR.iter_errors(plan)), place)
            said = self.read_plan(plan, needs_results=place[:1] == ("expect",))
            known = re.search(r"zzzzzzzz: unknown field; the fields here are (.*)\n", said)
            self.assertTrue(known, (place, said))
            self.assertEqual(set(known[1].split(", ")), set(description["properties"]), place)

    def test_new_prints_plans_that_run_once_the_reference_is_written(self):
        for name, (kernel, answer) in KERNELS.items():
            folder = self.folder / name
            folder.mkdir()
            (folder / "kernel.metal").write_text(kernel)
            made = msci("msci-tasks", "new", "kernel.metal", folder=folder)
            self.assertEqual((made.returncode, made.stderr), (0, ""))
            self.assertEqual([], [error.message for error in VALIDATOR.iter_errors(json.loads(made.stdout))])
            (folder / "plan.json").write_text(made.stdout)
            stub = msci("msci-tasks", "new", "kernel.metal", "--reference", folder=folder).stdout
            todo = "# Compute the results here, from what a correct kernel gets.\n"
            self.assertIn(todo, stub)
            (folder / "reference.py").write_text(stub.replace(todo, answer + "\n"))
            judged = msci("msci-eval", "kernel.metal", "--plan", "plan.json", "--verify-only", "--device", "cpu", folder=folder)
            self.assertEqual(judged.returncode, 0, (name, judged.stdout, judged.stderr, stub, made.stdout))
            # Before it is filled in, it runs, and says that the results are wrong or useless.
            (folder / "reference.py").write_text(stub)
            self.assertNotEqual(msci("msci-eval", "kernel.metal", "--plan", "plan.json", "--verify-only", "--device", "cpu",
                                     folder=folder).returncode, 0, name)

    def test_new_says_what_it_cannot_do(self):
        for kernel, message in (
                ("struct P { float a; };\nkernel void k(constant P &p [[buffer(0)]], device float *y [[buffer(1)]]) {}\n",
                 "the parameter 'p' of k has the type P, which needs a plan written by hand"),
                ("kernel void k(device const float *x [[buffer(0)]]) {}\n", "no kernel of the source writes a buffer"),
                ("float f() { return 1; }\n", "the source has no kernel"),
                ("kernel void k(device float *restrict y [[buffer(0)]]) { y[0] = 1; }\n",
                 "k.metal:1:38: error: 'restrict' is a C keyword; use '__restrict' (expected ')') [metal.restrict]; msci-lint ")):
            (self.folder / "k.metal").write_text(kernel)
            said = msci("msci-tasks", "new", self.folder / "k.metal")
            self.assertEqual(said.returncode, 2, kernel)
            self.assertIn(message, said.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
