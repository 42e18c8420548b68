#!/usr/bin/env python3
"""Tells real output with "…" and other numbers from output that differs: tests/docs/page_output_test.py"""
import unittest

from page_output import difference


def differs(shown, printed):
    return difference(shown.splitlines(), printed.splitlines())


class PageOutput(unittest.TestCase):
    def test_equal_lines_and_lines_left_out(self):
        for shown in ("a\nb\nc", "a\n…\nc", "…\nc", "a\n…", "…", "a\n…\nb\nc", "…\nb\n…"):
            self.assertIsNone(differs(shown, "a\nb\nc"), shown)

    def test_lines_that_are_missing_added_or_in_another_order(self):
        for shown in ("a\nb", "b\nc", "a\nc", "b\na\nc", "a\n…\nb", "a\nb\nc\nd", "a\nb\nc\n…\nd", ""):
            self.assertIsNotNone(differs(shown, "a\nb\nc"), shown)

    def test_the_message_names_the_line(self):
        self.assertIn("'d'", differs("a\nd", "a\nb"))
        self.assertIn("'b'", differs("a", "a\nb"))

    def test_text_left_out_in_a_line(self):
        shown = "k.metal:3:1: error: … [metal.restrict]"
        self.assertIsNone(differs(shown, "k.metal:3:1: error: expected ')' [metal.restrict]"))
        self.assertIsNotNone(differs(shown, "k.metal:3:1: error: no [metal.lambda]"))

    def test_measured_numbers_count_as_equal(self):
        for shown, printed in (
                ("k.metal: heat2d on cpu AMD EPYC", "k.metal: heat2d on cpu Intel(R) Xeon(R) Processor"),
                ("k.metal: saxpy 4096 on cpu AMD EPYC, checked", "k.metal: saxpy 4096 on NVIDIA H100, checked"),
                ("  1024_10   right  max_abs_pos 1.192e-07 (at most 1.978e-03)    1.457 ms  143.9 GFLOPS  32.9 % of 437.9",
                 "  1024_10   right  max_abs_pos 2.980e-08 (at most 1.9e-03)  14.57 ms  1e+03 GFLOPS  3.2 % of 4e+04"),
                ("   3  candidate  score 0.0648  *", "   3  candidate  score 0.1  *"),
                ("   3  candidate  score 0.0648…", "   3  candidate  score 0.1  *"),
                ("   3  candidate  score 0.0648…", "   3  candidate  score 0.1  "),
                ("best: iteration 4, score 0.1125 (the seed: 0.0365), 3.08 times the seed's speed (99 %: 3.01 to 3.1)",
                 "best: iteration 4, score 0.2 (the seed: 0.1), 2 times the seed's speed (99 %: 1.9 to 2.1)"),
                ("generalises, 3.07 times the seed's speed (99 %: 2.97 to 3.12)",
                 "generalises, 3 times the seed's speed (99 %: 2 to 4.5)"),
                ("  all   0.65 times as fast (99 %: 0.60 to 0.72): slower",
                 "  all   0.9 times as fast (99 %: 0.6 to 0.95): slower"),
                ("  drawn 1 (nx 59, ny 111) right", "  drawn 1 (nx 5, ny 1) right"),
                ("a\nb", "a\n  note: the times of size 256_10 spread by 38 % (interquartile range)\nb")):
            self.assertIsNone(differs(shown, printed), shown)

    def test_other_numbers_and_units_do_not(self):
        for shown, printed in (
                ("k.metal:13:5: error", "k.metal:14:5: error"),
                ("all: not shown to be 2 % faster", "all: not shown to be 3 % faster"),
                ("  256_10  right  1.5 ms  2 GFLOPS", "  256_10  right  1.5 ms  2 GB/s"),
                ("best: iteration 4, score 0.1", "best: the seed itself, score 0.1"),
                ("best: iteration 4, score 0.1", "best: iteration 3, score 0.1"),
                ("   3  candidate  score 0.0648  *", "   3  candidate  score 0.1"),
                ("   3  candidate  score 0.0648", "   3  candidate  score 0.1  *"),
                ("  all   0.65 times as fast (99 %: 0.60 to 0.72): slower",
                 "  all   0.9 times as fast (99 %: 0.6 to 1.2): neither shown to be faster nor slower"),
                ("  256_10  right  max_abs 1.000e-03", "  256_10  WRONG  max_abs 1.000e-03"),
                ("k.metal: heat2d on cpu", "k.metal: nbody on cpu"),
                ("it depends on x", "it depends on y"),
                ("    indented", "  indented")):
            self.assertIsNotNone(differs(shown, printed), shown)


unittest.main()
