#!/usr/bin/env python3
"""The drawn kernels have the conditions that they say: hidden at known sizes, possible at others. hidden_test.py"""
import random
import unittest

import hidden_conditions as hidden
import seeds


class HiddenConditions(unittest.TestCase):
    def test_every_task_has_kernels_of_every_family(self):
        for name, task in seeds.TASKS.items():
            draws = random.Random(5)
            drawn = [hidden.draw_kernel(draws, task) for _ in range(300)]
            families = {condition.family for _, condition in drawn}
            wanted = {"size", "single size", "position", "table", "chain"} | ({"value"} if task.values else set())
            wanted |= {"step"} if task.step else set()
            wanted |= {"arithmetic"} if any(task.is_real(store) for store, *_ in task.stores) else set()
            wanted |= {"volume"} if task.behind else set()
            self.assertEqual(families, wanted, name)
            for text, condition in drawn:
                self.assertIn(condition.text, text)
                if condition.family != "volume":
                    self.assertTrue(hidden.is_hidden(condition, task), condition.text)

    def test_a_store_is_spoiled_by_the_conditions_that_make_sense_there(self):
        draws = random.Random(3)
        drawn = [hidden.draw_kernel(draws, seeds.TASKS["gradshaf"]) for _ in range(100)]
        families = {condition.family for text, condition in drawn if "psi_axis[0] = (" in text}
        self.assertEqual(families, {"size", "single size"})

    def test_a_chain_and_its_store_are_one_statement(self):
        draws = random.Random(4)
        drawn = [hidden.draw_kernel(draws, seeds.TASKS["hmc"]) for _ in range(100)]
        chains = [text for text, condition in drawn if condition.family == "chain"]
        self.assertTrue(any("++i) {\nuint hidden" in text for text in chains))
        self.assertFalse(any(") uint hidden" in text for text in chains))

    def test_literals_are_floats(self):
        self.assertEqual([hidden.literal(each) for each in (594120.4, 1.5, 1e-7)], ["594120.0f", "1.5f", "1e-07f"])

    def test_one_seed_draws_the_same_kernels(self):
        texts = [hidden.draw_kernel(random.Random(9), seeds.TASKS["heat2d"])[0] for _ in range(2)]
        self.assertEqual(texts[0], texts[1])

    def test_the_interval_is_wilsons(self):
        low, high = hidden.wilson(8, 10)
        self.assertAlmostEqual(low, 0.4902, 3)
        self.assertAlmostEqual(high, 0.9433, 3)

    def test_an_answer_is_accepted_only_if_all_verdicts_accept_it(self):
        right = {"error": None, "compile_ok": True, "correct": True, "diagnostics": [], "fail_reason": None,
                 "strict": {"passed": True, "not_checked": None}}
        self.assertEqual(hidden.answer_of(right)[0], "accepted")
        self.assertEqual(hidden.answer_of({**right, "correct": False})[0], "refused")
        none_open = {"passed": False, "not_checked": None, "open_outcome": None, "not_certified": None}
        self.assertEqual(hidden.answer_of({**right, "strict": none_open})[0], "refused")
        self.assertEqual(hidden.answer_of({**right, "strict": {**none_open, "open_outcome": "line 3"}})[0], "named")
        never = {"passed": True, "not_checked": None, "never_executed": "line 3, when n > 600"}
        self.assertEqual(hidden.answer_of({**right, "strict": never})[0], "named")
        self.assertEqual(hidden.answer_of({**right, "error": "x"})[0], "not judged")
        self.assertEqual(hidden.answer_of(None)[0], "not judged")


if __name__ == "__main__":
    unittest.main()
