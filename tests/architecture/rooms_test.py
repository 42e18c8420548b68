#!/usr/bin/env python3
"""Includes follow the arrows of docs/developer/architecture.md, folders stay small, each header and type has its own name, and
clang-tidy looks at all rooms.

tests/architecture/rooms_test.py SOURCE_DIR

The arrows stand in docs/developer/architecture.md, in the block below "## Rooms": `base <- tasks` means that tasks may include
base and whatever base may include. So no two folders at the top include each other. Arrows between folders in one
folder are its floors; a floor is a folder with the folders below it, except those that are floors themselves."""
import os
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from project_files import project_files

MOST_FILES = 26  # in a folder
MOST_FOLDERS = 16  # at the top
MOST_ARROWS = 12  # lines of them
# Folders of like things, which may hold any number.
LISTS = re.compile(r"rules/\w+|corpus/\w+|docs|compiler/frontend/include|tests/compiler/run|tests/compiler/frontend/accept")
# Code outside the product: it may include any folder.
FREE = re.compile(r"(tests|packaging|docs|corpus)/")
# Whether a folder may include Clang and LLVM; it decides for the folders below it, too. All others build without them.
WITH_CLANG = {"compiler": True, "compiler/mesa": False,
              "analysis": True, "analysis/check": False, "analysis/check/passes": True, "analysis/coverage": False,
              "analysis/coverage/passes": True, "analysis/profile": False, "analysis/profile/passes": True,
              "analysis/solver": False,
              "lint": True, "lint/host": False, "lint/run": False, "lint/target": False, "rules": True,
              "search/rewrite": True,
              "engine": True, "engine/check": False, "engine/coverage": False, "engine/device": False,
              "engine/profile": False, "engine/threadgroup": False}
# Files of other folders that are built only with the front end.
WITH_FRONT_END = {"evaluator/session/compile_kernel.cpp"}


def lines_of_arrows(text):
    block = re.search(r"^## Rooms$.*?^```\n(.*?)^```$", text, re.M | re.S)
    return [line for line in block[1].splitlines() if line]


def read_arrows(text):
    """For each room, the rooms directly below it."""
    below = {}
    for line in lines_of_arrows(text):
        steps = [[room.strip() for room in step.split(",")] for step in line.split("<-")]
        for lower, upper in zip(steps, steps[1:]):
            for room in upper:
                below.setdefault(room, set()).update(lower)
        for room in steps[0]:
            below.setdefault(room, set())
    return below


def all_below(room, below, path=()):
    """The rooms that a room may include, itself among them."""
    assert room not in path, f"the arrows form a circle: {path + (room,)}"
    return {room}.union(*(all_below(each, below, path + (room,)) for each in below[room]))


def room_of(file, rooms):
    folder = os.path.dirname(file)
    while folder and folder not in rooms:
        folder = os.path.dirname(folder)
    return folder


def folder_of(room):
    return room.split("/")[0]


def may_include(room, other, below):
    """Of one folder, the floors decide; of two, the folders."""
    if folder_of(room) == folder_of(other):
        return other in all_below(room, below)
    return folder_of(other) in all_below(folder_of(room), below)


def has_clang(file):
    folder = os.path.dirname(file)
    while folder and folder not in WITH_CLANG:
        folder = os.path.dirname(folder)
    return WITH_CLANG.get(folder, False) or file in WITH_FRONT_END or file.startswith("driver/")


def includes_of(text):
    return re.findall(r'^\s*#\s*include\s*(["<])([^">]+)[">]', text, re.M)


def check_includes(sources, below):
    """`sources`: path -> text. Returns what is wrong, one line each."""
    wrong = []
    for file, text in sorted(sources.items()):
        if FREE.match(file):
            continue
        room = room_of(file, below)
        if not room:
            wrong.append(f"{file} lies in no room of docs/developer/architecture.md")
            continue
        for mark, name in includes_of(text):
            if mark == "<":
                if name.startswith(("clang/", "llvm/")) and not has_clang(file):
                    wrong.append(f"{file} includes {name}, but {room} must build without Clang and LLVM")
            elif name in sources and not may_include(room, room_of(name, below), below):
                wrong.append(f"{file} includes {name}, but {room} is not above {room_of(name, below) or 'it'}")
    return wrong


