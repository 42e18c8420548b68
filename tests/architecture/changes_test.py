#!/usr/bin/env python3
"""Standard changes touch as few files as CONTRIBUTING.md says.

tests/architecture/changes_test.py SOURCE_DIR [BUILD_DIR]

The table below "## Standard changes" names a patch for each change, and the most files that the change touches. A patch
must apply to the tree and touch no more. With BUILD_DIR, a build of the tree, each patch is also applied to a copy of
both, and what it names is built and tested there. The text before the first file says that:

    Build: msci msci_eval_test        targets of the build
    Test: MsciEval.one|MsciEval.two   a pattern of ctest -R
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))
from project_files import project_files

FOLDER = "tests/architecture/changes"


def read_table(text):
    """For the name of each patch, the most files that the change touches."""
    section = re.search(r"^## Standard changes$(.*?)(?=^## |\Z)", text, re.M | re.S)
    row = r"^\|[^|]+\|\s*(\d+)\s*\|.*`" + FOLDER + r"/([\w-]+\.patch)`"
    rows = re.findall(row, section[1] if section else "", re.M)
    return {patch: int(most) for most, patch in rows}


def files_of(patch):
    return {name for pair in re.findall(r"^diff --git a/(\S+) b/(\S+)$", patch, re.M) for name in pair}


def named(word, patch):
    """The line of a patch that begins with this word."""
    found = re.search(rf"^{word}: *(.+)$", patch.split("\ndiff --git ")[0], re.M)
    return found[1].strip() if found else ""


def check_count(name, patch, table):
    count = len(files_of(patch))
    if name not in table:
        return f"{name} has no row in the table of CONTRIBUTING.md"
    if count == 0 or count > table[name]:
        return f"{name} touches {count} files; CONTRIBUTING.md says at most {table[name]}"
    if not named("Build", patch) or not named("Test", patch):
        return f"{name} names no targets (Build:) or no tests (Test:)"
    return ""


def environment_of(tree):
    """Below the root of a repository, git passes over files of a patch in silence: a copy must belong to none."""
    if (tree / ".git").exists():
        return dict(os.environ)
    plain = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**plain, "GIT_CEILING_DIRECTORIES": str(tree.parent)}


def git_apply(tree, patch, *options):
    """What git says against the patch; empty if nothing."""
    done = subprocess.run(["git", "-C", str(tree), "apply", *options, "-"], input=patch, capture_output=True, text=True,
                          env=environment_of(tree))
    return done.stderr.strip() if done.returncode else ""


def check_patches(source, patches, table):
    wrong = [f"{name} of CONTRIBUTING.md is missing in {FOLDER}" for name in sorted(table.keys() - patches.keys())]
    for name, patch in patches.items():
        wrong += filter(None, [check_count(name, patch, table)])
        wrong += [f"{name} does not apply: {problem}" for problem in [git_apply(source, patch, "--check")] if problem]
    return wrong


def copy_tree(source, target):
    for name in project_files(source):
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source / name, target / name, follow_symlinks=False)


def in_place_of(source, build, tree, own_build):
    """The words before a command that see the copies where the source and its build lie, so that the build is valid."""
    user = [] if os.geteuid() == 0 else ["--user", "--map-root-user"]
    mounts = 'mount --bind "$1" "$2" && mount --bind "$3" "$4" && cd "$2" && shift 4 && exec "$@"'
    return ["unshare", *user, "--mount", "sh", "-c", mounts, "sh", tree, source, own_build, build]


def perform(patches, source, build):
    """Performs each change on a copy of the tree and its build, where only what a change touches is built again."""
    wrong = []
    with tempfile.TemporaryDirectory() as folder:
        tree, own_build = Path(folder).resolve() / "tree", Path(folder).resolve() / "build"
        copy_tree(source, tree)
        subprocess.run(["cp", "--archive", "--reflink=auto", build, own_build], check=True)
        if build.is_relative_to(source):
            (tree / build.relative_to(source)).mkdir(parents=True, exist_ok=True)
        before = in_place_of(source, build, tree, own_build)
        run = lambda *words: subprocess.run(list(map(str, [*before, *words]))).returncode == 0
        if not run("true"):
            return ["this system allows no mount namespace (unshare --mount), in which the copies take the tree's place"]
        for name, patch in patches.items():
            git_apply(tree, patch)
            if not run("cmake", "--build", build, "--target", *named("Build", patch).split()):
                wrong.append(f"{name} does not build")
            elif not run("ctest", "--test-dir", build, "-R", named("Test", patch), "--no-tests=error",
                         "--output-on-failure"):
                wrong.append(f"the tests of {name} fail")
            git_apply(tree, patch, "--reverse")
    return wrong


def check_the_checks():
    """Each check reports what it is for."""
    table = read_table(f"## Standard changes\n\n| change | files | patch |\n|---|---|---|\n"
                       f"| [x](x.md) | 2 | `{FOLDER}/x.patch` |\n\n## Next\n")
    assert table == {"x.patch": 2}, table
    patch = "Build: a b\nTest: T\n\n" + "".join(f"diff --git a/{name} b/{name}\n" for name in "pq")
    assert files_of(patch) == {"p", "q"} and named("Build", patch) == "a b" and named("Test", patch) == "T"
    assert not check_count("x.patch", patch, table)
    assert check_count("x.patch", patch + "diff --git a/r b/r\n", table), "a patch touches a file too many"
    assert check_count("x.patch", patch.replace("Test: T", ""), table), "a patch names no test"
    assert check_count("y.patch", patch, table), "a patch has no row"
    assert check_patches(Path("."), {}, table), "a row has no patch"
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder).resolve()
        (tree / "p").write_text("a line\n")
        hunk = patch.split("diff")[0] + "diff --git a/p b/p\n--- a/p\n+++ b/p\n@@ -1 +1 @@\n-{}\n+x\n"
        assert not check_patches(tree, {"x.patch": hunk.format("a line")}, table)
        assert check_patches(tree, {"x.patch": hunk.format("another")}, table), "a patch is out of date"


def main():
    check_the_checks()
    source = Path(sys.argv[1]).resolve()
    table = read_table((source / "CONTRIBUTING.md").read_text())
    patches = {path.name: path.read_text() for path in sorted((source / FOLDER).glob("*.patch"))}
    wrong = check_patches(source, patches, table)
    if not wrong and len(sys.argv) > 2:
        wrong = perform(patches, source, Path(sys.argv[2]).resolve())
    print("\n".join(wrong) or f"{len(patches)} standard changes touch as few files as CONTRIBUTING.md says")
    sys.exit(bool(wrong))


main()
