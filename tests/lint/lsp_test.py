#!/usr/bin/env python3
"""msci-lint --lsp as an editor meets it: lsp_test.py MSCI_LINT [TEST…]"""
import json
import pathlib
import shutil
import signal
import sys
import tempfile
import unittest
import urllib.parse
from random import Random

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lsp"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from crowd import CLIENTS, check_idle_and_end, with_few_files  # noqa: E402
from editor import Editor, edited  # noqa: E402

LINT = pathlib.Path(sys.argv[1])
BAD = """#include <metal_stdlib>
using namespace metal;
float half_of(float x) { return x / 2; }
kernel void f(device const float* restrict x [[buffer(0)]],
              device float* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = half_of(dot(float2(x[i]), float2(1)));
}
"""
GOOD = BAD.replace("restrict", "__restrict")


class LanguageServer(unittest.TestCase):
    uri = "file:///nowhere/k%20ernel.metal"

    def editor(self, *arguments, **more):
        editor = Editor(LINT, "--no-config", *arguments, **more)
        self.addCleanup(lambda: [each.close() for each in (editor.server.stdin, editor.server.stdout)])
        self.addCleanup(editor.server.wait)
        self.addCleanup(editor.server.kill)
        return editor

    def actions(self, editor, line):
        place = {"line": line, "character": 0}
        end = {"line": line, "character": 1000}
        return editor.ask("textDocument/codeAction", textDocument={"uri": self.uri},
                          range={"start": place, "end": end}, context={"diagnostics": []})

    def test_opens_edits_fixes_and_closes(self):
        editor = self.editor()
        first, *rest = editor.open(self.uri, BAD)
        self.assertEqual((first["code"], first["severity"], rest), ("metal.restrict", 1, []))
        self.assertEqual(first["range"]["start"]["line"], 3)
        page = urllib.parse.urlparse(first["codeDescription"]["href"])
        self.assertTrue(pathlib.Path(page.path).read_text().startswith("# restrict"), page)
        self.assertEqual(first["message"], "'restrict' is a C keyword; use '__restrict' (expected ')')")
        action, explanation = [each for each in self.actions(editor, 3) if each["kind"] == "quickfix"]
        self.assertEqual(action["title"], "replace 'restrict' with '__restrict'")
        self.assertEqual(explanation["title"], "explain metal.restrict")  # an error cannot be suppressed
        self.assertEqual(edited(BAD, action["edit"]["changes"][self.uri]), GOOD)
        self.assertEqual(self.actions(editor, 0), [each for each in self.actions(editor, 0)
                                                   if each["kind"] == "source.fixAll"])
        editor.change(self.uri, GOOD, 2)
        self.assertEqual(editor.diagnostics(self.uri, 2), [])
        self.assertEqual(self.actions(editor, 3), [])
        editor.tell("textDocument/didSave", textDocument={"uri": self.uri})
        self.assertEqual(editor.diagnostics(self.uri, 2), [])
        editor.tell("textDocument/didClose", textDocument={"uri": self.uri})
        self.assertEqual(editor.diagnostics(self.uri, None), [])
        self.assertEqual(editor.end(), 0)

    def test_lints_many_texts_with_few_files(self):
        editor = self.editor(arrange=with_few_files)
        uris = [f"file:///nowhere/{number}.metal" for number in range(CLIENTS)]
        for uri in uris:
            editor.tell("textDocument/didOpen", textDocument={"uri": uri, "languageId": "metal", "version": 1, "text": BAD})
        found = {}
        while len(found) < CLIENTS:
            message = editor.read()
            self.assertEqual(message["method"], "textDocument/publishDiagnostics", message)
            found[message["params"]["uri"]] = [each["code"] for each in message["params"]["diagnostics"]]
        self.assertEqual(found, {uri: ["metal.restrict"] for uri in uris})
        check_idle_and_end(self, editor.server, -signal.SIGTERM)

    def test_lints_the_last_of_many_changes(self):
        editor = self.editor()
        editor.open(self.uri, GOOD)
        for version in range(2, 40):
            editor.change(self.uri, GOOD[:version * 5], version)
        editor.change(self.uri, BAD, 40)
        self.assertEqual(len(editor.diagnostics(self.uri, 40)), 1)

    def test_suppresses_and_explains_a_warning(self):
        text = GOOD.replace("  y[i] = half_of", "  if (i < 9)\n    threadgroup_barrier(mem_flags::mem_device);\n  y[i] = half_of")
        editor = self.editor(capabilities={"window": {"showDocument": {"support": True}}})
        (found,) = [each for each in editor.open(self.uri, text) if each["code"] == "hazard.barrier_divergence"]
        line = found["range"]["start"]["line"]
        suppress, explain = self.actions(editor, line)[-2:]
        self.assertEqual(suppress["title"], "suppress hazard.barrier_divergence here with a comment")
        after = edited(text, suppress["edit"]["changes"][self.uri])
        self.assertEqual(after.split("\n")[line], "    // msci: allow(hazard.barrier_divergence) TODO: give the reason")
        editor.change(self.uri, after, 2)
        self.assertNotIn("hazard.barrier_divergence", [each["code"] for each in editor.diagnostics(self.uri, 2)])
        self.assertIsNone(editor.ask("workspace/executeCommand", command=explain["command"]["command"],
                                     arguments=explain["command"]["arguments"]))
        (shown,) = [each for each in editor.told if each.get("method") == "window/showDocument"]
        self.assertTrue(shown["params"]["uri"].endswith("/rules/hazard/barrier_divergence.md"), shown)

    def test_suppresses_nothing_in_the_middle_of_a_macro(self):
        text = GOOD.replace("kernel", "#define WAIT \\\n  if (i < 9) threadgroup_barrier(mem_flags::mem_device)\nkernel", 1)
        text = text.replace("  y[i] = half_of", "  WAIT;\n  y[i] = half_of")
        editor = self.editor()
        found = editor.open(self.uri, text)
        for each in found:
            for action in self.actions(editor, each["range"]["start"]["line"]):
                for edit in action.get("edit", {}).get("changes", {}).get(self.uri, []):
                    before = text.split("\n")[edit["range"]["start"]["line"] - 1]
                    self.assertFalse(before.endswith("\\"), action)

    def test_explains_in_a_message_where_the_editor_opens_no_pages(self):
        editor = self.editor()
        editor.open(self.uri, BAD)
        editor.ask("workspace/executeCommand", command="msci.explainRule", arguments=[{"rule": "metal.restrict"}])
        (shown,) = [each for each in editor.told if each.get("method") == "window/showMessage"]
        self.assertTrue(shown["params"]["message"].startswith("# metal.restrict"), shown)
        wrong = editor.response("workspace/executeCommand", command="msci.explainRule", arguments=[{"rule": "no.rule"}])
        self.assertEqual(wrong["error"]["code"], -32602)

    def test_offers_only_the_kinds_that_the_editor_wants(self):
        editor = self.editor()
        editor.open(self.uri, BAD)
        place = {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 99}}
        kinds = lambda only: {each["kind"] for each in editor.ask(
            "textDocument/codeAction", textDocument={"uri": self.uri}, range=place,
            context={"diagnostics": [], "only": only})}
        self.assertEqual(kinds(["source"]), {"source.fixAll"})
        self.assertEqual(kinds(["quickfix"]), {"quickfix"})
        self.assertEqual(kinds(["refactor"]), set())

    def test_shows_deduced_types(self):
        text = ("kernel void f(device const float* x [[buffer(0)]], device float* y [[buffer(1)]]) {\n"
                "  auto q = x + 1;\n  const auto v = q[0];\n  y[0] = v;\n}\n")
        editor = self.editor()
        editor.open(self.uri, text)
        hover = lambda word: editor.at("textDocument/hover", self.uri, text, word)["contents"]["value"]
        self.assertIn("device const float* q = x + 1", hover("q ="))
        self.assertIn("const float v = q[0]", hover("v ="))
        self.assertIn("index of the host's buffer for this argument", hover("buffer(0)"))

    def test_survives_a_change_without_changes(self):
        editor = self.editor()
        editor.open(self.uri, BAD)
        editor.tell("textDocument/didChange", textDocument={"uri": self.uri, "version": 2}, contentChanges=[])
        self.assertEqual(len(editor.diagnostics(self.uri, 2)), 1)
        for changes in ({}, None, 3):
            editor.tell("textDocument/didChange", textDocument={"uri": self.uri, "version": 3}, contentChanges=changes)
        editor.tell("textDocument/didChange", textDocument={"uri": self.uri + "x", "version": 3}, contentChanges=[])
        self.assertEqual(editor.end(), 0)

    def test_applies_changes_of_ranges_in_their_order(self):
        """Random edits, several at once, leave the text that the editor has, whatever it counts."""
        begin = "// \N{GRINNING FACE} a\N{EURO SIGN}b\r\nint first(int x) { return x; }\r\n\r\nint last(int y) {\r\n  return first(y);\r\n}"
        pieces = ["", "x", "int z;", "\r\n", "/* \N{GRINNING FACE}\N{EURO SIGN} */", "\r\nint more(int x) { return x; }\r\n", "{", "}", "//"]
        units = {"utf-8": lambda text: len(text.encode()), "utf-16": lambda text: len(text.encode("utf-16-le")) // 2, "utf-32": len}
        for encoding, length in units.items():
            random = Random(encoding)
            editor = self.editor(encodings=[encoding])
            self.assertEqual(editor.can["textDocumentSync"]["change"], 2)
            text = begin
            editor.open(self.uri, text)
            for version in range(2, 14):
                changes = []
                for _ in range(random.randint(1, 4)):
                    places = [at for at in range(len(text) + 1) if text[at - 1:at + 1] != "\r\n"]
                    first, last = sorted(random.choices(places, k=2))
                    last = min(last, random.choice((first, first + 3, last)))
                    last += text[last - 1:last + 1] == "\r\n"
                    place = lambda at: (text.count("\n", 0, at), length(text[text.rfind("\n", 0, at) + 1:at]))
                    piece = random.choice(pieces)
                    changes.append((place(first), place(last), piece))
                    text = text[:first] + piece + text[last:]
                if not text.strip():
                    text = begin
                    editor.change(self.uri, text, version)
                else:
                    editor.edit(self.uri, version, *changes)
                whole = f"file:///nowhere/{version}.metal"
                editor.tell("textDocument/didOpen", textDocument={"uri": whole, "languageId": "metal", "version": 1, "text": text})
                for method in ("semanticTokens/full", "foldingRange", "selectionRange"):
                    answers = [editor.ask(f"textDocument/{method}", textDocument={"uri": uri}, positions=[{"line": 0, "character": 0}])
                               for uri in (self.uri, whole)]
                    for answer in answers:
                        answer.pop("resultId", None) if isinstance(answer, dict) else None
                    self.assertEqual(*answers, (encoding, version, changes, text))
                editor.tell("textDocument/didClose", textDocument={"uri": whole})
            self.assertEqual(editor.end(), 0)

    def test_takes_the_ends_of_lines_and_texts_for_ends_of_changes(self):
        names = lambda: [each["name"] for each in editor.ask("textDocument/documentSymbol", textDocument={"uri": self.uri})]
        for changes, after in (
                ([((0, 4), (0, 5), "long_name")], ["long_name", "b"]),
                ([((0, 10), (0, 2**31 - 1), "")], ["a", "b"]),  # to the end of the line, and not of its end
                ([((0, 99), (1, 0), "\nint c;")], ["a", "c", "b"]),
                ([((1, 0), (2, 0), "int c;")], ["a", "c"]),  # the line after the last one
                ([((2, 0), (2, 0), "\nint c;")], ["a", "b", "c"]),
                ([((0, 4), (0, 5), "c"), ((0, 4), (0, 5), "d"), ((1, 0), (1, 10), "")], ["d"])):
            editor = self.editor()
            editor.open(self.uri, "int a = 1; // \N{GRINNING FACE}\r\nint b = 2;")
            self.assertEqual(names(), ["a", "b"])
            editor.edit(self.uri, 2, *changes)
            self.assertEqual(names(), after, changes)
        editor.change(self.uri, "// \N{GRINNING FACE}", 3)
        editor.edit(self.uri, 4, ((0, 4), (0, 5), ""))  # half of a pair: all of it
        (step,) = editor.ask("textDocument/selectionRange", textDocument={"uri": self.uri}, positions=[{"line": 0, "character": 0}])
        self.assertEqual(step["range"]["end"], {"line": 0, "character": 3})

    def test_closes_a_text_that_a_change_does_not_fit(self):
        editor = self.editor()
        symbols = lambda: editor.ask("textDocument/documentSymbol", textDocument={"uri": self.uri})
        for change in (((9, 0), (9, 0), "x"), ((0, 0), (99, 0), ""), ((2**31, 0), (2**31, 0), "x"), ((2**32, 0), (2**32, 0), "x"),
                       ((2**63, 2**63), (2**63, 2**63), "x"), ((1, 0), (0, 0), "x"), ((0, 5), (0, 4), "x")):
            editor.open(self.uri, BAD)
            before = symbols()
            editor.edit(self.uri, 2, ((0, 0), (0, 0), "// "), change)
            self.assertEqual(editor.diagnostics(self.uri, None), [])
            message = editor.read()["params"]["message"]
            self.assertRegex(message, r"msci-lint: /nowhere/k ernel.metal: a change at line \d+ does not fit the text; close and open")
            self.assertIsNone(symbols())
            editor.edit(self.uri, 3, ((0, 0), (0, 0), "x"))  # of a text that is not open
            self.assertIsNone(symbols())
            editor.change(self.uri, BAD, 4)
            self.assertEqual(symbols(), before)
        # What the protocol does not allow changes nothing.
        place = {"line": 0, "character": 0}
        for start in ({}, {"line": -1, "character": 0}, {"line": 0, "character": 0.5}, {"line": "0", "character": 0}, None):
            editor.tell("textDocument/didChange", textDocument={"uri": self.uri, "version": 5},
                        contentChanges=[{"text": ""}, {"range": {"start": start, "end": place}, "text": "x"}])
        editor.tell("textDocument/didChange", textDocument={"uri": self.uri, "version": 5},
                    contentChanges=[{"range": {"start": place, "end": place}}])
        self.assertEqual(symbols(), before)
        self.assertEqual(editor.end(), 0)

    def test_answers_about_places_that_are_none(self):
        editor = self.editor()
        editor.open(self.uri, GOOD)
        last = {"line": GOOD.count("\n"), "character": 0}
        whole = {"range": {"start": {"line": 0, "character": 0}, "end": last}}
        for line, column in ((0, 2**31), (99, 0), (2**32, 2**32), (2**63, 0)):
            for method in ("typeDefinition", "prepareCallHierarchy"):
                self.assertIsNone(editor.about(f"textDocument/{method}", self.uri, line, column)["result"])
            (step,) = editor.ask("textDocument/selectionRange", textDocument={"uri": self.uri}, positions=[{"line": line, "character": column}])
            while "parent" in step:
                step = step["parent"]
            self.assertEqual(step, whole)
        for method in ("typeDefinition", "prepareCallHierarchy"):
            self.assertEqual(editor.about(f"textDocument/{method}", self.uri, -1, 0)["error"]["code"], -32803)
            self.assertIsNone(editor.about(f"textDocument/{method}", self.uri + "x", 0, 0)["result"])  # not open
        select = lambda **more: editor.response("textDocument/selectionRange", textDocument={"uri": self.uri}, **more)
        self.assertEqual(select(positions=[])["result"], [])
        for wrong in ({}, {"positions": 3}, {"positions": [3]}):
            self.assertEqual(select(**wrong)["error"]["code"], -32803)
        (item,) = editor.at("textDocument/prepareCallHierarchy", self.uri, GOOD, "half_of(dot")
        for direction in ("incomingCalls", "outgoingCalls"):
            ask = lambda more: editor.response(f"callHierarchy/{direction}", item={**item, **more})
            self.assertEqual(len(ask({})["result"]), direction == "incomingCalls")
            for stale in ({"name": "other"}, {"uri": "file:///other"}, {"selectionRange": 3}, {"data": {"uri": "file:///other"}}):
                self.assertIsNone(ask(stale)["result"], stale)
            self.assertEqual(ask({"name": 3})["error"]["code"], -32803)
            for wrong in ({"data": None}, {"data": {}}):
                self.assertEqual(ask(wrong)["error"]["code"], -32602)
        deep = "constant int a = 0" + " + 1" * 2000 + ";\n"
        editor.change(self.uri, deep, 2)
        (step,) = select(positions=[{"line": 0, "character": 20}])["result"]
        count = 1
        while "parent" in step:
            step, count = step["parent"], count + 1
        self.assertEqual((count, step["range"]["end"]), (128, {"line": 1, "character": 0}))

    def test_fixes_all_with_edits_at_their_places(self):
        text = BAD.replace("device float* y", "device float* restrict y")
        editor = self.editor()
        editor.open(self.uri, text)
        (action,) = [each for each in self.actions(editor, 0) if each["kind"] == "source.fixAll"]
        edits = action["edit"]["changes"][self.uri]
        self.assertEqual({each["newText"] for each in edits}, {"__restrict"})
        self.assertEqual(edited(text, edits), text.replace("restrict", "__restrict"))

    def test_counts_columns_as_the_editor_does(self):
        # Two units of UTF-16, four bytes; and one, three.
        text = "// \N{GRINNING FACE}\n/* \N{GRINNING FACE}\N{EURO SIGN} */ kernel void f(device float* restrict x) {}\n"
        line = text.split("\n")[1]
        before = line[:line.index("x)")]
        for encodings, column in ((None, len(before.encode("utf-16-le")) // 2), (["utf-8", "utf-16"], len(before.encode()))):
            editor = self.editor(encodings=encodings)
            self.assertEqual(editor.can["positionEncoding"], "utf-8" if encodings else "utf-16")
            (found,) = [each for each in editor.open(self.uri, text) if each["code"] == "metal.restrict"]
            self.assertEqual(found["range"]["start"], {"line": 1, "character": column})

    def test_answers_a_pull_when_the_findings_are_there(self):
        editor = self.editor(encodings=["utf-32"])
        self.assertEqual(editor.can["positionEncoding"], "utf-32")
        self.assertEqual(editor.can["diagnosticProvider"]["workspaceDiagnostics"], False)
        pull = lambda: editor.ask("textDocument/diagnostic", textDocument={"uri": self.uri})
        self.assertEqual(pull(), {"kind": "full", "items": []})  # not open
        editor.tell("textDocument/didOpen",
                    textDocument={"uri": self.uri, "languageId": "metal", "version": 1, "text": BAD})
        waited = pull()
        self.assertEqual((waited["kind"], [each["code"] for each in waited["items"]]), ("full", ["metal.restrict"]))
        self.assertEqual(editor.diagnostics(self.uri, 1), waited["items"])
        self.assertEqual(pull(), waited)
        editor.write({"method": "textDocument/didChange", "params": {"textDocument": {"uri": self.uri, "version": 2},
                                                                     "contentChanges": [{"text": BAD + "\n"}]}},
                     {"id": "p", "method": "textDocument/diagnostic", "params": {"textDocument": {"uri": self.uri}}},
                     {"method": "$/cancelRequest", "params": {"id": "p"}})
        self.assertEqual(editor.read()["error"]["code"], -32800)

    @unittest.skipUnless(shutil.which("clang-format"), "clang-format is not installed")
    def test_formats_by_clang_format(self):
        editor = self.editor()
        editor.open(self.uri, "kernel void   f( device float*x ){x[0]=1;}\n")
        ask = lambda: editor.ask("textDocument/formatting", textDocument={"uri": self.uri},
                                 options={"tabSize": 2, "insertSpaces": True})
        (edit,) = ask()
        self.assertIn("kernel void f(device float", edit["newText"])
        self.assertEqual(edit["range"]["start"], {"line": 0, "character": 0})
        editor.change(self.uri, edit["newText"], 2)
        editor.diagnostics(self.uri, 2)
        self.assertEqual(ask(), [])

    @unittest.skipUnless(shutil.which("clang-format"), "clang-format is not installed")
    def test_formats_lines_by_clang_format(self):
        text = "int a( int x );\r\nint b( int x );\r\n\r\nint c( int x );\r\n"
        editor = self.editor()
        editor.open(self.uri, text)

        def formatted(begin, end):
            place = lambda at: {"line": at[0], "character": at[1]}
            edits = editor.ask("textDocument/rangeFormatting", textDocument={"uri": self.uri},
                               range={"start": place(begin), "end": place(end)}, options={"tabSize": 2, "insertSpaces": True})
            return edited(text, edits)

        good = [f"int {name}(int x);" for name in "abc"]
        lines = text.split("\r\n")
        self.assertEqual(formatted((1, 3), (1, 3)), "\r\n".join([lines[0], good[1], *lines[2:]]))
        self.assertEqual(formatted((0, 0), (1, 0)), "\r\n".join([good[0], *lines[1:]]))  # the first line
        self.assertEqual(formatted((1, 0), (9, 9)), "\r\n".join([lines[0], good[1], "", good[2], ""]))
        for begin, end in (((2, 0), (0, 0)), ((2, 0), (2, 9)), ((9, 0), (10, 0)), ((2**40, 0), (2**63, 1))):
            self.assertEqual(formatted(begin, end), text, (begin, end))

    def test_explains_a_finding_and_a_name(self):
        editor = self.editor()
        editor.open(self.uri, BAD)
        page = editor.at("textDocument/hover", self.uri, BAD, " x [[buffer(0)]]")["contents"]["value"]
        self.assertTrue(page.startswith("# metal.restrict") or "restrict" in page.split("\n")[0], page)
        editor.change(self.uri, GOOD, 2)
        editor.diagnostics(self.uri, 2)
        own = editor.at("textDocument/hover", self.uri, GOOD, "half_of(dot")["contents"]["value"]
        self.assertIn("float half_of(float x)", own)
        metals = editor.at("textDocument/hover", self.uri, GOOD, "dot(")["contents"]["value"]
        self.assertIn("float dot(float2 a, float2 b)", metals)
        self.assertIn("the sum of the products of the elements", metals)
        self.assertIsNone(editor.ask("textDocument/hover", textDocument={"uri": self.uri},
                                     position={"line": 0, "character": 0}))

    def test_goes_to_the_definition(self):
        editor = self.editor()
        editor.open(self.uri, GOOD)
        place = editor.at("textDocument/definition", self.uri, GOOD, "half_of(dot")
        self.assertEqual((place["uri"], place["range"]["start"]), (self.uri, {"line": 2, "character": 6}))
        self.assertIsNone(editor.at("textDocument/definition", self.uri, GOOD, "dot("))

    def test_goes_behind_the_announcement_to_the_definition(self):
        text = "struct S;\nint f(int);\nstruct S { int n; };\nint g(thread S& s) { return f(s.n); }\nint f(int x) { return x; }\n"
        editor = self.editor()
        editor.open(self.uri, text)
        at = lambda word: editor.at("textDocument/definition", self.uri, text, word)["range"]["start"]
        self.assertEqual(at("f(s.n)"), {"line": 4, "character": 4})
        self.assertEqual(at("S& s"), {"line": 2, "character": 7})
        self.assertEqual(at("n); }\nint f"), {"line": 2, "character": 15})

    def test_lists_the_symbols_of_the_document(self):
        text = ("#include <metal_stdlib>\nusing namespace metal;\nconstant float factor = 0.5f;\n"
                "enum Kind { small, large };\nusing Real = float;\n"
                "struct Cell {\n  float mass;\n  float twice() const { return 2 * mass; }\n};\n"
                "namespace more { float one() { return 1; } }\n"
                "template <typename T> T same(T x) { return x; }\n"
                "kernel void f(device float* x, uint i [[thread_position_in_grid]]) {\n  x[i] = same(x[i]);\n}\n")
        editor = self.editor()
        editor.open(self.uri, text)
        ask = lambda: editor.ask("textDocument/documentSymbol", textDocument={"uri": self.uri})
        symbols = ask()
        names = lambda list: [(each["name"], each["kind"], names(each["children"])) for each in list]
        self.assertEqual(names(symbols), [
            ("factor", 14, []), ("Kind", 10, [("small", 22, []), ("large", 22, [])]), ("Real", 5, []),
            ("Cell", 23, [("mass", 8, []), ("twice", 6, [])]), ("more", 3, [("one", 12, [])]), ("same", 12, []),
            ("f", 12, [])])
        kernel = symbols[-1]
        self.assertEqual((kernel["detail"], kernel["selectionRange"]["start"]), ("kernel", {"line": 11, "character": 12}))
        self.assertEqual(kernel["range"]["end"], {"line": 13, "character": 1})
        self.assertEqual(symbols[3]["range"]["start"], {"line": 5, "character": 0})
        editor.change(self.uri, text[:text.index("  x[i] = same")], 2)  # unfinished
        self.assertEqual(names(ask()), names(symbols))
        editor.change(self.uri, "", 3)
        self.assertEqual(ask(), [])

    def test_highlights_a_name_where_it_occurs(self):
        text = ("#include <metal_stdlib>\nusing namespace metal;\nstruct Cell { float mass; };\n"
                "template <typename T> T same(T x) { T y = x; return y + x; }\n"
                "float g(thread Cell& c, float x) { float mass = x; return same(c.mass) + mass + dot(x, x); }\n"
                "float h(thread Cell& d) { return d.mass + same(2.0f); }\n")
        editor = self.editor()
        editor.open(self.uri, text)

        def marked(word, after=""):
            """The lines and columns of the highlights."""
            found = editor.at("textDocument/documentHighlight", self.uri, text, word, text.index(after))
            self.assertEqual(len({json.dumps(each) for each in found}), len(found))
            return [(each["range"]["start"]["line"], each["range"]["start"]["character"]) for each in found]

        lines = text.split("\n")
        self.assertEqual(marked("mass; }"), [(2, 20), (4, lines[4].index("c.mass") + 2), (5, lines[5].index("d.mass") + 2)])
        self.assertEqual(marked("mass = x"), [(4, lines[4].index("mass = x")), (4, lines[4].index("mass + dot"))])
        self.assertEqual(marked("same(T"), marked("same(2"))
        self.assertEqual(len(marked("same(T")), 3)
        self.assertEqual(len(marked("x) { T")), 3)
        self.assertEqual(len(marked("Cell& d")), 3)
        self.assertEqual(len(marked("dot(")), 1)
        self.assertIsNone(editor.ask("textDocument/documentHighlight", textDocument={"uri": self.uri},
                                     position={"line": 0, "character": 0}))

    def test_knows_macros_and_attributes(self):
        text = "#define HALF(x) ((x) / 2)\nkernel void f(device float* x, uint i [[thread_position_in_grid]]) { x[i] = HALF(x[i]); }\n"
        editor = self.editor()
        editor.open(self.uri, text)
        place = editor.at("textDocument/definition", self.uri, text, "HALF(x[i]")
        self.assertEqual(place["range"]["start"], {"line": 0, "character": 8})
        hover = lambda word: editor.at("textDocument/hover", self.uri, text, word)["contents"]["value"]
        self.assertIn("#define HALF(x) ((x) / 2)", hover("HALF(x[i]"))
        self.assertIn("where this thread stands among all threads", hover("thread_position_in_grid"))

    def test_completes_names_in_a_function(self):
        editor = self.editor()
        editor.open(self.uri, GOOD)
        offered = editor.complete(self.uri, GOOD.replace("y[i] = half_of", "y[i] = ha|lf_of"))
        self.assertEqual(offered["half_of"]["detail"], "float half_of(float x)")
        self.assertEqual(offered["y"]["detail"], "device float *")
        self.assertEqual((offered["clamp"]["kind"], offered["clamp"]["detail"]), (3, "clamp(a, b, c)"))
        self.assertEqual(offered["clamp"]["documentation"], "x, limited to a range")
        self.assertEqual((offered["threadgroup"]["kind"], offered["true"]["kind"]), (14, 14))
        self.assertEqual(offered["M_PI_F"]["kind"], 21)
        self.assertLess(offered["x"]["sortText"], offered["clamp"]["sortText"])
        hidden = [name for name in offered if name.startswith("__") or "$" in name or name.startswith("MSCI")]
        self.assertEqual(hidden, [])
        self.assertEqual({"double", "new", "virtual", "goto", "dynamic_cast"} & set(offered), set())
        self.assertIn("for", editor.complete(self.uri, GOOD.replace("  y[i] =", "  | y[i] =")))
        self.assertEqual(offered["atomic_load_explicit"]["detail"], "atomic_load_explicit(object, order)")
        # What no word of the source asks for is offered all the same.
        self.assertLessEqual({"simd_sum", "atomic_fetch_add_explicit", "float4x4", "atomic_uint", "quad_sum"}, set(offered))

    def test_completes_members_and_swizzles(self):
        editor = self.editor()
        editor.open(self.uri, GOOD)
        start = "#include <metal_stdlib>\nusing namespace metal;\nstruct Cell { float mass; float3 at; void grow() {} };\n"
        asked = lambda line: editor.complete(self.uri, start + line, ".")
        offered = asked("kernel void f(device Cell* cells) { threadgroup float s[32]; float4 v = float4(0); cells[0].|")
        self.assertEqual((offered["mass"]["kind"], offered["at"]["detail"]), (5, "float3"))
        self.assertEqual(len(offered), 2, offered)  # grow() wants an object of the thread's
        offered = asked("void f() { Cell cell; cell.|")
        self.assertEqual((offered["grow"]["kind"], offered["grow"]["detail"]), (2, "void grow()"))
        offered = asked("kernel void f(device Cell* cells) { cells[0].at.| }")
        self.assertEqual((offered["xyz"]["detail"], offered["g"]["detail"]), ("float3", "float"))
        self.assertNotIn("w", offered)
        offered = editor.complete(self.uri, start + "void f() { float3 a = float3(1); float4 v = float4(2); v.x|y; }")
        self.assertEqual(offered["xyzw"]["detail"], "float4")
        offered = editor.complete(self.uri, start + "void f(device Cell* c) { c->|", ">")
        self.assertIn("mass", offered)
        self.assertEqual(editor.complete(self.uri, start + "bool f(int a, int b) { return a >|", ">"), {})

    def test_completes_attributes(self):
        editor = self.editor()
        editor.open(self.uri, GOOD)
        offered = editor.complete(self.uri, GOOD.replace("[[thread_position_in_grid]]", "[[|]]"), "[")
        self.assertEqual(offered["buffer"]["detail"], "[[buffer(…)]]")
        self.assertIn("stands among all threads", offered["thread_position_in_grid"]["documentation"])
        self.assertIn("thread_position_in_grid", editor.complete(self.uri, "kernel void f(uint i [[thread_p|"))
        self.assertEqual(editor.complete(self.uri, GOOD.replace("y[i]", "y[|]"), "["), {})

    def test_completes_after_a_namespace_and_an_enumeration(self):
        editor = self.editor()
        editor.open(self.uri, GOOD)
        offered = editor.complete(self.uri, "#include <metal_stdlib>\nfloat f(float x) { return metal::|", ":")
        self.assertIn("sqrt", offered)
        self.assertIn("float4", offered)
        self.assertEqual([name for name in offered if name.startswith("_") or "$" in name], [])
        offered = editor.complete(self.uri, GOOD.replace("y[i] =", "threadgroup_barrier(mem_flags::|); y[i] ="), ":")
        self.assertEqual(offered["mem_threadgroup"]["kind"], 20)
        self.assertEqual(len(offered), 6, offered)

    def test_completes_headers(self):
        editor = self.editor()
        editor.open(self.uri, GOOD)
        offered = editor.complete(self.uri, "#include <metal_std|\nusing namespace metal;\n")
        self.assertEqual(offered["metal_stdlib>"]["kind"], 17)
        self.assertEqual([name for name in offered if name.startswith("__")], [])

    def test_completes_nothing_in_comments_strings_and_numbers(self):
        editor = self.editor()
        editor.open(self.uri, GOOD)
        for marked in (GOOD + "// f|", GOOD + "/* half|_of */", GOOD + "constant float a = 12|;", GOOD + "constant float a = 1.|;"):
            self.assertEqual(editor.complete(self.uri, marked), {}, marked[-20:])

    def test_completes_where_columns_are_utf16(self):
        editor = self.editor()
        editor.open(self.uri, GOOD)
        text = "struct S { int one; };\nint f(thread S& s) { /* \N{GRINNING FACE} */ return s."
        editor.change(self.uri, text, 2)
        line = text.split("\n")[1]
        place = {"line": 1, "character": len(line.encode("utf-16-le")) // 2}
        items = editor.ask("textDocument/completion", textDocument={"uri": self.uri}, position=place)
        self.assertEqual([item["label"] for item in items], ["one"])

    def test_completes_in_any_unfinished_source(self):
        """Wherever one stops to write, there is an answer, and names are there in the end."""
        editor = self.editor()
        editor.open(self.uri, GOOD)
        for end in range(0, len(GOOD), 7):
            editor.complete(self.uri, GOOD[:end] + "|", version=end)
        self.assertIn("half_of", editor.complete(self.uri, GOOD[:GOOD.index("half_of(dot")] + "|", version=1000))

    def test_completes_nothing_in_a_source_that_breaks_the_compiler(self):
        editor = self.editor()
        editor.open(self.uri, GOOD)
        deep = GOOD + "constant int a = " + "(" * 300000 + "|"
        self.assertFalse(editor.complete(self.uri, deep))
        self.assertIn("half_of", editor.complete(self.uri, GOOD.replace("y[i] = half", "y[i] = |half"), version=3))

    def test_shows_findings_and_definitions_in_included_files(self):
        with tempfile.TemporaryDirectory() as folder:
            header = pathlib.Path(folder, "in cluded.h")
            header.write_text(GOOD + "int other();\nfloat other();\n")
            text = '#include "in cluded.h"\nfloat more(float x) { return half_of(x); }\n'
            uri = pathlib.Path(folder, "k.metal").as_uri()
            editor = self.editor()
            self.assertEqual(editor.open(uri, text), [])
            (there,) = editor.diagnostics(header.as_uri(), None)
            self.assertEqual((there["code"], there["range"]["start"]["line"]), ("metal.compile_error", 8))
            self.assertEqual(there["relatedInformation"][0]["location"]["uri"], header.as_uri())
            header.write_text(GOOD)
            answer = editor.at("textDocument/definition", uri, text, "half_of")
            self.assertEqual((answer["uri"], answer["range"]["start"]["line"]), (header.as_uri(), 2))
            editor.change(uri, text + "\n", 2)
            self.assertEqual(editor.diagnostics(uri, 2), [])
            self.assertEqual(editor.diagnostics(header.as_uri(), None), [])

    def test_survives_a_source_that_breaks_the_compiler(self):
        editor = self.editor()
        deep = GOOD + "constant int a = " + "(" * 300000 + "1" + ")" * 300000 + ";\n"
        self.assertEqual([each["code"] for each in editor.open(self.uri, deep)], ["security.limit"])
        answer = editor.at("textDocument/definition", self.uri, deep, "half_of(dot")
        self.assertIn(answer and answer["range"]["start"], (None, {"line": 2, "character": 6}))
        editor.change(self.uri, BAD, 2)
        self.assertEqual(len(editor.diagnostics(self.uri, 2)), 1)

    def test_says_what_it_does_not_do(self):
        editor = self.editor()
        self.assertEqual(editor.response("textDocument/moniker")["error"]["code"], -32601)
        self.assertEqual(editor.response("textDocument/hover", position=3)["error"]["code"], -32602)
        editor.write({"id": "x", "method": 5})
        self.assertEqual(editor.read()["error"]["code"], -32602)
        editor.server.stdin.write(b"Content-Length: 3\r\n\r\n{]}")
        editor.server.stdin.flush()
        self.assertEqual(editor.read()["error"]["code"], -32700)
        self.assertEqual(editor.end(), 0)

    def test_ends_with_its_editor(self):
        editor = self.editor()
        editor.open(self.uri, GOOD)
        editor.server.stdin.close()
        self.assertEqual(editor.server.wait(), 1)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]], verbosity=2)  # names what it skips