def check_house(files, text):
    """The top holds few folders, and their order fits on few lines."""
    folders = {folder_of(file) for file in files if "/" in file and not file.startswith(".")}
    lines = lines_of_arrows(text)
    wrong = [f"{len(folders)} folders at the top, more than {MOST_FOLDERS}"] if len(folders) > MOST_FOLDERS else []
    if len(lines) > MOST_ARROWS:
        wrong.append(f"docs/developer/architecture.md has {len(lines)} lines of arrows, more than {MOST_ARROWS}")
    return wrong


def check_folders(files):
    counts = {}
    for file in files:
        counts[os.path.dirname(file)] = counts.get(os.path.dirname(file), 0) + 1
    return [f"{folder} holds {count} files, more than {MOST_FILES}" for folder, count in sorted(counts.items())
            if count > MOST_FILES and not LISTS.fullmatch(folder)]


def check_header_names(files):
    first = {}
    wrong = []
    for file in sorted(files):
        name = os.path.basename(file)
        if name.endswith(".h") and first.setdefault(name, file) != file:
            wrong.append(f"{file} and {first[name]} have the same name")
    return wrong


def check_headers(sources):
    """A layout that depends on a definition of one target differs between the targets."""
    return [f"{file} depends on {name}, which only some targets define: declare it for all of them"
            for file, text in sorted(sources.items()) if file.endswith(".h") and not FREE.match(file)
            for name in re.findall(r"^\s*#\s*(?:if|ifdef|elif)\b.*\b(MSCI_\w+)", text, re.M)]


def types_of(text):
    """The types that a source defines outside of unnamed namespaces. The linker takes two of one name for one type."""
    around, types = [], []
    text = re.sub(r"^namespace [\w:]+ \{\n(?:[^\n{}]*;\n)*\}.*$", "", text, flags=re.M)  # declarations alone
    for line in text.splitlines():
        if begin := re.match(r"(?:inline )?namespace\s*([\w:]*)\s*\{", line):
            around.append(begin[1])
        elif re.match(r"\}\s*// namespace", line):
            assert around, "a namespace ends that does not begin"
            around.pop()
        elif "" not in around:
            name = re.match(r"(?:struct|class|union|enum(?: class)?) (?:\[\[\w+\]\] )?(\w+)(?: final)?\s*(?::[^:].*)?\{",
                            line)
            types += ["::".join([*around, name[1]])] if name else []
    assert not around, f"the namespace {around[-1]} does not end"
    return types


def check_type_names(sources):
    """Two types of one name in one namespace break the one definition rule where a program has both."""
    first = {}
    return [f"{file} defines {name}, which {first[name]} defines, too" for file, text in sorted(sources.items())
            if not FREE.match(file) for name in types_of(text) if first.setdefault(name, file) != file]


def check_tidy(configuration, rooms):
    """clang-tidy reports on the headers of all rooms."""
    pattern = re.search(r"^HeaderFilterRegex: '(.*)'$", configuration, re.M)[1]
    return [f".clang-tidy: HeaderFilterRegex does not match the headers of {room}"
            for room in sorted({*map(folder_of, rooms), "tests"}) if not re.search(pattern, f"/msci/{room}/x.h")]


