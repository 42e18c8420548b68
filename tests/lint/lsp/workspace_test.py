#!/usr/bin/env python3
"""msci-lint --lsp in a folder with several files: workspace_test.py MSCI_LINT [TEST…]"""
import os
import pathlib
import resource
import shutil
import signal
import sys
import tempfile
import unittest

from editor import Editor, edited

LINT = pathlib.Path(sys.argv[1])
HEADER = """#pragma once
struct Cell { float mass; };
inline float half_of(float x) { return x / 2; }
"""
KERNEL = """#include "cell.h"
kernel void NAME(device Cell* cells, uint i [[thread_position_in_grid]]) {
  cells[i].mass = half_of(cells[i].mass);
}
"""
EVERYTHING = {"workspace": {"workspaceEdit": {"documentChanges": True},
                            "didChangeWatchedFiles": {"dynamicRegistration": True}},
              "window": {"workDoneProgress": True}}


class Workspace(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp()).resolve()
        self.addCleanup(shutil.rmtree, self.folder)
        self.write("cell.h", HEADER)
        for name in ("first", "second"):
            self.write(f"{name}.metal", KERNEL.replace("NAME", name))
        self.write("third.metal", "float half_of(float x) { return x; }\nkernel void third(device float* x) { x[0] = half_of(1); }\n")

    def write(self, name, text):
        (self.folder / name).write_text(text)

    def uri(self, name):
        return (self.folder / name).as_uri()

    def editor(self, *arguments, root=True, **more):
        editor = Editor(LINT, "--no-config", *arguments, root=self.folder.as_uri() if root else None, **more)
        self.addCleanup(lambda: [each.close() for each in (editor.server.stdin, editor.server.stdout)])
        self.addCleanup(editor.server.wait)
        self.addCleanup(editor.server.kill)
        return editor

    def open(self, editor, name):
        return editor.open(self.uri(name), (self.folder / name).read_text())

    def place(self, name, word, occurrence=0):
        text = (self.folder / name).read_text()
        offset = -1
        for _ in range(occurrence + 1):
            offset = text.index(word, offset + 1)
        return {"textDocument": {"uri": self.uri(name)},
                "position": {"line": text.count("\n", 0, offset), "character": offset - (text.rfind("\n", 0, offset) + 1)}}

    def files_of(self, locations):
        return sorted({each["uri"].rsplit("/", 1)[1] for each in locations})

    def test_finds_references_in_all_sources_that_include_the_declaration(self):
        editor = self.editor()
        self.open(editor, "first.metal")
        ask = lambda word, **more: editor.ask("textDocument/references", **self.place("first.metal", word),
                                              context={"includeDeclaration": True}, **more)
        found = ask("half_of")
        self.assertEqual(self.files_of(found), ["cell.h", "first.metal", "second.metal"])
        self.assertEqual(len(found), 3)
        self.assertEqual(self.files_of(ask("mass")), ["cell.h", "first.metal", "second.metal"])
        self.assertEqual(self.files_of(ask("cells")), ["first.metal"])  # a parameter
        # The same from the header itself.
        self.open(editor, "cell.h")
        found = editor.ask("textDocument/references", **self.place("cell.h", "half_of"), context={"includeDeclaration": False})
        self.assertEqual(self.files_of(found), ["first.metal", "second.metal"])

    def test_finds_references_without_a_workspace_in_open_files(self):
        editor = self.editor(root=False)
        self.open(editor, "first.metal")
        ask = lambda: editor.ask("textDocument/references", **self.place("first.metal", "half_of"), context={"includeDeclaration": True})
        self.assertEqual(self.files_of(ask()), ["cell.h", "first.metal"])
        self.open(editor, "second.metal")
        self.assertEqual(self.files_of(ask()), ["cell.h", "first.metal", "second.metal"])

    def test_renames_in_all_sources(self):
        editor = self.editor(capabilities=EVERYTHING)
        self.open(editor, "first.metal")
        edit = editor.ask("textDocument/rename", **self.place("first.metal", "half_of"), newName="halved")
        changes = {change["textDocument"]["uri"]: change for change in edit["documentChanges"]}
        self.assertEqual(set(changes), {self.uri(name) for name in ("cell.h", "first.metal", "second.metal")})
        self.assertEqual(changes[self.uri("first.metal")]["textDocument"]["version"], 1)
        self.assertIsNone(changes[self.uri("second.metal")]["textDocument"]["version"])
        for uri, change in changes.items():
            path = pathlib.Path(uri.removeprefix("file://"))
            path.write_text(edited(path.read_text(), change["edits"]))
        self.assertEqual((self.folder / "second.metal").read_text(), KERNEL.replace("NAME", "second").replace("half_of", "halved"))
        self.assertEqual((self.folder / "cell.h").read_text(), HEADER.replace("half_of", "halved"))

    def test_refuses_a_rename_that_another_source_forbids(self):
        editor = self.editor()
        self.open(editor, "first.metal")
        refusal = lambda name: editor.response("textDocument/rename", **self.place("first.metal", "half_of"),
                                               newName=name)["error"]["message"]
        self.write("second.metal", '#include "cell.h"\n#define HALF(x) half_of(x)\nfloat f(float x) { return HALF(x); }\n')
        self.assertIn("second.metal: 'half_of' is used in a macro (line 2)", refusal("halved"))
        self.write("second.metal", '#include "cell.h"\nfloat taken(float x) { return half_of(x); }\n')
        self.assertIn("taken", refusal("taken"))
        self.write("second.metal", '#include "cell.h"\n#if 0\nfloat f(float x) { return half_of(x); }\n#endif\n')
        self.assertIn("second.metal: line 3: 'half_of' stands where the compiler cannot resolve it", refusal("halved"))

    def test_a_rename_without_a_position_says_so(self):
        editor = self.editor()
        self.open(editor, "first.metal")
        for method in ("rename", "references"):
            for place in ({}, {"position": {"line": 0}}):
                error = editor.response(f"textDocument/{method}", textDocument={"uri": self.uri("first.metal")},
                                        newName="other", **place)["error"]
                self.assertEqual(error["code"], -32602)
                self.assertIn("'character'" if place else "'position'", error["message"])

    def test_answers_once_if_a_process_cannot_start(self):
        for number in range(4):
            self.write(f"more{number}.metal", KERNEL.replace("NAME", f"more{number}"))
        editor = self.editor("--jobs", "4")
        self.open(editor, "first.metal")
        pid = editor.server.pid
        limits = resource.prlimit(pid, resource.RLIMIT_NOFILE)
        answers = []
        for more in range(12):  # of them, some let the document be read, and not all other files
            descriptors = len(list(pathlib.Path(f"/proc/{pid}/fd").iterdir()))
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (descriptors + more, limits[1]))
            answer = editor.response("textDocument/references", **self.place("first.metal", "half_of"))
            answers.append("error" in answer)
            resource.prlimit(pid, resource.RLIMIT_NOFILE, limits)
            # All that the server has sent before the answer to another request.
            editor.told.clear()
            editor.ask("textDocument/documentSymbol", textDocument={"uri": self.uri("first.metal")})
            self.assertEqual([each for each in editor.told if "method" not in each], [], f"{more} descriptors")
        self.assertEqual({True, False}, set(answers))

    def test_refuses_to_rename_what_a_host_program_uses(self):
        editor = self.editor()
        self.open(editor, "first.metal")
        self.write("main.mm", '#include "cell.h"\nfloat f(Cell c) { return c.mass; }\n')
        self.write("other.mm", "float half_of(float x);\n")
        rename = lambda word: editor.response("textDocument/rename", **self.place("first.metal", word), newName="renamed")
        self.assertEqual(rename("mass")["error"]["message"], "main.mm uses it, too, and is not Metal")
        self.assertIn("result", rename("half_of"))
        self.assertIn("result", rename("cells"))

    def test_keeps_the_names_by_which_a_task_finds_kernels(self):
        self.write("saxpy.metal", "kernel void saxpy(device float* x) { x[0] = 0; }\n")
        for arguments, refused in (((), False), (("--task", "saxpy"), True)):
            editor = self.editor(*arguments)
            self.open(editor, "saxpy.metal")
            for method in ("prepareRename", "rename"):
                response = editor.response(f"textDocument/{method}", **self.place("saxpy.metal", "saxpy"), newName="other")
                self.assertEqual("error" in response, refused, response)
                if refused:
                    self.assertIn("the task saxpy finds the kernel 'saxpy' by its name", response["error"]["message"])

    def test_finds_symbols_of_the_workspace(self):
        editor = self.editor()
        names = lambda query: [each["name"] for each in editor.ask("workspace/symbol", query=query)]
        self.assertEqual(names("SEC"), ["second"])
        self.assertEqual(sorted(names("")), ["Cell", "first", "half_of", "half_of", "mass", "second", "third"])
        self.assertEqual([each["location"]["uri"] for each in editor.ask("workspace/symbol", query="mass")], [self.uri("cell.h")])
        (third,) = [each for each in editor.ask("workspace/symbol", query="third")]
        self.assertEqual((third["kind"], third["location"]["uri"]), (12, self.uri("third.metal")))
        self.assertEqual(third["location"]["range"]["start"], {"line": 1, "character": 12})
        self.write("cell.h", HEADER.replace("mass", "weight_of_it"))
        self.assertEqual((names("mass"), names("weight_of_it")), ([], ["weight_of_it"]))
        self.write("cell.h", HEADER)
        self.write("fourth.metal", "namespace inner { float deep() { return 1; } }\n")
        (deep,) = editor.ask("workspace/symbol", query="dp")
        self.assertEqual((deep["name"], deep["containerName"]), ("deep", "inner"))
        # What is open counts as it is in the editor.
        editor.open(self.uri("fourth.metal"), "float unsaved() { return 1; }\n")
        self.assertEqual((names("unsav"), names("deep")), (["unsaved"], []))
        editor.tell("textDocument/didClose", textDocument={"uri": self.uri("fourth.metal")})
        self.assertEqual((names("unsav"), names("deep")), ([], ["deep"]))
        (self.folder / "third.metal").unlink()
        self.assertEqual(names("third"), [])

    def test_tells_progress_under_the_token_of_a_request(self):
        editor = self.editor()
        self.open(editor, "first.metal")
        editor.told.clear()
        editor.ask("textDocument/references", **self.place("first.metal", "half_of"),
                   context={"includeDeclaration": True}, workDoneToken="t")
        told = [each["params"] for each in editor.told if each["method"] == "$/progress"]
        self.assertEqual({each["token"] for each in told}, {"t"})
        kinds = [each["value"]["kind"] for each in told]
        self.assertEqual((kinds[0], kinds[-1], set(kinds[1:-1])), ("begin", "end", {"report"}))
        self.assertEqual(told[-2]["value"]["message"], "2 of 2 files")
        self.assertEqual(told[-2]["value"]["percentage"], 100)

    def test_cancels_a_search(self):
        for number in range(200):
            self.write(f"n{number}.metal", KERNEL.replace("NAME", f"n{number}"))
        for cancel in (("$/cancelRequest", {"id": "r"}), ("window/workDoneProgress/cancel", {"token": "t"})):
            editor = self.editor("--jobs", "1")
            self.open(editor, "first.metal")
            editor.write({"id": "r", "method": "textDocument/references",
                          "params": {**self.place("first.metal", "half_of"), "context": {"includeDeclaration": True}, "workDoneToken": "t"}})
            while editor.read().get("params", {}).get("value", {}).get("kind") != "report":
                pass
            method, params = cancel
            editor.tell(method, **params)
            while "id" not in (message := editor.read()):
                pass
            self.assertEqual((message["id"], message["error"]["code"]), ("r", -32800))
            self.assertIn("Cell", editor.ask("textDocument/hover", **self.place("first.metal", "Cell"))["contents"]["value"])
            self.assertEqual(editor.end(), 0)

    def test_cancels_a_request_about_one_file(self):
        editor = self.editor()
        self.open(editor, "first.metal")
        hovers = [{"id": name, "method": "textDocument/hover", "params": self.place("first.metal", "Cell")} for name in "hij"]
        # Of one that waits for the process, of the one that the process works on, and of none.
        cancels = [{"method": "$/cancelRequest", "params": {"id": name}} for name in ("i", "h", "unknown")]
        editor.write(*hovers, *cancels)
        for name in "ih":
            message = editor.read()
            self.assertEqual((message["id"], message["error"]["code"]), (name, -32800))
        message = editor.read()
        self.assertEqual(message["id"], "j")
        self.assertIn("Cell", message["result"]["contents"]["value"])
        self.assertEqual(editor.end(), 0)

    def test_follows_included_files(self):
        editor = self.editor(capabilities=EVERYTHING)
        watch = editor.read()
        self.assertEqual(watch["method"], "client/registerCapability")
        self.assertEqual(watch["params"]["registrations"][0]["method"], "workspace/didChangeWatchedFiles")
        editor.write({"id": watch["id"], "result": None})
        self.assertEqual(self.open(editor, "first.metal"), [])
        # What is not saved yet counts.
        # The diagnostics of both files may come in any order, so nothing waits for those of the header.
        editor.tell("textDocument/didOpen", textDocument={"uri": self.uri("cell.h"), "languageId": "metal", "version": 1,
                                                          "text": HEADER.replace("mass", "weight")})
        missing = editor.diagnostics(self.uri("first.metal"), 1)
        self.assertEqual([each["message"].count("'mass'") for each in missing], [1, 1])
        editor.change(self.uri("cell.h"), HEADER, 2)
        self.assertEqual(editor.diagnostics(self.uri("first.metal"), 1), [])
        place = self.place("first.metal", "mass")
        editor.change(self.uri("cell.h"), "\n" + HEADER, 3)
        definition = editor.ask("textDocument/definition", **place)
        self.assertEqual((definition["uri"], definition["range"]["start"]), (self.uri("cell.h"), {"line": 2, "character": 20}))
        self.assertEqual(editor.diagnostics(self.uri("first.metal"), 1), [])
        # Closed, the disk counts again.
        self.write("cell.h", HEADER.replace("mass", "weight"))
        editor.tell("textDocument/didClose", textDocument={"uri": self.uri("cell.h")})
        self.assertEqual(len(editor.diagnostics(self.uri("first.metal"), 1)), 2)
        # What changes on the disk, too.
        self.write("cell.h", HEADER)
        editor.tell("workspace/didChangeWatchedFiles", changes=[{"uri": self.uri("cell.h"), "type": 2}])
        self.assertEqual(editor.diagnostics(self.uri("first.metal"), 1), [])

    def test_a_process_reads_a_text_once_for_all_questions(self):
        for each in self.folder.iterdir():  # what is as new as the process would be read again
            os.utime(each, (1e9, 1e9))
        editor = self.editor()
        pid = editor.server.pid
        readers = lambda: pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        self.open(editor, "first.metal")
        self.assertEqual(readers(), [])
        seen = set()
        for method in ("hover", "definition", "documentHighlight", "hover"):
            self.write(f"{method}.txt", "")  # changes the folder, too
            self.assertTrue(editor.ask(f"textDocument/{method}", **self.place("first.metal", "half_of")))
            seen.update(readers())
        self.assertEqual(len(seen), 1)
        # A new text, and what is written to an included file without a word of the editor, are read.
        line = lambda: editor.ask("textDocument/definition", **self.place("first.metal", "half_of"))["range"]["start"]["line"]
        editor.change(self.uri("first.metal"), KERNEL.replace("NAME", "first") + "\n", 2)
        self.assertEqual(editor.diagnostics(self.uri("first.metal"), 2), [])
        self.assertEqual(line(), 2)
        self.assertTrue(seen.isdisjoint(readers()))
        self.write("cell.h", "\n" + HEADER)
        self.assertEqual(line(), 3)
        os.utime(self.folder / "cell.h", (1e9, 1e9))
        # A process that dies takes one answer along.
        editor.ask("textDocument/hover", **self.place("first.metal", "Cell"))
        (reader,) = readers()
        os.kill(int(reader), signal.SIGKILL)
        self.assertIsNone(editor.ask("textDocument/hover", **self.place("first.metal", "Cell")))
        self.assertIn("Cell", editor.ask("textDocument/hover", **self.place("first.metal", "Cell"))["contents"]["value"])
        # Many open files have few processes.
        for number in range(8):
            name = f"n{number}.metal"
            self.write(name, KERNEL.replace("NAME", f"n{number}"))
            self.open(editor, name)
            self.assertTrue(editor.ask("textDocument/hover", **self.place(name, "half_of")))
            self.assertLessEqual(len(readers()), 4)
        self.assertEqual(editor.end(), 0)

    def test_sends_differences_of_semantic_tokens(self):
        editor = self.editor()
        self.open(editor, "first.metal")
        document = {"textDocument": {"uri": self.uri("first.metal")}}
        first = editor.ask("textDocument/semanticTokens/full", **document)
        again = editor.ask("textDocument/semanticTokens/full/delta", **document, previousResultId=first["resultId"])
        self.assertEqual(again["edits"], [])
        editor.change(self.uri("first.metal"), "\n" + KERNEL.replace("cells[i].mass)", "1.0f)"), 2)
        changed = editor.ask("textDocument/semanticTokens/full/delta", **document, previousResultId=again["resultId"])
        (edit,) = changed["edits"]
        data = list(first["data"])
        data[edit["start"]:edit["start"] + edit["deleteCount"]] = edit.get("data", [])
        whole = editor.ask("textDocument/semanticTokens/full", **document)
        self.assertEqual(data, whole["data"])
        self.assertLess(len(edit["data"]), len(data))
        # An unknown id gets all.
        self.assertEqual(editor.ask("textDocument/semanticTokens/full/delta", **document, previousResultId="x")["data"], data)
        # A range has the tokens in it: those of the third line (0: number of lines down).
        part = editor.ask("textDocument/semanticTokens/range", **document,
                          range={"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 99}})["data"]
        self.assertEqual(part[0], 3)
        self.assertEqual([down for down in part[5::5]], [0] * (len(part) // 5 - 1))

    def test_counts_columns_of_tokens_as_the_editor_does(self):
        text = "float f() { /* \N{GRINNING FACE} */ float x = 1; return x; }\n"
        for encodings, width in ((None, 2), (["utf-8"], 4), (["utf-32"], 1)):
            editor = self.editor(encodings=encodings)
            editor.open(self.uri("wide.metal"), text)
            data = editor.ask("textDocument/semanticTokens/full", textDocument={"uri": self.uri("wide.metal")})["data"]
            self.assertEqual(data[5 + 1], text.index("x =") - 6 + width - 1)  # behind the token f

    def test_evaluates_and_checks_a_kernel_of_a_task(self):
        seed = pathlib.Path(__file__).parents[3] / "tasks/saxpy/saxpy.metal"
        self.write("saxpy.metal", seed.read_text())
        editor = self.editor(capabilities=EVERYTHING)
        self.open(editor, "saxpy.metal")
        lenses = editor.ask("textDocument/codeLens", textDocument={"uri": self.uri("saxpy.metal")})
        self.assertEqual([each["command"]["title"] for each in lenses], ["evaluate as saxpy", "check as saxpy"])
        self.assertEqual(lenses[0]["range"]["start"], {"line": 4, "character": 12})
        run = lambda command: editor.response("workspace/executeCommand", command=command["command"],
                                              arguments=command["arguments"])
        editor.told.clear()
        checked = run(lenses[1]["command"])["result"]
        self.assertEqual((checked["exit"], "saxpy" in checked["output"]), (0, True), checked)
        methods = [each["method"] for each in editor.told]
        self.assertIn("window/workDoneProgress/create", methods)
        self.assertEqual([each["params"]["value"]["kind"] for each in editor.told if each["method"] == "$/progress"], ["begin", "end"])
        (shown,) = [each["params"] for each in editor.told if each["method"] == "window/showMessage"]
        self.assertEqual((shown["type"], shown["message"]), (3, checked["output"]))
        racy = seed.read_text().replace("y[i] = a", "y[0] = a")
        editor.change(self.uri("saxpy.metal"), racy, 2)
        self.assertIn("save the file first", run(lenses[1]["command"])["error"]["message"])
        self.write("saxpy.metal", racy)
        self.assertEqual(run(lenses[1]["command"])["result"]["exit"], 1)
        self.assertEqual(run({**lenses[0]["command"], "command": "rm"})["error"]["code"], -32602)

    def test_ends_an_evaluation_that_is_cancelled(self):
        self.write("nbody.metal", (pathlib.Path(__file__).parents[3] / "tasks/nbody/nbody.metal").read_text())
        editor = self.editor()
        self.open(editor, "nbody.metal")
        (lens, _) = editor.ask("textDocument/codeLens", textDocument={"uri": self.uri("nbody.metal")})
        editor.write({"id": "e", "method": "workspace/executeCommand",
                      "params": {**{key: lens["command"][key] for key in ("command", "arguments")}, "workDoneToken": "w"}})
        self.assertEqual(editor.read()["params"]["value"]["kind"], "begin")
        editor.tell("$/cancelRequest", id="e")
        self.assertEqual(editor.read()["params"]["value"]["kind"], "end")
        self.assertEqual(editor.read()["error"]["code"], -32800)
        self.assertEqual(editor.end(), 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
