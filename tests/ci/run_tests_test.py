#!/usr/bin/env python3
"""run_tests.py finds every skipped test, and says which of them must not be skipped."""
import contextlib
import io
import unittest

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


if __name__ == "__main__":
    unittest.main()
