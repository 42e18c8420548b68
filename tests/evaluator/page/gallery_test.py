#!/usr/bin/env python3
"""msci-lint --gallery writes one page of all rules: gallery_test.py MSCI_LINT

Each rule has a section with a source and a finding; nothing is loaded, and nothing is a script. With Chromium, the page
fits a phone."""
import html.parser
import pathlib
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from browser import Browser, find_chromium  # noqa: E402

LINT = pathlib.Path(sys.argv[1]).absolute()
WITHOUT_END = {"meta", "link"}


class Balanced(html.parser.HTMLParser):
    """Collects the elements that end in the wrong order."""

    def __init__(self):
        super().__init__()
        self.open, self.wrong, self.ids = [], [], []

    def handle_starttag(self, tag, attributes):
        self.ids += [value for name, value in attributes if name == "id"]
        if tag not in WITHOUT_END:
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> at {self.getpos()}")


def main():
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "rules.html"
        subprocess.run([LINT, "--gallery", file], check=True)
        page = file.read_text()
        flaws = []
        parsed = Balanced()
        parsed.feed(page)
        flaws += parsed.wrong + [f"<{tag}> does not end" for tag in parsed.open]
        listed = subprocess.run([LINT, "--list-rules"], check=True, capture_output=True, text=True).stdout
        rules = re.findall(r"^([a-z_]+\.[a-z_0-9]+)", listed, re.M)
        if len(rules) < 30 or parsed.ids != sorted(rules):
            flaws.append(f"the page has {len(parsed.ids)} of {len(rules)} rules")
        sections = re.split(r'<h2 id="', page)[1:]
        flaws += [f"{each.split(chr(34))[0]} has no finding" for each in sections if "<b>  ▲ " not in each]
        if page.count("After the fix") < 10:
            flaws.append("the fixes are missing")
        if re.search(r"<script|https?://(?!\S*&)", re.sub(r"<pre>.*?</pre>", "", page, flags=re.S)):
            flaws.append("the page has a script or a link to another site")
        if "expect:" in page:
            flaws.append("a comment for the tests is left")
        refused = subprocess.run([LINT, "--gallery", f"{folder}/none/rules.html"], capture_output=True, text=True)
        if refused.returncode != 2 or "none/rules.html" not in refused.stderr:
            flaws.append(f"a file that cannot be written: {refused}")
        if program := find_chromium():
            browser = Browser(program, pathlib.Path(folder) / "profile")
            browser.show(390, "dark")
            browser.open(file.as_uri())
            over = browser.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            if over > 0:
                flaws.append(f"the page is {over} pixels too wide for a phone")
            if sys.argv[2:3] == ["--shot"]:
                browser.show(1280, "light")
                browser.shoot(sys.argv[3])
            browser.end()
    print("\n".join(flaws))
    return 1 if flaws else 0


sys.exit(main())
