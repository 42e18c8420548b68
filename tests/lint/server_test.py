#!/usr/bin/env python3
"""msci-lint --server as its clients meet it: server_test.py MSCI_LINT SOURCE [TEST…]"""
import json
import os
import pathlib
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))
from crowd import CLIENTS, check_idle_and_end, with_few_files  # noqa: E402
from line_client import LineClient  # noqa: E402

LINT, SOURCE = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])

GOOD = """#include <metal_stdlib>
using namespace metal;
kernel void saxpy(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) { x[i] = 0.0f; }
"""
BAD = "kernel void f(device float* restrict x [[buffer(0)]]) { x[0] = 0; }\n"
# 2^14 instances of a template; and nesting that no stack holds.
SLOW = GOOD + """template <int N, int M> struct S { static constexpr constant int n = S<N - 1, 2 * M>::n + S<N - 1, 2 * M + 1>::n; };
template <int M> struct S<0, M> { static constexpr constant int n = 1; };
constant int c = S<13, 0>::n;
"""
DEEP = GOOD + "constant int a = " + "(" * 300000 + "1" + ")" * 300000 + ";\n"
# What a source begins with decides which headers are read ahead for it.
BEGINNINGS = [
    "#include <metal_stdlib>\n", "", "// words\n#include <metal_stdlib>\n#include <metal_simdgroup>\n",
    "/* more\nwords */ # include <metal_math>\n", "#include <metal_stdlib> // behind\n",
    "#define max 3\n#include <metal_stdlib>\n", "#pragma once\n#include <metal_stdlib>\n", "#include <nowhere>\n",
    "#include <metal_stdlib>\n#include <simd/simd.h>\n", "// continued \\\n#include <metal_stdlib>\n",
    "#include <__prelude>\n", "#include <metal_stdlib> junk\n", "#include \"metal_stdlib\"\n"]
BODIES = [
    "using namespace metal;\nkernel void f(device float4* x, uint i [[thread_position_in_grid]]) { x[i] = max(x[i], 0.5); }\n",
    "kernel void f(device metal::atomic_uint* x) { metal::atomic_fetch_add(x, 1u); }\n",
    "using namespace metal;\nkernel void f(device float* x [[buffer(0)]], uint i [[thread_position_in_grid]]) {\n"
    "  x[i] = simd_sum(x[i]) + smid_sum(x[i]);\n}\n",
    "template <typename T> T twice(T x) { return x + x; }\nkernel void f(device float* x) { x[0] = twice(x[0])\n",
    "#if 1\nkernel void f() {}\n", "struct", "constant float3x3 m = float3x3(1.0);\n#include <metal_stdlib>\n"]


