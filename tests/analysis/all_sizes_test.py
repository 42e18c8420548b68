#!/usr/bin/env python3
"""Proofs for all sizes of a plan at once: all_sizes_test.py MSCI_EVAL"""
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

PROGRAM = Path(sys.argv.pop(1)).absolute()

KERNELS = """#include <metal_stdlib>
using namespace metal;
struct Sizes { uint offset, n; };
kernel void guarded(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  if (i < n) x[i] *= 2;
}
kernel void unguarded(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = n;
}
kernel void neighbour(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  if (i + 1 < n) x[i] = x[i + 1];
}
kernel void last_element(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  if (i <= n) x[i] = 0;
}
kernel void of_struct(device float* x [[buffer(0)]], constant Sizes& s [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  if (i < s.n) x[i + s.offset] = x[i + s.offset] / (s.n - i);
}
kernel void rows(device float* x [[buffer(0)]], constant uint& cols [[buffer(1)]], uint2 p [[thread_position_in_grid]]) {
  x[p.y * cols + p.x] = 1;
}
kernel void rows_in_64_bits(device float* x [[buffer(0)]], constant uint& cols [[buffer(1)]],
                            uint2 p [[thread_position_in_grid]]) {
  x[ulong(p.y) * cols + p.x] = 1;
}
kernel void rows_of_ints(device float* x [[buffer(0)]], constant int& cols [[buffer(1)]],
                         uint2 p [[thread_position_in_grid]]) {
  x[int(p.y) * cols + int(p.x)] = 1;
}
kernel void in_steps(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]],
                     uint threads [[threads_per_grid]]) {
  for (uint k = i; k < n; k += threads) x[k] = k % n;
}
kernel void four_each(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  for (uint k = 0; k < 4; ++k) x[4 * i + k] = n;
}
kernel void by_groups(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]], uint t [[thread_index_in_threadgroup]],
                      uint g [[threadgroup_position_in_grid]]) {
  if (g * 64 + t < n) x[g * 64 + t] = 1;
}
kernel void of_whole_groups(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
                            uint t [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]]) {
  x[g * 32 + t] = n;
}
kernel void first_of_group(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
                           uint t [[thread_index_in_threadgroup]], uint threads [[threads_per_threadgroup]],
                           uint g [[threadgroup_position_in_grid]]) {
  threadgroup float tile[64];
  tile[t] = x[g * 64 + t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[g * 64 + t] = tile[threads - 1 - t] + n;
}
kernel void full_group(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]],
                       uint t [[thread_index_in_threadgroup]], uint g [[threadgroup_position_in_grid]]) {
  threadgroup float tile[64];
  if (t < n - g * 64) tile[t] = x[g * 64 + t];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  if (t == 0) for (uint k = 0; k < 64; ++k) x[g * 64 + k] = tile[k];
}
kernel void around(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i % 100000] = i;
}
kernel void by_last(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  x[i] = i % (100000 - n);
}
kernel void shifted(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  const ushort count = n;
  x[i] = (1u << (i / 100000)) + count;
}
kernel void every_fourth(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  if (i * 4 < n) x[i * 4] = 1;
}
kernel void halves(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  if (i < n / 2) x[i] = x[i + n / 2];
}
kernel void larger_halves(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  if (i < (n + 1) / 2) x[i] = x[i + n / 2];
}
kernel void returns_early(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]], uint i [[thread_position_in_grid]],
                          uint t [[thread_index_in_threadgroup]]) {
  threadgroup float tile[64];
  if (i >= n) return;
  tile[t] = x[i];
  threadgroup_barrier(mem_flags::mem_threadgroup);
  x[i] = tile[63 - t];
}
kernel void planes(device float* x [[buffer(0)]], constant uint& n [[buffer(1)]], uint3 p [[thread_position_in_grid]]) {
  x[p.x] = p.z;
}
"""


def plan(kernel, grid, count="n", sizes=None, second=None, threadgroup=(64,)):
    sizes = sizes or {"n": 1000}
    return {"sizes": [{"label": "s", **sizes}],
            "buffers": {"x": {"type": "float", "count": count},
                        "n": second or {"type": "uint", "values": ["n"]}},
            "launches": [{"kernel": kernel, "grid": grid, "threadgroup": list(threadgroup), "bind": {"0": "x", "1": "n"}}]}


