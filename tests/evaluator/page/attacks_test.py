#!/usr/bin/env python3
"""What other sites, other programs and hostile sources can do to msci-eval --page: attacks_test.py MSCI_EVAL SOURCE [TEST…]"""
import json
import os
import pathlib
import re
import signal
import socket
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from crowd import CLIENTS, check_idle_and_end, with_few_files  # noqa: E402
from served_page import ServedPage  # noqa: E402

EVAL, SOURCE = (pathlib.Path(each).absolute() for each in sys.argv[1:3])
SEED = (SOURCE / "tasks/heat2d/heat2d.metal").read_text()
ENDLESS = SEED.replace("const uint i = cell.x;", "for (uint n = 0; NX != 0; n += NX) { u_out[n % NX] = n; }\n  const uint i = cell.x;")


class Attacks(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = ServedPage(EVAL, "--time-limit", "3")

    @classmethod
    def tearDownClass(cls):
        cls.page.end()

    def test_the_token_is_needed(self):
        page = self.page
        for target in ("/", "/page.js", "/gallery", "/x/", f"/{page.token[:-1]}/", f"/{page.token}", f"/{'0' * 32}/",
                       f"//{page.token}/", f"/../{page.token}/"):
            status, _, _ = page.get(target)
            self.assertEqual(status, 404, target)
        self.assertEqual(page.get(f"/{page.token}/")[0], 200)
        self.assertRegex(page.token, "^[0-9a-f]{32}$")

    def test_other_hosts_are_refused(self):
        """DNS rebinding: the name of another site leads to this machine."""
        page = self.page
        for host in ("evil.example", f"evil.example:{page.port}", "127.0.0.1", f"localhost:{page.port}", "", f"127.0.0.1:{page.port}.evil.example"):
            self.assertEqual(page.get(f"/{page.token}/", Host=host)[0], 421, host)

    def test_other_sites_are_refused(self):
        page = self.page
        for header in ({"Origin": "http://evil.example"}, {"Origin": "null"}, {"Origin": f"http://127.0.0.1:{page.port + 1}"},
                       {"Sec-Fetch-Site": "cross-site"}, {"Sec-Fetch-Site": "same-site"}):
            self.assertEqual(page.get(f"/{page.token}/gallery", **header)[0], 403, header)
            self.assertEqual(page.post("judge", {}, **header)[0], 403, header)
        # What a form or a simple request of another site may send.
        self.assertEqual(page.post("judge", {}, **{"Content-Type": "text/plain"})[0], 415)
        status, headers, _ = page.request("OPTIONS", f"/{page.token}/judge", Origin="http://evil.example")
        self.assertEqual(status, 403)
        self.assertEqual(page.request("OPTIONS", f"/{page.token}/judge")[0], 405)
        self.assertFalse([name for name in headers if name.startswith("access-control")])

    def test_the_page_loads_nothing_from_elsewhere(self):
        _, headers, body = self.page.get(f"/{self.page.token}/")
        policy = headers["content-security-policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertIn("frame-ancestors 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertEqual(headers["x-content-type-options"], "nosniff")
        self.assertEqual(headers["referrer-policy"], "no-referrer")
        self.assertFalse(re.findall(r"https?://", body.decode()))
        nonce = re.search(r"nonce-(\w+)", policy)[1]
        self.assertNotEqual(nonce, re.search(r"nonce-(\w+)", self.page.get(f"/{self.page.token}/")[1]["content-security-policy"])[1])

    def test_it_listens_on_the_loopback_address_alone(self):
        with self.assertRaises(OSError):
            socket.create_connection(("127.0.0.2", self.page.port), timeout=600)

    def test_requests_name_no_files_of_the_disk(self):
        page = self.page
        for fields in ({"file": "/etc/passwd"}, {"plan": "/etc/passwd"}, {"task": "/etc/passwd"}, {"task": "../plan.json"},
                       {"verdict": "timed"}, {"verdict": 3}, {"source": None}):
            status, _, body = page.post("judge", {"source": SEED, "name": "a.metal", "verdict": "verify", **fields})
            self.assertEqual(status, 400, (fields, body))
        for method in ("workspace/executeCommand", "workspace/symbol", "textDocument/rename", "initialize", "exit"):
            self.assertEqual(page.post("language", {"name": "a.metal", "text": SEED, "method": method})[0], 400, method)
        source = '#include "/etc/passwd"\n#include "../../../../etc/passwd"\n' + SEED
        for name in ("a.metal", "/etc/a.metal", "../../etc/a.metal"):
            _, _, body = page.post("language", {"name": name, "text": source, "method": "textDocument/diagnostic"})
            self.assertNotIn(b"root:", body)
            self.assertIn("result", json.loads(body))

    def test_long_requests_are_bounded(self):
        page = self.page
        self.assertEqual(page.post("judge", {"source": "/" * (1 << 21), "name": "a", "verdict": "verify", "task": "heat2d"})[0], 413)
        self.assertEqual(page.post("judge", {"source": SEED, "name": "a", "verdict": "compared", "task": "heat2d", "rival": "/" * (1 << 21)})[0], 413)
        self.assertEqual(page.post("language", {"name": "a", "text": "/" * (1 << 21), "method": "textDocument/hover"})[0], 413)
        self.assertEqual(page.post("judge", "[" * 100_000)[0], 400)
        start = f"POST /{page.token}/judge HTTP/1.1\r\nHost: 127.0.0.1:{page.port}\r\n".encode()
        for head, endless in ((start, b"x-header: " + b"y" * 1000 + b"\r\n"), (start + b"x: ", b"y" * 1000),
                              (start + b"Content-Length: 99999999999\r\n\r\n", b"z" * 1000),
                              (start + b"Transfer-Encoding: chunked\r\n\r\n", b"3e8\r\n" + b"z" * 1000 + b"\r\n")):
            sent = self.send_until_refused(head, endless)
            self.assertLess(sent, 12 << 20, head)

    def send_until_refused(self, head, endless):
        with socket.create_connection(("127.0.0.1", self.page.port), timeout=600) as client:
            sent = 0
            try:
                client.sendall(head)
                while sent < 64 << 20:
                    client.sendall(endless * 64)
                    sent += len(endless) * 64
            except OSError:
                pass
            return sent

    def test_malformed_requests_end_the_connection_alone(self):
        page = self.page
        for text in (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"GET\r\n\r\n", b"\0" * 100, b"GET / HTTP/9.9\r\n\r\n",
                     b"POST / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"):
            with socket.create_connection(("127.0.0.1", page.port), timeout=600) as client:
                client.sendall(text)
                client.shutdown(socket.SHUT_WR)
                while client.recv(1 << 16):
                    pass
        self.assertEqual(page.get(f"/{page.token}/")[0], 200)

    def test_many_and_slow_connections_leave_the_page_alone(self):
        page = self.page
        idle = [socket.create_connection(("127.0.0.1", page.port)) for _ in range(400)]
        for client in idle[::2]:
            try:
                client.sendall(b"GET / HT")
            except OSError:
                pass
        self.assertEqual(page.get(f"/{page.token}/")[0], 200)
        # It did not wait until they were given up.
        self.assertRaises(BlockingIOError, idle[-1].recv, 1, socket.MSG_DONTWAIT)
        for client in idle:
            client.close()

    def test_a_hundred_pages_are_bounded(self):
        page = self.page
        tickets, refused = [], 0
        for number in range(100):
            status, _, body = page.post("judge", {"source": f"{ENDLESS}// {number}\n", "name": "a.metal", "verdict": "verify",
                                                  "task": "heat2d"})
            if status == 200:
                tickets.append(json.loads(body)["ticket"])
            else:
                self.assertEqual(status, 429, body)
                refused += 1
        self.assertGreaterEqual(refused, 30)
        _, _, body = page.post("language", {"name": "a.metal", "text": "kernel void f() {}", "method": "textDocument/diagnostic"})
        self.assertIn("result", json.loads(body))  # while the others still wait
        self.assertIn("waiting", json.loads(page.get(f"/{page.token}/answer?ticket={tickets[-1]}")[2]))
        page.post("cancel", {"tickets": tickets})
        # The queue is free again, and what was cancelled is gone.
        self.assertEqual(page.get(f"/{page.token}/answer?ticket={tickets[0]}")[0], 404)
        answer = page.judge({"source": SEED, "name": "a.metal", "verdict": "verify", "task": "heat2d"})
        self.assertTrue(answer["evaluation"]["correct"])

    def test_an_answer_can_be_asked_for_again(self):
        """A browser repeats a request if the connection breaks before it has read the answer."""
        page = self.page
        request = {"source": SEED, "name": "a.metal", "verdict": "verify", "task": "heat2d"}
        ticket = json.loads(page.post("judge", request)[2])["ticket"]
        target = f"/{page.token}/answer?ticket={ticket}"
        while "answer" not in json.loads(page.get(target)[2]):
            time.sleep(0.05)
        first, second = page.get(target), page.get(target)
        self.assertTrue(json.loads(first[2])["answer"]["evaluation"]["correct"])
        self.assertEqual((first[0], first[2]), (second[0], second[2]))
        page.post("cancel", {"tickets": [ticket]})
        self.assertEqual(page.get(target)[0], 404)

    def test_an_endless_kernel_ends(self):
        answer = self.page.judge({"source": ENDLESS, "name": "endless.metal", "verdict": "verify", "task": "heat2d"})
        self.assertIsNot(answer.get("evaluation", {}).get("correct"), True)
        self.assertTrue(self.page.judge({"source": SEED, "name": "a.metal", "verdict": "check", "task": "heat2d"})["check"]["valid"])
        answer = self.page.judge({"source": ENDLESS, "name": "endless.metal", "verdict": "difference", "task": "heat2d"})
        self.assertIn("missing", answer["difference"])
        answer = self.page.judge({"source": SEED, "rival": ENDLESS, "name": "a.metal", "verdict": "compared", "task": "heat2d"})
        self.assertIsNone(answer.get("evaluation", {}).get("versus"))

    def test_code_of_a_huge_source_is_bounded(self):
        """A hundred kernels of long unrolled loops: an answer, or why there is none, within the limits of the compiler."""
        body = "  #pragma unroll\n  for (uint n = 0; n < 64; ++n) y[i] = fma(y[i], sin(y[i] + n), cos(y[i] * n));\n" * 20
        source = "#include <metal_stdlib>\nusing namespace metal;\n" + "".join(
            f"kernel void k{number}(device float* y [[buffer(0)]], uint i [[thread_position_in_grid]]) {{\n{body}}}\n" for number in range(100))
        answer = self.page.judge({"source": source, "name": "huge.metal", "verdict": "code"})
        self.assertLess(len(json.dumps(answer)), 16 << 20)
        self.assertTrue("error" in answer or "code" in answer, answer)

    def test_crowded_questions_keep_their_answers(self):
        """Two pages with the same name and other texts do not see each other's findings."""
        one, other = "kernel void f() { int unfinished = }", "kernel void f() {}"
        for _ in range(5):
            for text, has_error in ((one, True), (other, False)):
                _, _, body = self.page.post("language", {"name": "same.metal", "text": text, "method": "textDocument/diagnostic"})
                severities = [each["severity"] for each in json.loads(body)["result"]["items"]]
                self.assertEqual(1 in severities, has_error, text)


class Crowded(unittest.TestCase):
    def test_a_crowd_is_served_or_refused_with_few_files(self):
        page = ServedPage(EVAL, arrange=with_few_files)
        self.addCleanup(page.clean_up)
        self.addCleanup(page.process.wait)
        self.addCleanup(page.process.kill)
        crowd = [socket.create_connection(("127.0.0.1", page.port)) for _ in range(CLIENTS)]
        self.addCleanup(lambda: [each.close() for each in crowd])
        self.assertEqual(page.get(f"/{page.token}/")[0], 200)
        _, _, body = page.post("language", {"name": "a.metal", "text": "kernel void f() {}", "method": "textDocument/diagnostic"})
        self.assertIn("result", json.loads(body))
        answer = page.judge({"source": SEED, "name": "a.metal", "verdict": "verify", "task": "heat2d"})
        self.assertTrue(answer.get("evaluation", {}).get("correct"), answer)
        crowd += [socket.create_connection(("127.0.0.1", page.port)) for _ in range(CLIENTS)]
        check_idle_and_end(self, page.process)

    def test_ends_although_its_servers_do_not(self):
        page = ServedPage(EVAL)
        self.addCleanup(page.clean_up)
        self.addCleanup(page.process.wait)
        self.addCleanup(page.process.kill)
        page.post("language", {"name": "a.metal", "text": "kernel void f() {}", "method": "textDocument/diagnostic"})
        page.judge({"source": SEED, "name": "a.metal", "verdict": "verify", "task": "heat2d"})
        servers = pathlib.Path(f"/proc/{page.process.pid}/task/{page.process.pid}/children").read_text().split()
        self.assertEqual(len(servers), 2)
        for server in servers:
            os.kill(int(server), signal.SIGSTOP)
        check_idle_and_end(self, page.process)


unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
