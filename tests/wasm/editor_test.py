#!/usr/bin/env python3
"""The tests of the language server, with the module in place of the program: editor_test.py SOURCE MODULE_FOLDER

Says so and exits with 77 where Node.js or the module is absent.
"""
import pathlib
import re
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from wasm_module import what_lacks  # noqa: E402

SOURCE, MODULE = (pathlib.Path(each).absolute() for each in sys.argv[1:3])
# What the module has not: clang-format, an installed manual whose pages a finding names, and few open files.
LACKING = {
    "test_formats_by_clang_format",
    "test_formats_lines_by_clang_format",
    "test_lints_many_texts_with_few_files",
    "test_opens_edits_fixes_and_closes",
    "test_suppresses_and_explains_a_warning",
}


def main():
    if lack := what_lacks(MODULE):
        print(lack)
        return 77
    test = SOURCE / "tests/lint/lsp_test.py"
    names = set(re.findall(r"^    def (test_\w+)", test.read_text(), re.M))
    if missing := LACKING - names:
        print(f"{test} has no {missing}")
        return 1
    chosen = [f"LanguageServer.{name}" for name in sorted(names - LACKING)]
    return subprocess.run([sys.executable, test, MODULE / "lint.mjs", *chosen]).returncode


sys.exit(main())