def reports_of(*files):
    """What msci-lint --json says of each."""
    done = subprocess.run([LINT, "--json", *files], capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


class OnStandardInput(unittest.TestCase):
    def serve(self, *arguments):
        server = subprocess.Popen([LINT, "--server", *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE)
        self.addCleanup(lambda: [each.close() for each in (server.stdin, server.stdout, server.stderr)])
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        self.server = server
        return LineClient(server.stdin, server.stdout)

    def error(self, client, line):
        client.send(line)
        answer = client.answer()
        self.assertEqual(sorted(answer), ["error", "id"], answer)
        return answer["error"]

    def test_answers_what_the_command_line_prints(self):
        files = sorted([*(SOURCE / "tests/compiler/frontend/refuse").glob("*.metal")][:12] +
                       [*(SOURCE / "corpus/good").glob("*.metal")][:8] + [*(SOURCE / "tasks").glob("*/*.metal")])
        client = self.serve()
        for number, file in enumerate(files):
            client.ask(id=number, file=str(file))
        answers = client.answers(len(files))
        for number, report in enumerate(reports_of(*files)):
            self.assertEqual(answers[number]["report"], report)

    def test_reads_headers_ahead_without_a_difference(self):
        client = self.serve()
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for beginning in BEGINNINGS:
                for body in BODIES:
                    files.append(pathlib.Path(folder) / f"{len(files)}.metal")
                    files[-1].write_text(beginning + body)
            for number, file in enumerate(files):
                client.ask(id=number, source=file.read_text(), name=str(file), config=False)
            answers = client.answers(len(files))
            # One at a time, each in a process that has seen no other.
            for number, file in list(enumerate(files))[::3]:
                self.assertEqual([answers[number]["report"]], reports_of("--no-config", file), file.read_text())

    def test_keeps_on_answering_while_a_source_takes_long(self):
        client = self.serve("--jobs", "2")
        client.ask(id="slow", source=SLOW)
        for number in range(5):
            client.ask(id=number, source=GOOD)
        self.assertEqual({client.answer()["id"] for _ in range(5)}, set(range(5)))
        slow = client.answer()
        self.assertEqual(slow["id"], "slow")
        self.assertTrue(slow["report"]["valid"])

    def test_survives_sources_that_break_the_compiler(self):
        client = self.serve()
        client.ask(id="deep", source=DEEP)
        report = client.answer()["report"]
        # Apple's compiler has the same limit, so this is an error in the source.
        self.assertEqual([each["rule"] for each in report["diagnostics"]], ["security.limit"])
        client.ask(id="good", source=GOOD)
        self.assertTrue(client.answer()["report"]["valid"])

    def test_takes_what_a_search_says_of_its_task(self):
        client = self.serve("--task", "saxpy", "--select", "degenerate,metal", "--no-config")
        client.ask(id=1, source=GOOD.replace("saxpy", "other"))
        client.ask(id=2, source=GOOD.replace("saxpy", "other"), kernel=["other"])
        client.ask(id=3, source=GOOD, task="nbody")
        client.ask(id=4, source=GOOD.replace("saxpy", "other"), severity={"degenerate": "note"})
        client.ask(id=5, source=GOOD.replace("saxpy", "other"), ignore=["degenerate"])
        client.ask(id=6, source=BAD, std="metal2.0", name="candidate_6.metal")
        answers = client.answers(6)
        self.assertEqual(answers[1]["report"]["regression_type"], 1)
        self.assertIsNone(answers[2]["report"]["regression_type"])
        self.assertIn("the task nbody", answers[3]["report"]["suggestion"])
        self.assertTrue(answers[4]["report"]["valid"])
        self.assertEqual(answers[5]["report"]["diagnostics"], [])
        self.assertEqual(answers[6]["report"]["file"], "candidate_6.metal")

    def test_follows_a_host(self):
        client = self.serve()
        with tempfile.TemporaryDirectory() as folder:
            host = pathlib.Path(folder) / "main.mm"
            host.write_text("""int main() {
  MTL::Function* function = device->newDefaultLibrary()->newFunction(MTLSTR("saxpy"));
  device->newComputePipelineState(function, nullptr)->release();
}
""")
            client.ask(id=1, source=GOOD, host=[str(host)])
            self.assertEqual(client.answer()["report"]["regression_type"], 2)

    def test_says_what_is_wrong_with_a_request(self):
        client = self.serve()
        self.assertIn("the line is not a JSON object: parse error at line 1, column 1", self.error(client, "kernel void f() {}"))
        self.assertEqual(self.error(client, "[1]"), "a request must be a JSON object")
        self.assertIn("\"file\", or a \"source\"", self.error(client, "{}"))
        self.assertIn("\"file\", or a \"source\"", self.error(client, '{"file": "a", "source": "b"}'))
        self.assertIn("no such file", self.error(client, '{"file": "nowhere.metal"}'))
        self.assertIn("standard input", self.error(client, '{"file": "-"}'))
        self.assertIn("is empty", self.error(client, '{"source": ""}'))
        self.assertIn("is not text", self.error(client, '{"source": "\\u0000"}'))
        self.assertIn("did you mean \"source\"", self.error(client, '{"sorce": "x"}'))
        self.assertIn("\"id\": expected a string or an integer", self.error(client, '{"id": [], "source": "x"}'))
        self.assertIn("\"select\": expected a list of strings", self.error(client, '{"source": "x", "select": "metal"}'))
        self.assertIn("did you mean", self.error(client, '{"source": "x", "select": ["hazrd"]}'))
        self.assertIn("saxpi", self.error(client, '{"source": "x", "task": "saxpi"}'))
        self.assertIn("metal3.1", self.error(client, '{"source": "x", "std": "c++"}'))
        self.assertIn("nested", self.error(client, '{"source": ' + "[" * 100000 + "]" * 100000 + "}"))
        client.send('{"id": "named", "file": "nowhere.metal"}')
        self.assertEqual(client.answer()["id"], "named")
        client.ask(source=GOOD)
        self.assertIsNone(client.answer()["id"])

    def test_refuses_a_line_without_end_and_goes_on(self):
        client = self.serve()
        for _ in range(33):
            client.to.write(b"x" * (1 << 20))
        client.send("")
        self.assertIn("longer than 32 MiB", client.answer()["error"])
        client.ask(id=1, source=GOOD)
        self.assertTrue(client.answer()["report"]["valid"])

    def test_ends_when_all_is_answered(self):
        client = self.serve()
        for number in range(20):
            client.ask(id=number, source=BAD)
        client.to.write(b'{"id": 20, "source": "struct"}')  # no line's end
        client.to.close()
        self.assertEqual(set(client.answers(21)), set(range(21)))
        self.assertEqual(client.back.read(), b"")
        self.assertEqual(self.server.wait(), 0)
        self.assertEqual(self.server.stderr.read(), b"")

    def test_ends_when_its_output_is_closed(self):
        client = self.serve()
        client.back.close()
        client.ask(id=1, source=GOOD)
        self.assertEqual(self.server.wait(), 2)
        self.assertIn(b"the reader closed it", self.server.stderr.read())

    def test_is_not_told_two_things_at_once(self):
        for arguments in (["--server", "a.metal"], ["--server", "--fix"], ["--server", "--format", "sarif"],
                          ["--socket", "x"]):
            done = subprocess.run([LINT, *arguments], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)


class OnASocket(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = pathlib.Path(folder.name) / "lint.socket"

    def start(self, arrange=list):
        command = arrange([LINT, "--server", "--socket", self.path])
        server = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
        self.addCleanup(server.stderr.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        self.assertIn("listening", server.stderr.readline())
        return server

    def connect(self):
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.connect(str(self.path))
        files = connection.makefile("wb"), connection.makefile("rb")
        self.addCleanup(lambda: [each.close() for each in (connection, *files)])
        return connection, LineClient(*files)

    def test_serves_many_at_once(self):
        self.start()
        clients = [self.connect()[1] for _ in range(10)]
        for number, client in enumerate(clients):
            client.ask(id=number, source=GOOD)
            client.ask(id=f"{number} again", source=BAD)
        for number, client in enumerate(clients):
            self.assertEqual(set(client.answers(2)), {number, f"{number} again"})

    def test_serves_a_crowd_with_few_files(self):
        server = self.start(with_few_files)
        waiting = [self.connect() for _ in range(CLIENTS)]
        for number, (_, client) in enumerate(waiting):
            client.ask(id=number, source=BAD)
        for number, (connection, client) in enumerate(waiting):
            self.assertEqual(client.answer()["report"]["diagnostics"][0]["rule"], "metal.restrict")
            connection.shutdown(socket.SHUT_RDWR)
        for _ in range(CLIENTS):
            self.connect()
        check_idle_and_end(self, server)

    def test_goes_on_when_a_client_goes(self):
        self.start()
        for leftover in (b"", b'{"id": 1, "sou', b'{"id": 1, "file": "/dev/null"}\n', json.dumps({"source": SLOW}).encode() + b"\n"):
            connection, _ = self.connect()
            connection.sendall(leftover)
            connection.close()
        _, client = self.connect()
        client.ask(id=1, source=GOOD)
        self.assertTrue(client.answer()["report"]["valid"])

    def test_answers_one_who_has_asked_all(self):
        self.start()
        connection, client = self.connect()
        for number in range(10):
            client.ask(id=number, source=BAD)
        connection.shutdown(socket.SHUT_WR)
        self.assertEqual(len(client.answers(10)), 10)
        self.assertEqual(client.back.read(), b"")

    def test_leaves_no_socket(self):
        for ending in (signal.SIGTERM, signal.SIGINT):
            server = self.start()
            self.assertEqual(stat.S_IMODE(os.stat(self.path).st_mode) & 0o077, 0)
            server.send_signal(ending)
            self.assertEqual(server.wait(), 0)
            self.assertFalse(self.path.exists())

    def test_takes_the_place_of_a_dead_server_only(self):
        server = self.start()
        second = subprocess.run([LINT, "--server", "--socket", self.path], capture_output=True, text=True)
        self.assertEqual(second.returncode, 2)
        self.assertIn("another server", second.stderr)
        server.kill()
        server.wait()
        self.assertTrue(self.path.exists())
        self.start()
        self.connect()
        for path, why in ((SOURCE / "README.md", "it is a file"), (self.path.parent / ("x" * 120), "longer than")):
            refused = subprocess.run([LINT, "--server", "--socket", path], capture_output=True, text=True)
            self.assertEqual(refused.returncode, 2)
            self.assertIn(why, refused.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
