#!/usr/bin/env python3
"""msci-eval --reduce on small kernels: reduce_test.py MSCI_EVAL

What is left is small, shows the same, and is the same each time."""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(sys.argv.pop(1)).absolute()

KERNEL = """// A kernel with more than it needs.
#include <metal_stdlib>
using namespace metal;

struct Settings {
  float scale;
  uint rounds;
};

constant float weights[4] = {1, 2, 3, 4};

inline float unused(float v) { return v * 2; }
inline float weighted(float v, uint k) {
  float sum = 0;  // of all rounds
  for (uint i = 0; i < k; ++i) sum += v * weights[i & 3];
  return sum;
}

kernel void other(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) { y[i] = 1; }

kernel void f(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant uint& n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
  Settings settings = {2, 3};
  float v = weighted(x[i], settings.rounds);
  if (i < n) {
    float neighbour = %s;
    if (v != v) v = 0;
    y[i] = i == 3 ? 5 : x[i] + 0 * (v - neighbour);
  }
}
"""
INSIDE, OUTSIDE = "x[i]", "x[i + 1]"
PLAN = {"sizes": [{"label": "16", "n": 16}],
        "buffers": {"x": {"type": "float", "count": "n", "fill": {"iota": [0, 1]}},
                    "y": {"type": "float", "count": "n"}, "n": {"type": "uint", "values": ["n"]}},
        "launches": [{"kernel": "f", "grid": ["n"], "threadgroup": [16], "bind": {"0": "x", "1": "y", "2": "n"}}],
        "expect": {"y": {}}, "reference": ["cp", "{folder}/x.bin", "{folder}/y.out"], "tolerance": {"max_abs": 1e-6}}


class Reduce(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)
        (self.folder / "k.metal").write_text(KERNEL % INSIDE)
        (self.folder / "outside.metal").write_text(KERNEL % OUTSIDE)
        (self.folder / "plan.json").write_text(json.dumps(PLAN))

    def run_eval(self, *arguments):
        return subprocess.run([PROGRAM, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=600)

    def reduced(self, file, *arguments):
        done = self.run_eval(file, "--reduce", *arguments, "--save-kernel", "small.metal")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout, "")
        self.assertRegex(done.stderr, r"^msci-eval: \d+ of \d+ bytes are left after \d+ attempts\n$")
        return (self.folder / "small.metal").read_text()

    def evaluated(self, *arguments):
        done = self.run_eval("small.metal", "--json", *arguments)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        return json.loads(done.stdout)

    def test_a_finding_of_lint(self):
        rule = "hazard.nan_test_under_fast_math"
        small = self.reduced("k.metal", rule)
        self.assertIn("v != v", small)
        self.assertLess(len(small), 160, small)
        for gone in ("unused", "weighted", "Settings", "other", "//"):
            self.assertNotIn(gone, small)
        done = self.run_eval("k.metal", "--reduce", rule)
        self.assertEqual(done.stdout, small, "standard output has the same")

    def test_a_refusal(self):
        text = (KERNEL % INSIDE).replace("settings.rounds)", "settings.round)")
        (self.folder / "refused.metal").write_text(text)
        small = self.reduced("refused.metal", "refusal")
        self.assertIn(".round", small)
        self.assertLess(len(small), 200, small)
        for gone in ("unused", "other"):
            self.assertNotIn(gone, small)

    def test_a_fault_of_the_checked_mode(self):
        small = self.reduced("outside.metal", "check.out_of_bounds", "--plan", "plan.json")
        self.assertIn("x[i + 1]", small)
        self.assertLess(len(small), 260, small)
        self.assertIn("check.out_of_bounds",
                      [each["id"] for each in self.evaluated("--plan", "plan.json", "--check")["findings"]])

    def test_a_wrong_result(self):
        small = self.reduced("k.metal", "wrong", "--plan", "plan.json")
        self.assertIn("i == 3", small)
        self.assertLess(len(small), 300, small)
        size = self.evaluated("--plan", "plan.json", "--device", "cpu", "--verify-only")["sizes"][0]
        self.assertEqual((size["wrong_elements"], size["first_difference"]), (1, "y[3] is 5, not 3"))

    def test_what_is_not_there(self):
        done = self.run_eval("k.metal", "--reduce", "hazard.missing_guard")
        self.assertEqual(done.returncode, 1)
        self.assertIn("k.metal does not show hazard.missing_guard, so there is nothing to reduce; it shows", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertEqual(done.stdout, "")

    def test_an_unknown_word_is_not_looked_for(self):
        for word, answer in (("race", 'no finding or fault is called "race"; did you mean "check.race"?'),
                             ("missing_gard", 'no finding or fault is called "missing_gard"; did you mean '
                              '"hazard.missing_guard"?'),
                             ("xyzzy", 'no finding or fault is called "xyzzy"; see msci-lint --list-rules and msci-eval '
                              '--list-faults')):
            done = self.run_eval("k.metal", "--reduce", word)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (2, "", f"msci-eval: {answer}\n"))

    def test_the_time_is_bounded(self):
        done = self.run_eval("k.metal", "--reduce", "hazard.nan_test_under_fast_math", "--reduce-time", "0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("the time is over, --reduce-time gives more", done.stderr)
        self.assertIn("v != v", done.stdout)

    def test_bad_usage_is_one_clear_line(self):
        for arguments, part in ((("k.metal", "--reduce", "wrong"), "--reduce wrong needs a --task or a --plan"),
                                (("--reduce", "refusal"), "--reduce needs one FILE"),
                                (("k.metal", "outside.metal", "--reduce", "refusal"), "--reduce needs one FILE"),
                                (("k.metal", "--plan", "plan.json", "--save-kernel", "x"), "--save-kernel requires --reduce"),
                                (("missing.metal", "--reduce", "refusal"), "missing.metal")):
            done = self.run_eval(*arguments)
            self.assertEqual(done.returncode, 2, arguments)
            self.assertIn(part, done.stderr)
            self.assertEqual(done.stderr.count("\n"), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
