#!/usr/bin/env python3
"""Runs the commands of a Markdown page as a reader would, one after the other in an empty folder.

tests/tutorial/run.py BIN_DIR PAGE.md...
The folder has a copy of docs/plans. A block marked `sh` must end well and print what the `text` block behind it shows
(tests/docs/page_output.py), or nothing if there is none. Other blocks are for the reader's eyes, and hold no commands:
an indented block is an error."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "docs"))
import page_output

BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


def expected_outputs(blocks):
    """What each block of commands prints, by the `text` block that follows it directly."""
    following = [*blocks[1:], ("", "")]
    return [text.splitlines() if kind == "text" else []
            for (before, _), (kind, text) in zip(blocks, following) if before == "sh"]


def run_page(page, bin_dir, folder):
    """The state of the shell goes on from block to block, so each is run with those before it already done."""
    text = page.read_text()
    blocks = BLOCK.findall(text)
    if indented := re.search(r"^\n    (.*)$", BLOCK.sub("", text), re.M):
        return f"{page.name}: {indented[1]!r} is in an indented block, which is not run; use a fence"
    commands = [text for kind, text in blocks if kind == "sh"]
    if not commands:
        return f"{page.name}: it has no commands"
    mark = "--- end of a block ---"
    script = "set -euo pipefail\n" + "".join(f"{text}echo '{mark}'\n" for text in commands)
    environment = dict(os.environ, PATH=f"{bin_dir}:{os.environ['PATH']}", HOME=str(folder), NO_COLOR="1",
                       LC_ALL="C.UTF-8")
    done = subprocess.run(["bash", "-c", script], cwd=folder, env=environment, text=True, timeout=600,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    outputs = done.stdout.split(mark + "\n")
    if done.returncode != 0 or len(outputs) != len(commands) + 1:
        failed = commands[min(len(outputs), len(commands)) - 1]
        return f"{page.name}: exit status {done.returncode} of\n{failed}\n{outputs[-1]}"
    for command, shown, printed in zip(commands, expected_outputs(blocks), outputs):
        if why := page_output.difference(shown, printed.splitlines()):
            return f"{page.name}: {why} by\n{command}it prints\n{printed}"
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
