"""What a person sees of a page in a browser: contrast, width, and what it says on the console."""
import json

from page_speed import PANEL

# Texts whose contrast with what lies behind them is below 4.5, by WCAG 2.
CONTRAST = r"""
(() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const known = new Map();
  const numbers = colour => {
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      known.set(colour, [...canvas.getImageData(0, 0, 1, 1).data]);
    }
    return known.get(colour);
  };
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const ground = element => {
    for (let each = element; each; each = each.parentElement) {
      const colour = getComputedStyle(each).backgroundColor;
      if (numbers(colour)[3] > 250) return colour;
    }
    return '#fff';
  };
  const flaws = new Set();
  for (const element of document.querySelectorAll('button, p, li, td, th, h1, h2, b, summary, .cm-line span, .cm-gutterElement, label')) {
    if (!element.textContent.trim() || element.getBoundingClientRect().width === 0) continue;
    const [a, b] = [light(numbers(getComputedStyle(element).color)), light(numbers(ground(element)))].sort((x, y) => y - x);
    const contrast = (a + 0.05) / (b + 0.05);
    if (contrast < 4.5) flaws.add(`"${element.textContent.trim().slice(0, 30)}" (${element.className}) has a contrast of ${contrast.toFixed(2)}`);
  }
  return [...flaws];
})()
"""
WIDTH = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


def look(browser, name, shots):
    """What is wrong with contrast and width, on a desk and on a phone, in light and in dark. Writes images to `shots`."""
    flaws = []
    for width in (1280, 390):
        for scheme in ("light", "dark"):
            browser.show(width, scheme)
            view = f"{name}, {width} pixels, {scheme}"
            flaws += [f"{view}: {flaw}" for flaw in browser.evaluate(CONTRAST)]
            over = browser.evaluate(WIDTH)
            if over > 0:
                flaws.append(f"{view}: {over} pixels too wide")
            if shots:
                browser.shoot(shots / f"{name}_{width}_{scheme}.png")
    browser.show(1280, "light")
    return flaws


def complaints(events, address):
    """What the page said on the console. A page that is left still cancels what it asked its server for, which has ended."""
    for event in events:
        if event.get("method") in ("Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"):
            entry = event["params"].get("entry", {})
            if entry.get("source") != "network" or entry.get("url", address).startswith(address):
                yield f"on the console: {json.dumps(event['params'])[:500]}"


class Person:
    """Somebody at the page, with what was wrong so far."""

    def __init__(self, browser):
        self.browser, self.flaws = browser, []

    def expect(self, holds, flaw):
        if not holds:
            self.flaws.append(flaw)

    def wait_panel(self, words):
        self.browser.wait_for(f"{PANEL}.includes({json.dumps(words)})")
