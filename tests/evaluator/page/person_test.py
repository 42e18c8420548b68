#!/usr/bin/env python3
"""A person's way through msci-eval --page, in headless Chromium: person_test.py MSCI_EVAL SOURCE [--shot FOLDER]

Opens a kernel, types an error, sees it, takes the fix, runs, breaks the kernel, sees the race, compares with the seed,
saves the page and opens the file. Looks at contrast and width on a desk and on a phone, in light and in dark. Prints how
long the first paint and the findings take. Needs Chromium (Debian's package); says so and exits with 77 where it is absent.
"""
import json
import os
import pathlib
import shutil
import statistics
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from browser import Browser, find_chromium  # noqa: E402
from page_looks import Person, complaints, look  # noqa: E402
from page_speed import PANEL, bytes_loaded, findings_times, first_paint, replace_text  # noqa: E402
from served_page import ServedPage  # noqa: E402

EVAL, SOURCE = (pathlib.Path(each).absolute() for each in sys.argv[1:3])
SHOTS = pathlib.Path(sys.argv[4]) if sys.argv[3:4] == ["--shot"] else None
SEED = (SOURCE / "tasks/heat2d/heat2d.metal").read_text()
TOO_MUCH = SEED.replace("4.0f * c)", "4.5f * c)")
RACE = SEED.replace("u_out[at] = c + alpha * (around - 4.0f * c);", "u_out[i] = c + alpha * (around - 4.0f * c);")

