#!/usr/bin/env python3
"""Looks at a report in headless Chromium: browser_test.py MSCI_REPORT RESULTS [--shot FOLDER]

The pages must load nothing and say nothing on the console, show every chart with something in it and no name over
another, fit a phone without scrolling sideways, and be readable in light and in dark; on paper, all tables are open.
Needs Chromium (Debian's package); says so and exits with 77 where it is absent. --shot keeps what it saw.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from browser import Browser, find_chromium  # noqa: E402

CHARTS = ["cascade", "held-out", "roofline", "diagnostics", "convergence-heat2d"]

# What the page tells of itself. Contrast by WCAG 2: of every text against the page's ground; letters
# in SVGs count with the scale at which they are drawn.
LOOK = r"""
(() => {
  const light = colour => {
    const [r, g, b] = colour.match(/[\d.]+/g).map(Number)
        .map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = light(getComputedStyle(document.body).backgroundColor);
  const contrast = colour => {
    const [a, b] = [light(colour), ground].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  const visible = each => each.getBoundingClientRect().width > 0;
  const texts = [...document.querySelectorAll('svg text')].filter(visible).map(text => {
    const style = getComputedStyle(text);
    const svg = text.ownerSVGElement;
    const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
    return {words: text.textContent, is_name: text.classList.contains('name'), size: parseFloat(style.fontSize) * scale,
            contrast: contrast(style.fill), box: text.getBoundingClientRect().toJSON(),
            frame: svg.getBoundingClientRect().toJSON()};
  });
  const words = [...document.querySelectorAll('h1, h2, p, td, th, dt, dd, li, figcaption')]
      .map(each => ({words: each.textContent, contrast: contrast(getComputedStyle(each).color)}));
  const figures = [...document.querySelectorAll('figure')].map(figure => ({
    id: figure.id, box: [...figure.querySelectorAll('svg')].find(visible).getBoundingClientRect().toJSON(),
    marks: [...figure.querySelectorAll('svg rect.bar, svg circle, svg polyline')].filter(visible).length}));
  // Tables whose right side is out of sight; a source keeps its long lines.
  const cut = [...document.querySelectorAll('.scroll')].filter(each => !each.querySelector('table.source') && each.checkVisibility() &&
      each.scrollWidth > each.clientWidth + 1).length;
  return {ground: getComputedStyle(document.body).backgroundColor, cut,
          width: document.documentElement.clientWidth,
          needed: document.documentElement.scrollWidth, texts, words, figures};
})()
"""


# What the script does: the first table sorts by its first column both ways, and filters hide rows.
USE = r"""
(() => {
  const flaws = [];
  const table = [...document.querySelectorAll('table')].find(each => each.tBodies[0].rows.length > 1);
  const column = 0;
  const read = () => [...table.tBodies[0].rows].map(row => row.cells[column].textContent);
  const button = table.tHead.rows[0].cells[column].querySelector('button');
  if (!button) return ['no table can be sorted: the script did not run'];
  button.click();
  const up = read();
  button.click();
  const down = read();
  if (up.join() === down.join()) flaws.push(`sorting changes nothing: ${up}`);
  for (const search of document.querySelectorAll('input[type=search]')) {
    const rows = [...search.nextElementSibling.querySelectorAll('tbody tr')];
    search.value = 'no row holds this';
    search.oninput();
    if (rows.some(row => !row.hidden)) flaws.push('a filter that fits no row leaves some');
    search.value = '';
    search.oninput();
    if (rows.some(row => row.hidden)) flaws.push('an empty filter hides rows');
  }
  for (const link of document.querySelectorAll('a[href^="#"]'))
    if (!document.getElementById(link.getAttribute('href').slice(1))) flaws.push(`${link.textContent} leads nowhere`);
  if (!document.querySelector('a[href^="#candidate-"]')) flaws.push('no candidate is linked');
  return flaws;
})()
"""


def covered(names):
    """Pairs of names in charts that lie on each other."""
    for i, one in enumerate(names):
        for other in names[:i]:
            a, b = one["box"], other["box"]
            if a["left"] < b["right"] and b["left"] < a["right"] and a["top"] < b["bottom"] and b["top"] < a["bottom"]:
                yield f'"{one["words"]}" covers "{other["words"]}"'


def flaws_of(look, view, charts):
    """What is wrong with one view of the page."""
    flaws = [*covered([text for text in look["texts"] if text["is_name"]])]
    if look["needed"] > look["width"]:
        flaws.append(f"needs {look['needed']} pixels, has {look['width']}")
    if look["cut"]:
        flaws.append(f"{look['cut']} tables are cut")
    shown = {figure["id"]: figure for figure in look["figures"]}
    for chart in charts:
        if chart not in shown:
            flaws.append(f"no chart {chart}")
        elif shown[chart]["marks"] < 3 or min(shown[chart]["box"][side] for side in ("width", "height")) < 40:
            flaws.append(f"chart {chart} shows nothing: {shown[chart]}")
    for text in look["texts"]:
        if text["size"] < 9:
            flaws.append(f"\"{text['words']}\" is {text['size']:.1f} pixels high")
        box, frame = text["box"], text["frame"]
        if box["left"] < frame["left"] - 1 or box["right"] > frame["right"] + 1 or box["bottom"] > frame["bottom"] + 1:
            flaws.append(f"\"{text['words']}\" is cut off")
    for text in look["texts"] + look["words"]:
        if text["contrast"] < 4.5:
            flaws.append(f"\"{text['words']}\" has a contrast of {text['contrast']:.2f}")
    return [f"{view}: {flaw}" for flaw in flaws]


def heard(events, page):
    """What the page said, and what it asked the network for."""
    flaws = []
    for event in events:
        method, parameters = event.get("method"), event.get("params", {})
        if method in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            flaws.append(f"on the console: {json.dumps(parameters)}")
        if method == "Network.requestWillBeSent":
            url = parameters["request"]["url"]
            if url not in (page.as_uri(), "about:blank") and not url.startswith("data:"):
                flaws.append(f"it loads {url}")
    return flaws


KERNEL = """#include <metal_stdlib>
using namespace metal;

kernel void heat_step(device const float *from [[buffer(0)]], device float *to [[buffer(1)]],
                      constant uint &width [[buffer(2)]], uint2 at [[thread_position_in_grid]]) {
  const uint i = at.y * width + at.x;
  to[i] = 0.25f * (from[i - 1] + from[i + 1] + from[i - width] + from[i + width]) + 0.0f * from[i] * 1.0f * 1.0f * 1.0f;
}
"""

FINDING = {"severity": "warning", "id": "bounds.unsigned_wrap", "line": 7, "column": 24, "end_line": 7, "end_column": 29,
           "message": "'i - 1' wraps where 'i' is 0", "notes": [], "edits": []}


def write_candidate(results, folder):
    """The result of a candidate whose source, with a finding, and profile are there: the files to report."""
    lines = [json.loads(line) for each in results.glob("*.jsonl") for line in each.read_text().splitlines()]
    right = next(line for line in lines if line["role"] != "seed" and line["correct"] and line["task"] == "heat2d")
    seed = next(line for line in lines if line["role"] == "seed" and line["task"] == "heat2d")
    (folder / "heat.metal").write_text(KERNEL)
    mine = right | {"file": "heat.metal", "source_bytes": len(KERNEL), "diagnostics": [FINDING]}
    cost = {"instructions": 4, "cycles": 9, "active_lanes": 31, "device_lines": 3, "least_device_lines": 2}
    launch = {"kernel": "heat_step", "launches": 5, "predicted_seconds": 1e-4, "advice": "bound by memory",
              "lines": [cost | {"line": 6, "cycles": 3}, cost | {"line": 7}]}
    profile = {"file": "heat.metal", "source": KERNEL, "task": "heat2d", "chip": "m1",
               "sizes": [{"label": "s2", "predicted_seconds": 5e-4, "launches": [launch]}]}
    (folder / "mine.jsonl").write_text("".join(json.dumps(each) + "\n" for each in (seed, mine, profile)))


# The page of a candidate: the finding is below its line, and the link to the line works.
READ = r"""
(() => {
  const flaws = [];
  const line = document.getElementById('L7');
  if (!line) return ['the source is missing'];
  if (!line.nextElementSibling.textContent.includes("wraps where 'i' is 0")) flaws.push('no finding below line 7');
  if (!line.textContent.includes('75.0 %')) flaws.push(`no profile beside line 7: ${line.textContent}`);
  if (!document.querySelector('.findings a[href="#L7"]')) flaws.push('no link to line 7');
  if (document.querySelector('table.source button')) flaws.push('the lines of a source can be sorted');
  if (!document.querySelector('nav a[href="index.html"]')) flaws.push('no link to the summary');
  return flaws;
})()
"""

FOLDED = "[...document.querySelectorAll('details')].filter(each => !each.open).length"


# Words beside the cells of a listed row that take more than one line.
BROKEN_NAMES = """[...new Set([...document.querySelectorAll('.listed td[data-name]')]
  .filter(cell => {
    const style = getComputedStyle(cell, '::before');
    return !/[ -]/.test(cell.dataset.name) && parseFloat(style.height) > 2 * parseFloat(style.fontSize);
  }).map(cell => cell.dataset.name))]"""


def look_at(browser, page, charts, shots):
    """What is wrong with a page, on a desk and on a phone, in light and in dark, and on paper."""
    flaws, grounds = [], {}
    browser.open(page.as_uri())
    for width in (1280, 390):
        for scheme in ("light", "dark"):
            browser.show(width, scheme)
            look = browser.evaluate(LOOK)
            grounds[scheme] = look["ground"]
            flaws += flaws_of(look, f"{page.name}, {width} pixels, {scheme}", charts)
            if width == 390:
                flaws += [f"{page.name}, {width} pixels: the name '{name}' is broken into pieces" for name in browser.evaluate(BROKEN_NAMES)]
            if shots:
                browser.shoot(pathlib.Path(shots) / f"{page.stem}_{width}_{scheme}.png")
    if grounds["light"] == grounds["dark"]:
        flaws.append(f"{page.name}: light and dark look the same")
    return flaws


def broken_links(folder):
    for page in sorted(folder.glob("*.html")):
        for target in set(re.findall(r'href="([^"#]+\.html)"', page.read_text())):
            if not (folder / target).exists():
                yield f"{page.name}: {target} is missing"


def main():
    report, results = (pathlib.Path(each).resolve() for each in sys.argv[1:3])
    shots = sys.argv[4] if sys.argv[3:4] == ["--shot"] else None
    program = find_chromium()
    if not program:
        print("SKIP: Chromium is not installed (apt-get install chromium)")
        return 77
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        summary, pages = folder / "report.html", folder / "pages"
        subprocess.run([report, results, "--html", summary, "--pages", "all"], check=True, cwd=folder)
        write_candidate(results, folder)
        subprocess.run([report, "mine.jsonl", "--pages", pages], check=True, cwd=folder)
        candidate, = pages.glob("candidate-*.html")
        browser = Browser(program, folder / "profile")
        flaws = []
        try:
            flaws += look_at(browser, summary, CHARTS, shots)
            flaws += browser.evaluate(USE)
            browser.call("Page.printToPDF")
            if folded := browser.evaluate(FOLDED):
                flaws.append(f"{folded} tables are folded on paper")
            flaws += heard(browser.events, summary)
            flaws += look_at(browser, folder / "all/index.html", CHARTS, None)
            flaws += browser.evaluate(USE.replace('#candidate-', 'candidate-').replace(r'a[href^="#"]', 'a[href="#"]'))
            flaws += broken_links(folder / "all")
            flaws += look_at(browser, candidate, ["roofline"], shots)
            flaws += browser.evaluate(READ)
            flaws += heard(browser.events, candidate)
        finally:
            browser.end()
    for flaw in flaws:
        print(flaw)
    return 1 if flaws else 0


sys.exit(main())
