"""msci-mcp: msci as tools for coding agents, over the Model Context Protocol on standard streams."""
from __future__ import annotations

import json
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import Any

from .server import MsciError, Server, find_program

# Revisions of the protocol whose messages are those that are used here; the first is the newest.
REVISIONS = ["2025-06-18", "2025-03-26", "2024-11-05"]
VERDICTS = ["verify", "strict", "timed", "predicted"]

# The arguments of the tools.
PROPERTIES: dict[str, dict[str, Any]] = {
    "source": {"type": "string", "description": "the text of a Metal source"},
    "rule": {"type": "string", "description": "a rule such as hazard.threadgroup_race, or a family such as hazard"},
    "task": {"type": "string", "description": "a name that the tool tasks lists"},
    "plan": {"type": "string", "description": "the path of a plan file, a task of your own; instead of a task"},
    "verdict": {"type": "string", "enum": VERDICTS, "default": "strict",
                "description": "verify: the results are right; strict: also on random inputs and sizes, with every access "
                               "checked; timed: right, and how fast; predicted: how fast an Apple M1 Pro would be"},
    "device": {"type": "string", "description": "cpu, opencl, pocl, an index or part of a name; by default the first one"},
    "vs": {"type": "string",
           "description": "the text of another kernel, or seed: how many times as fast as that one, measured in turns"},
    "full": {"type": "boolean", "default": False,
             "description": "JSON with the counters of every launch and line, perhaps 100,000 characters, not a summary"}}


class Invalid(Exception):
    """The parameters of a request are not what its method takes."""


