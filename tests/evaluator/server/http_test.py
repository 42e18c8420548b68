#!/usr/bin/env python3
"""msci-eval --server --http as its clients meet it: http_test.py MSCI_EVAL SOURCE [TEST…]"""
import concurrent.futures
import http.client
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.parse

EVAL, SOURCE = (pathlib.Path(each).absolute() for each in sys.argv[1:3])
TASK = "nbody"  # the quickest to judge
SEED = (SOURCE / f"tasks/{TASK}/{TASK}.metal").read_text()
WRONG = "#include <metal_stdlib>\nkernel void other(device float* x [[buffer(0)]]) { x[0] = 1; }\n"
TOKEN = "the secret of this test"


class Http(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.environment = {**os.environ, "XDG_CACHE_HOME": folder.name, "MSCI_HTTP_TOKEN": TOKEN}

    def start(self, *arguments, address="127.0.0.1:0"):
        self.server = subprocess.Popen([EVAL, "--server", "--device", "cpu", "--http", address, *arguments],
                                       stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=self.environment)
        self.addCleanup(lambda: [each.close() for each in (self.server.stdout, self.server.stderr)])
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.kill)
        said = json.loads(self.server.stdout.readline())
        self.at = urllib.parse.urlparse(said["address"])
        return said

    def ask(self, method, path, body=None, token=TOKEN, timeout=300):
        """The status, the headers and the object of a response."""
        connection = http.client.HTTPConnection(self.at.hostname, self.at.port, timeout=timeout)
        self.addCleanup(connection.close)
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        connection.request(method, path, body if isinstance(body, (str, type(None))) else json.dumps(body), headers)
        response = connection.getresponse()
        text = response.read().decode()
        is_json = response.headers["Content-Type"] == "application/json"
        return response.status, response.headers, json.loads(text) if is_json else text

    def refusal(self, status, *arguments, **more):
        got, headers, body = self.ask(*arguments, **more)
        self.assertEqual(got, status, body)
        return headers, body["error"]

    def test_judges_a_request_as_lines_have_it(self):
        self.start()
        status, _, answer = self.ask("POST", "/verify", {"source": SEED, "task": TASK, "verdict": "verify"})
        self.assertEqual((status, answer["evaluation"]["correct"], answer["reward"]), (200, True, 0.5))
        status, _, answer = self.ask("POST", "/verify", {"source": WRONG, "task": TASK, "verdict": "verify"})
        self.assertEqual((status, answer["evaluation"]["correct"], answer["reward"]), (200, False, 0.0))

    def test_gives_back_what_nemo_gym_sent_with_the_reward(self):
        self.start()
        output = [{"type": "reasoning", "content": []},
                  {"type": "message", "content": [{"type": "output_text", "text": f"Here:\n```metal\n{SEED}```\n"}]}]
        sent = {"responses_create_params": {"input": "…"}, "response": {"id": "r1", "output": output}, "task": TASK,
                "verdict": "verify"}
        status, _, answer = self.ask("POST", "/verify", sent)
        self.assertEqual((status, answer["reward"]), (200, 0.5))
        self.assertEqual({key: answer[key] for key in sent}, sent)
        for empty in ([], [{"type": "message", "content": "text"}], [{"type": 3, "content": [4, {"text": 5}]}], 7, None):
            status, _, answer = self.ask("POST", "/verify", {**sent, "response": {"output": empty}})
            self.assertEqual((status, answer["reward"]), (200, 0.0), empty)

    def test_is_an_environment_of_one_step(self):
        self.start()
        status, _, begun = self.ask("POST", "/reset", {})
        self.assertIn(TASK, begun["observation"]["tasks"])
        status, _, begun = self.ask("POST", "/reset", {"task": TASK})
        self.assertEqual((status, begun["reward"], begun["done"]), (200, None, False))
        self.assertEqual(begun["observation"]["task"]["name"], TASK)
        action = {"task": TASK, "verdict": "verify", "answer": f"```\n{SEED}```"}
        status, _, stepped = self.ask("POST", "/step", {"action": action})
        self.assertEqual((status, stepped["reward"], stepped["done"]), (200, 0.5, True))
        self.assertTrue(stepped["observation"]["evaluation"]["correct"])
        self.assertEqual(self.ask("GET", "/state")[2], {"episode_id": None, "step_count": 0})
        self.refusal(400, "POST", "/step", {})
        self.refusal(400, "POST", "/step", {"action": {"task": TASK}})
        self.refusal(400, "POST", "/step", {"action": {"task": TASK, "answer": 5}})
        self.refusal(400, "POST", "/reset", {"task": "chess"})

    def test_answers_probes_and_counts(self):
        self.start()
        self.assertEqual(self.ask("GET", "/health", token=None)[::2], (200, {"status": "healthy"}))
        self.ask("POST", "/verify", {"source": SEED, "task": TASK, "verdict": "verify"})
        self.ask("POST", "/verify", {"source": WRONG, "task": TASK, "verdict": "verify"})
        status, headers, text = self.ask("GET", "/metrics")
        self.assertEqual((status, headers["Content-Type"]), (200, "text/plain; version=0.0.4"))
        samples = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
        self.assertEqual(samples['msci_answers_total{result="right"}'], "1")
        self.assertEqual(samples['msci_answers_total{result="wrong"}'], "1")
        self.assertEqual(samples["msci_waiting"], "0")

    def test_answers_at_each_address_of_its_description(self):
        self.start()
        described = json.loads((SOURCE / "docs/schemas/judge_http.openapi.json").read_text())
        bodies = {"/verify": {"source": SEED, "task": TASK, "verdict": "lint"}, "/reset": {},
                  "/step": {"action": {"task": TASK, "verdict": "verify", "source": SEED}}}
        self.assertEqual(len(described["paths"]), 6)
        for path, methods in described["paths"].items():
            for method, about in methods.items():
                token = None if about.get("security") == [] else TOKEN
                status, headers, body = self.ask(method.upper(), path, bodies.get(path), token=token)
                self.assertIn(str(status), about["responses"], path)
                content = about["responses"]["200"]["content"]
                self.assertIn(headers["Content-Type"].partition(";")[0], content, path)
                schema = next(iter(content.values()))["schema"]
                if "$ref" in schema:
                    schema = described["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
                for name in schema.get("required", ()):
                    self.assertIn(name, body, path)

    def test_needs_the_token(self):
        self.start()
        request = {"source": SEED, "task": TASK, "verdict": "verify"}
        for token in (None, "", TOKEN[:-1], TOKEN + "x"):
            headers, error = self.refusal(401, "POST", "/verify", request, token=token)
            self.assertEqual(headers["WWW-Authenticate"], "Bearer")
            self.assertIn("Bearer", error)
            self.refusal(401, "GET", "/metrics", token=token)

    def test_makes_a_token(self):
        del self.environment["MSCI_HTTP_TOKEN"]
        said = self.start()
        self.refusal(401, "GET", "/state")
        self.assertEqual(self.ask("GET", "/state", token=said["token"])[0], 200)

    def test_refuses_what_names_files_and_what_it_cannot_read(self):
        self.start()
        good = {"source": SEED, "task": TASK}
        for field, value in (("file", "/etc/passwd"), ("plan", "/etc/passwd"), ("id", 1), ("cancel", 1)):
            self.assertIn(field, self.refusal(400, "POST", "/verify", {**good, field: value})[1])
        for wrong in ({**good, "verdict": "best"}, {**good, "nonsense": 1}, {"task": TASK}, {**good, "task": "/etc/passwd"},
                      {**good, "task": 5}):
            self.refusal(400, "POST", "/verify", wrong)
        self.refusal(400, "POST", "/verify", "{")
        self.refusal(400, "POST", "/verify", "[]")
        self.refusal(400, "POST", "/verify", "[" * 100000)
        self.refusal(404, "POST", "/nothing", {})
        self.refusal(404, "GET", "/verify")
        self.refusal(405, "PUT", "/verify", {})

    def test_says_what_an_address_is(self):
        for address, reason in (("8000", "127.0.0.1:8000"), ("127.0.0.1:", "127.0.0.1:8000"), ("127.0.0.1:70000", "127.0.0.1:8000"),
                                ("host:8000", "cannot listen on host:8000"), ("192.0.2.1:8000", "cannot listen")):
            ended = subprocess.run([EVAL, "--server", "--http", address], capture_output=True, text=True, env=self.environment)
            self.assertEqual(ended.returncode, 2)
            self.assertIn(reason, ended.stderr)

    def test_serves_a_crowd_and_answers_each_once(self):
        self.start("--jobs", "2")
        # Equal requests share one verdict.
        request = {"source": SEED, "task": TASK, "verdict": "verify"}
        with concurrent.futures.ThreadPoolExecutor(200) as pool:
            answers = list(pool.map(lambda _: self.ask("POST", "/verify", request)[::2], range(200)))
        self.assertEqual([status for status, _ in answers], [200] * 200)
        self.assertEqual({answer["reward"] for _, answer in answers}, {0.5})

    def test_drops_the_request_of_who_leaves(self):
        self.start("--jobs", "1")
        connection = http.client.HTTPConnection(self.at.hostname, self.at.port)
        connection.request("POST", "/verify", json.dumps({"source": SEED, "task": "fft3d", "verdict": "verify"}),
                           {"Authorization": f"Bearer {TOKEN}"})
        until = time.monotonic() + 60
        while "msci_waiting 1" not in self.ask("GET", "/metrics")[2]:
            self.assertLess(time.monotonic(), until)
        connection.close()
        while "msci_waiting 0" not in self.ask("GET", "/metrics")[2]:
            self.assertLess(time.monotonic(), until)

    @unittest.skipUnless(shutil.which("curl"), "curl is not installed")
    def test_serves_curl(self):
        self.start()
        body = json.dumps({"source": SEED, "task": TASK, "verdict": "verify"})
        ran = subprocess.run(["curl", "-sS", "-d", "@-", "-H", f"Authorization: Bearer {TOKEN}",
                              f"http://{self.at.netloc}/verify"], input=body, capture_output=True, text=True)
        self.assertEqual(json.loads(ran.stdout)["reward"], 0.5, ran.stderr)

    def test_ends_at_once_with_its_processes(self):
        self.start()
        self.ask("POST", "/verify", {"source": SEED, "task": TASK, "verdict": "verify"})
        children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.server.pid)], capture_output=True, text=True).stdout
        self.assertTrue(children.split())
        self.server.send_signal(signal.SIGTERM)
        self.assertEqual(self.server.wait(5), 0)
        for pid in children.split():
            self.assertFalse(pathlib.Path(f"/proc/{pid}").exists())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]], verbosity=2)
