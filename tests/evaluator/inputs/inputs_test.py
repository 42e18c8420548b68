#!/usr/bin/env python3
"""msci-eval --check --inputs N on small kernels: inputs_test.py MSCI_EVAL

Faults that the plan's own inputs do not show are found, shrunk and repeated by the plan that is written; right twins
have none."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(sys.argv.pop(1)).absolute()

HEAD = """#include <metal_stdlib>
using namespace metal;
kernel void f(device const uint* x [[buffer(0)]], device uint* y [[buffer(1)]], constant uint& n [[buffer(2)]],
              device atomic_uint* used [[buffer(3)]], device const float* table [[buffer(4)]],
              uint i [[thread_position_in_grid]]) {
"""
PLAN = {
    "sizes": [{"label": "64", "n": 64}],
    "small": {"label": "16", "n": 16},
    "buffers": {"x": {"type": "uint", "count": "n", "fill": {"uniform": [0, 101], "seed": 5}},
                "y": {"type": "uint", "count": "n"}, "n": {"type": "uint", "values": ["n"]},
                "used": {"type": "uint", "count": 1}, "table": {"type": "float", "file": "table.bin"}},
    "launches": [{"kernel": "f", "grid": ["n"], "threadgroup": [16],
                  "bind": {"0": "x", "1": "y", "2": "n", "3": "used", "4": "table"}}],
    "expect": {"y": {}}, "reference": ["python3", "reference.py"]}


class Inputs(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        (self.folder / "found").mkdir()
        (self.folder / "table.bin").write_bytes(bytes(4 * 100))
        (self.folder / "plan.json").write_text(json.dumps(PLAN))

    def run_eval(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=600)

    def search(self, body, *options):
        (self.folder / "k.metal").write_text(HEAD + body + "}\n")
        done = self.run_eval("k.metal", "--plan", "plan.json", "--check", "--inputs", "60", "--json", *options)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads(done.stdout)

    def expect_fault(self, body, fault, buffer, elements=None):
        plain = self.search(body)  # fills in k.metal
        own = self.run_eval("k.metal", "--plan", "plan.json", "--check")
        self.assertEqual(own.returncode, 0, own.stdout)
        result = self.search(body, "--save-plan", "found/plan.json" if elements is None else "found.json")
        self.assertEqual(result["findings"], plain["findings"], "the same search finds the same")
        self.assertIn(fault, [each["id"] for each in result["findings"]])
        self.assertEqual([each["buffer"] for each in result["inputs"]["changes"]], [buffer])
        if elements:
            self.assertEqual(result["inputs"]["changes"][0]["changed_elements"], elements)
        repeated = self.run_eval("k.metal", "--plan", result["inputs"]["plan"], "--check", "--json")
        self.assertEqual(repeated.returncode, 1, repeated.stderr)
        self.assertEqual(json.loads(repeated.stdout)["findings"], result["findings"])

    def expect_none(self, body):
        result = self.search(body, "--save-plan", "none.json")
        self.assertEqual(result["findings"], [])
        self.assertTrue(result["valid"])
        self.assertEqual(result["inputs"]["changes"], [])
        self.assertGreater(result["inputs"]["runs"], 10)
        self.assertFalse((self.folder / "none.json").exists())

    def test_the_greatest_index(self):
        body = "  y[i] = x[i] <= %d ? uint(table[x[i]]) : 0;\n"
        self.expect_fault(body % 100, "check.out_of_bounds", "x", elements=1)
        self.expect_fault(body % 100, "check.out_of_bounds", "x")
        self.expect_none(body % 99)

    def test_a_length_of_zero(self):
        self.expect_fault("  y[i] = x[n - 1];\n", "check.out_of_bounds", "n", elements=1)
        self.expect_none("  y[i] = n == 0 ? 0 : x[n - 1];\n")

    def test_equal_numbers(self):
        body = """  uint found[9] = {};
  uint equal = 0;
  for (uint k = 0; k < n; ++k) equal += x[k] == x[i];
  found[%s] = i;
  y[i] = found[i %% 9] + equal;
"""
        self.expect_fault(body % "equal", "check.out_of_bounds", "x")
        self.expect_none(body % "min(equal, i / 2)")

    def test_sorted_numbers(self):
        body = """  threadgroup uint found[14];
  y[i] = i;
  if (i > 0 && x[i] > x[i - 1]) {
    uint at = atomic_fetch_add_explicit(used, 1u, memory_order_relaxed);
    if (at < %s) found[at] = x[i];
  }
"""
        self.expect_fault(body % "16", "check.out_of_bounds", "x")
        self.expect_none(body % "14")

    def test_the_text_says_what_it_needs(self):
        (self.folder / "k.metal").write_text(HEAD + "  y[i] = x[n - 1];\n}\n")
        done = self.run_eval("k.metal", "--plan", "plan.json", "--check", "--inputs", "60", "--save-plan", "found.json")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("found with n equal to the least number (1 of 1 elements changed)", done.stdout)
        self.assertIn("repeat it with: msci-eval k.metal --plan found.json --check", done.stdout)

    def test_a_fault_of_the_plan_itself_needs_no_search(self):
        result = self.search("  y[i + 8] = x[i];\n")
        self.assertIsNone(result["inputs"])
        self.assertEqual(result["findings"][0]["id"], "check.out_of_bounds")

    def test_bad_usage_is_one_clear_line(self):
        (self.folder / "k.metal").write_text(HEAD + "  y[i] = 0;\n}\n")
        fixed = dict(PLAN, buffers={**PLAN["buffers"], "x": {"type": "uint", "count": "n"},
                                    "n": {"type": "float", "values": ["n"]}})
        (self.folder / "fixed.json").write_text(json.dumps(fixed))
        for arguments, part in (
                (("--plan", "plan.json", "--inputs", "3"), "--inputs requires --check"),
                (("--plan", "plan.json", "--check", "--save-plan", "a"), "--save-plan requires --inputs"),
                (("--task", "saxpy", "--check", "--inputs", "3"), "--inputs needs a --plan"),
                (("--plan", "plan.json", "--check", "--inputs", "0"), "--inputs"),
                (("--plan", "fixed.json", "--check", "--inputs", "3"), "has no buffer that --inputs may change"),
                (("--plan", "plan.json", "k.metal", "--check", "--inputs", "3", "--save-plan", "a"), "one FILE")):
            done = self.run_eval("k.metal", *arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(part, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
