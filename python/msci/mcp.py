"""msci-mcp: msci as tools for coding agents, over the Model Context Protocol on standard streams."""
from __future__ import annotations

import argparse
import inspect
import json
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Callable
from typing import Any

from .server import MsciError, find_program

# Revisions of the protocol whose messages are those that are used here; the first is the newest.
REVISIONS = ["2025-06-18", "2025-03-26", "2024-11-05"]
# The options of msci-eval that ask for a verdict.
OPTIONS = {"verify": ["--verify-only"], "strict": ["--verify-only", "--strict"], "timed": [],
           "predicted": ["--verify-only", "--predict", "m1-pro"]}

# The arguments of the tools.
PROPERTIES: dict[str, dict[str, Any]] = {
    "source": {"type": "string", "description": "the text of a Metal source"},
    "rule": {"type": "string", "description": "a rule such as hazard.threadgroup_race, or a family such as hazard"},
    "task": {"type": "string", "description": "a name that the tool tasks lists"},
    "plan": {"type": "string", "description": "the path of a plan file, a task of your own; instead of a task"},
    "verdict": {"type": "string", "enum": list(OPTIONS), "default": "strict",
                "description": "verify: the results are right; strict: also on random inputs and sizes, with every access "
                               "checked; timed: right, and how fast; predicted: how fast an Apple M1 Pro would be"},
    "device": {"type": "string", "description": "cpu, opencl, pocl, an index or part of a name; by default the first one"},
    "vs": {"type": "string",
           "description": "the text of another kernel, or seed: how many times as fast as that one, measured in turns"},
    "full": {"type": "boolean", "default": False,
             "description": "everything, perhaps 100,000 characters, and results as JSON; by default at most 2,000 bytes"}}


class Invalid(Exception):
    """The parameters of a request are not what its method takes."""


def _run(*command: str) -> str:
    """What a program prints. It may find fault with a kernel (status 1); MsciError if it cannot judge."""
    try:
        done = subprocess.run([find_program(command[0]), *command[1:]], stdin=subprocess.DEVNULL, capture_output=True)
    except ValueError as error:  # a NUL, or half of a surrogate pair
        raise MsciError(f"an argument is not text that a command line can hold: {error}") from None
    printed, problem = (each.decode(errors="replace") for each in (done.stdout, done.stderr))
    if done.returncode not in (0, 1):
        raise MsciError(problem.strip() or printed.strip())
    return printed


def _utf8(source: str) -> bytes:
    """JSON can hold half of a surrogate pair, which no file in UTF-8 can."""
    try:
        return source.encode()
    except UnicodeEncodeError:
        raise MsciError("the source is not Unicode text") from None


def _on_file(source: str, *command: str, rival: str | None = None) -> tuple[str, str]:
    """What a program prints about a source, and the source after that. A rival's text goes to --vs."""
    with tempfile.TemporaryDirectory() as folder:
        file, other = pathlib.Path(folder) / "kernel.metal", pathlib.Path(folder) / "other.metal"
        file.write_bytes(_utf8(source))
        words = list(command[1:])
        if rival is not None:
            other.write_bytes(_utf8(rival))
            words += ["--vs", str(other)]
        printed = _run(command[0], str(file), *words)
        for each in (file, other):
            printed = printed.replace(str(each), each.name)
        return printed, file.read_bytes().decode()


MOST_BYTES = 2000  # of an answer, unless all of it is asked for