class Walk(Person):
    def __init__(self, browser, page):
        super().__init__(browser)
        self.page = page

    def press_tab(self, name):
        self.browser.evaluate(f"document.getElementById('tab-{name}').click()")

    def put(self, text):
        replace_text(self.browser, text)

    def shoot(self, name):
        if SHOTS:
            self.browser.shoot(SHOTS / f"{name}.png")

    def look(self, name):
        self.flaws += look(self.browser, name, SHOTS)

    def open(self):
        self.browser.open(self.page.address)
        self.browser.wait_for("document.querySelector('.cm-content')?.textContent.includes('heat_step')")
        self.wait_panel("No findings")
        paint, size = first_paint(self.browser), bytes_loaded(self.browser)
        print(f"first paint after {paint:.0f} ms; {size} bytes loaded")
        self.expect(size <= 1_000_000, f"the page loads {size} bytes")
        self.expect(self.browser.evaluate("document.getElementById('task').value") == "heat2d", "the task is not recognised")

    def type_an_error_and_fix_it(self):
        self.put(SEED.replace("device float* u_out [[buffer(1)]]", "device float* restrict u_out [[buffer(1)]]"))
        self.wait_panel("'restrict' is a C keyword")
        self.expect(self.browser.evaluate("document.querySelectorAll('.cm-lintRange-error').length > 0"), "nothing is underlined")
        self.look("error")
        self.browser.evaluate("document.querySelector('#panel summary').click()")
        self.browser.wait_for("document.querySelector('#panel .prose')?.textContent.length > 100")
        self.browser.evaluate("document.querySelector('button.fix').click()")
        self.wait_panel("No findings")
        text = self.browser.evaluate("document.querySelector('.cm-content').innerText")
        self.expect("__restrict" in text, "the fix is not in the text")

    def measure_findings(self):
        """From a keystroke to the findings about it."""
        times = findings_times(self.browser, SEED, SEED[:SEED.index("const float c")].count("\n"), 10)
        print(f"findings {statistics.median(times):.0f} ms after a keystroke (median of {len(times)}; at most {max(times):.0f})")

    def run(self):
        self.put(SEED)
        self.wait_panel("No findings")
        self.browser.press("Enter", modifiers=2)
        self.wait_panel("Right at all 3 sizes and at the stress sizes.")
        self.expect("strict verdict" not in self.browser.evaluate(PANEL), "the page claims a strict verdict, which nobody asked for")
        self.look("result")
        self.press_tab("check")
        self.wait_panel("No fault in one run")
        self.press_tab("profile")
        self.wait_panel("Lines that take the most time")
        self.browser.wait_for("document.querySelectorAll('.heat').length > 3")
        self.browser.evaluate("[...document.querySelectorAll('#panel button.line')][0].click()")
        self.wait_panel("Share of the predicted time")
        self.look("profile")
        self.read_code()
        self.press_tab("predicted")
        self.wait_panel("m1-pro")
        self.wait_panel("m2-max")
        asked = [each for each in judged(self.browser) if each["verdict"] == "predicted"]
        self.expect(len(asked) == 1, f"{len(asked)} requests for predicted times")
        self.look("predicted")

    def read_code(self):
        """Each language, whose lines have the colours of the lines that they come from."""
        self.press_tab("code")
        self.wait_panel("kernel void msci_heat_step")
        # Machine code where Mesa's compiler is installed, otherwise what to install.
        self.browser.evaluate("[...document.querySelectorAll('.choice button')].find(each => each.textContent === 'Apple M1').click()")
        self.browser.wait_for("/thread_in_grid|needs the packages mesa-drm-shim/.test(document.querySelector('#panel').innerText)")
        for language, words in (("LLVM IR", "define"), ("Assembly", "msci_heat_step"), ("OpenCL C", "kernel void")):
            self.browser.evaluate(f"[...document.querySelectorAll('.choice button')].find(each => each.textContent === '{language}').click()")
            self.wait_panel(words)
            linked = self.browser.evaluate("document.querySelectorAll('.code-line[data-line]').length")
            self.expect(linked > 5, f"{language}: {linked} lines of code know their line")
            if language == "Assembly":
                first = self.browser.evaluate("document.querySelector('.code-line').innerText")
                self.expect("msci_heat_step" in first, f"the assembly begins with {first!r}, not with the kernel")
                self.look("assembly")
        line = SEED[:SEED.index("around - 4.0f")].count("\n") + 1
        self.browser.evaluate(f"document.querySelector('.code-line[data-line=\"{line}\"]').click()")
        self.browser.wait_for(f"document.querySelector('.code-line.here')?.dataset.line === '{line}'")
        colours = self.browser.evaluate(
            "[document.querySelector('.code-line.here'), document.querySelector('.cm-activeLine')]"
            ".map(each => each.className.match(/from-\\d/)?.[0])")
        self.expect(colours[0] and colours[0] == colours[1], f"line {line} and its code have the colours {colours}")
        self.look("code")

    def break_it(self):
        self.put(RACE)
        self.press_tab("findings")
        self.browser.press("Enter", modifiers=2)
        self.wait_panel("Wrong at")
        self.wait_panel("elements differ")
        self.browser.wait_for("document.querySelector('.picture')?.naturalWidth > 10")
        self.expect(self.browser.evaluate("document.querySelectorAll('.elements li').length > 0"), "no wrong element is named")
        self.look("wrong")
        self.wait_cause("while another thread writes it", RACE, "c + alpha")
        self.press_tab("check")
        self.wait_panel("race")
        words = self.browser.evaluate(PANEL)
        self.expect("while another thread writes it" in words and words.count("thread (") >= 2, f"the two threads are missing: {words}")
        self.look("race")
        self.browser.evaluate("document.querySelector('#panel button.line').click()")
        self.browser.wait_for("document.querySelector('#panel li.here') !== null")

    def wait_cause(self, words, text, part):
        """The cause comes later than the verdict, with a button that leads to its line."""
        self.wait_panel("Why it is wrong")
        self.wait_panel(words)
        line = text[:text.index(part)].count("\n") + 1
        self.expect(f"Line {line} " in self.browser.evaluate(PANEL).replace("\n", " "), f"the cause has no line {line}")

    def miscompute(self):
        self.put(TOO_MUCH)
        self.press_tab("findings")
        self.browser.press("Enter", modifiers=2)
        self.wait_panel("Wrong at")
        self.wait_cause("does not compute this value", TOO_MUCH, "4.5f")

    def compare(self):
        self.press_tab("compare")
        self.wait_panel("this kernel is not right")
        self.browser.wait_for("document.querySelectorAll('.merge .cm-changedText').length > 0")
        self.look("compare")
        self.put(SEED.replace("around - 4.0f * c", "around - 4.0f * c + 1e-9f * c * c"))
        self.wait_panel("No claim about")
        self.browser.evaluate("document.getElementById('measure').click()")
        self.wait_panel("measured in turns")
        self.browser.wait_for("document.getElementById('stop').hidden")
        self.look("measured")

    def draft(self):
        """A plan for a kernel that no task has."""
        self.put("#include <metal_stdlib>\nusing namespace metal;\nkernel void twice(device const float* x [[buffer(0)]],\n"
                 "    device float* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {\n  y[i] = 2 * x[i];\n}\n")
        self.browser.evaluate("(() => { const task = document.getElementById('task'); task.value = ''; task.onchange(); })()")
        self.press_tab("result")
        self.browser.evaluate("document.getElementById('draft').click()")
        self.wait_panel("reference.py")
        self.wait_panel("twice")
        self.look("draft")
        self.browser.evaluate("(() => { const task = document.getElementById('task'); task.value = 'heat2d'; task.onchange(); })()")

    def cancel_on_edit(self):
        self.browser.press("Enter", modifiers=2)
        self.put(SEED + "// edited\n")
        self.browser.wait_for("document.getElementById('stop').hidden")

    def save(self, folder):
        self.put(RACE)
        self.press_tab("findings")
        self.browser.press("Enter", modifiers=2)
        self.wait_panel("Wrong at")
        self.browser.wait_for("document.getElementById('stop').hidden")
        session, self.browser.session = self.browser.session, None
        self.browser.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))
        self.browser.session = session
        self.browser.evaluate("document.getElementById('save').click()")
        saved = folder / "kernel.html"
        while not saved.exists():
            time.sleep(0.05)
        return saved

    def open_saved(self, saved):
        self.browser.open(saved.as_uri())
        words = self.browser.evaluate("document.body.textContent")
        for each in ("heat_step", "Wrong at", "while another thread writes it", "Lines that take the most time", "task heat2d"):
            self.expect(each in words, f"the saved page lacks: {each}")
        self.expect(self.browser.evaluate("document.scripts.length") == 0, "the saved page has a script")
        # The page before it may still cancel what it has asked for.
        sent = [event["params"] for event in self.browser.events if event.get("method") == "Network.requestWillBeSent"]
        loaded = [each["request"]["url"] for each in sent if each["documentURL"] == saved.as_uri()]
        self.expect(loaded and all(url.startswith(("file:", "data:")) for url in loaded), f"the saved page loads {loaded}")
        self.look("saved")


