#!/usr/bin/env python3
"""Includes follow the arrows of docs/architecture.md, folders stay small, each header and type has its own name, and
clang-tidy looks at all rooms.

tests/architecture/rooms_test.py SOURCE_DIR

The arrows stand in docs/architecture.md, in the block below "## Rooms": `base <- frontend` means that frontend may
include base and whatever base may include. A room is a folder with the folders below it,
except those that are rooms themselves. driver/ may include everything."""
import os
import re
import subprocess
import sys
from pathlib import Path

MOST_FILES = 26  # in a folder
# Folders of like things, which may hold any number.
LISTS = re.compile(r"rules/\w+|corpus/\w+|docs|frontend/include|tests/compiler/run|tests/frontend/accept")
# The entry points of the programs, which put the rooms together.
MAINS = re.compile(r"driver/.*")
# Code outside the product: it may include any room.
FREE = re.compile(r"(tests|cmake|docs|corpus)/")
# Rooms that may include Clang and LLVM; the others must build without them.
WITH_CLANG = {"frontend", "lint/analysis", "lint", "lint/output", "lint/service", "lint/ide", "lint/flags", "lint/cli",
              "lint/proofs",
              "rules", "prover", "compiler", "compiler/ir", "instrument/check/passes", "instrument/coverage/passes",
              "instrument/profile/passes", "runtime/engine"}
# Files of other rooms that are built only with the front end.
WITH_FRONT_END = {"evaluator/session/compile_kernel.cpp"}


def read_arrows(text):
    """For each room, the rooms directly below it."""
    block = re.search(r"^## Rooms$.*?^```\n(.*?)^```$", text, re.M | re.S)
    below = {}
    for line in block[1].splitlines():
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


def includes_of(text):
    return re.findall(r'^\s*#\s*include\s*(["<])([^">]+)[">]', text, re.M)


def check_includes(sources, below):
    """`sources`: path -> text. Returns what is wrong, one line each."""
    wrong = []
    for file, text in sorted(sources.items()):
        if FREE.match(file) or MAINS.fullmatch(file):
            continue
        room = room_of(file, below)
        if not room:
            wrong.append(f"{file} lies in no room of docs/architecture.md")
            continue
        for mark, name in includes_of(text):
            if mark == "<":
                if name.startswith(("clang/", "llvm/")) and room not in WITH_CLANG and file not in WITH_FRONT_END:
                    wrong.append(f"{file} includes {name}, but {room} must build without Clang and LLVM")
            elif name in sources and room_of(name, below) not in all_below(room, below):
                wrong.append(f"{file} includes {name}, but {room} is not above {room_of(name, below) or 'it'}")
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
            for room in sorted({*rooms, "driver", "tests"}) if not re.search(pattern, f"/msci/{room}/x.h")]


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
    assert check_includes({"elsewhere/x.h": ""}, below)
    assert check_headers({"a/x.h": "struct X {\n#ifdef MSCI_STATIC\n  int y;\n#endif\n};\n"})
    assert not check_headers({"a/x.h": "#ifndef MSCI_H\n#ifdef __cplusplus\n", "a/x.cpp": "#ifdef MSCI_STATIC\n"})
    assert check_tidy("HeaderFilterRegex: '(driver|a)/.*'", ["a", "b"]) == [
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
    listed = subprocess.run(["git", "-C", str(source), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
                            capture_output=True, text=True)
    if listed.returncode:
        print("skipped: the source is not a git repository")
        sys.exit(77)
    files = [name for name in listed.stdout.split("\0") if name and (source / name).is_file()]
    sources = {name: (source / name).read_text(errors="replace") for name in files
               if name.endswith((".h", ".cpp", ".def"))}
    below = read_arrows((source / "docs/architecture.md").read_text())
    wrong = check_includes(sources, below) + check_folders(files) + check_header_names(files)
    wrong += check_headers(sources) + check_type_names(sources)
    wrong += check_tidy((source / ".clang-tidy").read_text(), below)
    print("\n".join(wrong) or f"{len(sources)} sources in {len(below)} rooms")
    sys.exit(bool(wrong))


main()
