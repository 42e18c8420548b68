#!/usr/bin/env python3
"""Runs the commands of a Markdown page as a reader would, one after the other in an empty folder.

tests/tutorial/run.py BIN_DIR PAGE.md...
The folder has a copy of docs/plans. A block marked `sh` must end well. A `text` block behind one holds lines that its
output must have parts of, in that order. Other blocks are for the reader's eyes."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


def missing_line(output, wanted):
    """The first of the wanted lines that is not where it should be."""
    place = 0
    for line in filter(None, wanted.splitlines()):
        found = output.find(line, place)
        if found < 0:
            return line
        place = found + len(line)
    return None


def run_page(page, bin_dir, folder):
    """The state of the shell goes on from block to block, so each is run with those before it already done."""
    blocks = BLOCK.findall(page.read_text())
    commands = [text for kind, text in blocks if kind == "sh"]
    if not commands:
        return f"{page.name}: it has no commands"
    mark = "--- end of a block ---"
    script = "set -euo pipefail\n" + "".join(f"{text}echo '{mark}'\n" for text in commands)
    environment = dict(os.environ, PATH=f"{bin_dir}:{os.environ['PATH']}", HOME=str(folder), NO_COLOR="1")
    done = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, text=True, timeout=280,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    outputs = done.stdout.split(mark + "\n")
    if done.returncode != 0 or len(outputs) != len(commands) + 1:
        failed = commands[min(len(outputs), len(commands)) - 1]
        return f"{page.name}: exit status {done.returncode} of\n{failed}\n{outputs[-1]}"
    ran = -1
    for kind, text in blocks:
        ran += kind == "sh"
        if kind == "text" and (line := missing_line(outputs[ran], text)) is not None:
            return f"{page.name}: {line!r} is not said by\n{commands[ran]}\n{outputs[ran]}"
    print(f"{page.name}: {len(commands)} blocks of commands do what the page says")
    return None


problems = []
for name in sys.argv[2:]:
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(Path(name).resolve().parents[1] / "plans", Path(folder) / "docs/plans")
        problems.append(run_page(Path(name), Path(sys.argv[1]).resolve(), Path(folder)))
problems = list(filter(None, problems))
print("\n".join(problems), end="")
sys.exit(bool(problems))