def judged(browser):
    """What the page has asked the judging server for."""
    for event in browser.events:
        request = event["params"]["request"] if event.get("method") == "Network.requestWillBeSent" else {}
        if request.get("url", "").endswith("/judge"):
            yield json.loads(request["postData"])


def own_plan(browser, folder, flaws):
    """A plan as it is typed: its task is chosen, has its name, and its largest size is not the last one."""
    own = folder / "smoothing"
    shutil.copytree(SOURCE / "docs/plan_example", own)
    plan = json.loads((own / "plan.json").read_text())
    plan["sizes"].reverse()  # the one with the most work first
    (own / "plan.json").write_text(json.dumps({**plan, "seed": "smooth.metal"}))
    kernel = own / "mine.metal"
    kernel.write_text((own / "smooth.metal").read_text() + "// mine\n")
    page = ServedPage(EVAL, kernel, "--plan", os.path.relpath(own / "plan.json"))
    walk = Walk(browser, page)
    try:
        browser.open(page.address)
        browser.wait_for("document.querySelector('.cm-content')?.textContent.includes('smooth')")
        task = browser.evaluate("document.getElementById('task').selectedOptions[0]?.textContent")
        walk.expect(task == "smoothing", f"the task box says {task!r}")
        browser.evaluate("document.getElementById('run').click()")
        walk.wait_panel("Right at all 2 sizes")
        walk.press_tab("profile")
        walk.wait_panel("predicted for size 100000 on")
        walk.press_tab("compare")
        walk.wait_panel("No claim about")
        words = browser.evaluate(PANEL)
        walk.expect("the seed of smoothing" in words, f"the seed has another name: {words}")
        walk.expect(str(own) not in words, f"a task is named by its path: {words}")
        flaws += walk.flaws + list(complaints(browser.events, page.address))
    finally:
        page.end()


def gallery(browser, program, flaws):
    """Without a file, the page offers the seeds."""
    page = ServedPage(program)
    try:
        browser.open(page.address)
        browser.wait_for("document.getElementById('gallery').open")
        browser.wait_for("document.querySelectorAll('.entry').length > 30")
        if SHOTS:
            browser.shoot(SHOTS / "gallery_1280_light.png")
        browser.evaluate("[...document.querySelectorAll('.entry')].find(each => each.textContent.startsWith('nbody')).click()")
        browser.wait_for("document.querySelector('.cm-content').textContent.includes('kernel')")
        if browser.evaluate("document.getElementById('task').value") != "nbody":
            flaws.append("the gallery does not choose the task of a seed")
        browser.evaluate("document.getElementById('open').click()")
        browser.evaluate("[...document.querySelectorAll('.entry')].find(each => each.textContent.startsWith('both colours')).click()")
        browser.wait_for("document.getElementById('task').value === 'ising'")
        browser.evaluate("document.getElementById('run').click()")
        browser.wait_for(f"{PANEL}.includes('Wrong at')")
        browser.evaluate("document.getElementById('open').click()")
        browser.evaluate("[...document.querySelectorAll('.entry')].find(each => each.textContent.startsWith('hazard.')).click()")
        browser.wait_for("document.querySelectorAll('#panel li[data-line]').length > 0")
        flaws += complaints(browser.events, page.address)
    finally:
        page.end()


def main():
    program = find_chromium()
    if not program:
        print("SKIP: Chromium is not installed (apt-get install chromium)")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        kernel = folder / "kernel.metal"
        kernel.write_text(SEED)
        browser = Browser(program, folder / "profile")
        browser.show(1280, "light")
        page = ServedPage(EVAL, kernel)
        walk = Walk(browser, page)
        try:
            walk.open()
            walk.type_an_error_and_fix_it()
            walk.measure_findings()
            walk.run()
            walk.miscompute()
            walk.break_it()
            walk.compare()
            walk.draft()
            walk.cancel_on_edit()
            saved = walk.save(folder)
            walk.flaws += complaints(browser.events, page.address)
            walk.open_saved(saved)
            walk.flaws += complaints(browser.events, page.address)
            page.end()
            gallery(browser, EVAL, walk.flaws)
            own_plan(browser, folder, walk.flaws)
        finally:
            browser.end()
            page.process.kill()
    for flaw in walk.flaws:
        print(flaw)
    return 1 if walk.flaws else 0


sys.exit(main())
