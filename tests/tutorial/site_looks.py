#!/usr/bin/env python3
"""Looks at the website in headless Chromium, on a desk and on a phone, in light and in dark:

    site_looks.py SITE [--shot FOLDER]

SITE is the folder that docs/site.sh made. Its pages must not be wider than the screen, have texts with a contrast of at
least 4.5, and say nothing on the console. --shot keeps what it saw, the README among it. Needs Chromium (Debian's
package); says so and exits with 77 where it is absent."""
import functools
import http.server
import pathlib
import sys
import tempfile
import threading

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from browser import Browser, find_chromium  # noqa: E402
from page_looks import CONTRAST, WIDTH, complaints  # noqa: E402

PAGES = {"readme": "", "tutorial": "guide/first_kernel/", "rules": "rules/", "rule": "rules/metal/restrict/",
         "options": "reference/msci_lint/", "report": "reports/2026-11_scoreboard/"}


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def flaws_of(browser, name, address, shots):
    for scheme in ("light", "dark"):
        browser.show(1280, scheme)
        browser.open(address)
        browser.evaluate("localStorage.clear()")  # the theme keeps the scheme of the first visit
        browser.open(address)
        if (browser.evaluate("document.body.dataset.mdColorScheme") == "slate") != (scheme == "dark"):
            yield f"{name} is not {scheme}"
        for width in (1280, 390):
            browser.show(width, scheme)
            view = f"{name}, {width} pixels, {scheme}"
            yield from (f"{view}: {flaw}" for flaw in browser.evaluate(CONTRAST))
            if (over := browser.evaluate(WIDTH)) > 0:
                yield f"{view}: {over} pixels too wide"
            if shots:
                browser.shoot(shots / f"{name}_{width}_{scheme}.png")
        yield from complaints(browser.events, address)


def main():
    shots = pathlib.Path(sys.argv[3]) if sys.argv[2:3] == ["--shot"] else None
    program = find_chromium()
    if not program:
        print("SKIP: Chromium is not installed (apt-get install chromium)")
        return 77
    flaws = []
    files = functools.partial(Files, directory=sys.argv[1])
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), files) as server, tempfile.TemporaryDirectory() as profile:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = Browser(program, profile)
        try:
            for name, page in PAGES.items():
                flaws += flaws_of(browser, name, f"http://127.0.0.1:{server.server_port}/{page}", shots)
        finally:
            browser.end()
            server.shutdown()
    print("\n".join(flaws) or f"{len(PAGES)} pages look as they should")
    return 1 if flaws else 0


sys.exit(main())
