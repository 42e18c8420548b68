#!/usr/bin/env python3
"""Requests of an editor, and what msci-lint --lsp replies: cases_test.py MSCI_LINT [CASE…]

Each cases/NAME.metal is a document with requests in comments. `// ^ references` asks about the place above the caret,
`//? folding` about the whole document. NAME.replies has the replies in a form to read; MSCI_UPDATE=1 rewrites it.
A NAME.h beside it may be included. Every document is also requested about in each shortened form (see survive())."""
import os
import pathlib
import re
import sys

from editor import Editor, edited

CASES = pathlib.Path(__file__).parent / "cases"
PLACE = re.compile(r"^//( *)\^ (\S+) ?(.*)$")
WHOLE = re.compile(r"^//\? (\S+) ?(.*)$")


class Document:
    def __init__(self, editor, path):
        self.editor = editor
        self.uri = path.as_uri()
        self.text = path.read_text()
        self.lines = self.text.split("\n")
        editor.open(self.uri, self.text)

    def ask(self, method, **params):
        response = self.editor.response(method, textDocument={"uri": self.uri}, **params)
        return response.get("result"), response.get("error", {}).get("message")

    def marked(self, places):
        """The lines of places, with the places in brackets; those in other files with their names."""
        by_line = {}
        for place in places:
            uri = place.get("uri", self.uri)
            by_line.setdefault((uri != self.uri, uri, place["range"]["start"]["line"]), []).append(place["range"])
        shown = []
        for (_, uri, number), ranges in sorted(by_line.items()):
            path = pathlib.Path(uri.removeprefix("file://"))
            line = (self.lines if uri == self.uri else path.read_text().split("\n"))[number]
            for each in sorted(ranges, key=lambda each: -each["start"]["character"]):
                begin, end = each["start"]["character"], each["end"]["character"]
                line = f"{line[:begin]}[{line[begin:end]}]{line[end:]}"
            shown.append(f"{'' if uri == self.uri else path.name + ':'}{number + 1}: {line.strip()}")
        return shown

    # The requests, by their names in the cases; each returns lines.
    def references(self, place, words):
        found, _ = self.ask("textDocument/references", position=place,
                            context={"includeDeclaration": words != "without declaration"})
        return self.marked(found) if found is not None else ["nothing"]

    def highlight(self, place, _):
        found, _ = self.ask("textDocument/documentHighlight", position=place)
        return self.marked(found) if found is not None else ["nothing"]

    def definition(self, place, _):
        found, _ = self.ask("textDocument/definition", position=place)
        return self.marked([found]) if found is not None else ["nothing"]

    def type(self, place, _):
        found, _ = self.ask("textDocument/typeDefinition", position=place)
        return self.marked([found]) if found is not None else ["nothing"]

    def selection(self, place, _):
        (step,), _ = self.ask("textDocument/selectionRange", positions=[place])
        shown, inner = [], {"start": place, "end": place}
        at = lambda position: (position["line"], position["character"])
        while step:
            begin, end = at(step["range"]["start"]), at(step["range"]["end"])
            assert begin <= at(inner["start"]) and at(inner["end"]) <= end, (step, inner)
            if begin[0] == end[0]:
                shown.append(self.marked([step])[0])
            else:
                shown.append(f"{begin[0] + 1} to {end[0] + 1}: {self.lines[begin[0]][begin[1]:]} … {self.lines[end[0]][:end[1]]}")
            inner, step = step["range"], step.get("parent")
        return shown

    def calls(self, place, direction, end):
        items, _ = self.ask("textDocument/prepareCallHierarchy", position=place)
        shown = []
        for item in items or []:
            for call in self.editor.ask(f"callHierarchy/{direction}", item=item):
                other = call[end]
                uri = (other if end == "from" else item)["uri"]
                shown += [f"{other['name']}, {self.marked([{**other, 'range': other['selectionRange']}])[0]}"]
                shown += [f"  at {line}" for line in self.marked([{"uri": uri, "range": each} for each in call["fromRanges"]])]
        return shown or ["nothing" if items is None else "no calls"]

    def callers(self, place, _):
        return self.calls(place, "incomingCalls", "from")

    def callees(self, place, _):
        return self.calls(place, "outgoingCalls", "to")

    def links(self, *_):
        found, _ = self.ask("textDocument/documentLink")
        return [f"{self.marked([each])[0]}: {pathlib.Path(each['target']).name}" for each in found]

    def prepare(self, place, _):
        found, refusal = self.ask("textDocument/prepareRename", position=place)
        return [f"refused: {refusal}"] if refusal else self.marked([found]) + [found["placeholder"]]

    def rename(self, place, new_name):
        edit, refusal = self.ask("textDocument/rename", position=place, newName=new_name)
        if refusal:
            return [f"refused: {refusal}"]
        shown = []
        for uri, edits in sorted(edit["changes"].items(), key=lambda each: each[0] != self.uri):
            path = pathlib.Path(uri.removeprefix("file://"))
            before = self.text if uri == self.uri else path.read_text()
            after = edited(before, edits)
            for number, (old, new) in enumerate(zip(before.split("\n"), after.split("\n"))):
                if old != new:
                    shown.append(f"{'' if uri == self.uri else path.name + ':'}{number + 1}: {new.strip()}")
        return shown or ["no change"]

    def signature(self, place, _):
        found, _ = self.ask("textDocument/signatureHelp", position=place)
        if not found:
            return ["nothing"]
        shown = []
        for number, each in enumerate(found["signatures"]):
            label = each["label"]
            if found["activeParameter"] < len(each["parameters"]):
                begin, end = each["parameters"][found["activeParameter"]]["label"]
                label = f"{label[:begin]}[{label[begin:end]}]{label[end:]}"
            shown.append(("> " if number == found["activeSignature"] else "  ") + label)
            if "documentation" in each:
                shown.append(f"    {each['documentation']}")
        return shown

    def folding(self, *_):
        folds, _ = self.ask("textDocument/foldingRange")
        return [f"{fold['startLine'] + 1} to {fold['endLine'] + 1}: {fold['kind']}" for fold in folds]

    def lenses(self, *_):
        lenses, _ = self.ask("textDocument/codeLens")
        assert all(each["command"]["arguments"][0]["uri"] == self.uri for each in lenses)
        return [f"{self.marked([each])[0]}: {each['command']['title']}, {each['command']['command']} "
                f"{each['command']['arguments'][0]['task']}" for each in lenses]

    def hints(self, *_):
        end = {"line": len(self.lines), "character": 0}
        hints, _ = self.ask("textDocument/inlayHint", range={"start": {"line": 0, "character": 0}, "end": end})
        lines = {}
        for hint in reversed(hints):
            number, column = hint["position"]["line"], hint["position"]["character"]
            line = lines.get(number, self.lines[number])
            space = " " if hint["paddingLeft"] else ""
            lines[number] = f"{line[:column]}«{space}{hint['label']}»{line[column:]}"
            for edit in hint.get("textEdits", []):
                assert edit["newText"] == " " + hint["label"], hint
        return [f"{number + 1}: {line.strip()}" for number, line in sorted(lines.items())] or ["nothing"]

    def tokens(self, *_):
        legend = self.editor.can["semanticTokensProvider"]["legend"]
        data = self.ask("textDocument/semanticTokens/full")[0]["data"]
        line = column = 0
        lines = {}
        for down, right, length, kind, bits in zip(*[iter(data)] * 5):
            line, column = line + down, right if down else column + right
            said = [name for number, name in enumerate(legend["tokenModifiers"]) if bits >> number & 1]
            word = self.lines[line][column:column + length]
            lines.setdefault(line, []).append("+".join([f"{word}={legend['tokenTypes'][kind]}", *said]))
        return [f"{number + 1}: {' '.join(words)}" for number, words in sorted(lines.items())]

    def requests(self):
        """The line of each request, and its lines of reply."""
        above = 0
        for number, line in enumerate(self.lines):
            if place := PLACE.match(line):
                at = {"line": above, "character": len("//") + len(place[1])}
                yield line.rstrip(), getattr(self, place[2])(at, place[3])
            elif whole := WHOLE.match(line):
                yield line.rstrip(), getattr(self, whole[1])(None, whole[2])
            else:
                above = number

    def survive(self):
        """Wherever the text breaks off, and wherever a line lacks, the server replies."""
        version = 1
        methods = ["foldingRange", "semanticTokens/full", "codeLens", "inlayHint", "references", "rename", "signatureHelp",
                   "selectionRange", "typeDefinition", "prepareCallHierarchy"]
        for cut in range(0, len(self.text), max(len(self.text) // 24, 1)):
            version += 1
            self.editor.change(self.uri, self.text[:cut], version)
            method = methods[version % len(methods)]
            line = self.text.count("\n", 0, cut)
            column = cut - (self.text.rfind("\n", 0, cut) + 1)
            place = {"line": line, "character": max(column - 1, 0)}
            response = self.editor.response(
                f"textDocument/{method}", textDocument={"uri": self.uri}, position=place, positions=[place], newName="renamed",
                context={"includeDeclaration": True}, range={"start": {"line": 0, "character": 0}, "end": place})
            assert "result" in response or response["error"]["code"] == -32803, (method, cut, response)
            # A process that crashed leaves null, where these always have a list or data.
            if method in methods[:4] or method == "selectionRange":
                assert response["result"] is not None, (method, cut)


def check(editor, path):
    document = Document(editor, path)
    shown = "".join(f"{request}\n" + "".join(f"    {line}\n" for line in reply) for request, reply in document.requests())
    expected = path.with_suffix(".replies")
    if os.environ.get("MSCI_UPDATE"):
        expected.write_text(shown)
    if not expected.exists() or expected.read_text() != shown:
        print(f"FAILED: {path.name}: the replies differ from {expected.name}:\n{shown}")
        return False
    document.survive()
    editor.tell("textDocument/didClose", textDocument={"uri": document.uri})
    return True


def main():
    cases = [CASES / f"{name}.metal" for name in sys.argv[2:]] or sorted(CASES.glob("*.metal"))
    assert cases, CASES
    good = True
    for path in cases:
        editor = Editor(sys.argv[1])
        good = check(editor, path) and good
        assert editor.end() == 0, path
    sys.exit(not good)


main()
