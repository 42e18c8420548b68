#!/usr/bin/env python3
"""What msci-eval --numerics says of small kernels: numerics_test.py MSCI_EVAL

Each kernel that depends on a meaning of fast math is found, at its line, and its right twin is silent."""
import json
import math
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(sys.argv.pop(1)).absolute()

HEAD = """#include <metal_stdlib>
using namespace metal;
kernel void f(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant uint& n [[buffer(2)]],
              uint i [[thread_position_in_grid]]) {
"""
LINES_BEFORE = HEAD.count("\n")


def floats(values):
    return struct.pack(f"<{len(values)}f", *values)


class Numerics(unittest.TestCase):
    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.folder = Path(place.name)

    def run_kernel(self, body, inputs, expected, tolerance, *options):
        (self.folder / "k.metal").write_text(HEAD + body + "}\n")
        (self.folder / "x.bin").write_bytes(floats(inputs))
        (self.folder / "y.bin").write_bytes(floats(expected))
        plan = {"sizes": [{"label": str(len(expected)), "n": len(inputs), "results": len(expected)}],
                "buffers": {"x": {"type": "float", "file": "x.bin"}, "y": {"type": "float", "count": "results"},
                            "n": {"type": "uint", "values": ["n"]}},
                "launches": [{"kernel": "f", "grid": ["results"], "threadgroup": [32], "clamp": True,
                              "bind": {"0": "x", "1": "y", "2": "n"}}],
                "expect": {"y": {"file": "y.bin"}}, "tolerance": tolerance}
        (self.folder / "plan.json").write_text(json.dumps(plan))
        return subprocess.run([PROGRAM, "k.metal", "--plan", "plan.json", "--numerics", *options], cwd=self.folder,
                              capture_output=True, text=True, timeout=600)

    def splits(self, body, inputs, expected, tolerance, *options):
        """The meanings that split, with the lines of the body, counted from 1."""
        done = self.run_kernel(body, inputs, expected, tolerance, "--json", *options)
        self.assertIn(done.returncode, (0, 1), done.stderr)
        result = json.loads(done.stdout)
        self.assertIsNone(result["message"])
        found = {each["meaning"]: each["line"] and each["line"] - LINES_BEFORE
                 for each in result["meanings"] if each["splits"]}
        self.assertEqual(result["valid"], not found)
        self.assertEqual(done.returncode, 1 if found else 0)
        return found

    def test_tanh_of_large_arguments(self):
        x = [k * 3.0 - 96 for k in range(64)]
        y, within = [math.tanh(each) for each in x], {"max_abs": 1e-5}
        self.assertEqual(self.splits("  float v = x[i];\n  y[i] = tanh(v);\n", x, y, within), {"fast_functions": 2})
        for right in ("precise::tanh(v)", "metal::precise::tanh(v)", "tanh(clamp(v, -9.0f, 9.0f))"):
            self.assertEqual(self.splits(f"  float v = x[i];\n  y[i] = {right};\n", x, y, within), {}, right)
        fast = "  float v = x[i];\n  y[i] = fast::tanh(v);\n"
        self.assertEqual(self.splits(fast, x, y, within, "--no-fast-math"), {"fast_functions": 2})
        plain = "  y[i] = tanh(x[i]);\n"
        self.assertEqual(self.splits(plain, x, y, within, "--no-fast-math"), {})

    def test_tests_for_nan_and_infinity(self):
        x = [math.nan, 1, -2, math.inf, -math.inf, 3, 4, 5]
        finite = [each if math.isfinite(each) else 0 for each in x]
        numbers = [0 if math.isnan(each) else each for each in x]
        exact = {"max_abs": 1e-6}
        for test in ("v != v", "isnan(v)", "!(v == v)"):
            wrong = f"  float v = x[i];\n  if ({test}) v = 0;\n  y[i] = clamp(v, -1e6f, 1e6f);\n"
            expected = [min(max(each, -1e6), 1e6) for each in numbers]
            self.assertEqual(self.splits(wrong, x, expected, exact), {"nan_ignored": 2}, test)
        for test in ("!isfinite(v)", "isinf(v) || isnan(v)"):
            wrong = f"  float v = x[i];\n  y[i] = {test} ? 0.0f : v;\n"
            self.assertEqual(self.splits(wrong, x, finite, exact), {"nan_ignored": 2}, test)
        bits = "  float v = x[i];\n  y[i] = (as_type<uint>(v) & 0x7f800000u) == 0x7f800000u ? 0.0f : v;\n"
        self.assertEqual(self.splits(bits, x, finite, exact), {})

    def test_softmax_without_the_maximum_taken_off(self):
        x = [87.5, 20, 3, 1, 0, 0, 0, 0] * 4
        y = []
        for row in range(4):
            powers = [math.exp(each) for each in x[8 * row:8 * row + 8]]
            y += [each / sum(powers) for each in powers]
        body = """  device const float* row = x + i / 8 * 8;
  float largest = %s;
  float sum = 0;
  for (uint k = 0; k < 8; ++k) sum += exp(row[k] - largest);
  y[i] = exp(x[i] - largest) / sum;
"""
        within = {"max_abs": 1e-5}
        largest = "max(max(max(row[0], row[1]), max(row[2], row[3])), max(max(row[4], row[5]), max(row[6], row[7])))"
        self.assertEqual(self.splits(body % "0", x, y, within), {"reciprocal": 5})
        self.assertEqual(self.splits(body % largest, x, y, within), {})

    def test_compensated_sums(self):
        x = [0.1] * 20000
        total = [struct.unpack("f", struct.pack("f", 0.1))[0] * len(x)]
        body = """  float sum = 0, lost = 0;
  for (uint k = 0; k < n; ++k) {
    float term = x[k] - lost;
    float next = sum + term;
    lost = (next - sum) - term;
    sum = next;
  }
  y[i] = sum;
"""
        self.assertEqual(self.splits(body, x, total, {"relative": 1e-6}), {"reassociated": 5})
        self.assertEqual(self.splits(body, x, total, {"relative": 1e-6}, "--no-fast-math"), {})

    def test_contraction(self):
        x = [1 + k / 1000 for k in range(32)]
        wrong = "  float v = x[i], w = x[(i + n) % n];\n  y[i] = 1 + sqrt(v * v - w * w);\n"
        right = "  float v = x[i], w = x[(i + n) % n];\n  y[i] = 1 + sqrt((v - w) * (v + w));\n"
        self.assertEqual(self.splits(wrong, x, [1.0] * 32, {"max_abs": 1e-5}), {"contracted": 2})
        self.assertEqual(self.splits(right, x, [1.0] * 32, {"max_abs": 1e-5}), {})

    def test_denormal_numbers(self):
        x = [1e-20] * 32
        wrong = "  float v = x[i] * x[i];\n  y[i] = v * 1e30f;\n"
        right = "  float v = x[i] * 1e30f;\n  y[i] = v * x[i];\n"
        self.assertEqual(self.splits(wrong, x, [1e-10] * 32, {"relative": 1e-3}), {"flushed": 1})
        self.assertEqual(self.splits(right, x, [1e-10] * 32, {"relative": 1e-3}), {})

    def test_powers_of_negative_numbers(self):
        x = [-1.5, -2, -3, 4]
        y = [each * each for each in x]
        self.assertEqual(self.splits("  y[i] = pow(x[i], 2.0f);\n", x, y, {"relative": 1e-5}), {"fast_functions": 1})
        self.assertEqual(self.splits("  y[i] = x[i] * x[i];\n", x, y, {"relative": 1e-5}), {})

    def test_functions_of_the_header_rely_on_infinity(self):
        x = [1.5, 0.25, 1024, -3, math.inf]
        body = "  int e;\n  float m = frexp(x[i], e);\n  float w;\n  y[i] = ldexp(m, e) + modf(x[i], w) + w;\n"
        self.assertEqual(self.splits(body, x, [2 * each for each in x], {"max_abs": 1e-6}), {})

    def test_text_says_which_line_and_which_element(self):
        done = self.run_kernel("  y[i] = tanh(x[i]);\n", [1, 100], [math.tanh(1), 1], {"max_abs": 1e-5})
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("fast_functions  SPLITS  max_abs nan (at most 1e-05); 1 of 2 elements; y[1] is NaN, not 1", done.stdout)
        self.assertIn("k.metal:5: y[i] = tanh(x[i]);", done.stdout)
        self.assertIn("1 of 6 split", done.stdout)

    def test_a_kernel_that_is_wrong_as_written(self):
        done = self.run_kernel("  y[i] = x[i] + 1;\n", [1, 2], [1, 2], {"max_abs": 1e-5}, "--json")
        self.assertEqual(done.returncode, 1, done.stderr)
        result = json.loads(done.stdout)
        self.assertIn("wrong as the kernel is written", result["message"])
        self.assertIsNone(result["valid"])

    def test_translated_programs_and_missing_results_are_refused(self):
        done = self.run_kernel("  y[i] = x[i];\n", [1, 2], [1, 2], {"max_abs": 1e-5}, "--program")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--numerics needs the Metal source", done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)

    def test_seeds_are_run_as_they_are_built(self):
        done = subprocess.run([PROGRAM, "--task", "saxpy", "--numerics"], capture_output=True, text=True, timeout=600)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("the results agree within the tolerance", done.stdout)


if __name__ == "__main__":
    unittest.main()
