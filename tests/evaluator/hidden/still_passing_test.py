#!/usr/bin/env python3
"""What the strict verdict still lets pass, as docs/concepts/strict_verdict.md says: still_passing_test.py BIN

The kernels of still_passing/ are wrong, or right and dishonest. Their first lines say what the verdict makes of them:
accepted, or accepted and named as never executed. If one of them is refused, the page says too little: move the kernel
to corpus/cheats and correct the page.
"""
import pathlib
import re
import sys

import hidden_conditions

HERE = pathlib.Path(__file__).resolve().parent
PAGE = hidden_conditions.SOURCE / "docs/concepts/strict_verdict.md"


def head(path, label):
    return re.search(rf"^// {label}: (.*)$", path.read_text(), re.MULTILINE)[1]


def main():
    tools = pathlib.Path(sys.argv[1])
    kernels = sorted((HERE / "still_passing").glob("*.metal"))
    problems = [f"{PAGE.name} does not name {path.stem}" for path in kernels if f"`{path.stem}`" not in PAGE.read_text()]
    for task in sorted({head(path, "task") for path in kernels}):
        files = [path for path in kernels if head(path, "task") == task]
        results = hidden_conditions.judge(tools, task, files, ["--device", "cpu", "--nonce", "1"])
        for path in files:
            answer, why = hidden_conditions.answer_of(results.get(path.name))
            print(f"{path.stem}: {answer} {why}")
            if answer != head(path, "verdict"):
                problems.append(f"{path.stem} is {answer}, not {head(path, 'verdict')}")
    print("\n".join(problems))
    return int(bool(problems) or not kernels)


if __name__ == "__main__":
    sys.exit(main())
