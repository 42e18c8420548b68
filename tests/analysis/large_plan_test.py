#!/usr/bin/env python3
"""Proofs at sizes that no machine holds: large_plan_test.py MSCI_EVAL

A proof works from the lengths of buffers, so a plan of 2^40 elements takes as much memory as one of 2^10."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(sys.argv.pop(1)).absolute()

KERNELS = """#include <metal_stdlib>
using namespace metal;
kernel void rows_in_32_bits(device float* c [[buffer(0)]], constant int& cols [[buffer(1)]],
                            uint2 p [[thread_position_in_grid]]) {
  c[int(p.y) * cols + int(p.x)] = 1;
}
kernel void rows_in_64_bits(device float* c [[buffer(0)]], constant int& cols [[buffer(1)]],
                            uint2 p [[thread_position_in_grid]]) {
  c[ulong(p.y) * cols + p.x] = 1;
}
"""
MOST_MEGABYTES = 300


def plan(kernel, log_of_rows, log_of_columns):
    rows, columns = 1 << log_of_rows, 1 << log_of_columns
    return {"sizes": [{"label": "s", "rows": rows, "cols": columns}],
            "buffers": {"c": {"type": "float", "count": "rows*cols", "fill": {"uniform": [-1, 1], "seed": 1}},
                        "cols": {"type": "int", "values": ["cols"]}},
            "launches": [{"kernel": kernel, "grid": ["cols", "rows"], "threadgroup": [32, 8],
                          "bind": {"0": "c", "1": "cols"}}]}


class LargePlan(unittest.TestCase):
    def prove(self, kernel, log_of_rows, log_of_columns):
        """The answers about bounds and races of `c`, and the memory of the processes in MiB."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "k.metal").write_text(KERNELS)
            (folder / "p.json").write_text(json.dumps(plan(kernel, log_of_rows, log_of_columns)))
            with open(folder / "out.json", "wb") as output:
                process = subprocess.Popen([PROGRAM, "k.metal", "--plan", "p.json", "--prove", "--json"], cwd=folder,
                                           stdout=output)
                _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            self.assertIn(process.returncode, (0, 1))
            proof = json.loads((folder / "out.json").read_text())["sizes"][0]["proofs"][0]
        answers = {claim["subject"]: claim["answer"] for claim in proof["claims"] if claim["object"] == "c"}
        return answers, usage.ru_maxrss / 1024

    def test_indices_of_64_bits_are_proved_at_any_size(self):
        for log_of_rows, log_of_columns in ((5, 5), (13, 20), (16, 20), (20, 20)):
            answers, megabytes = self.prove("rows_in_64_bits", log_of_rows, log_of_columns)
            self.assertEqual(answers, {"bounds": "proved", "races": "proved"}, (log_of_rows, log_of_columns))
            self.assertLessEqual(megabytes, MOST_MEGABYTES)

    def test_products_of_32_bits_are_refuted_where_they_wrap(self):
        answers, _ = self.prove("rows_in_32_bits", 10, 20)
        self.assertEqual(answers["bounds"], "proved")
        for log_of_rows, log_of_columns in ((12, 20), (13, 20), (20, 20)):
            answers, megabytes = self.prove("rows_in_32_bits", log_of_rows, log_of_columns)
            self.assertEqual(answers["bounds"], "refuted", (log_of_rows, log_of_columns))
            self.assertLessEqual(megabytes, MOST_MEGABYTES)


if __name__ == "__main__":
    unittest.main()
