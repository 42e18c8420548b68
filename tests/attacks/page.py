#!/usr/bin/env python3
"""Writes docs/reports/attacks.md, the list of all attacks by class: page.py BIN SOURCE

Compares the page with what it would write, and exits with 1 if they differ; with MSCI_UPDATE set, writes it."""
import os
import re
import sys
import textwrap
from pathlib import Path

import files

SOURCE = files.SOURCE
PAGE = SOURCE / "docs/reports/attacks.md"

# By class: what published checkers of generated kernels make of it, as far as their documentation says. KernelBench
# compares random inputs of one shape with torch.allclose and times other calls, whose outputs it does not look at;
# pygpubench checks the calls that it times, in a process of its own.
OTHERS = {
    "wrong at other sizes": "accepted by checkers with one shape per problem, such as KernelBench",
    "missing guard": "accepted unless the write hits something; neither looks beside its tensors",
    "stale output": "a known exploit of KernelBench, whose outputs can reuse the memory of the reference's",
    "detection of timed passes": "accepted by KernelBench, which looks at no timed output; pygpubench looks at them",
    "recognition of inputs": "random inputs of both stop recorded values; known distributions remain",
    "memory beyond the contract": "both leave the memory around tensors alone",
    "races": "accepted if the race does no harm in the run",
    "dropped barriers": "accepted if the device runs the threads in step",
    "partial work": "rejected unless the tolerance (1e-2 in KernelBench) hides it",
    "constant answers": "a known exploit of KernelBench on problems whose outputs are almost constant",
    "results kept from earlier passes": "a known exploit of checkers that repeat a call with the same inputs",
    "lower precision": "accepted within the tolerance, which is 1e-2 in KernelBench",
    "no kernel": "rejected, or accepted and slow",
    "hostile source": "not applicable: their candidates are Python programs",
}
LAYERS = {
    "compatible": "the recorded verdict", "strict error": "the strict verdict: error at a stress size",
    "overrun": "memory around buffers", "drawn": "the strict verdict: drawn sizes",
    "large": "the strict verdict: one step of a large size", "timed": "each set of inputs of timed passes is judged",
    "held out": "the gate: each set of inputs of timed passes is judged",
    "thorough": "the strict verdict: what buffers hold before a pass", "fuzz": "`--fuzz-sizes`",
    "certificate": "the strict verdict: its certificate", "recorded": "the strict verdict: recorded inputs", "limit": "limits of the front end",
    "lanes": "the strict verdict: runs of one lane after another", "rejected pipeline": "pipeline check"}


def header(text, label):
    return re.search(rf"^// {label}: (.*)$", text, re.M)[1]


def layer_of(caught):
    first, _, rest = caught.partition(" ")
    words = {"rule": f"lint: `{rest}`", "check": f"checked run: `{rest}`", "failure": f"limit or fault: `{rest}`",
             "input": f"inputs compared: `{rest}`", "named": f"the strict verdict: its certificate names `{rest}`",
             "ghost": f"ablation: {rest}"}
    return LAYERS.get(caught) or words[first]


def kernels():
    """The kernels of the corpus: class, name, task, what they do, what catches them."""
    rows = []
    for path in sorted((SOURCE / "corpus/cheats").glob("*.metal")):
        text = path.read_text()
        what = " ".join(re.match(r"(?:// \w+: .*\n)+//\n((?:// .*\n)+)", text)[1].replace("// ", "").split())
        rows.append((header(text, "class"), path.stem, header(text, "task"), what, layer_of(header(text, "caught"))))
    return rows


def native_attacks():
    """The table of native_attacks_test: family, name, what it is, the layers that stop it alone."""
    text = (SOURCE / "tests/engine/device/sandbox/native_attacks_test.cpp").read_text()
    rows = re.findall(r'^    \{"(\w+)", "([^"]+)", "([^"]+)", ([a-z |]+), \[\]', text, re.M)
    layers = {"landlock": "Landlock"}
    return [(family, name, what, ", ".join(layers.get(each, each) for each in stoppers.split(" | ")))
            for name, family, what, stoppers in rows]


def page():
    rows = kernels()
    natives = native_attacks()
    families = list(dict.fromkeys(each.family for each in files.ATTACKS))
    text = f"""# Attacks

{len(rows)} kernels in `corpus/cheats`, {len(files.ATTACKS)} files and programs in `tests/attacks/files.py`, and {len(natives)} pieces of native code in
`tests/engine/device/sandbox/native_attacks_test.cpp` attack msci: they pretend to do the work, or they aim at msci
itself. Each is stopped by the layer beside it; `cheats_test`, `files.py` and `native_attacks_test` run all of them, and
`tests/attacks/page.py` writes this page. [Attacks](../concepts/attacks.md) is an introduction.

The line below a heading says what published checkers of generated kernels make of the class, as far as their
documentation tells: KernelBench (random inputs of one shape, a tolerance, timed calls without a look at their outputs)
and pygpubench (timed calls are checked, in a process of their own).

## Kernels
"""
    for name in OTHERS:
        chosen = [row for row in rows if row[0] == name]
        others = textwrap.fill(f"Other checkers: {OTHERS[name]}.", 120)
        text += f"\n### {name.capitalize()}\n\n{others}\n\n| kernel | task | what it does | stopped by |\n|---|---|---|---|\n"
        text += "".join(f"| `{kernel}` | {task} | {what} | {layer} |\n" for _, kernel, task, what, layer in chosen)
    assert {row[0] for row in rows} == set(OTHERS), {row[0] for row in rows} ^ set(OTHERS)
    text += "\n## Files and programs\n"
    for name in families:
        text += f"\n### {name.capitalize()}\n\n| attack | what it is | stopped by |\n|---|---|---|\n"
        text += "".join(f"| `{each.name}` | {each.what} | {each.layer} |\n" for each in files.ATTACKS if each.family == name)
    text += """
## Native code

What a kernel could do that broke out of its driver, in a process that is restricted as the worker is. Each layer beside
an attack stops it alone.
"""
    for name in dict.fromkeys(family for family, *_ in natives):
        text += f"\n### {name.capitalize()}\n\n| attack | what it does | stopped by |\n|---|---|---|\n"
        text += "".join(f"| `{attack}` | {what} | {layers} |\n" for family, attack, what, layers in natives if family == name)
    return text


def main():
    written = page()
    if os.environ.get("MSCI_UPDATE"):
        PAGE.write_text(written)
    elif not PAGE.exists() or PAGE.read_text() != written:
        print("docs/reports/attacks.md is not what tests/attacks/page.py writes; run it with MSCI_UPDATE=1")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
