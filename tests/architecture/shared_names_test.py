#!/usr/bin/env python3
"""The files of a library share no names of their own, so that the compiler can take several at once.

tests/architecture/shared_names_test.py BUILD_DIR SOURCE_DIR

A function that two files had in their unnamed namespaces would be overloaded where both are compiled together: a call
could mean another one than in the file alone. A function of an unnamed namespace hides one of the same name in a header
from the files behind it: the compiler looks no further than the unnamed namespace. A file may overload a function that
its own headers declare, and types and aliases may hide others, which the compiler refuses where they do not fit. Left
out are operators, and files and targets that are always compiled alone (UNITY_BUILD OFF,
SKIP_UNITY_BUILD_INCLUSION)."""
import collections
import functools
import itertools
import json
import re
import sys
from pathlib import Path

TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)"|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)+\''
                   r"|^[ \t]*#(?:[^\n\\]|\\.|\\\n)*|[A-Za-z_]\w*|\d[\w'.]*|::|\S", re.M | re.S)
NAME = re.compile(r"[A-Za-z_]\w*")
CLOSING = {"(": ")", "{": "}", "[": "]", "<": ">"}
WORDS_WITH_BRACKETS = ("__attribute__", "alignas", "decltype", "requires")
NO_NAMES = ("struct", "class", "union", "enum", "auto", *WORDS_WITH_BRACKETS)
MACRO = re.compile(r"[A-Z][A-Z0-9_]+")


@functools.cache
def tokens_of(text):
    return [each[0] for each in TOKEN.finditer(text) if not each[0].startswith(("//", "/*"))]


def is_directive(token):
    return token.lstrip().startswith("#")


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
    """Behind the `;`, the body, or the call of a macro that ends the declaration at i."""
    if MACRO.fullmatch(tokens[i]) and tokens[i + 1:i + 2] == ["("]:
        return behind(tokens, i + 1)
    is_value = False
    while i < len(tokens) and tokens[i] != ";":
        if tokens[i] == "template" and tokens[i + 1:i + 2] == ["<"]:
            i = behind(tokens, i + 1)
            continue
        if tokens[i] == "operator":
            i = tokens.index("(", i)
        is_value |= tokens[i] == "="
        is_body = tokens[i] == "{" and not is_value
        i = behind(tokens, i) if tokens[i] in CLOSING and tokens[i] != "<" else i + 1
        if is_body and tokens[i:i + 1] not in ([";"], [","]):
            return i
    return i + 1


def without_attributes(tokens):
    """Without template parameters, [[attributes]], and the words whose brackets are not those of a function."""
    rest, i = [], 0
    while i < len(tokens):
        if tokens[i] == "template" and tokens[i + 1:i + 2] == ["<"]:
            i = behind(tokens, i + 1)
        elif tokens[i:i + 2] == ["[", "["]:
            i = behind(tokens, i)
        elif tokens[i] in WORDS_WITH_BRACKETS and tokens[i + 1:i + 2] == ["("]:
            i = behind(tokens, i + 1)
        else:
            rest.append(tokens[i])
            i += 1
    return rest


def enumerators(tokens):
    """Those of an enum without scope, which are names of the namespace."""
    start = tokens.index("{") + 1 if "{" in tokens else len(tokens)
    names, i = [], start
    while i < len(tokens):
        if tokens[i - 1] in ("{", ",") and NAME.fullmatch(tokens[i]):
            names.append(("enumerator", tokens[i]))
        i = behind(tokens, i) if tokens[i] in CLOSING and tokens[i] != "<" else i + 1
    return names


def before_any(ends, tokens):
    return list(itertools.takewhile(lambda each: each not in ends, tokens))


