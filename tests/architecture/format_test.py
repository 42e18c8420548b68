#!/usr/bin/env python3
"""C++ is as clang-format-22 writes it, and lines are short.

tests/architecture/format_test.py SOURCE_DIR

A line of C++ has at most 100 characters, one of a table (.def) or of a page's prose 120. Not measured are lines between
`// clang-format off` and `on`, and in tests the inputs: the texts of raw strings, and the message of `// expect:`. In
pages, blocks of code, tables, and lines that only a link makes long may be longer; CHANGELOG.md is left out."""
import re
import shutil
import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from project_files import project_files

CLANG_FORMAT = "clang-format-22"  # another version formats otherwise
CODE, TEXT = 100, 120  # the most characters of a line


def without_inputs(text):
    """A C++ source of the tests without what it tests with; the lines stay."""
    text = re.sub(r'R"(\w*)\(.*?\)\1"', lambda raw: "\n" * raw[0].count("\n"), text, flags=re.S)
    return re.sub(r"// expect:.*", "", text)


def code_of(name, text):
    """The text to measure. The lines stay."""
    unformatted = re.compile(r"// clang-format off.*?// clang-format on", re.S)
    text = unformatted.sub(lambda part: "\n" * part[0].count("\n"), text)
    return without_inputs(text) if name.startswith("tests/") else text


def prose_of(text):
    """The lines of a Markdown page, those empty that are no prose or that cannot be shorter."""
    in_code = False
    for line in text.split("\n"):
        is_fence = line.lstrip().startswith("```")
        in_code ^= is_fence
        is_prose = not (in_code or is_fence or line.startswith(("|", "    ")))
        yield line if is_prose and " " in re.sub(r"\]\([^)]*\)", "", line.strip().lstrip("-*> ")) else ""


def check_lines(name, text):
    """What is wrong with the lines of a file, one line each."""
    most = CODE if name.endswith((".h", ".cpp")) else TEXT
    lines = prose_of(text) if name.endswith(".md") else code_of(name, text).split("\n")
    return [f"{name}:{number}: {len(line)} characters, more than {most}"
            for number, line in enumerate(lines, 1) if len(line) > most]


def check_format(source, names):
    result = subprocess.run([CLANG_FORMAT, "--dry-run", "--Werror", *names], cwd=source, capture_output=True, text=True)
    return [f"what `{CLANG_FORMAT} -i` would change:\n{result.stderr}"] if result.returncode else []


def check_the_checks():
    """Each check reports what it is for."""
    long = "x" * 101
    assert check_lines("a/x.cpp", f"int a;\n// {long}\n") == ["a/x.cpp:2: 104 characters, more than 100"]
    assert check_lines("a/x.cpp", f'R"({long})"')
    assert not check_lines("a/x.cpp", "é" * 100)
    assert not check_lines("a/x.def", long) and check_lines("a/x.def", long + long)
    assert not check_lines("a/x.cpp", f"// clang-format off\n{long}\n// clang-format on\n")
    assert check_lines("a/x.cpp", f"// clang-format off\n// clang-format on\n{long}")
    assert not check_lines("tests/x.cpp", f'f(R"a(\n{long})" {long}\n)a");\nint a;  // expect: {long}\n')
    assert check_lines("tests/x.cpp", f'f(R"(\n)");\n{long}') == ["tests/x.cpp:3: 101 characters, more than 100"]
    words = "word " * 25
    assert check_lines("x.md", words) and check_lines("x.md", f"```\n```\n- {words}")
    assert not check_lines("x.md", f"```\n{words}\n```\n| {words} |\n    {words}\n- [x]({long}{long})\n")


def main():
    check_the_checks()
    source = Path(sys.argv[1])
    if not shutil.which(CLANG_FORMAT):
        print(f"skipped: {CLANG_FORMAT} is not installed")
        sys.exit(77)
    names = project_files(source, "*.h", "*.cpp", "*.def", "*.md", ":!CHANGELOG.md")
    wrong = [each for name in names for each in check_lines(name, (source / name).read_text(errors="replace"))]
    wrong += check_format(source, [name for name in names if name.endswith((".h", ".cpp"))])
    print("\n".join(wrong) or f"{len(names)} files")
    sys.exit(bool(wrong))


main()
