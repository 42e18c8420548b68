#!/usr/bin/env python3
"""Every path in back quotes on a page, and every source that a comment names, exists: tests/docs/paths.py SOURCE_DIR

A path is a word in back quotes that begins with a folder of the project's top, such as `base/result.h`, or a name in
back quotes of its own that ends as our sources do, such as `calls.h` or `lower/vectors.h`, which may leave out the
folders above it. In both, `*`, `<name>` and words in capitals (`KIND`) stand for any text. Blocks of code are not read:
they show what a user has. Neither is CHANGELOG.md, which names what is gone.

A comment of C++ code names a source by words such as `calls.h` and `check/calls.h`, which may leave out folders, too."""
import functools
import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from project_files import project_files

OF_SOURCES = re.compile(r".+\.(cpp|h|def|py|sh|cmake)")
IN_COMMENTS = re.compile(r"(?<![\w/.-])(?:[\w-]+/)*[\w-]+\.(?:cpp|h|def)\b")
OF_SYSTEM = {"sysexits.h", "CL/cl.h"}


def words_of(text):
    """The line and the text of each word in back quotes, and whether it has the quotes for itself."""
    text = re.sub(r"^ *(```|~~~).*?^ *\1", lambda block: "\n" * block[0].count("\n"), text, flags=re.S | re.M)
    for span in re.finditer(r"`([^`]+)`", text):
        line = text.count("\n", 0, span.start()) + 1
        words = span[1].split()
        for word in words:
            yield line, word.removeprefix("./").rstrip(",;:."), len(words) == 1


@functools.cache
def ends_of(paths):
    """What is left of each path without none, one or more of the folders that it begins with."""
    return {"/".join(parts[i:]) for path in paths for parts in [path.split("/")] for i in range(len(parts))}


def is_there(word, paths):
    """Whether the word, with any text for its placeholders, is one of the paths."""
    parts = re.split(r"(\*|<[\w ]+>|(?<![A-Za-z])[A-Z]+(?![A-Za-z]))", word.rstrip("/"))
    pattern = "".join("[^/]+" if i % 2 else re.escape(part) for i, part in enumerate(parts))
    return word.rstrip("/") in paths or len(parts) > 1 and any(re.fullmatch(pattern, path) for path in paths)


def missing_paths(text, paths):
    """The line and the text of each path of a page that is not among those of the project."""
    tops = {path.split("/")[0] for path in paths if "/" in path}
    ends = ends_of(paths)
    for line, word, is_alone in words_of(text):
        is_below_top = "/" in word and word.split("/")[0] in tops
        is_path = re.fullmatch(r"[\w.+\-*<>/]+", word) and (is_below_top or is_alone and OF_SOURCES.fullmatch(word))
        if is_path and not is_there(word, paths if is_below_top else ends):
            yield line, word


def missing_sources(code, paths):
    """The line and the name of each source in a comment of C++ code that is neither one of the project nor a system's."""
    known = ends_of(paths) | OF_SYSTEM
    for number, line in enumerate(code.splitlines(), 1):
        comment = re.search(r"(?:^|\s)//(.*)", line)
        for word in IN_COMMENTS.findall(comment[1]) if comment else ():
            if word not in known:
                yield number, word


def with_folders(files):
    return frozenset([*files, *(str(folder) for file in files for folder in Path(file).parents if str(folder) != ".")])


def check_the_checks():
    """The check reports what it is for."""
    paths = with_folders(["a/b/x.h", "a/c/yes_device.cpp", "c/z.md", "run.sh"])
    gone = "`a/x.h`\n`a/d/`\n`y.h` `b/y.h` `./go.sh`, `sh a/go.sh 1`, `a/d/*.h`, `a/KIND_back.cpp` `<x>/b/y.h`"
    there = "`a/b/x.h` `a/b/` `x.h` `b/x.h`, `./run.sh`, `c/*.md` `<name>/x.h` `a/c/KIND_device.cpp`, `.h` `cc my.h`"
    assert [word for _, word in missing_paths(gone, paths)] == [
        "a/x.h", "a/d/", "y.h", "b/y.h", "go.sh", "a/go.sh", "a/d/*.h", "a/KIND_back.cpp", "<x>/b/y.h"]
    assert not list(missing_paths(there, paths)), list(missing_paths(there, paths))
    assert list(missing_paths("```\n`a/x.h`\n```\n\n`a/y.h`", paths)) == [(5, "a/y.h")]
    assert not list(missing_paths("`build/x.txt` `best.metal` `1/2` `float/half`", paths))
    code = '#include "a/y.h"\n// As in x.h (b/x.h), a/b/x.h.\nint i;  // of d/x.h, y.h\n'
    assert list(missing_sources(code, paths)) == [(3, "d/x.h"), (3, "y.h")], list(missing_sources(code, paths))


def main():
    check_the_checks()
    source = Path(sys.argv[1])
    files = project_files(source)
    pages = [name for name in files if name.endswith(".md") and name != "CHANGELOG.md"]
    paths = with_folders(files)
    missing = [f"{page}:{line}: {word} does not exist" for page in pages
               for line, word in missing_paths((source / page).read_text(), paths)]
    code = [name for name in files if name.endswith((".cpp", ".h", ".def"))]
    missing += [f"{name}:{line}: {word} does not exist" for name in code
                for line, word in missing_sources((source / name).read_text(), paths)]
    print(*missing, f"{len(pages)} pages, {len(code)} sources, {len(missing)} paths that do not exist", sep="\n")
    sys.exit(bool(missing))


main()
