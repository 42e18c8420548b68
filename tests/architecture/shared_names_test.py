#!/usr/bin/env python3
"""The files of a library share no names of their own, so that the compiler can take several at once.

tests/architecture/shared_names_test.py BUILD_DIR SOURCE_DIR

A function that two files had in their unnamed namespaces would be overloaded where both are compiled together: a call
could mean another one than in the file alone. Left out are files and targets that are always compiled alone
(UNITY_BUILD OFF, SKIP_UNITY_BUILD_INCLUSION), aliases, which the compiler refuses if they differ, and operators."""
import collections
import json
import re
import sys
from pathlib import Path

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\''
                   r"|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*|[A-Za-z_]\w*|\d[\w'.]*|::|\[\[|\]\]|\S", re.M | re.S)
NAME = re.compile(r"[A-Za-z_]\w*")
CLOSING = {"(": ")", "{": "}", "[": "]", "[[": "]]", "<": ">"}
MACROS_OF_TESTS = re.compile(r"(TEST|TEST_F|TEST_P|INSTANTIATE_TEST_SUITE_P|GTEST_\w+)")


def tokens_of(text):
    return [each[0] for each in TOKEN.finditer(text) if not each[0].startswith(("//", "/*"))]


def behind(tokens, i):
    """The place behind the bracket that closes the one at i."""
    opening, closing, depth = tokens[i], CLOSING[tokens[i]], 0
    while i < len(tokens):
        if tokens[i] == opening:
            depth += 1
        elif tokens[i] == closing:
            depth -= 1
        elif tokens[i] in CLOSING and tokens[i] != "<":
            i = behind(tokens, i)
            continue
        i += 1
        if depth == 0:
            break
    return i


def end_of_declaration(tokens, i):
    """Behind the `;` or the body that ends the declaration at i."""
    is_value = False
    while i < len(tokens) and tokens[i] != ";":
        is_value |= tokens[i] == "="
        is_body = tokens[i] == "{" and not is_value
        i = behind(tokens, i) if tokens[i] in CLOSING and tokens[i] != "<" else i + 1
        if is_body and tokens[i:i + 1] != [";"]:
            return i
    return i + 1


def declared(tokens):
    """(kind, name) of what a declaration at namespace scope declares."""
    while tokens and tokens[0] in ("template", "[["):
        tokens = tokens[behind(tokens, 1 if tokens[0] == "template" else 0):]
    if not tokens or tokens[0] in ("static_assert", ";") or "operator" in tokens:
        return []
    if tokens[0] == "using":
        opens = tokens[1] in ("namespace", "enum")
        return [("names of", "".join(tokens[2:-1]))] if opens else []
    if tokens[0] in ("struct", "class", "union", "enum"):
        at = 2 if tokens[1] in ("class", "struct") else 1
        at = behind(tokens, at) if tokens[at] == "[[" else at
        if tokens[at + 1] in ("{", ":", "final", ";"):
            return [("type", tokens[at])]
    names, i, is_value = [], 0, False
    while i < len(tokens):
        if tokens[i] == "<" and not is_value and NAME.fullmatch(tokens[i - 1]):
            i = behind(tokens, i)
            continue
        if tokens[i] in ("(", "=", "{", "[", ";", ",") and not is_value:
            if NAME.fullmatch(tokens[i - 1]) and tokens[i - 2:i - 1] != ["::"]:
                names.append(("function" if tokens[i] == "(" else "variable", tokens[i - 1]))
            if tokens[i] == "(":
                break
        is_value = (is_value or tokens[i] == "=") and tokens[i] != ","
        i = behind(tokens, i) if tokens[i] in CLOSING and tokens[i] != "<" else i + 1
    return [each for each in names if not MACROS_OF_TESTS.fullmatch(each[1])]


def names_of(text):
    """(kind, name) of what is visible in the whole file and in no other: in unnamed namespaces, or static; and macros."""
    tokens, around, i, found = tokens_of(text), [], 0, []
    macros = set()
    for token in tokens:  # also in functions
        if directive := re.match(r"\s*#\s*(define|undef)\s+(\w+)", token):
            (macros.add if directive[1] == "define" else macros.discard)(directive[2])
    while i < len(tokens):
        if tokens[i].lstrip().startswith("#"):
            i += 1
        elif tokens[i] == "}":
            around.pop()
            i += 1
        elif tokens[i] == "extern" and tokens[i + 2:i + 3] == ["{"]:
            around.append("extern")
            i += 3
        elif "namespace" in tokens[i:i + 2] and tokens[i] in ("namespace", "inline"):
            end = next(j for j in range(i, len(tokens)) if tokens[j] in ("{", "=", ";"))
            if tokens[end] == "{":
                around.append("".join(token for token in tokens[i:end] if token not in ("inline", "namespace")))
                i = end + 1
            else:
                i = end_of_declaration(tokens, i)
        else:
            end = end_of_declaration(tokens, i)
            part = [token for token in tokens[i:end] if not token.lstrip().startswith("#")]
            found += declared(part) if "" in around or "static" in part[:1] or part[:1] == ["using"] else []
            i = end
    return set(found) | {("macro", name) for name in macros}