class AllSizes(unittest.TestCase):
    def run_at(self, folder, sizes, description):
        """The JSON of proofs at the sizes."""
        description = {**description, "sizes": [{"label": str(i), **size} for i, size in enumerate(sizes)]}
        (folder / "k.metal").write_text(KERNELS)
        (folder / "p.json").write_text(json.dumps(description))
        command = [PROGRAM, "k.metal", "--plan", "p.json", "--prove"]
        output = subprocess.run(command + ["--json"], cwd=folder, stdout=subprocess.PIPE, text=True, check=False).stdout
        return json.loads(output), command

    def prove(self, *arguments, **options):
        """What is proved for all sizes: "subject object" by the text of the sizes, and the text that a person reads."""
        description = plan(*arguments, **options)
        with tempfile.TemporaryDirectory() as name:
            result, command = self.run_at(Path(name), description["sizes"], description)
            text = subprocess.run(command, cwd=name, stdout=subprocess.PIPE, text=True, check=False).stdout
        # A scalar is always in bounds.
        sizes_of = lambda each: ", ".join([each["parameter"], *(f"{key} = {value}" for key, value in each["others"].items())])
        proofs = [(sizes_of(each), each["first"], each["last"], each["launch"],
                   {f"{claim['subject']} {claim['object']}".strip() for claim in each["claims"]
                    if claim["object"] not in ("n", "s", "cols")})
                  for each in result["all_sizes"]]
        return proofs, text

    def proved(self, *arguments, **options):
        """All claims that are proved, each with the last size."""
        return {claim: each[2] for each in self.prove(*arguments, **options)[0] for claim in each[4]}

    def test_a_guard_holds_for_every_size(self):
        proofs, text = self.prove("guarded", ["n"])
        self.assertEqual(proofs, [("n", 1, 2**31 - 1, "grid n, threadgroups of 64; x of 4 * n bytes, n = n",
                                   {"bounds x", "races x"})])
        self.assertIn("guarded for all n from 1 to 2147483647 (grid n, threadgroups of 64; x of 4 * n bytes, n = n):\n"
                      "  proved   bounds of x, n\n  proved   races on x\n", text)

    def test_a_grid_of_whole_threadgroups_needs_the_guard(self):
        for grid in (["64*((n+63)/64)"], ["ceil(n / 64) * 64"]):
            proofs, _ = self.prove("guarded", grid)
            self.assertEqual([each[3] for each in proofs],
                             ["grid n rounded up to 64, threadgroups of 64; x of 4 * n bytes, n = n"])
            self.assertEqual(proofs[0][4], {"bounds x", "races x"})
            self.assertEqual(set(self.proved("unguarded", grid)), {"races x"})
        self.assertEqual(set(self.proved("by_groups", ["ceil(n / 64) * 64"])), {"bounds x", "races x"})

    def test_what_fails_at_some_size_is_not_proved(self):
        self.assertEqual(set(self.proved("last_element", ["n+1"])), {"races x"})
        # A neighbour's element is read while its thread writes it.
        self.assertEqual(set(self.proved("neighbour", ["n"])), {"bounds x"})
        self.assertEqual(set(self.proved("unguarded", ["n+1"])), {"races x"})
        # From 100,001 threads on, two of them store to one element.
        self.assertEqual(set(self.proved("around", ["n"])), {"bounds x"})

    def test_arithmetic_that_fails_at_large_sizes_only_is_not_proved(self):
        self.assertNotIn("divisors", self.proved("by_last", ["n"]))
        proved = self.proved("shifted", ["n"])
        self.assertLessEqual({"bounds x", "races x"}, set(proved))
        self.assertNotIn("conversions", proved)
        # The number of bits is 32 from 3,200,001 threads on.
        self.assertLess(proved.get("shifts", 0), 3_200_001)

    def test_products_hold_until_they_wrap_around(self):
        sizes = {"rows": 20, "cols": 1 << 20}
        options = {"count": "rows*cols", "sizes": sizes, "threadgroup": (32, 8),
                   "second": {"type": "uint", "values": ["cols"]}}
        for kernel, last in (("rows", 4095), ("rows_in_64_bits", 2**31 - 1), ("rows_of_ints", 2047)):
            by_sizes = {}
            for each in self.prove(kernel, ["cols", "rows"], **options)[0]:
                by_sizes.setdefault(each[0], []).append(each)
            ends = {each[2] for each in by_sizes.get("rows, cols = 1048576", []) if "bounds x" in each[4]}
            if kernel == "rows_in_64_bits":
                self.assertEqual(ends, {last})
            for end in ends:
                self.assertLessEqual(end, last, kernel)

    def test_sizes_that_do_not_divide(self):
        # Each thread stores four elements: the last one leaves x unless n is a multiple of 4.
        self.assertEqual(set(self.proved("four_each", ["ceil(n / 4)"])), {"races x"})
        self.assertEqual(set(self.proved("four_each", ["n / 4"], sizes={"n": 1000})), {"bounds x", "races x"})

        self.assertEqual(set(self.proved("halves", ["n"])), {"bounds x", "races x"})
        # Of an odd number of elements, the middle one is read and written.
        self.assertEqual(set(self.proved("larger_halves", ["n"])), {"bounds x"})

    def test_threads_of_a_grid_that_is_rounded_up(self):
        everything = {"bounds x", "bounds tile", "races x", "races tile", "barriers"}
        self.assertEqual(set(self.proved("returns_early", ["n"])), everything)
        self.assertEqual(set(self.proved("returns_early", ["ceil(n / 64) * 64"])), {"bounds x", "bounds tile"})

    def test_a_small_product_wraps_around_in_the_largest_launches(self):
        self.assertLess(self.proved("every_fourth", ["n"])["bounds x"], 2**30)

    def test_all_dimensions_count(self):
        self.assertEqual(set(self.proved("planes", ["n", 1, "n"])), {"bounds x"})
        self.assertEqual(set(self.proved("planes", ["n", 1, 2])), {"bounds x"})
        # A grid without depth has threadgroups without depth.
        proofs, _ = self.prove("planes", ["n"], threadgroup=(8, 1, 8))
        self.assertEqual(proofs[0][3:], ("grid n x 1 x 1, threadgroups of 8 x 1 x 8; x of 4 * n bytes, n = n",
                                         {"bounds x", "races x"}))

    def test_a_guard_by_another_parameter_is_none(self):
        options = {"sizes": {"n": 1000, "m": 1000}, "second": {"type": "uint", "values": ["m"]}}
        proofs, _ = self.prove("guarded", ["n"], count="n", **options)
        by_sizes = {each[0]: each[4] for each in proofs}
        self.assertEqual(by_sizes["n, m = 1000"], {"bounds x", "races x"})
        # With 1,000 elements, and a grid of 1,000 threads, every guard will do; with m threads, none.
        proofs, _ = self.prove("guarded", ["m"], count="n", **options)
        self.assertEqual({each[0]: each[4] for each in proofs},
                         {"n, m = 1000": {"races x"}, "m, n = 1000": {"races x"}})

    def test_threadgroups_of_another_size(self):
        self.assertEqual(set(self.proved("of_whole_groups", ["n"], threadgroup=(32,))), {"bounds x", "races x"})
        # With 64 threads, each threadgroup stores to the elements of the next one.
        self.assertEqual(set(self.proved("of_whole_groups", ["n"], threadgroup=(64,))), {"bounds x"})

    def test_the_last_threadgroup_may_be_smaller(self):
        proved = self.proved("first_of_group", ["n"])
        self.assertLessEqual({"bounds x", "bounds tile", "races x", "races tile", "barriers"}, set(proved))
        self.assertNotIn("bounds x", self.proved("full_group", ["n"]))

    def test_numbers_that_do_not_grow_evenly_are_proved_size_by_size(self):
        for grid, count in ((["min(n, 100000)"], "n"), (["n"], "n > 50000 ? 5 : n"), (["n"], "min(n, 2000000)"),
                            (["n + n / 1000000"], "n"), (["n"], "n - n / 1000000"), (["n"], "n * n / n"),
                            (["n"], "n % 1000000"), (["1 << log2(n)"], "n")):
            self.assertEqual(self.proved("unguarded", grid, count=count), {}, (grid, count))

    def test_members_of_structs_grow_with_the_size(self):
        proofs, _ = self.prove("of_struct", ["n"], count="n+3", second={"struct": [["uint", 3, "n"]]})
        self.assertEqual(proofs[0][3], "grid n, threadgroups of 64; x of 4 * n + 12 bytes, s at byte 4 = n")
        self.assertLessEqual({"bounds x", "races x"}, proofs[0][4])
        self.assertNotIn("bounds x", self.proved("of_struct", ["n"], count="n+2", second={"struct": [["uint", 3, "n"]]}))

    def test_each_parameter_is_free_while_the_others_are_fixed(self):
        proofs, _ = self.prove("rows", ["n", "rows"], count="rows*n", sizes={"n": 96, "rows": 20})
        by_sizes = {}
        for each in proofs:
            by_sizes.setdefault(each[0], set()).update(each[4])
        self.assertLessEqual({"bounds x", "races x"}, by_sizes["rows, n = 96"])

    def test_loops_and_remainders_hold_for_every_size(self):
        self.assertEqual(set(self.proved("in_steps", [256])), {"bounds x", "races x"})

    def test_no_size_refutes_what_is_proved_for_all(self):
        # Refutations of the large ones are not run.
        sizes = [1, 2, 31, 63, 64, 65, 1000, 2**23 + 1, 2**31 - 1]
        with tempfile.TemporaryDirectory() as name:
            for kernel in ("guarded", "unguarded", "neighbour", "last_element", "in_steps", "four_each", "by_groups",
                           "of_whole_groups", "first_of_group", "full_group", "around", "by_last", "shifted"):
                for grid in ("n", "ceil(n / 64) * 64"):
                    result, _ = self.run_at(Path(name), [{"n": n} for n in sizes], plan(kernel, [grid]))
                    proved = {(claim["subject"], claim["object"]): (each["first"], each["last"])
                              for each in result["all_sizes"] for claim in each["claims"]}
                    for n, size in zip(sizes, result["sizes"]):
                        for claim in (claim for proof in size["proofs"] for claim in proof["claims"]):
                            first, last = proved.get((claim["subject"], claim["object"]), (1, 0))
                            if first <= n <= last:
                                self.assertNotEqual(claim["answer"], "refuted", (kernel, grid, n, claim))


if __name__ == "__main__":
    unittest.main()
