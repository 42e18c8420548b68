#!/usr/bin/env python3
"""The walks of docs/developer/walks.md lead from function to function, as the page says.

tests/architecture/walk_test.py SOURCE_DIR

Each row below "## One score, file by file", "## One checked run, file by file" and "## One proof, file by file" names a
file, functions in it, and the functions that these call next. A function must be defined in its file, a call must stand
in the body of one of the row's functions, and another row must have the function that is called. Each row but the first
of a walk is called. A later walk begins within those before, so its rows may lead to theirs and follow from them."""
import re
import sys
from pathlib import Path

MOST_FILES = 25
MOST_PROCESSES = 3
# Between the parameters of a definition and its body: a call is not followed by these.
HEAD = re.compile(r"(?:\s|const|override|noexcept|&&)*(?:->[^{;]+)?(?::\s+\w+\([^;{}]*)?{")


def walk_of(page, title):
    """The rows: process, file, functions, calls."""
    section = re.search(rf"^## {title}, file by file$(.*?)(?=^## )", page, re.M | re.S)[1]
    names = lambda cell: re.findall(r"`([^`]+)`", cell)
    cells = [[cell.strip() for cell in line[1:-1].split("|")] for line in section.splitlines() if line.startswith("| ")]
    return [(process, names(file)[0], names(functions), names(calls))
            for process, file, functions, calls, _ in cells[1:]]


def matching(text, at):
    """Behind the bracket that closes the one at this place."""
    opening, closing = text[at], {"(": ")", "{": "}"}[text[at]]
    depth = 0
    for end in range(at, len(text)):
        depth += (text[end] == opening) - (text[end] == closing)
        if depth == 0:
            return end + 1
    return len(text)


def bodies(code, name):
    """The bodies of the functions and objects of that name, with what a constructor initialises, and what initialises
    members of that name."""
    found = [code[at.end():matching(code, at.end() - 1)] for at in re.finditer(rf"\b{name}(?: =)? ?{{", code)]
    found += re.findall(rf"(?<!\w)\.{name} = ([^\n]+)", code)
    for at in re.finditer(rf"\b{name}\(", code):
        if head := HEAD.match(code, matching(code, at.end() - 1)):
            found.append(code[head.start():matching(code, head.end() - 1)])
    return found


def call_of(name, functions):
    """What a call of that name looks like: in a table of functions, as the type of an object, or in a message to
    another process ("build"). Where the row has a function of the same name, only another object's is meant."""
    return rf"(?:\.|->){name}\(|\"{name}\"" if name in functions else rf"(?<!auto )\b{name}(?: ?[(<{{>,}}]| \w+\()"


def problems_of(rows, read, around=()):
    """What is wrong with a walk within another one, `around`; `read` gives the text of a file."""
    wrong = []
    known = {name for _, _, functions, _ in [*rows, *around] for name in functions}
    called = {name for _, _, _, calls in [*rows, *around] for name in calls}
    for number, (_, file, functions, calls) in enumerate(rows):
        code = re.sub(r"//[^\n]*", "", read(file))
        of_row = {name: bodies(code, name) for name in functions}
        wrong += [f"{file} does not define {name}" for name, found in of_row.items() if not found]
        text = "\n".join(body for found in of_row.values() for body in found)
        wrong += [f"{', '.join(functions)} of {file} do not call {name}" for name in calls
                  if not re.search(call_of(name, functions), text)]
        wrong += [f"no row has {name}, which {file} calls" for name in calls if name not in known]
        if number > 0 and not called & set(functions):
            wrong.append(f"no row calls {', '.join(functions)} of {file}")
    files, processes = {row[1] for row in rows}, {row[0] for row in rows}
    if len(files) > MOST_FILES:
        wrong.append(f"the walk has {len(files)} files; at most {MOST_FILES}")
    if len(processes) > MOST_PROCESSES:
        wrong.append(f"the walk has {len(processes)} processes; at most {MOST_PROCESSES}")
    return wrong


def check_the_checks():
    files = {"a.cpp": "int f(int x) {\n  return g(x);\n}\n", "b.cpp": "int C::g(int x) const { return x; }\n",
             "c.cpp": "int h(int g) {\n  return g + 1;\n}\n", "e.cpp": "int k() {\n  C c(1);\n}\n",
             "f.cpp": "C::C(int x)\n    : y_(k(x)) {}\n",
             "d.cpp": "int run(int x) {\n  return x ? run(x - 1) : 0;\n}\n"}
    rows = [("p", "a.cpp", ["f"], ["g"]), ("p", "b.cpp", ["g"], [])]
    assert not problems_of(rows, files.get), problems_of(rows, files.get)
    for wrong, why in [([("p", "a.cpp", ["g"], [])], "a call does not define a function"),
                       ([("p", "b.cpp", ["g"], ["f"]), rows[0]], "a function does not call the next"),
                       ([("p", "a.cpp", ["f"], ["g"])], "no row has the next function"),
                       ([("p", "c.cpp", ["h"], ["g"]), ("p", "b.cpp", ["g"], ["h"])], "a variable is not a call"),
                       ([("p", "d.cpp", ["run"], ["run"])], "a function does not call another object's"),
                       ([("p", "a.cpp", ["f"], []), rows[1]], "no row calls a function"),
                       (rows + [(str(i), "b.cpp", ["g"], []) for i in range(3)], "too many processes")]:
        assert problems_of(wrong, files.get), why
    made = [("p", "e.cpp", ["k"], ["C"]), ("p", "f.cpp", ["C"], ["k"])]
    assert not problems_of(made, files.get), problems_of(made, files.get)
    assert not problems_of(rows[:1], files.get, around=rows[1:]), "a walk leads to the one around it"
    assert not problems_of([rows[0], rows[1]], files.get, around=rows), "a walk follows from the one around it"
    assert bodies("constexpr T tools = {a, b};", "tools") and bodies("  .judge = within(1),", "judge")


def main():
    check_the_checks()
    source = Path(sys.argv[1])
    page = (source / "docs/developer/walks.md").read_text()
    walks = {title: walk_of(page, title) for title in ("One score", "One checked run", "One proof")}
    assert min(map(len, walks.values())) > 10, "docs/developer/walks.md lacks a walk"
    wrong, around = [], []
    for rows in walks.values():
        wrong += problems_of(rows, lambda file: (source / file).read_text(), around)
        around += rows
    counts = ", ".join(f"{title}: {len({row[1] for row in rows})} files" for title, rows in walks.items())
    print("\n".join(wrong) or counts)
    sys.exit(bool(wrong))


main()