def check_the_checks():
    """Each check reports what it is for."""
    below = read_arrows("## Rooms\n\n```\nbase <- a, b <- c\n```\n")
    assert below == {"base": set(), "a": {"base"}, "b": {"base"}, "c": {"a", "b"}}, below
    assert all_below("c", below) == {"a", "b", "c", "base"}
    upward = {"a/x.h": '#include "c/y.h"\n', "c/y.h": ""}
    assert check_includes(upward, below), "a lower room includes a higher one"
    sideways = {"a/x.h": '#include "b/y.h"\n', "b/y.h": ""}
    assert check_includes(sideways, below), "two rooms on one level include each other"
    downward = {"c/x.h": '#include "base/sub/y.h"\n#include "c/z.h"\n', "base/sub/y.h": "", "c/z.h": ""}
    assert not check_includes(downward, below), "a higher room includes a lower one"
    assert check_includes({"a/x.h": "#include <llvm/IR/Module.h>\n"}, below)
    floors = read_arrows("## Rooms\n\n```\nbase <- a <- b\n\na/low <- a <- a/high\nb/low <- b\n```\n")
    within = {"a/low/x.h": '#include "a/high/y.h"\n', "a/high/y.h": ""}
    assert check_includes(within, floors), "a lower floor includes a higher one"
    assert not check_includes({"b/low/x.h": '#include "a/high/y.h"\n', "a/high/y.h": ""}, floors)
    assert check_includes({"a/high/x.h": '#include "b/low/y.h"\n', "b/low/y.h": ""}, floors), "two ways"
    assert has_clang("analysis/check/passes/x.h") and not has_clang("analysis/check/x.h") and not has_clang("base/x.h")
    assert check_house([f"{i}/x" for i in range(17)], "## Rooms\n```\na <- b\n```\n")
    assert check_house(["a/x", ".ci/y"], "## Rooms\n```\n" + "a <- b\n" * 13 + "```\n")
    assert not check_house(["a/x", ".ci/y"], "## Rooms\n```\n" + "a <- b\n" * 12 + "```\n")
    assert check_includes({"elsewhere/x.h": ""}, below)
    assert check_headers({"a/x.h": "struct X {\n#ifdef MSCI_STATIC\n  int y;\n#endif\n};\n"})
    assert not check_headers({"a/x.h": "#ifndef MSCI_H\n#ifdef __cplusplus\n", "a/x.cpp": "#ifdef MSCI_STATIC\n"})
    assert check_tidy("HeaderFilterRegex: '(a)/.*'", ["a", "b/c"]) == [
        ".clang-tidy: HeaderFilterRegex does not match the headers of b",
        ".clang-tidy: HeaderFilterRegex does not match the headers of tests"]
    assert check_folders([f"lint/{i}.cpp" for i in range(27)])
    assert not check_folders([f"rules/metal/{i}.cpp" for i in range(50)])
    one = "namespace m {\nstruct X {\n};\n}  // namespace m\n"
    assert check_type_names({"a/x.h": one, "b/y.cpp": one.replace("struct X {", "enum class X : int { a };")})
    assert check_type_names({"a/x.h": "namespace l {\nclass Y;\n}\n\n" + one,
                             "b/y.cpp": one.replace("X {", "[[nodiscard]] X {")})
    unnamed = one.replace("struct", "namespace {\nstruct").replace("}  //", "}  // namespace\n}  //")
    assert not check_type_names({"a/x.h": one, "b/y.cpp": unnamed,
                                 "b/z.cpp": one.replace("m {", "k {"), "b/u.cpp": one.replace("X {", "X::Y {")})
    assert check_header_names(["a/x.h", "b/x.h"]) and not check_header_names(["a/x.h", "b/x.cpp"])


def main():
    check_the_checks()
    source = Path(sys.argv[1])
    files = project_files(source)
    sources = {name: (source / name).read_text(errors="replace") for name in files
               if name.endswith((".h", ".cpp", ".def"))}
    page = (source / "docs/developer/architecture.md").read_text()
    below = read_arrows(page)
    wrong = check_house(files, page) + check_includes(sources, below) + check_folders(files) + check_header_names(files)
    wrong += check_headers(sources) + check_type_names(sources)
    wrong += check_tidy((source / ".clang-tidy").read_text(), below)
    print("\n".join(wrong) or f"{len(sources)} sources in {len(below)} rooms")
    sys.exit(bool(wrong))


main()
