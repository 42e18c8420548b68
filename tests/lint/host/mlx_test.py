#!/usr/bin/env python3
"""Kernels that Python makes of a body are linted with their places in the file: mlx_test.py BIN

Each file of mlx/ gets the errors that its lines expect ("expect: a part of the message"), the warnings of the family
binding ("expect-warning: a part"), and no others. Its kernels have their names. Files without Metal have a note, alone and in a folder.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).parent / "mlx"
FILES = [each for each in sorted(FOLDER.glob("*.py")) if each.name != "reference.py"]
BIN = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/bin").resolve()


def lint(*arguments):
    ran = subprocess.run([BIN / "msci-lint", "--json", "--no-config", "--no-cache", *map(str, arguments)],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    return ran.returncode, [json.loads(line) for line in ran.stdout.splitlines()], ran.stderr


class Mlx(unittest.TestCase):
    def test_each_file_gets_what_it_expects(self):
        for path in FILES:
            with self.subTest(path.name):
                expected = {(number, "warning" if kind else "error", each)
                            for number, line in enumerate(path.read_text().splitlines(), 1)
                            for kind, each in re.findall(r"// expect(-warning)?: (.*)", line)}
                status, files, said = lint("--std", "metal3.2", path)
                self.assertEqual(status, 1 if any(kind == "error" for _, kind, _ in expected) else 0, said)
                findings = [each for each in files[0]["diagnostics"]
                            if each["severity"] == "error" or each["rule"].startswith("binding.")]
                for each in findings:
                    found = {(line, kind, text) for line, kind, text in expected
                             if (line, kind) == (each["line"], each["severity"]) and text in each["message"]}
                    self.assertTrue(found, f"not expected: {each['line']}: {each['message']}")
                    expected -= found
                self.assertFalse(expected)
                notes = [each["message"] for each in files[0]["diagnostics"] if each["rule"] == "lint.partial_source"]
                self.assertFalse(notes)

    def test_kernels_have_their_names(self):
        for path in FILES:
            if "faults" not in path.name and path.name != "shaders.py":
                _, files, _ = lint("--std", "metal3.2", path)
                self.assertIn(path.stem, json.dumps(files[0]), path.name)

    def test_runs_the_kernel_of_a_file_with_a_plan(self):
        for name in ("gated", "softmax_tiles"):
            ran = subprocess.run([BIN / "msci-eval", FOLDER / f"{name}.py", "--plan", FOLDER / f"{name}.json",
                                  "--verify-only", "--std", "metal3.2", "--json"],
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
            self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
            self.assertIn('"correct": true', ran.stdout.replace('":true', '": true'))

    def test_says_why_a_body_is_not_checked(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "own.py")
            for source, why in ((f"f'{{x + 1}} y[0] = 0;'", "not constants"), ("open('a').read()", "not a literal")):
                path.write_text(f"k = mx.fast.metal_kernel(name='k', input_names=['x'], output_names=['y'],\n"
                                f"    source={source})\n")
                status, files, _ = lint(path)
                self.assertEqual(status, 0)
                self.assertIn(why, files[0]["diagnostics"][0]["message"])

    def test_a_file_without_metal_is_no_error(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "plain.py")
            path.write_text("print('kernel')\n")
            status, files, _ = lint(path)
            self.assertEqual(status, 0)
            self.assertIn("no Metal in it", files[0]["diagnostics"][0]["message"])
            self.assertEqual(lint(folder)[0], 0)


if __name__ == "__main__":
    unittest.main()
