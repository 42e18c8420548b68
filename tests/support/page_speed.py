"""How fast the page of msci-eval is in a browser: its first paint, and findings after a keystroke."""
import json

PASTE = """(text => {
  const data = new DataTransfer();
  data.setData('text/plain', text);
  document.querySelector('.cm-content').dispatchEvent(new ClipboardEvent('paste', {clipboardData: data, bubbles: true, cancelable: true}));
})"""
PANEL = "document.getElementById('panel').textContent"


def replace_text(browser, text):
    """Replaces the text in the editor by a paste."""
    browser.evaluate("document.querySelector('.cm-content').focus()")
    browser.press("a", modifiers=2)
    browser.evaluate(PASTE + f"({json.dumps(text)})")


def first_paint(browser):
    """Milliseconds from the start of the navigation. The browser reports it a while after the page is there."""
    browser.wait_for("performance.getEntriesByName('first-contentful-paint').length > 0")
    return browser.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")


def bytes_loaded(browser):
    return browser.evaluate("performance.getEntriesByType('resource').reduce((sum, each) => sum + each.decodedBodySize, 0)")


def findings_times(browser, text, line, count):
    """Milliseconds from a keystroke at the end of that line, counted from 0, to the finding about it."""
    times = []
    for number in range(count):
        name = f"missing{number}"
        replace_text(browser, text)
        browser.wait_for(f"{PANEL}.includes('No findings')")
        browser.evaluate(f"(() => {{ const line = document.querySelectorAll('.cm-line')[{line}];"
                         "getSelection().collapse(line, line.childNodes.length); })()")
        times.append(time_of_finding(browser, name))
    return times


def time_of_finding(browser, name):
    """Milliseconds from a paste of an unknown name at the cursor to the finding about it."""
    return browser.evaluate(f"""new Promise(done => {{
        const start = performance.now();
        {PASTE}(' {name};');
        const look = () => {PANEL}.includes('{name}') ? done(performance.now() - start) : requestAnimationFrame(look);
        look();
    }})""")