def check_names(libraries):
    """`libraries`: name -> path -> text. Returns what is wrong, one line each."""
    wrong = []
    for library, sources in sorted(libraries.items()):
        users, first = collections.defaultdict(set), {}
        for file, text in sorted(sources.items()):
            for kind, name in sorted(names_of(text)):
                users[kind, name].add(file)
                if kind in ("macro", "names of"):
                    continue
                if first.setdefault(name, file) != file:
                    wrong.append(f"{file} and {first[name]}, both of {library}, have a {kind} {name} of their own: give it "
                                 "two names, or share it")
        for (kind, name), files in sorted(users.items()):
            if kind == "macro" and len(sources) > 1:
                wrong.append(f"{min(files)} leaves the macro {name} to other files of {library}: #undef it")
            if kind == "names of" and len(files) < len(sources):
                wrong.append(f"{min(files)} opens {name} for other files of {library}, too: do it in a function")
    return sorted(wrong)


def compiled_alone(source):
    """The targets and files that are never compiled with others."""
    alone = set()
    for file in source.rglob("CMakeLists.txt"):
        text = re.sub(r"#.*", "", file.read_text())
        for names in re.findall(r"set_target_properties\(([^()]*?)\s+PROPERTIES UNITY_BUILD OFF\)", text):
            alone |= set(names.split())
        for names in re.findall(r"set_source_files_properties\(([^()]*?)\s+PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON\)", text):
            alone |= {str((file.parent / name).relative_to(source)) for name in names.split()}
    return alone


def with_lists(text, source):
    """A source, and behind it what the lists that it includes undefine."""
    lists = [source / name for name in re.findall(r'^#include "(.*\.def)"', text, re.M)]
    return text + "".join(f"\n#undef {name}" for each in lists if each.exists()
                          for name in re.findall(r"^#undef (\w+)", each.read_text(), re.M))


def read_libraries(build, source):
    alone = compiled_alone(source)
    libraries = collections.defaultdict(dict)
    for entry in json.loads((build / "compile_commands.json").read_text()):
        target = re.search(r"CMakeFiles/([^/ ]+)\.dir/", entry["command"].split(" -o ")[1])[1]
        file = Path(entry["file"])
        files = [file]
        if "/Unity/unity_" in str(file):
            files = [Path(name) for name in re.findall(r'^#include "(.*)"', file.read_text(), re.M)]
        for each in files:
            name = str(each.relative_to(source)) if each.is_relative_to(source) else ""
            if target not in alone and name and name not in alone and not each.is_relative_to(build):
                libraries[target][name] = with_lists(each.read_text(), source)
    return {target: sources for target, sources in libraries.items() if len(sources) > 1}


def check_the_checks():
    """Each check reports what it is for."""
    def wrong(a, b):
        text = "namespace m {{\nnamespace {{\n{}\n}}  // namespace\n}}  // namespace m\n"
        return check_names({"l": {"a.cpp": text.format(a), "b.cpp": text.format(b)}})
    assert wrong("int f(int x) { return x; }", "long f(long x) { return x; }"), "two functions"
    assert wrong("constexpr int a = g(1, 2), b = 3;", "std::map<int, int> b{{1, 2}};"), "two variables"
    assert wrong("struct S { int f; };", "class S : public B {};") and wrong("enum class S : int { a };", "union S { int a; };")
    assert wrong("template <typename T = A<int>>\n[[nodiscard]] std::vector<T> f(T x) {}", "// int g()\nint f();")
    assert wrong("}\nstatic int f() {}\nnamespace {", "int f() {}"), "a static function"
    assert wrong("#define M 1", "") and not wrong("#define M 1\nint x = M;\n#undef M", "int y;")
    assert wrong("using enum E;", "int y;") and not wrong("using namespace n;", "using namespace n;")
    assert not wrong("int f() { int g = 1; return g; }\nusing C = int;", "int g() { return \"int f() {\"[0]; }\nusing C = int;")
    assert not wrong("struct S {\n  void f() const { g(); }\n  int a = 1;\n};", "void f();\nint a{};\nvoid T::h() {}")
    assert not wrong("}\nint f();\nnamespace {", "}\nint f();\nnamespace {"), "functions that other files see"


def main():
    check_the_checks()
    build, source = (Path(argument).resolve() for argument in sys.argv[1:3])
    libraries = read_libraries(build, source)
    wrong = check_names(libraries)
    print("\n".join(wrong) or f"{sum(map(len, libraries.values()))} sources of {len(libraries)} libraries and programs")
    sys.exit(bool(wrong))


main()
