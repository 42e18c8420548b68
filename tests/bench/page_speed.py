#!/usr/bin/env python3
"""How fast the page of msci-eval is, in headless Chromium: page_speed.py MSCI_EVAL SOURCE [--count N]

Prints the median and the largest of N times (default 10): the first paint, each of a new server and a new tab, and the
findings after a keystroke. Needs Chromium. Run it on an idle machine; it prints the load beside the times."""
import argparse
import os
import pathlib
import statistics
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from browser import Browser, find_chromium  # noqa: E402
from page_speed import bytes_loaded, findings_times, first_paint  # noqa: E402
from served_page import ServedPage  # noqa: E402


def row(name, times, most):
    print(f"{name:<32} {statistics.median(times):5.0f} ms median, {max(times):5.0f} ms at most, of {len(times)}; "
          f"the aim is {most} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=10)
    arguments = parser.parse_args()
    chromium = find_chromium()
    if not chromium:
        sys.exit("Chromium is not installed (apt-get install chromium)")
    seed = arguments.source.absolute() / "tasks/heat2d/heat2d.metal"
    text = seed.read_text()
    line = text[:text.index("const float c")].count("\n")
    paints = []
    print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    with tempfile.TemporaryDirectory() as folder:
        browser = Browser(chromium, pathlib.Path(folder) / "profile")
        try:
            for number in range(arguments.count):
                page = ServedPage(arguments.program.absolute(), seed)
                browser.open(page.address)
                browser.wait_for("document.querySelector('.cm-content')?.textContent.includes('heat_step')")
                paints.append(first_paint(browser))
                if number + 1 < arguments.count:
                    page.end()
            size = bytes_loaded(browser)
            times = findings_times(browser, text, line, arguments.count)
            page.end()
        finally:
            browser.end()
    row("first paint", paints, 300)
    row("findings after a keystroke", times, 150)
    print(f"{'bytes of the page':<32} {size:,}; the aim is 1,000,000")


main()
