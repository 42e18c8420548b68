"""msci-eval --page as a test starts it, and requests to it as no browser sends them."""
import http.client
import json
import os
import re
import subprocess
import tempfile
import time

PATIENCE = 600  # seconds; a slow machine never needs so long


class ServedPage:
    """A running server; its cache is the test's own."""

    def __init__(self, program, *arguments, arrange=list):
        self.folder = tempfile.TemporaryDirectory()
        environment = {**os.environ, "XDG_CACHE_HOME": self.folder.name}
        self.process = subprocess.Popen(arrange([program, "--page", *arguments]), stdout=subprocess.PIPE, env=environment,
                                        text=True)
        self.address = self.process.stdout.readline().strip()
        parts = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/(\w+)/", self.address)
        assert parts, f"the first line is not an address: {self.address!r}"
        self.port, self.token = int(parts[1]), parts[2]

    def request(self, method, target, body=None, **headers):
        """The status, the headers in lower case, and the body."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.putrequest(method, target, skip_host="Host" in headers)
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
            headers["Content-Length"] = str(len(body))
        for name, value in headers.items():
            connection.putheader(name, value)
        connection.endheaders(body)
        response = connection.getresponse()
        content = response.read()
        connection.close()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, content

    def get(self, target, **headers):
        return self.request("GET", target, **headers)

    def post(self, path, content, **headers):
        body = content if isinstance(content, str) else json.dumps(content)
        return self.request("POST", f"/{self.token}/{path}", body.encode(), **headers)

    def judge(self, request):
        """The answer of the judging server."""
        status, _, body = self.post("judge", request)
        assert status == 200, body
        ticket = json.loads(body)["ticket"]
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            state = json.loads(self.get(f"/{self.token}/answer?ticket={ticket}")[2])
            if "answer" in state:
                return state["answer"]
            time.sleep(0.05)
        raise AssertionError(f"no answer after {PATIENCE} s")

    def end(self):
        self.process.terminate()
        status = self.process.wait(timeout=PATIENCE)
        self.clean_up()
        assert status == 0, f"msci-eval --page ended with {status}"

    def clean_up(self):
        self.process.stdout.close()
        self.folder.cleanup()