def declared(tokens):
    """(kind, name) of what a declaration at namespace scope declares, without its attributes."""
    if not tokens or tokens[0] in ("static_assert", ";", "{") or "operator" in before_any("({", tokens):
        return []
    if MACRO.fullmatch(tokens[0]) and tokens[1:2] == ["("]:
        return []
    if tokens[0] == "using":
        if tokens[1] in ("namespace", "enum"):
            return [("names of", "".join(tokens[2:-1]))]
        # A using-declaration has the entity as its kind: two files may both name that one.
        return [("alias", tokens[1])] if "=" in tokens else [("".join(tokens[1:-1]), tokens[-2])]
    if tokens[0] in ("struct", "class", "union", "enum"):
        is_scoped = tokens[1] in ("class", "struct")
        found = enumerators(tokens) if tokens[0] == "enum" and not is_scoped else []
        at = 2 if is_scoped else 1
        if tokens[at] in ("{", ":"):
            return found
        if tokens[at + 1] in ("{", ":", "final", ";"):
            return [("type", tokens[at]), *found]
    names, i, is_value = [], 0, False
    while i < len(tokens):
        if tokens[i] == "<" and not is_value and NAME.fullmatch(tokens[i - 1]):
            i = behind(tokens, i)
            continue
        if tokens[i] in ("(", "=", "{", "[", ";", ",") and not is_value:
            if NAME.fullmatch(tokens[i - 1]) and tokens[i - 2:i - 1] != ["::"] and tokens[i - 1] not in NO_NAMES:
                names.append(("function" if tokens[i] == "(" else "variable", tokens[i - 1]))
            if tokens[i] == "(":
                break
        is_value = (is_value or tokens[i] == "=") and tokens[i] != ","
        i = behind(tokens, i) if tokens[i] in CLOSING and tokens[i] != "<" else i + 1
    return names


@functools.cache
def names_of(file, text):
    """(is_own, namespace, kind, name) of the declarations at namespace scope; no other file has a file's own ones."""
    tokens, around, i, found = [each for each in tokens_of(text) if not is_directive(each)], [], 0, set()
    while i < len(tokens):
        if tokens[i] == "}":
            assert around, f"{file}: a bracket that nothing opened"
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
            part = without_attributes(tokens[i:end])
            is_own = "" in around or "static" in before_any("({=", part) or part[:1] == ["using"]
            namespace = "::".join(each for each in around if each not in ("", "extern"))
            found |= {(is_own, namespace, *each) for each in declared(part)}
            i = end
    assert not around, f"{file}: {around} does not end"
    return found


def macros_of(text):
    """The macros that are left at the end of a file."""
    macros = set()
    for token in filter(is_directive, tokens_of(text)):
        if directive := re.match(r"\s*#\s*(define|undef)\s+(\w+)", token):
            (macros.add if directive[1] == "define" else macros.discard)(directive[2])
    return macros


def shared_by_sources(library, sources):
    """What two files have, and what one leaves to the others."""
    users, first = collections.defaultdict(set), {}
    for file, text in sorted(sources.items()):
        own = sorted({(kind, name) for is_own, _, kind, name in names_of(file, text) if is_own})
        for kind, name in own + [("macro", name) for name in sorted(macros_of(text))]:
            users[kind, name].add(file)
            if kind in ("macro", "names of", "alias"):
                continue
            other, its_kind = first.setdefault(name, (file, kind))
            is_one_entity = kind == its_kind and "::" in kind
            if other != file and not is_one_entity:
                yield f"{file} and {other}, both of {library}, define the {kind} {name}: give it two names, or share it"
    for (kind, name), files in sorted(users.items()):
        if kind == "macro" and len(sources) > 1:
            yield f"{min(files)} leaves the macro {name} to other files of {library}: #undef it"
        if kind == "names of" and len(files) < len(sources):
            yield f"{min(files)} opens {name} for other files of {library}, too: do it in a function"


@functools.cache
def includes_of(text):
    return re.findall(r'^#include "(.*)"', text, re.M)


def included(text, headers):
    """The names of the project's headers that a text includes, and those that they include."""
    found, texts = set(), [text]
    while texts:
        new = {name for name in includes_of(texts.pop()) if name in headers} - found
        found |= new
        texts += (headers[name] for name in new)
    return found


def hidden_names(library, sources, headers):
    """The functions and values of headers that a file's own names hide from the files behind it."""
    declared_in = collections.defaultdict(set)
    for header in set().union(*(included(text, headers) for text in sources.values())):
        for _, namespace, kind, name in names_of(header, headers[header]):
            if kind in ("function", "variable", "enumerator"):
                declared_in[name].add((header, namespace))
    for file, text in sorted(sources.items()):
        its_headers = included(text, headers)
        for is_own, namespace, kind, name in sorted(names_of(file, text)):
            hidden = sorted((header, outer) for header, outer in declared_in[name]
                            if f"{namespace}::".startswith(f"{outer}::" if outer else ""))
            is_overload = any(header in its_headers for header, _ in hidden)
            if is_own and not is_overload and kind not in ("type", "alias"):
                for header, _ in hidden:
                    yield f"{file} hides {name} of {header} from other files of {library}: give its own another name"