def _cut(line: str) -> str:
    """At most a quarter of MOST_BYTES of a line, in whole characters."""
    return line.encode()[:MOST_BYTES // 4].decode(errors="ignore")


def _shortened(text: str) -> str:
    """At most MOST_BYTES of a text: its first lines and its last one, which often sums it up."""
    if len(text.encode()) <= MOST_BYTES:
        return text
    *lines, last = text.rstrip("\n").split("\n")
    note = "… {} lines are left out or cut; full has all"
    room = MOST_BYTES - len(f"{note}\n{_cut(last)}\n".encode()) - 5
    kept: list[str] = []
    for line in map(_cut, lines):
        room -= len(line.encode()) + 1
        if room < 0:
            break
        kept.append(line)
    whole = sum(line == _cut(line) for line in [*lines[:len(kept)], last])
    return "\n".join([*kept, note.format(len(lines) + 1 - whole), _cut(last)]) + "\n"


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


def _json(full: bool) -> list[str]:
    return ["--json"] if full else []


def lint(source: str, task: str | None = None, full: bool = False) -> str:
    """Find errors, races, fake kernels and slow code in a Metal source. With a task, its kernels are required."""
    words = ["--task", task] if task is not None else []
    return _on_file(source, "msci-lint", "--no-config", *words, *_json(full))[0]


def explain(rule: str, full: bool = False) -> str:
    """Explain a rule of lint, with examples: hazard.threadgroup_race, or a family such as hazard."""
    return _run("msci-lint", "--explain", rule)


def fix(source: str, full: bool = False) -> str:
    """Apply the safe fixes of lint to a Metal source; returns the difference, or the new source if full is asked for."""
    if full:
        return _on_file(source, "msci-lint", "--no-config", "--fix", "--json")[1]
    return _on_file(source, "msci-lint", "--no-config", "--diff")[0]


def evaluate(source: str, task: str | None = None, plan: str | None = None, verdict: str = "strict",
             device: str | None = None, vs: str | None = None, full: bool = False) -> str:
    """Run a Metal kernel on a task and judge its results; with vs, also compare its speed."""
    # A kernel that is compared with another one is timed, except where times are predicted.
    options = [each for each in OPTIONS[verdict] if vs is None or verdict == "predicted" or each != "--verify-only"]
    words = [*_task_words(task, plan), *options, *_json(full)] + (["--device", device] if device is not None else [])
    if vs == "seed":
        words += ["--vs", "seed"]
    text = _on_file(source, "msci-eval", *words, rival=None if vs == "seed" else vs)[0]
    return _compact(text) if full else text


def check(source: str, task: str | None = None, plan: str | None = None, full: bool = False) -> str:
    """Run a Metal kernel once on a task and check every access: races, accesses out of bounds, missed barriers."""
    text = _on_file(source, "msci-eval", *_task_words(task, plan), "--check", *_json(full))[0]
    return _compact(text) if full else text


def profile(source: str, task: str | None = None, plan: str | None = None, full: bool = False) -> str:
    """Say what a Metal kernel does on a task, what bounds it on an Apple GPU, and which lines cost most."""
    return _on_file(source, "msci-eval", *_task_words(task, plan), "--profile", *_json(full))[0]


def tasks(task: str | None = None, full: bool = False) -> str:
    """List the tasks that kernels are written for, or describe one: equations, kernels, bindings, sizes, seed."""
    return _run("msci-tasks", "describe", task, *_json(full)) if task else _run("msci-tasks", "list")


TOOLS: dict[str, Callable[..., str]] = {each.__name__: each for each in (lint, explain, fix, evaluate, check, profile, tasks)}


def _arguments(name: str) -> tuple[list[str], list[str]]:
    """The arguments of a tool, and those that it needs. Tools that run a kernel need a task or a plan."""
    known = inspect.signature(TOOLS[name]).parameters
    return list(known), [each.name for each in known.values() if each.default is inspect.Parameter.empty]


def _describe(name: str) -> dict[str, Any]:
    known, needed = _arguments(name)
    return {"name": name, "description": TOOLS[name].__doc__,
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


def _call(parameters: dict[str, Any]) -> dict[str, Any]:
    name, arguments = parameters.get("name"), parameters.get("arguments", {})
    if not isinstance(name, str) or name not in TOOLS:
        raise Invalid(f"unknown tool: {name}")
    known, needed = _arguments(name)
    if not isinstance(arguments, dict) or not set(needed) <= set(arguments) <= set(known):
        raise Invalid(f"{name} takes {', '.join(known)}, and needs {', '.join(needed) or 'none of them'}")
    for each, value in arguments.items():
        _refuse(name, each, value)
    try:
        text, failed = TOOLS[name](**arguments), False
    except MsciError as error:
        text, failed = str(error), True
    return {"content": [{"type": "text", "text": text if arguments.get("full") else _shortened(text)}], "isError": failed}


def _version() -> str:
    return _run("msci-eval", "--version").split()[-1]


def _initialise(parameters: dict[str, Any]) -> dict[str, Any]:
    wanted = parameters.get("protocolVersion")
    return {"protocolVersion": wanted if wanted in REVISIONS else REVISIONS[0], "capabilities": {"tools": {}},
            "serverInfo": {"name": "msci-mcp", "version": _version()}}


def _result_of(method: str, parameters: dict[str, Any]) -> dict[str, Any] | None:
    """None for an unknown method."""
    if method == "initialize":
        return _initialise(parameters)
    if method == "ping":
        return {}
    if method == "tools/list":
        return {"tools": [_describe(name) for name in TOOLS]}
    if method == "tools/call":
        return _call(parameters)
    return None


def answer(line: str) -> dict[str, Any] | None:
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
        result = _result_of(message["method"], parameters)
    except Invalid as error:
        return failed(number, -32602, str(error))
    except MsciError as error:
        return failed(number, -32603, str(error))
    if result is None:
        return failed(number, -32601, f"unknown method: {message['method']}")
    return {"jsonrpc": "2.0", "id": number, "result": result}


def main() -> int:
    parser = argparse.ArgumentParser(prog="msci-mcp", description=__doc__, epilog="docs/reference/python.md describes the tools.")
    parser.add_argument("--version", action="store_true", help="print the version and end")
    if parser.parse_args().version:
        print("msci-mcp", _version())
        return 0
    try:
        for line in sys.stdin:
            if line.strip() and (response := answer(line)) is not None:
                print(json.dumps(response), flush=True)
    except (BrokenPipeError, KeyboardInterrupt):
        pass  # the client has gone
    return 0


if __name__ == "__main__":
    sys.exit(main())
