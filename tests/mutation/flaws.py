"""What the flaws are written with: a list of mutators, and ways to edit a kernel."""

import re
from dataclasses import dataclass
from typing import Callable, Optional

from kernels import kernels_in, without_comments


@dataclass
class Mutator:
    rule: str
    plant: Callable  # source → (where, mutant), …
    files: Optional[int]  # the most kernels to plant into; all where None
    options: Callable  # (where) → options of msci-lint that its mutants need


MUTATORS = []


def plants(rule, files=None, options=lambda where: ()):
    """Registers a function that plants what `rule` is there to find."""
    def register(plant):
        MUTATORS.append(Mutator(rule, plant, files, options))
        return plant
    return register


def each_kernel(source):
    """The kernels whose parameters are all plain: templates aside."""
    return [each for each in kernels_in(source) if each.parameters]


def edits(source, pattern, new, most=None, inside_heads=False):
    """One mutant for each match outside of comments, up to `most`; `inside_heads` leaves out what
    is not between a function's brackets."""
    text = without_comments(source)
    heads = [(each.open, each.close) for each in kernels_in(source)]
    planted = 0
    for found in re.finditer(pattern, text, re.M):
        if inside_heads and not any(a < found.start() < b for a, b in heads):
            continue
        if planted == most:
            return
        planted += 1
        line = source.count("\n", 0, found.start()) + 1
        yield f"line {line}", source[:found.start()] + found.expand(new) + source[found.end():]


def inserted_first(source, function, statements):
    """With statements at the start of a function's body."""
    return source[:function.body] + "\n" + statements.rstrip("\n") + source[function.body:]


def prepended(source, declarations):
    """With declarations behind the includes."""
    mark = "using namespace metal;\n"
    return source.replace(mark, mark + declarations, 1)
