"""An editor for tests of msci-lint --lsp."""
import json
import subprocess


class Editor:
    """A client of the Language Server Protocol: what it asks, and what it is told meanwhile."""

    def __init__(self, lint, *arguments, encodings=None, root=None, capabilities=None, arrange=list):
        self.server = subprocess.Popen(arrange([lint, "--lsp", *arguments]), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.told = []
        self.count = 0
        general = {"general": {"positionEncodings": encodings}} if encodings else {}
        self.can = self.ask("initialize", processId=None, rootUri=root,
                            capabilities={**general, **(capabilities or {})})["capabilities"]
        self.tell("initialized")

    def write(self, *messages):
        """Messages of one call reach the server at once: it works on none before it has read all."""
        texts = [json.dumps({"jsonrpc": "2.0", **message}).encode() for message in messages]
        self.server.stdin.write(b"".join(b"Content-Length: %d\r\n\r\n" % len(text) + text for text in texts))
        self.server.stdin.flush()

    def read(self):
        length = None
        while (line := self.server.stdout.readline()) not in (b"\r\n", b""):
            name, value = line.split(b":")
            if name == b"Content-Length":
                length = int(value)
        return json.loads(self.server.stdout.read(length))

    def tell(self, method, **params):
        self.write({"method": method, "params": params})

    def response(self, method, **params):
        self.count += 1
        self.write({"id": self.count, "method": method, "params": params})
        while True:
            message = self.read()
            if "method" not in message and message["id"] == self.count:
                return message
            self.told.append(message)

    def ask(self, method, **params):
        return self.response(method, **params)["result"]

    def diagnostics(self, uri, version):
        """Waits for those of this version of a text."""
        while True:
            message = self.told.pop(0) if self.told else self.read()
            params = message.get("params", {})
            if message.get("method") == "textDocument/publishDiagnostics" and \
                    (params["uri"], params.get("version")) == (uri, version):
                return params["diagnostics"]

    def open(self, uri, text, version=1):
        self.tell("textDocument/didOpen",
                  textDocument={"uri": uri, "languageId": "metal", "version": version, "text": text})
        return self.diagnostics(uri, version)

    def change(self, uri, text, version):
        self.tell("textDocument/didChange", textDocument={"uri": uri, "version": version},
                  contentChanges=[{"text": text}])

    def edit(self, uri, version, *changes):
        """Each change is a range of (line, column) to (line, column), and the text in its place."""
        place = lambda at: {"line": at[0], "character": at[1]}
        self.tell("textDocument/didChange", textDocument={"uri": uri, "version": version},
                  contentChanges=[{"range": {"start": place(begin), "end": place(end)}, "text": text} for begin, end, text in changes])

    def at(self, method, uri, text, word, after=0):
        """Asks about where a word stands."""
        offset = text.index(word, after)
        line = text.count("\n", 0, offset)
        column = offset - (text.rfind("\n", 0, offset) + 1)
        return self.ask(method, textDocument={"uri": uri}, position={"line": line, "character": column + 1})

    def complete(self, uri, marked, trigger=None, version=2):
        """What is offered where '|' stands in the text, by name."""
        before, after = marked.split("|")
        self.change(uri, before + after, version)
        place = {"line": before.count("\n"), "character": len(before) - (before.rfind("\n") + 1)}
        context = {"triggerKind": 2, "triggerCharacter": trigger} if trigger else {"triggerKind": 1}
        items = self.ask("textDocument/completion", textDocument={"uri": uri}, position=place, context=context)
        return items if items is None else {item["label"]: item for item in items}

    def about(self, method, uri, line, character, **params):
        """Asks about a place; the whole response."""
        return self.response(method, textDocument={"uri": uri}, position={"line": line, "character": character}, **params)

    def end(self):
        self.ask("shutdown")
        self.tell("exit")
        return self.server.wait()


def edited(text, edits):
    """The text after the edits of an action, whose columns are bytes of ASCII here."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    offset = lambda place: starts[place["line"]] + place["character"]
    for edit in sorted(edits, key=lambda each: -offset(each["range"]["start"])):
        begin, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        text = text[:begin] + edit["newText"] + text[end:]
    return text
