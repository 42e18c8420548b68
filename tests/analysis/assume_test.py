#!/usr/bin/env python3
"""What an author assumes, in msci-eval --prove and --check: assume_test.py MSCI_EVAL

Proofs use it, a checked run tests it, also where a kernel writes the number, and what cannot hold is refused."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(sys.argv.pop(1)).absolute()

KERNELS = """#include <metal_stdlib>
using namespace metal;
kernel void choose(device uint* count [[buffer(0)]], constant uint& n [[buffer(1)]],
                   uint i [[thread_position_in_grid]]) {
  if (i == 0) count[0] = n - 4;
}
%s
kernel void fill(device float* x [[buffer(0)]], device const uint* count [[buffer(1)]],
                 uint i [[thread_position_in_grid]]) {
  if (i < count[0]) x[i] = 1;
}
"""
PLAN = {
    "sizes": [{"label": "64", "n": 64}],
    "buffers": {"x": {"type": "float", "count": "n"}, "count": {"type": "uint", "count": 1},
                "n": {"type": "uint", "values": ["n"]}},
    "launches": [{"kernel": "choose", "grid": [32], "threadgroup": [32], "bind": {"0": "count", "1": "n"}},
                 {"kernel": "fill", "grid": [96], "threadgroup": [32], "bind": {"0": "x", "1": "count"}}]}


class Assume(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        (self.folder / "plan.json").write_text(json.dumps(PLAN))

    def run_eval(self, *arguments, comment=""):
        (self.folder / "k.metal").write_text(KERNELS % comment)
        return subprocess.run([PROGRAM, "k.metal", "--plan", "plan.json", *arguments], cwd=self.folder,
                              capture_output=True, text=True, timeout=600)

    def bounds_of_x(self, *arguments, comment=""):
        done = self.run_eval("--prove", "--json", *arguments, comment=comment)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        proofs = json.loads(done.stdout)["sizes"][0]["proofs"]
        fill = next(proof for proof in proofs if proof["kernel"] == "fill")
        claim = next(claim for claim in fill["claims"] if claim["subject"] == "bounds" and claim["object"] == "x")
        return claim["answer"], fill.get("assumptions", [])

    def test_a_proof_uses_what_is_assumed(self):
        self.assertEqual(self.bounds_of_x(), ("unknown", []))
        self.assertEqual(self.bounds_of_x("--assume", "count <= 64"), ("proved", ["count <= 64"]))
        self.assertEqual(self.bounds_of_x("--assume", "count <= 65"), ("unknown", ["count <= 65"]))
        self.assertEqual(self.bounds_of_x("--assume", "count <= length(x)"), ("proved", ["count <= length(x)"]))
        # A fact of another kernel is not one of this.
        self.assertEqual(self.bounds_of_x("--assume", "n % 64 == 0"), ("unknown", []))

    def test_a_comment_of_the_source_is_an_assumption(self):
        self.assertEqual(self.bounds_of_x(comment="// msci: assume(count + 4 <= 68)"), ("proved", ["count + 4 <= 68"]))
        text = self.run_eval("--prove", comment="// msci: assume(count <= 64)").stdout
        self.assertIn("assuming count <= 64", text)

    def test_a_checked_run_tests_it(self):
        done = self.run_eval("--check", "--json", "--assume", "count == 60", "--assume", "n == 64")
        self.assertNotIn("assumption", done.stdout + done.stderr)
        text = self.run_eval("--check", "--assume", "count > 60").stdout
        self.assertIn("k.metal: error: the assumption `count > 60` does not hold in launch 1, of fill: count is 60", text)
        done = self.run_eval("--check", "--json", comment="// msci: assume(count % 8 == 0)")
        self.assertEqual(done.returncode, 1, done.stderr)
        finding = json.loads(done.stdout)["findings"][0]
        self.assertEqual(finding["kind"] if "kind" in finding else finding["id"].removeprefix("check."), "assumption")
        self.assertEqual(finding["line"], 7)
        self.assertIn("the assumption `count % 8 == 0` does not hold in launch 1, of fill: count is 60",
                      finding["message"])

    def test_what_cannot_hold_is_refused(self):
        for arguments, message in (
                (["--assume", "n == 63"], "the assumption `n == 63` does not hold for the kernel choose"),
                (["--assume", "count < 3 && count > 5"], "contradict each other"),
                (["--assume", "counts < 3"], "no kernel has all arguments that the assumption `counts < 3` names"),
                (["--assume", "x < 3"], "whose type is float, not an integer"),
                (["--assume", "0 < count < 5"],
                 "column 11: expected one comparison at a time, as in `0 < n && n < 5` or `(n < 5) == 1`, not `< 5`"),
                (["--assume", "count <"], "column 8: expected a number or a name")):
            done = self.run_eval("--prove", *arguments)
            self.assertEqual(done.returncode, 2, done.stdout)
            self.assertIn(message, done.stderr)
        done = self.run_eval("--prove", comment="// msci: assume(count <)")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("k.metal:7: the assumption `count <` is not understood", done.stderr)
        done = self.run_eval("--assume", "n == 64")
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("--assume needs --prove", done.stderr)


if __name__ == "__main__":
    unittest.main()