def check_names(libraries, headers):
    """`libraries`: name -> path -> text; `headers`: path -> text. Returns what is wrong, one line each."""
    wrong = []
    for library, sources in libraries.items():
        wrong += [*shared_by_sources(library, sources), *hidden_names(library, sources, headers)]
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
    """The sources of each target that the compiler may take at once, and all that it takes."""
    alone = compiled_alone(source)
    libraries, compiled = collections.defaultdict(dict), set()
    for entry in json.loads((build / "compile_commands.json").read_text()):
        target = re.search(r"CMakeFiles/([^/ ]+)\.dir/", entry["command"].split(" -o ")[1])[1]
        file = Path(entry["file"])
        files = [file]
        if "/Unity/unity_" in str(file):
            files = includes_of(file.read_text())
        for each in (Path(each).resolve() for each in files):
            if not each.is_relative_to(source) or each.is_relative_to(build):
                continue
            name = str(each.relative_to(source))
            compiled.add(name)
            if target not in alone and name not in alone:
                libraries[target][name] = with_lists(each.read_text(), source)
    return {target: sources for target, sources in libraries.items() if len(sources) > 1}, compiled


def files_of_product(source, pattern):
    """The files of the folders with targets, without tests."""
    for lists in source.glob("*/CMakeLists.txt"):
        if lists.parent.name != "tests":
            yield from (str(each.relative_to(source)) for each in lists.parent.rglob(pattern))


def read_headers(source):
    of_tests = (str(each.relative_to(source)) for each in (source / "tests").rglob("*.h"))
    return {name: (source / name).read_text() for name in (*files_of_product(source, "*.h"), *of_tests)}


def check_the_checks():
    """Each check reports what it is for."""
    def wrong(a, b, headers={}):
        text = "namespace m {{\nnamespace {{\n{}\n}}  // namespace\n}}  // namespace m\n"
        return check_names({"l": {"a.cpp": text.format(a), "b.cpp": text.format(b)}}, headers)
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
    # What could make the parser lose its place.
    f = "int f() {}"
    assert wrong("int c = a[b[0]];\n" + f, f) and wrong("template <int n = 1>\nvoid g() {}\n" + f, f)
    assert wrong("bool operator==(A a, A b) { return true; }\n" + f, f) and wrong("MACRO(a)\nMACRO(b)\n" + f, f)
    assert wrong("struct S { bool operator!() const; };", "struct S {};"), "an operator within a type"
    assert wrong("}\nconstexpr static int n = 1;\nnamespace {", "int n = 2;"), "static behind another word"
    assert wrong("enum E { one, two = g(1, 2), three };", "int three() {}") and wrong("enum { one };", "int one = 1;")
    assert wrong("using x::f;", f) and wrong("using x::f;", "using y::f;") and not wrong("using x::f;", "using x::f;")
    assert wrong("const T a{1}, f{2};", f) and not wrong("enum { a } x;", "enum { b } y;")
    for prefix in ("__attribute__((cold)) void", "alignas(16) int", "decltype(g())", "[[nodiscard]] int",
                   "template <class T> requires (a<T>) void"):
        assert not wrong(f"{prefix} f() {{}}", f"{prefix} g() {{}}") and wrong(f"{prefix} f() {{}}", f), prefix
    # A header that only b.cpp includes, and one that a.cpp includes, too.
    headers = {"h.h": '#include "i.h"\n', "i.h": "namespace m {\ninline int f(long x) { return 1; }\n}\n"}
    include_h = '}\n}\n#include "h.h"\nnamespace m {\nnamespace {'
    within_m = "}\nnamespace n {\nnamespace {\nint f() {}\n}\n}\nnamespace {"
    assert wrong(f, include_h, headers), "hidden from b.cpp"
    assert not wrong("int g() {}", include_h, headers) and not wrong(include_h + f, include_h, headers)
    assert wrong(within_m, include_h, headers), "a namespace within that of the header"
    assert not wrong("}\n}\nnamespace n {\nnamespace {\nint f() {}", include_h, headers), "another namespace"


def main():
    check_the_checks()
    build, source = (Path(argument).resolve() for argument in sys.argv[1:3])
    libraries, compiled = read_libraries(build, source)
    wrong = check_names(libraries, read_headers(source))
    database = build / "compile_commands.json"
    wrong += [f"{database} lacks {name}" for name in sorted({*files_of_product(source, "*.cpp")} - compiled)]
    wrong += [] if libraries else [f"{database} has no library of several sources"]
    print("\n".join(wrong) or f"{sum(map(len, libraries.values()))} sources of {len(libraries)} libraries and programs")
    sys.exit(bool(wrong))


main()
