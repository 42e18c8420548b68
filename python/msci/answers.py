"""What a language model is asked, and the source in what it answers.

    import msci
    answer = model(msci.prompt("nbody"))
    print(msci.evaluate(msci.extract(answer) or "", "nbody").correct)   # no source earns what an empty one earns
"""
from __future__ import annotations

import json
import pathlib
import re
import subprocess
from typing import Any

from .server import MsciError, find_program, name_of
from .tasks import Task

# The tags of fenced blocks that may hold Metal.
SOURCE_TAGS = {"", "metal", "msl", "cpp", "c++", "c"}

THOUGHT = r"(?:seed:)?(?:think|thinking|thought|reasoning)"

# How a source begins that stands alone, without a fence.
FIRST_LINE = re.compile(r"#\s*(?:include|define|pragma|if)|//|/\*|using\b|kernel\b|constant\b|struct\b|template\b|\[\[")


def extract(answer: str) -> str | None:
    """The Metal source in an answer of a model; None if it has none.

    What the model thought (`<think>...</think>` and the like) does not count, and nothing after a thought that does not
    end. Of several fenced blocks, the one that looks like a source counts, and of those the longest, as in msci-search. A
    last block that is not closed counts if no other does. Without fences, an answer that is a source as a whole is one.
    """
    text = _without_thoughts(answer)
    closed, unclosed = _blocks(text)
    blocks = [block for block in closed if block.strip()] or [block for block in unclosed if _looks_like_source(block)]
    if blocks:
        return max(blocks, key=lambda block: (_looks_like_source(block), len(block)))
    bare = re.sub(r"</?answer>", "", text).strip()
    return bare + "\n" if FIRST_LINE.match(bare) and "kernel " in bare else None


def _without_thoughts(answer: str) -> str:
    """What follows the last thought. Templates of chats often write the tag that begins it into the prompt."""
    ends = list(re.finditer(f"</{THOUGHT}>", answer))
    text = answer[ends[-1].end():] if ends else answer
    begin = re.search(rf"^[ \t]*<{THOUGHT}>", text, re.MULTILINE)
    return text[:begin.start()] if begin else text


def _fence(line: str) -> tuple[str, str] | None:
    """The marks of a fence and its tag; None of another line. By hand: a regular expression takes minutes for hostile ones."""
    text = line.strip()
    rest = text.lstrip(text[:1])
    marks = text[:len(text) - len(rest)]
    if len(marks) < 3 or marks[0] not in "`~" or (marks[0] == "`" and "`" in rest):
        return None
    return marks, (rest.split(None, 1) or [""])[0].lower()


def _blocks(text: str) -> tuple[list[str], list[str]]:
    """The fenced blocks with a tag of SOURCE_TAGS that are closed, and the last one if it is not."""
    closed: list[str] = []
    lines: list[str] = []
    fence, wanted = "", False
    for line in text.splitlines(keepends=True):
        found = _fence(line)
        if not fence:
            if found:
                fence, lines, wanted = found[0], [], found[1] in SOURCE_TAGS
        elif found and not found[1] and found[0].startswith(fence):
            closed += ["".join(lines)] * wanted
            fence = ""
        else:
            lines.append(line)
    return closed, ["".join(lines)] if fence and wanted else []


def _looks_like_source(block: str) -> bool:
    return "kernel " in block or "#include" in block


def _tasks_says(*arguments: str) -> str:
    done = subprocess.run([find_program("msci-tasks"), *arguments], stdin=subprocess.DEVNULL, capture_output=True,
                          encoding="utf-8")
    if done.returncode != 0:
        raise MsciError(done.stderr.strip() or f"msci-tasks ended with {done.returncode}")
    return done.stdout


def task_names() -> list[str]:
    """The tasks of `msci-tasks list`."""
    return [json.loads(line)["name"] for line in _tasks_says("list", "--json").splitlines()]


def describe(task: str | Task) -> dict[str, Any]:
    """What `msci-tasks describe --json` says of a task or a plan file: kernels, bindings, sizes, seed.

    Raises MsciError if there is no such task."""
    description: dict[str, Any] = json.loads(_tasks_says("describe", "--json", "--", name_of(task)))
    return description


def prompt(task: str | Task) -> str:
    """What to ask a model: the instructions of msci-search, the task as msci-tasks describes it, and its seed kernel.

    The task is a name of msci-tasks, a plan file or a Task. Raises MsciError if there is no such task."""
    described = describe(task)
    seed = described["seed"]
    parts = [pathlib.Path(__file__).with_name("instructions.md").read_text(encoding="utf-8"),
             f"# The task: {described['title'] or described['name']}\n\n{described['description']}"]
    if seed:
        parts.append(f"# The seed kernel\n\n```metal\n{seed.strip()}\n```\n")
    return "\n".join(parts)
