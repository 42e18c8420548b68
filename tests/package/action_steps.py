#!/usr/bin/env python3
"""Runs the scripts of a composite GitHub action as a runner does: action_steps.py ACTION.yml [INPUT=VALUE...]

Steps that use other actions (a cache, an upload) are named and left out. Ends with the status of the first script that
fails. It knows as much of YAML as our action needs."""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

action = Path(sys.argv[1]).resolve()
text = action.read_text()
inputs = {name: value.strip().strip('"') if key == "default" else None
          for name, key, value in re.findall(r"^  ([\w-]+):\n    description: .*\n    (default|required): (.*)$", text, re.M)}
for given in sys.argv[2:]:
    name, value = given.split("=", 1)
    assert name in inputs, f"the action has no input {name}"
    inputs[name] = value
missing = [name for name, value in inputs.items() if value is None]
assert not missing, f"the action requires {missing}"
values = {f"inputs.{name}": value for name, value in inputs.items()}
values["github.action_path"] = str(action.parent)


def filled(line):
    """The line with its ${{ }} replaced; an unknown one is an error."""
    return re.sub(r"\$\{\{ (.*?) \}\}", lambda found: values[found[1]], line)


def block_after(key, step):
    """The lines that are indented below `key: |` or `key:`, without that indentation, or the value beside it."""
    found = re.search(rf"^( *)(?:- )?{key}:(?: \|)?(?: (.*))?\n((?:\1  .*\n)*)", step, re.M)
    if not found:
        return ""
    if found[2]:
        return found[2]
    lines = found[3].splitlines()
    indent = min(len(line) - len(line.lstrip()) for line in lines)
    return "\n".join(line[indent:] for line in lines)


for step in re.split(r"^    - ", text.split("  steps:\n")[1] + "\n", flags=re.M)[1:]:
    step = "      " + step
    if used := block_after("uses", step):
        print(f"left out: {used}")
        continue
    environment = dict(os.environ)
    for line in block_after("env", step).splitlines():
        name, value = line.split(": ", 1)
        environment[name] = filled(value)
    with tempfile.NamedTemporaryFile("r") as outputs:
        environment["GITHUB_OUTPUT"] = outputs.name
        script = filled(block_after("run", step))
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], env=environment)
        if done.returncode != 0:
            sys.exit(done.returncode)
        for line in outputs.read().splitlines():
            name, value = line.split("=", 1)
            values[f"steps.{block_after('id', step)}.outputs.{name}"] = value