def _run(*command: str) -> str:
    """What a program prints. It may find fault with a kernel (status 1); MsciError if it cannot judge."""
    done = subprocess.run([find_program(command[0]), *command[1:]], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise MsciError(done.stderr.strip() or done.stdout.strip())
    return done.stdout


def _on_file(source: str, *command: str, rival: str | None = None) -> tuple[str, str]:
    """What a program prints about a source, and the source after that. A rival's text goes to --vs."""
    with tempfile.TemporaryDirectory() as folder:
        file, other = pathlib.Path(folder) / "kernel.metal", pathlib.Path(folder) / "other.metal"
        file.write_text(source)
        words = list(command[1:])
        if rival is not None:
            other.write_text(rival)
            words += ["--vs", str(other)]
        printed = _run(command[0], str(file), *words)
        for each in (file, other):
            printed = printed.replace(str(each), each.name)
        return printed, file.read_text()


def _without_nulls(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_nulls(each) for key, each in value.items() if each is not None}
    return [_without_nulls(each) for each in value] if isinstance(value, list) else value


def _compact(text: str) -> str:
    """The same JSON without members that say nothing."""
    return json.dumps(_without_nulls(json.loads(text)))


def _task_words(task: str | None, plan: str | None) -> list[str]:
    if (task is None) == (plan is None):
        raise MsciError("give a task or a plan")
    return ["--task", task] if task is not None else ["--plan", str(plan)]


# The options of msci-eval that ask for a verdict. Only kernels that are timed are measured against others.
OPTIONS = {"verify": ["--verify-only"], "strict": ["--verify-only", "--strict"], "timed": [],
           "predicted": ["--verify-only", "--predict", "m1-pro"]}


class Tools:
    """The tools by their names. The server of msci-eval starts with the first kernel and ends with the object."""

    def __init__(self) -> None:
        self._server: Server | None = None

    def close(self) -> None:
        if self._server is not None:
            self._server.close(at_once=True)

    def server(self) -> Server:
        if self._server is None:
            self._server = Server()
        return self._server

    def lint(self, source: str, task: str | None = None) -> str:
        """Find errors, races, fake kernels and slow code in a Metal source. With a task, its kernels are required."""
        return json.dumps(self.server().lint(source, task=task, name="kernel.metal").json)

    def explain(self, rule: str) -> str:
        """Explain a rule of lint, with examples: hazard.threadgroup_race, or a family such as hazard."""
        return _run("msci-lint", "--explain", rule)

    def fix(self, source: str) -> str:
        """Apply the safe fixes of lint to a Metal source; returns the new source."""
        return _on_file(source, "msci-lint", "--fix", "--json")[1]

    def evaluate(self, source: str, task: str | None = None, plan: str | None = None, verdict: str = "strict",
                 device: str | None = None, vs: str | None = None) -> str:
        """Run a Metal kernel on a task and judge its results; with vs, also compare its speed. JSON without null members."""
        words = _task_words(task, plan)
        if device is None and vs is None:
            return _compact(json.dumps(self.server().evaluate(source, task, plan=plan, verdict=verdict,  # type: ignore[arg-type]
                                                              name="kernel.metal").json))
        options = [each for each in OPTIONS[verdict] if vs is None or verdict == "predicted" or each != "--verify-only"]
        words += [*options, "--json"] + (["--device", device] if device is not None else [])
        if vs == "seed":
            words += ["--vs", "seed"]
        return _compact(_on_file(source, "msci-eval", *words, rival=None if vs == "seed" else vs)[0])

    def check(self, source: str, task: str | None = None, plan: str | None = None) -> str:
        """Run a Metal kernel once on a task and check every access: races, accesses out of bounds, missed barriers."""
        return _compact(_on_file(source, "msci-eval", *_task_words(task, plan), "--check", "--json")[0])

    def profile(self, source: str, task: str | None = None, plan: str | None = None, full: bool = False) -> str:
        """Say what a Metal kernel does on a task, what bounds it on an Apple GPU, and which lines cost most."""
        words = [*_task_words(task, plan), "--profile", *(["--json"] if full else [])]
        return _on_file(source, "msci-eval", *words)[0]

    def tasks(self, task: str | None = None) -> str:
        """List the tasks that kernels are written for, or describe one: equations, kernels, bindings, sizes, seed."""
        return _run("msci-tasks", "describe", task, "--json") if task else _run("msci-tasks", "list")


# The arguments of each tool, and those that it needs. Tools that run a kernel need a task or a plan.
ARGUMENTS: dict[str, tuple[list[str], list[str]]] = {
    "lint": (["source", "task"], ["source"]), "explain": (["rule"], ["rule"]), "fix": (["source"], ["source"]),
    "evaluate": (["source", "task", "plan", "verdict", "device", "vs"], ["source"]),
    "check": (["source", "task", "plan"], ["source"]),
    "profile": (["source", "task", "plan", "full"], ["source"]), "tasks": (["task"], [])}


def _describe(name: str) -> dict[str, Any]:
    known, needed = ARGUMENTS[name]
    return {"name": name, "description": getattr(Tools, name).__doc__,
            "inputSchema": {"type": "object", "properties": {each: PROPERTIES[each] for each in known}, "required": needed,
                            "additionalProperties": False}}


def _refuse(tool: str, name: str, value: Any) -> None:
    """Raises Invalid for an argument that its schema does not allow."""
    schema = PROPERTIES[name]
    kind = bool if schema["type"] == "boolean" else str
    if not isinstance(value, kind):
        raise Invalid(f"{name} of {tool} is a {schema['type']}")
    if value not in schema.get("enum", [value]):
        raise Invalid(f"{name} of {tool} is one of {', '.join(schema['enum'])}")


def _call(tools: Tools, parameters: dict[str, Any]) -> dict[str, Any]:
    name, arguments = parameters.get("name"), parameters.get("arguments", {})
    if not isinstance(name, str) or name not in ARGUMENTS:
        raise Invalid(f"unknown tool: {name}")
    known, needed = ARGUMENTS[name]
    if not isinstance(arguments, dict) or not set(needed) <= set(arguments) <= set(known):
        raise Invalid(f"{name} takes {', '.join(known)}, and needs {', '.join(needed) or 'none of them'}")
    for each, value in arguments.items():
        _refuse(name, each, value)
    work: Callable[..., str] = getattr(tools, name)
    try:
        text, failed = work(**arguments), False
    except MsciError as error:
        text, failed = str(error), True
    return {"content": [{"type": "text", "text": text}], "isError": failed}


def _initialise(parameters: dict[str, Any]) -> dict[str, Any]:
    wanted = parameters.get("protocolVersion")
    version = _run("msci-eval", "--version").split()[-1]
    return {"protocolVersion": wanted if wanted in REVISIONS else REVISIONS[0], "capabilities": {"tools": {}},
            "serverInfo": {"name": "msci-mcp", "version": version}}


def _result_of(tools: Tools, method: str, parameters: dict[str, Any]) -> dict[str, Any] | None:
    """None for an unknown method."""
    if method == "initialize":
        return _initialise(parameters)
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": [_describe(name) for name in ARGUMENTS]}
    if method == "tools/call":
        return _call(tools, parameters)
    return None


def answer(tools: Tools, line: str) -> dict[str, Any] | None:
    """The response to a message; None for a notification."""
    def failed(number: Any, code: int, message: str) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": message}}

    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        return failed(None, -32700, "the line is not JSON")
    if not isinstance(message, dict) or not isinstance(message.get("method"), str):
        return failed(None, -32600, "a message is an object with a method")
    if "id" not in message:
        return None
    number, parameters = message["id"], message.get("params", {})
    if not isinstance(parameters, dict):
        return failed(number, -32602, "params is an object")
    try:
        result = _result_of(tools, message["method"], parameters)
    except Invalid as error:
        return failed(number, -32602, str(error))
    except MsciError as error:
        return failed(number, -32603, str(error))
    if result is None:
        return failed(number, -32601, f"unknown method: {message['method']}")
    return {"jsonrpc": "2.0", "id": number, "result": result}


def main() -> int:
    tools = Tools()
    try:
        for line in sys.stdin:
            if line.strip() and (response := answer(tools, line)) is not None:
                print(json.dumps(response), flush=True)
    except (BrokenPipeError, KeyboardInterrupt):
        pass  # the client has gone
    finally:
        tools.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
