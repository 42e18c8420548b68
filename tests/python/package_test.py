#!/usr/bin/env python3
"""The package msci against the programs of a build: package_test.py BIN SOURCE [TEST…]"""
import asyncio
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BIN, SOURCE = (pathlib.Path(each).resolve() for each in sys.argv[1:3])
sys.path.insert(0, str(SOURCE / "python"))
CACHE = tempfile.TemporaryDirectory()
os.environ.update(MSCI_BIN=str(BIN), XDG_CACHE_HOME=CACHE.name)
import msci  # noqa: E402

SEED = (SOURCE / "tasks/nbody/nbody.metal").read_text()
REFUSED = "kernel void nbody("


def evaluation_of(**fields):
    values = {each.name: None for each in dataclasses.fields(msci.Evaluation)} | {"sizes": (), "diagnostics": (), "json": {}}
    return msci.Evaluation(**{**values, **fields})


class Package(unittest.TestCase):
    def test_judges_and_lints_one_kernel(self):
        right = msci.evaluate(SEED, "nbody", device="cpu")
        self.assertIs(right.correct, True)
        self.assertIs(right.strict_passed, True)
        self.assertEqual(right.json["task"], "nbody")
        refused = msci.evaluate(REFUSED, "nbody", device="cpu")
        self.assertIs(refused.compile_ok, False)
        self.assertEqual(refused.diagnostics[0].severity, "error")
        report = msci.lint("kernel void f() {}", task="nbody")
        self.assertIs(report.valid, False)
        self.assertTrue(report.diagnostics[0].id.startswith("degenerate."))
        self.assertEqual(msci.reward(SEED, "nbody", device="cpu"), 0.5)

    def test_judges_many_in_any_order(self):
        texts = [f"{SEED}// {number}\n" for number in range(5)] + [REFUSED]
        with msci.Server("cpu") as server:
            results = {each.index: each for each in server.evaluate_many((text, "nbody") for text in texts)}
            self.assertEqual([results[i].reward for i in range(6)], [0.5] * 5 + [0.0])
            again = list(server.evaluate_many([(texts[0], "nbody")]))
            self.assertTrue(again[0].cached)
            wrong = list(server.evaluate_many([(SEED, "mortn")]))
            self.assertIn("mortn", wrong[0].error)
            self.assertIsNone(wrong[0].reward)

    def test_judges_many_for_asyncio(self):
        async def count(server):
            return [each.index async for each in server.evaluate_many_async((SEED, "nbody") for _ in range(4))]

        with msci.Server("cpu") as server:
            self.assertEqual(sorted(asyncio.run(count(server))), [0, 1, 2, 3])

    def test_cancels_what_is_left(self):
        with msci.Server("cpu", jobs=1) as server:
            for _ in server.evaluate_many((f"{SEED}// left {number}\n", "nbody") for number in range(100)):
                break
            self.assertTrue(server.evaluate(SEED, "nbody").correct)

    def test_says_why_it_cannot(self):
        with self.assertRaisesRegex(msci.MsciError, "mortn"):
            msci.evaluate(SEED, "mortn", device="cpu")
        with self.assertRaisesRegex(msci.MsciError, "no device|nowhere"):
            msci.evaluate(SEED, "nbody", device="nowhere")
        with msci.Server("cpu") as server:
            server._process.kill()
            with self.assertRaisesRegex(msci.MsciError, "ended"):
                server.evaluate(SEED, "nbody")
        os.environ["MSCI_BIN"] = CACHE.name
        self.addCleanup(os.environ.update, MSCI_BIN=str(BIN))
        with self.assertRaisesRegex(msci.MsciError, "MSCI_BIN"):
            msci.lint("x")

    def test_a_source_that_is_not_unicode_is_an_error_of_its_own(self):
        with msci.Server() as server:
            with self.assertRaisesRegex(msci.MsciError, "not Unicode text"):
                server.lint("kernel void f() {} // \ud800")
            with self.assertRaises(TypeError):
                server.lint(b"kernel void f() {}")
            self.assertIs(server.lint("kernel void f() {}").valid, True)

    def test_has_the_ends_of_an_interval(self):
        def measured(low, estimate, high):
            return evaluation_of(compile_ok=True, correct=True,
                                 json={"versus": {"low": low, "ratio": estimate, "high": high}})

        self.assertEqual(msci.speedup(measured(1.5, 2, 3)), msci.Speedup(1.5, 2, 3))
        self.assertIsNone(msci.speedup(measured(None, None, None)))
        self.assertIsNone(msci.speedup(evaluation_of(compile_ok=True, correct=True, json={"versus": None})))

    def test_each_row_of_the_table_of_rewards(self):
        """docs/reference/python.md has the same rows, in this order."""
        def kernel(body, name="nbody_step"):
            head = SEED[:SEED.index("kernel void")]
            parameters = SEED[SEED.index("kernel void nbody_step(") + len("kernel void nbody_step("):SEED.index(") {")]
            return f"{head}kernel void {name}({parameters}) {{ {body} }}\n"

        rows = {
            "an empty answer": ("", 0), "blanks alone": ("  \n", 0), "a NUL, or other binary data": (SEED + "\0", 0),
            "text that is not Unicode": (SEED + "\ud800", 0),
            "no kernel of the task": ("kernel void f(){}", 0), "it does not compile": (SEED.replace(";", "", 1), 0),
            "a kernel that stores nothing": (kernel(""), 0),
            "a kernel of the task that stores nothing, beside another":
                (kernel("") + "kernel void other(device float* x) { x[0] = 1; }\n", 0),
            "it compiles, and is wrong at all sizes": (SEED.replace("mass[j] *", "2.0f * mass[j] *"), 0.1),
            "right": (SEED, 0.5)}
        page = (SOURCE / "docs/reference/python.md").read_text()
        with msci.Server("cpu") as server:
            names = list(rows)
            for each in server.evaluate_many((rows[name][0], "nbody") for name in names):
                name = names[each.index]
                with self.subTest(name):
                    self.assertIn(f"| {name} | {rows[name][1]} |", page)
                    self.assertIsNone(each.error)
                    self.assertEqual(each.reward, rows[name][1], each.evaluation)

    def test_the_program_of_the_seed_earns_what_the_seed_earns(self):
        texts = [SEED] + [f"// {number}\n{SEED}" for number in range(5)]
        with msci.Server("cpu") as server:
            for each in server.evaluate_many(((text, "nbody") for text in texts), rival="seed"):
                self.assertEqual(each.reward, 0.75, each)
                self.assertIs(each.evaluation.strict_passed, True)
                self.assertEqual(msci.speedup(each.evaluation), msci.Speedup(1, 1, 1))

    def test_measures_in_turns_with_a_rival(self):
        slow = SEED.replace("rsqrt(r2 * r2 * r2)", "rsqrt(r2) / r2")
        self.assertNotEqual(slow, SEED)
        evaluation = msci.evaluate(slow, "nbody", device="cpu", rival=SEED)
        gain = msci.speedup(evaluation)
        self.assertLessEqual(gain.low, gain.estimate)
        self.assertLessEqual(gain.estimate, gain.high)
        self.assertEqual(len(evaluation.json["versus"]["sizes"][0]["rival"]), 12)
        self.assertIsNone(evaluation.score, "its sizes were not timed by themselves")
        self.assertAlmostEqual(msci.reward_of(evaluation), 0.5 + 0.5 * gain.low / (1 + gain.low))
        refused = msci.evaluate(REFUSED, "nbody", device="cpu", rival="seed")
        self.assertIsNone(refused.json["versus"])
        self.assertEqual(msci.reward_of(refused), 0)

    def test_has_the_fields_of_the_schemas(self):
        evaluation = json.loads(subprocess.run([BIN / "msci-eval", "--schema", "evaluation"], capture_output=True,
                                               check=True).stdout)["properties"]
        lint = json.loads((SOURCE / "docs/schemas/lint.schema.json").read_text())["properties"]
        finding = json.loads((SOURCE / "docs/schemas/lint.schema.json").read_text())["$defs"]["finding"]["properties"]
        names = lambda kind, own=(): {each.name for each in dataclasses.fields(kind)} - {"json", *own}
        self.assertLessEqual(names(msci.Evaluation, ["strict_passed"]), set(evaluation))
        self.assertLessEqual(names(msci.SizeResult), set(evaluation["sizes"]["items"]["properties"]))
        self.assertLessEqual(names(msci.LintReport), set(lint))
        self.assertLessEqual(names(msci.Diagnostic, ["id"]), set(finding))
        self.assertLessEqual(names(msci.Note), set(finding["notes"]["items"]["properties"]))
        self.assertLessEqual(names(msci.Fix), set(finding["fixes"]["items"]["properties"]))

    def test_findings_have_their_ends_notes_and_fixes(self):
        report = msci.lint("kernel void f(device float* restrict x [[buffer(0)]]) { x[0] = 1; }\n")
        first = report.diagnostics[0]
        self.assertEqual((first.id, first.line, first.end_line), ("metal.restrict", 1, 1))
        self.assertGreater(first.end_column, first.column)
        self.assertEqual(first.fixes[0].edits[0].replacement, "__restrict")

        race = msci.lint("""#include <metal_stdlib>
using namespace metal;
kernel void f(device float* y [[buffer(0)]], uint i [[thread_position_in_threadgroup]]) {
  threadgroup float line[32];
  line[i] = i;
  y[i] = line[31 - i];
}
""").diagnostics[0]
        self.assertEqual((race.id, race.line), ("hazard.threadgroup_race", 6))
        self.assertEqual([(note.line, note.message) for note in race.notes], [(5, "written here")])


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
