"""The processor time that requests of an editor take: editor_speed.py MSCI_LINT [--other MSCI_LINT] [--lines N] [--rounds N]

A hover is asked again and again about one text. A volley is what VS Code asks after a keystroke, with the findings.
"""
import argparse
import pathlib
import resource
import statistics
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lint/lsp"))
from editor import Editor  # noqa: E402

URI = "file:///nowhere/kernel.metal"
KERNEL = """
/// Scales a field.
inline float helper{0}(float a, float b) {{
  float c = a * b + {0}.0f;
  if (c > 3.0f) {{
    c -= b;
  }}
  return c;
}}
kernel void scale{0}(device const float* in [[buffer(0)]], device float* out [[buffer(1)]],
                     constant uint& n [[buffer(2)]], uint i [[thread_position_in_grid]]) {{
  if (i >= n) return;
  float sum = 0.0f;
  for (uint k = 0; k < 4; ++k) {{
    sum += helper{0}(in[i], float(k));
  }}
  out[i] = sum;
}}
"""
PLACE = {"position": {"line": 12, "character": 20}}
RANGE = {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 60, "character": 0}}}
HOVER = ("hover", PLACE)
VOLLEY = [("semanticTokens/full", {}), ("documentSymbol", {}), ("foldingRange", {}), ("inlayHint", RANGE), ("codeLens", {}),
          ("documentLink", {}), ("documentHighlight", PLACE), HOVER, ("codeAction", {**RANGE, "context": {"diagnostics": []}})]


def text_of(lines, version):
    begin = "#include <metal_stdlib>\nusing namespace metal;\n"
    count = max(1, (lines - 2) // KERNEL.count("\n"))
    return begin + "".join(KERNEL.format(number) for number in range(count)) + f"// {version}\n"


def milliseconds(lint, lines, rounds, requests, has_keystrokes):
    """Of the server and its processes, from their start to their end."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    editor = Editor(lint, "--no-config")
    editor.open(URI, text_of(lines, 1))
    for version in range(2, rounds + 2):
        if has_keystrokes and editor.can["textDocumentSync"]["change"] == 2:
            end = text_of(lines, 1).count("\n") - 1
            editor.edit(URI, version, ((end, 3), (end, 3), "x"))
        elif has_keystrokes:
            editor.change(URI, text_of(lines, version), version)
        for method, params in requests:
            editor.ask(f"textDocument/{method}", textDocument={"uri": URI}, **params)
        if has_keystrokes:
            editor.diagnostics(URI, version)
    editor.end()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("lint")
    parser.add_argument("--other")
    parser.add_argument("--lines", type=int, default=2000)
    parser.add_argument("--rounds", type=int, default=8)
    options = parser.parse_args()
    builds = [each for each in (options.lint, options.other) if each]
    for name, requests, has_keystrokes, more in (("hover", [HOVER], False, 10 * options.rounds), ("volley", VOLLEY, True, options.rounds)):
        taken = {build: [] for build in builds}
        for _ in range(3):
            for build in builds:
                begin, whole = (milliseconds(build, options.lines, rounds, requests, has_keystrokes) for rounds in (1, more + 1))
                taken[build].append((whole - begin) / more)
        for build in builds:
            print(f"{name:7} {statistics.median(taken[build]):7.1f} ms  {build}")


main()
