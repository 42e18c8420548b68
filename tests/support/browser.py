"""Headless Chromium over its debugging pipe (the DevTools protocol), with Python's standard library alone."""
import base64
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

PATIENCE = 600  # seconds; a slow machine never needs so long


def find_chromium():
    """The program, or None."""
    return shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Browser:
    """Chromium, spoken to over its debugging pipe: JSON messages that end in a zero byte."""

    def __init__(self, program, profile):
        to_browser, from_browser = os.pipe(), os.pipe()

        def connect():
            # Descriptors 3 and 4 are where Chromium listens and answers.
            read, write = os.dup(to_browser[0]), os.dup(from_browser[1])
            os.dup2(read, 3)
            os.dup2(write, 4)

        self.process = subprocess.Popen(
            [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--remote-debugging-pipe", f"--user-data-dir={profile}", "--no-first-run", "about:blank"],
            preexec_fn=connect, close_fds=False, start_new_session=True,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser[0])
        os.close(from_browser[1])
        self.write, self.read = to_browser[1], from_browser[0]
        self.buffer, self.count, self.events, self.session = b"", 0, [], None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")

    def receive(self):
        while b"\0" not in self.buffer:
            piece = os.read(self.read, 1 << 20)
            if not piece:
                sys.exit("Chromium ended before it answered")
            self.buffer += piece
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def call(self, method, **parameters):
        self.count += 1
        message = {"id": self.count, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.count:
                if "error" in answer:
                    sys.exit(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def open(self, url):
        self.events = []
        self.call("Page.navigate", url=url)
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self.receive())

    def evaluate(self, expression):
        """The value of an expression, or of the promise that it makes."""
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in answer:
            sys.exit(f"in the page: {answer['exceptionDetails']}")
        return answer["result"].get("value")

    def wait_for(self, expression):
        """The value of an expression as soon as it is true."""
        end = time.monotonic() + PATIENCE
        while not (value := self.evaluate(expression)):
            if time.monotonic() > end:
                sys.exit(f"after {PATIENCE} s it is still false: {expression}")
            time.sleep(0.02)
        return value

    def type(self, text):
        """Types into what has the focus."""
        self.call("Input.insertText", text=text)

    def press(self, key, code=None, modifiers=0):
        """A key with its code of Windows; modifiers: 1 Alt, 2 Ctrl, 8 Shift."""
        code = code or {"Enter": 13, "Backspace": 8, "End": 35, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}.get(key, ord(key[0].upper()))
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, modifiers=modifiers)

    def show(self, width, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=900, deviceScaleFactor=1,
                  mobile=width < 600)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        # The page is laid out anew in the next frame.
        self.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def shoot(self, path):
        """Writes what the window shows: a PNG, or by the name a WebP."""
        form = {"format": "webp", "quality": 60} if str(path).endswith(".webp") else {"format": "png"}
        image = self.call("Page.captureScreenshot", captureBeyondViewport=True, **form)["data"]
        pathlib.Path(path).write_bytes(base64.b64decode(image))

    def end(self):
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
