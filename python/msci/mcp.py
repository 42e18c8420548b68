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
TEXT = {"type": "string"}


class Invalid(Exception):
    """The parameters of a request are not what its method takes."""


def _run(*command: str) -> str:
    """What a program prints. It may find fault with a kernel (status 1); MsciError if it cannot judge."""
    done = subprocess.run([find_program(command[0]), *command[1:]], stdin=subprocess.DEVNULL, capture_output=True, text=True)
    if done.returncode not in (0, 1):
        raise MsciError(done.stderr.strip() or done.stdout.strip())
    return done.stdout


def _on_file(source: str, *command: str) -> tuple[str, str]:
    """What a program prints about a source, and the source after that."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "kernel.metal"
        file.write_text(source)
        printed = _run(command[0], str(file), *command[1:])
        return printed.replace(str(file), file.name), file.read_text()


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
        """Explain a rule of lint, with examples: hazard.race, or a family such as hazard."""
        return _run("msci-lint", "--explain", rule)

    def fix(self, source: str) -> str:
        """Apply the safe fixes of lint to a Metal source; returns the new source."""
        return _on_file(source, "msci-lint", "--fix", "--json")[1]

    def evaluate(self, source: str, task: str, verdict: str = "strict") -> str:
        """Run a Metal kernel on a task and judge its results: verify, strict, timed or predicted."""
        if verdict not in ("verify", "strict", "timed", "predicted"):
            raise MsciError("verdict: expected verify, strict, timed or predicted")
        return json.dumps(self.server().evaluate(source, task, verdict=verdict, name="kernel.metal").json)  # type: ignore[arg-type]

    def check(self, source: str, task: str) -> str:
        """Run a Metal kernel once on a task and check every access: races, accesses out of bounds, missed barriers."""
        return _on_file(source, "msci-eval", "--task", task, "--check", "--json")[0]

    def profile(self, source: str, task: str) -> str:
        """Say line by line what a Metal kernel does on a task, and what bounds it on an Apple GPU."""
        return _on_file(source, "msci-eval", "--task", task, "--profile", "--json")[0]

    def tasks(self, task: str | None = None) -> str:
        """List the tasks that kernels are written for, or describe one: equations, kernels, bindings, sizes, seed."""
        return _run("msci-tasks", "describe", task, "--json") if task else _run("msci-tasks", "list")


# The arguments of each tool, and those that it needs.
ARGUMENTS: dict[str, tuple[list[str], list[str]]] = {
    "lint": (["source", "task"], ["source"]), "explain": (["rule"], ["rule"]), "fix": (["source"], ["source"]),
    "evaluate": (["source", "task", "verdict"], ["source", "task"]), "check": (["source", "task"], ["source", "task"]),
    "profile": (["source", "task"], ["source", "task"]), "tasks": (["task"], [])}


def _describe(name: str) -> dict[str, Any]:
    known, needed = ARGUMENTS[name]
    return {"name": name, "description": getattr(Tools, name).__doc__,
            "inputSchema": {"type": "object", "properties": {each: TEXT for each in known}, "required": needed,
                            "additionalProperties": False}}


def _call(tools: Tools, parameters: dict[str, Any]) -> dict[str, Any]:
    name, arguments = parameters.get("name"), parameters.get("arguments", {})
    if not isinstance(name, str) or name not in ARGUMENTS:
        raise Invalid(f"unknown tool: {name}")
    known, needed = ARGUMENTS[name]
    if not isinstance(arguments, dict) or not set(needed) <= set(arguments) <= set(known):
        raise Invalid(f"{name} takes {', '.join(known)}, and needs {', '.join(needed) or 'none of them'}")
    if not all(isinstance(each, str) for each in arguments.values()):
        raise Invalid(f"the arguments of {name} are strings")
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
