#!/usr/bin/env python3
"""run_tests.py finds every skipped test, and says which of them must not be skipped."""
import contextlib
import io
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import run_tests

CTEST = """<testsuite>
  <testcase name="Quick.passes" time="0.25" status="run"><system-out>fine</system-out></testcase>
  <testcase name="Browser.draws" time="0" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/>
    <system-out>skipped: chromium is not installed\n</system-out></testcase>
  <testcase name="Diff.applies" time="0" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
    <system-out>[ RUN      ] Diff.applies\n/a/diff_test.cpp:60: Skipped\ngit is missing\n[  SKIPPED ] Diff.applies (5 ms)\n</system-out></testcase>
  <testcase name="Agreement.judges" time="0" status="notrun"><skipped message="SKIP_REGULAR_EXPRESSION_MATCHED"/>
    <system-out>skipped: the recorded data is not at /x\nmore\n</system-out></testcase>
  <testcase name="Editor.serves" time="2" status="run"><system-out>test_formats (__main__.Editor.test_formats) ... skipped 'clang-format is not installed'
OK (skipped=1)\n</system-out></testcase>
  <testcase name="Other.serves" time="2" status="run"><system-out>..s\nOK (skipped=1)\n</system-out></testcase>
</testsuite>"""
PROGRAM = """<testsuites><testsuite name="Host">
  <testcase name="runs" status="run" result="completed" classname="Host" />
  <testcase name="is_skipped" status="run" result="skipped" classname="Host">
    <skipped message="host_test.cpp:80&#x0A;it needs more memory"><![CDATA[host_test.cpp:80\nit needs more memory]]></skipped>
  </testcase></testsuite></testsuites>"""


class SkippedTests(unittest.TestCase):
    def test_are_found_with_their_reasons(self):
        reasons = {name: reason for name, (_, reason) in run_tests.read_ctest(CTEST).items()}
        self.assertEqual(reasons, {
            "Quick.passes": None,
            "Browser.draws": "skipped: chromium is not installed",
            "Diff.applies": "git is missing",
            "Agreement.judges": "skipped: the recorded data is not at /x",
            "Editor.serves": None,
            "Editor.serves/test_formats": "clang-format is not installed",
            "Other.serves": None,
            "Other.serves/unnamed": "unittest names its skipped parts with verbosity=2 only"})

    def test_are_found_in_programs_of_many_tests(self):
        self.assertEqual(run_tests.read_google_test(PROGRAM), {"Host.is_skipped": "it needs more memory"})

    def test_are_allowed_by_name_and_reason(self):
        allowed = run_tests.read_allowed("# a comment\n\nBrowser.* | chromium is not installed | it takes 300 MB\n")
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            unexpected = run_tests.report_skips({"Browser.draws": "skipped: chromium is not installed",
                                                 "Browser.prints": "skipped: python3 is not installed",
                                                 "Diff.applies": "chromium is not installed"}, allowed)
        self.assertEqual(unexpected, ["Browser.prints", "Diff.applies"])
        self.assertIn("3 skipped", printed.getvalue())
        self.assertIn("it takes 300 MB", printed.getvalue())
        self.assertEqual(printed.getvalue().count("UNEXPECTED"), 2)

    def test_have_reasons_in_the_list(self):
        for entry in run_tests.read_allowed(run_tests.ALLOWED.read_text()):
            self.assertEqual(len(entry), 3, entry)


class RunTests(unittest.TestCase):
    """The whole script, on a folder of tests that are shell commands."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.build = Path(self.folder.name)

    def run_script(self, *options):
        done = subprocess.run([sys.executable, run_tests.__file__, self.build, *options], capture_output=True, text=True)
        return done.returncode, done.stdout

    def write_tests(self, **commands):
        self.build.joinpath("CTestTestfile.cmake").write_text("".join(
            f'add_test({name} sh -c [[{command}]])\nset_tests_properties({name} PROPERTIES SKIP_RETURN_CODE 77)\n'
            for name, command in commands.items()))

    def test_passes_with_its_tests(self):
        self.write_tests(good="true", other="true")
        self.assertEqual(self.run_script()[0], 0)
        status, printed = self.run_script("--again", "2")
        self.assertEqual((status, printed.count("The 2 quick tests")), (0, 2), printed)

    def test_fails_with_a_test(self):
        self.write_tests(good="true", bad="false")
        self.assertEqual(self.run_script()[0], 1)

    def test_fails_with_an_unexpected_skip(self):
        self.write_tests(good="true", skipped="echo skipped: no compass; exit 77")
        status, printed = self.run_script()
        self.assertEqual(status, 1)
        self.assertIn("skipped: skipped: no compass\n    UNEXPECTED", printed)

    def test_fails_with_a_test_that_passes_only_once(self):
        self.write_tests(good="echo all is well", flaky=f"mkdir '{self.build}/once' && exit; echo it is there already; exit 1")
        self.assertEqual(self.run_script()[0], 0)
        status, printed = self.run_script("--again", "3")
        self.assertEqual(status, 1)
        self.assertIn("\nflaky:\n", printed)
        self.assertIn("it is there already", printed)
        self.assertNotIn("all is well", printed)
        self.assertIn("FAILED: a quick test passed, and failed at time 1", printed)

    def test_fails_with_a_test_that_is_skipped_only_once(self):
        name = "pre_commit_refuses_bad_kernels_and_fixes_them"
        self.write_tests(good="true", **{name: f"mkdir '{self.build}/once' || {{ echo skipped: pre-commit is missing; exit 77; }}"})
        self.assertEqual(self.run_script()[0], 0)
        status, printed = self.run_script("--again", "3")
        self.assertEqual(status, 1)
        self.assertIn(f"FAILED: tests were skipped in one run only: {name}", printed)


if __name__ == "__main__":
    unittest.main()
