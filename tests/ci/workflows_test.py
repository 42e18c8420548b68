#!/usr/bin/env python3
"""Checks what GitHub reads: workflows_test.py SOURCE

The workflows and forms of .github/ parse, have what GitHub requires, and their commands are valid and name files that
exist. CITATION.cff has the version of CMakeLists.txt."""
import re
import subprocess
import sys
import unittest
from pathlib import Path

import yaml

source = Path(sys.argv.pop(1))
workflows = sorted(source.glob(".github/workflows/*.yml"))
forms = sorted(path for path in source.glob(".github/ISSUE_TEMPLATE/*.yml") if path.stem != "config")


def read(path):
    return yaml.load(path.read_text(), yaml.BaseLoader)  # which leaves `on` a word


def steps_of(path):
    for job in read(path)["jobs"].values():
        yield from job["steps"]


class Workflows(unittest.TestCase):
    def test_they_exist(self):
        self.assertEqual([path.stem for path in workflows], ["nightly", "release", "test"])

    def test_jobs_have_a_machine_a_limit_and_few_rights(self):
        for path in workflows:
            workflow = read(path)
            self.assertLessEqual({"name", "on", "permissions", "jobs"}, set(workflow), path.name)
            for job in workflow["jobs"].values():
                self.assertLessEqual({"runs-on", "timeout-minutes", "steps"}, set(job), path.name)
                self.assertLessEqual(int(job["timeout-minutes"]), 360, path.name)

    def test_steps_run_a_command_or_a_versioned_action(self):
        for path in workflows:
            for step in steps_of(path):
                self.assertEqual(len({"run", "uses"} & set(step)), 1, f"{path.name}: {step}")
                self.assertRegex(step.get("uses", "a/b@v1"), r"^[\w.-]+/[\w.-]+@v\d+$", path.name)

    def test_commands_parse_and_name_files_that_exist(self):
        named = []
        for path in workflows:
            for command in (step["run"] for step in steps_of(path) if "run" in step):
                parsed = subprocess.run(["bash", "-n", "-c", command], capture_output=True, text=True)
                self.assertEqual(parsed.returncode, 0, f"{path.name}: {parsed.stderr}")
                named += re.findall(r"(?:\./|\b)(?:[\w.]+/)*[\w]+\.(?:sh|py)\b|\.ci/run\b", command)
        self.assertIn(".ci/run", named)
        for name in named:
            self.assertTrue((source / name).is_file(), name)


class Forms(unittest.TestCase):
    def test_fields_have_what_github_requires(self):
        self.assertEqual([path.stem for path in forms], ["crash", "idea", "wrong_answer"])
        for path in forms:
            form = read(path)
            self.assertLessEqual({"name", "description", "body"}, set(form), path.name)
            ids = [field["id"] for field in form["body"]]
            self.assertEqual(len(ids), len(set(ids)), path.name)
            for field in form["body"]:
                self.assertIn(field["type"], ["textarea", "input"], path.name)
                self.assertTrue(field["attributes"]["label"], path.name)


class Citation(unittest.TestCase):
    def test_the_version_is_that_of_the_project(self):
        version = re.search(r"project\(msci VERSION (\S+)", (source / "CMakeLists.txt").read_text())
        self.assertEqual(read(source / "CITATION.cff")["version"], version[1])


unittest.main(verbosity=2)
