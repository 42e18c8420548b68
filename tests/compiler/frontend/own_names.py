#!/usr/bin/env python3
"""Names that only msci's Metal headers and token pass know may not show in messages.

  own_names.py MSCI_LINT [RECORDS.jsonl.gz...]

Lints the sources of tests/compiler/frontend/refuse and of corpus/facts, the examples on the pages of the rules, and the
records, whose lines hold a "source" each. A name of ours is a word behind '$' in compiler/frontend/include. It may be quoted
in a message if the source has the word, too. Prints the messages with other ones, and exits with 1 if there are any.
"""

import gzip
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/agreement"))
import facts  # noqa: E402

# Clang's words for what Metal has words of its own for.
OF_CLANG = ["ext_vector_type", "__global", "__local", "__global_device", "_Float16", "__bf16", "opencl_global_host",
            "address space '4294967"]
# Names of ours that Metal has, too, in a public place.
PUBLIC = {"vec", "float", "half", "bfloat", "int", "uint", "short", "char", "long", "bool", "device", "threadgroup",
          "thread", "constant", "texture", "sampler", "tensor", "simdgroup", "imageblock", "level", "extents", "std",
          "visible", "mesh", "row", "column", "unsigned", "signed", "assert", "size"}


def own_names():
    text = "".join(path.read_text() for path in (ROOT / "compiler/frontend/include").rglob("*") if path.is_file())
    return set(re.findall(r"\$([A-Za-z]\w*)", text)) - PUBLIC


def examples():
    for path in sorted((ROOT / "tests/compiler/frontend/refuse").glob("*.metal")):
        yield str(path.relative_to(ROOT)), path.read_text()
    for fact in facts.of_folder(ROOT / "corpus/facts"):
        yield fact["id"], fact["source"]
    for path in sorted((ROOT / "rules").rglob("*.md")):
        for number, text in enumerate(re.findall(r"^```metal\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL)):
            yield f"{path.relative_to(ROOT)} example {number + 1}", text


def records(path):
    with gzip.open(path, "rt") as lines:
        for number, line in enumerate(lines):
            yield f"{pathlib.Path(path).name} {number + 1}", json.loads(line)["source"]


def messages_of(program, texts):
    """The messages about each text, in order."""
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(texts):
            pathlib.Path(folder, f"{number}.metal").write_text(text)
        run = subprocess.run([program, "--json", "--no-config", folder], capture_output=True, text=True, check=False)
    said = [[] for _ in texts]
    for line in run.stdout.splitlines():
        report = json.loads(line)
        for each in report.get("diagnostics", []):
            messages = [each["message"], *(note["message"] for note in each.get("notes", []))]
            said[int(pathlib.Path(report["file"]).stem)] += messages
    return said


def leaks(message, text, names):
    """The words of a message that its reader cannot know."""
    quoted = " ".join(re.findall(r"'([^']*)'", message))
    words = set(re.findall(r"\w+", quoted)) & names
    found = [word for word in words if not re.search(rf"\b{word}\b", text)]
    found += [word for word in OF_CLANG if word in message and word not in text]
    if "$" in message and "$" not in text:
        found.append("$")
    return found


def main():
    if len(sys.argv) < 2:
        print(__doc__)
        return 2
    program, *archives = sys.argv[1:]
    names = own_names()
    sources = list(examples())
    for archive in archives:
        if pathlib.Path(archive).exists():
            sources += records(archive)
    said = messages_of(program, [text for _, text in sources])
    bad = count = 0
    for (name, text), messages in zip(sources, said):
        count += len(messages)
        for message in messages:
            if found := leaks(message, text, names):
                bad += 1
                print(f"{name}: {message} ({', '.join(sorted(found))})")
    print(f"{len(sources)} sources, {count} messages, {bad} with names of ours")
    return 1 if bad or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
