#!/usr/bin/env python3
"""A person's way through the playground, in headless Chromium: playground_test.py SOURCE MODULE_FOLDER [--shot FOLDER]

Serves the folder that packaging/playground/build.mjs writes as any static host does. Types an error, sees it, takes the
fix, chooses a version and a target, opens an example of a rule, shares the source, and loads the address anew. A source
that takes too long ends as unfinished, and the page goes on. Looks at contrast and width. Prints how long the first
paint, the first finding and a keystroke take. Says so and exits with 77 where Node.js, Chromium or the module is absent.
"""
import functools
import http.server
import pathlib
import statistics
import subprocess
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from browser import Browser, find_chromium  # noqa: E402
from page_looks import Person, complaints, look  # noqa: E402
from page_speed import PANEL, first_paint, replace_text, time_of_finding  # noqa: E402
from wasm_module import what_lacks  # noqa: E402

SOURCE, MODULE = (pathlib.Path(each).absolute() for each in sys.argv[1:3])
SHOTS = pathlib.Path(sys.argv[4]) if sys.argv[3:4] == ["--shot"] else None
TEXT = "document.querySelector('.cm-content').innerText"
GOOD = """#include <metal_stdlib>
using namespace metal;
kernel void twice(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant uint& n [[buffer(2)]],
                  uint i [[thread_position_in_grid]]) {
  if (i >= n) return;
  y[i] = 2 * x[i];
}
"""
LONG = GOOD + "".join(
    f"kernel void k{i}(device float* y{i} [[buffer(0)]], uint i [[thread_position_in_grid]]) {{\n  if (i < {i + 1}) y{i}[i] = {i};\n}}\n"
    for i in range(64))
BOMB = (SOURCE / "corpus/cheats/compile_bomb.metal").read_text()


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


def serve(folder):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}/"


class Way(Person):
    def __init__(self, browser, address):
        super().__init__(browser)
        self.address = address

    def choose(self, key, value):
        self.browser.evaluate(f"(() => {{ const box = document.getElementById('{key}'); box.value = '{value}'; box.onchange(); }})()")

    def first_visit(self):
        self.browser.open(self.address)
        self.wait_panel("'restrict' is a C keyword")
        finding = self.browser.evaluate("performance.now()")
        print(f"first paint after {first_paint(self.browser):.0f} ms, first finding after {finding:.0f} ms")
        self.expect(self.browser.evaluate("document.querySelectorAll('#tabs button').length") == 1, "there are tabs that need a server")
        self.expect(not self.browser.evaluate("document.getElementById('run').checkVisibility()"), "Run is shown")

    def type_an_error_and_fix_it(self):
        replace_text(self.browser, GOOD)
        self.wait_panel("No findings")
        replace_text(self.browser, GOOD.replace("device float* y", "device float* restrict y"))
        self.wait_panel("'restrict' is a C keyword")
        self.expect(self.browser.evaluate("document.querySelectorAll('.cm-lintRange-error').length > 0"), "nothing is underlined")
        self.flaws += look(self.browser, "error", SHOTS)
        self.browser.evaluate("document.querySelector('#panel summary').click()")
        self.browser.wait_for("document.querySelector('#panel .prose')?.textContent.length > 100")
        self.browser.evaluate("document.querySelector('button.fix').click()")
        self.wait_panel("No findings")
        self.expect("__restrict" in self.browser.evaluate(TEXT), "the fix is not in the text")

    def measure_findings(self):
        times = []
        for number in range(8):
            replace_text(self.browser, LONG)
            self.wait_panel("No findings")
            for key in ("ArrowUp", "ArrowUp", "End"):
                self.browser.press(key)
            times.append(time_of_finding(self.browser, f"missing{number}"))
        print(f"{LONG.count(chr(10))} lines: findings {statistics.median(times):.0f} ms after a keystroke (at most {max(times):.0f})")

    def choose_version_and_target(self):
        replace_text(self.browser, GOOD.replace("2 * x[i]", "float(bfloat(x[i]))"))
        self.wait_panel("No findings")
        self.choose("version", "metal3.0")
        self.wait_panel("bfloat")
        self.choose("version", "metal3.1")
        self.wait_panel("No findings")
        replace_text(self.browser, GOOD.replace("  if (i", "  threadgroup float s[8000]; s[i % 8000] = i;\n  if (i"))
        self.wait_panel("No findings")
        self.choose("target", "apple3")
        self.wait_panel("threadgroup memory")
        self.choose("target", "")
        self.wait_panel("No findings")

    def open_an_example(self):
        self.browser.evaluate("document.getElementById('open').click()")
        rules = self.browser.evaluate("document.querySelectorAll('#gallery .entry').length")
        self.expect(rules > 90, f"the gallery has {rules} entries")
        self.flaws += look(self.browser, "gallery", SHOTS)
        self.browser.evaluate("[...document.querySelectorAll('.entry')].find(each => each.textContent.startsWith('hazard.')).click()")
        self.browser.wait_for(f"!{TEXT}.includes('s[8000]')")
        self.browser.wait_for("document.querySelectorAll('#panel li[data-line]').length > 0")

    def share_and_load_anew(self):
        replace_text(self.browser, GOOD.replace("twice", "zwölf"))
        self.choose("version", "metal3.2")
        self.browser.evaluate("document.getElementById('share').click()")
        self.browser.wait_for("location.hash.length > 50")
        address = self.browser.evaluate("location.href")
        print(f"an address of {len(address)} characters")
        self.flaws += complaints(self.browser.events, self.address)
        self.browser.open("about:blank")
        self.browser.open(address)
        self.browser.wait_for(f"{TEXT}.includes('zwölf')")
        self.browser.wait_for("document.querySelectorAll('#panel li, #panel .good').length > 0")
        self.expect(self.browser.evaluate("document.getElementById('version').value") == "metal3.2", "the version is not shared")

    def exceed_the_limits(self):
        replace_text(self.browser, BOMB)
        self.wait_panel("Unfinished: the source takes more than 10 s.")
        self.flaws += look(self.browser, "unfinished", SHOTS)
        replace_text(self.browser, GOOD)
        self.wait_panel("No findings")
        replace_text(self.browser, GOOD.replace("2 * x[i]", "+".join(["x[i]"] * 20000)))
        self.browser.wait_for(f"/not be checked|Unfinished|nested/.test({PANEL})")
        replace_text(self.browser, GOOD)
        self.wait_panel("No findings")


def main():
    if lack := what_lacks(MODULE):
        print(lack)
        return 77
    program = find_chromium()
    if not program:
        print("SKIP: Chromium is not installed (apt-get install chromium)")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(["node", SOURCE / "packaging/playground/build.mjs", MODULE, folder / "playground"], check=True)
        browser = Browser(program, folder / "profile")
        browser.show(1280, "light")
        way = Way(browser, serve(folder / "playground"))
        try:
            way.first_visit()
            way.type_an_error_and_fix_it()
            way.measure_findings()
            way.choose_version_and_target()
            way.open_an_example()
            way.share_and_load_anew()
            way.exceed_the_limits()
            way.flaws += complaints(browser.events, way.address)
        finally:
            browser.end()
    for flaw in way.flaws:
        print(flaw)
    return 1 if way.flaws else 0


sys.exit(main())
