#!/usr/bin/env python3
"""msci-mcp as its clients meet it, and the wheel that holds it: mcp_test.py BIN SOURCE [TEST…]"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BIN, SOURCE = (pathlib.Path(each).resolve() for each in sys.argv[1:3])
sys.path.insert(0, str(SOURCE / "python"))

from msci import mcp  # noqa: E402

SEED = (SOURCE / "tasks/nbody/nbody.metal").read_text()
RESTRICTED = SEED.replace("device float4* pos_out", "device float4* restrict pos_out")
RACE = SEED.replace("  vel_out[i] =", "  pos_out[(i + 1) % N] = float4(1.0f);\n  vel_out[i] =")
WORDY = "".join(f"kernel void k{each}(device float* x [[buffer(0)]]) {{ x[0] = unknown{each}; }}\n" for each in range(60))


class Mcp(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        wheel = subprocess.run([sys.executable, SOURCE / "python/build_wheel.py", "0.1.0", folder.name], text=True,
                               stdout=subprocess.PIPE, check=True).stdout.strip()
        # Python reads packages from an archive.
        self.process = subprocess.Popen([sys.executable, "-m", "msci.mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env={**os.environ, "PYTHONPATH": wheel, "MSCI_BIN": str(BIN),
                                                        "XDG_CACHE_HOME": folder.name})
        self.addCleanup(lambda: [each.close() for each in (self.process.stdin, self.process.stdout)])
        self.addCleanup(self.process.wait)
        self.addCleanup(self.process.kill)

    def send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def ask(self, method, **params):
        self.send(json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}))
        answer = json.loads(self.process.stdout.readline())
        self.assertEqual((answer["jsonrpc"], answer["id"]), ("2.0", 7))
        return answer

    def call(self, tool, **arguments):
        result = self.ask("tools/call", name=tool, arguments=arguments)["result"]
        return result["isError"], result["content"][0]["text"]

    def test_introduces_itself_and_its_tools(self):
        started = self.ask("initialize", protocolVersion="2025-03-26", capabilities={}, clientInfo={})["result"]
        self.assertEqual(started["protocolVersion"], "2025-03-26")
        self.assertEqual(self.ask("initialize", protocolVersion="1999-01-01")["result"]["protocolVersion"], "2025-06-18")
        self.send('{"jsonrpc": "2.0", "method": "notifications/initialized"}')  # has no answer
        self.assertEqual(self.ask("ping")["result"], {})
        tools = self.ask("tools/list")["result"]["tools"]
        self.assertEqual({each["name"] for each in tools}, {"lint", "explain", "fix", "evaluate", "check", "profile", "tasks"})
        self.assertTrue(all(each["description"] and each["inputSchema"]["type"] == "object" for each in tools))
        arguments = {each["name"]: each["inputSchema"]["properties"] for each in tools}
        self.assertEqual(arguments["evaluate"]["verdict"]["enum"], ["verify", "strict", "timed", "predicted"])
        self.assertLessEqual({"plan", "device", "vs"}, set(arguments["evaluate"]))
        self.assertTrue(all(each["description"] for tool in arguments.values() for each in tool.values()))
        # A rule that the description names exists.
        rule = [each["description"] for each in tools if each["name"] == "explain"][0].split("examples: ")[1].split(",")[0]
        self.assertEqual(self.call("explain", rule=rule)[0], False, rule)

    def test_carries_out_each_tool(self):
        failed, text = self.call("lint", source="kernel void f() {}", task="nbody", full=True)
        self.assertEqual((failed, json.loads(text)["valid"]), (False, False))
        self.assertIn("hazard", self.call("explain", rule="hazard")[1])
        self.assertTrue(json.loads(self.call("evaluate", source=SEED, task="nbody", full=True)[1])["correct"])
        self.assertTrue(json.loads(self.call("check", source=SEED, task="nbody", full=True)[1])["valid"])
        self.assertIn("% of the cycles  line ", self.call("profile", source=SEED, task="nbody")[1])
        self.assertIn("launches", json.loads(self.call("profile", source=SEED, task="nbody", full=True)[1])["sizes"][0])
        self.assertIn("nbody", self.call("tasks")[1])
        self.assertEqual(json.loads(self.call("tasks", task="nbody", full=True)[1])["name"], "nbody")
        self.assertEqual(self.call("fix", source=SEED, full=True), (False, SEED))
        self.assertIn("__restrict", self.call("fix", source=RESTRICTED, full=True)[1])
        fixed = self.call("fix", source=RESTRICTED.replace("\n", "\r\n"), full=True)[1]
        self.assertEqual(fixed, RESTRICTED.replace("restrict", "__restrict").replace("\n", "\r\n"))

    def test_answers_in_two_kilobytes_what_decides(self):
        refused = "'restrict' is a C keyword"
        for source, lint, evaluate, check, profile, fix in (
                (SEED, "nothing found", "all sizes right", "nothing found", "% of the cycles", ""),
                (RESTRICTED, "[metal.restrict]", refused, refused, refused, "device float4* __restrict pos_out"),
                (RACE, "1 file: ", "[check.race]", "[check.race]", "% of the cycles", ""),
                (WORDY, "lines are left out or cut; full has all", "unknown0", "unknown0", "unknown0", "")):
            said = {"lint": lint, "evaluate": evaluate, "check": check, "profile": profile, "fix": fix}
            for tool, part in said.items():
                arguments = {"source": source} | ({"task": "nbody"} if tool != "fix" else {})
                failed, text = self.call(tool, **arguments)
                self.assertFalse(failed, text)
                self.assertLessEqual(len(text.encode()), 2000, f"{tool}: {text}")
                self.assertIn(part, text, tool)
        for tool, arguments in (("explain", {"rule": "hazard"}), ("explain", {"rule": "hazard.threadgroup_race"}), ("tasks", {}),
                                ("tasks", {"task": "nbody"}), ("tasks", {"task": "lbm"})):
            self.assertLessEqual(len(self.call(tool, **arguments)[1].encode()), 2000, (tool, arguments))
        # What is left out is there, and the last line, which sums it up.
        text, whole = (self.call("lint", source=WORDY, full=full)[1] for full in (False, True))
        self.assertIn("1 file: ", text.splitlines()[-1])
        self.assertGreater(len(json.loads(whole)["diagnostics"]), text.count("error: "))

    def test_goes_on_after_text_that_is_not_unicode(self):
        for broken in ({"source": SEED + "\ud800"}, {"source": SEED, "vs": "\ud800"}):
            self.assertEqual(self.call("evaluate" if "vs" in broken else "lint", task="nbody", **broken),
                             (True, "the source is not Unicode text"))
        for task in ("\ud800", "n\0body"):
            failed, text = self.call("lint", source=SEED, task=task)
            self.assertTrue(failed)
            self.assertIn("an argument is not text that a command line can hold", text)
        self.assertEqual(self.ask("ping")["result"], {})

    def test_evaluates_plans_on_devices_and_against_rivals_without_nulls(self):
        plan = str(SOURCE / "docs/plan_example/plan.json")
        smooth = (SOURCE / "docs/plan_example/smooth.metal").read_text()
        for options in ({}, {"device": "cpu"}):
            failed, text = self.call("evaluate", source=smooth, plan=plan, verdict="verify", full=True, **options)
            self.assertFalse(failed, text)
            self.assertTrue(json.loads(text)["correct"], text)
            self.assertNotIn("null", text)
        compared = json.loads(self.call("evaluate", source=SEED, task="nbody", verdict="predicted", vs="seed", full=True)[1])
        self.assertEqual(compared["predicted_versus"]["ratio"], 1)
        other = json.loads(self.call("evaluate", source=SEED, task="nbody", verdict="predicted", vs=SEED + "\n", full=True)[1])
        self.assertEqual(other["predicted_versus"]["rival"], "other.metal")
        self.assertIn("give a task or a plan", self.call("evaluate", source=SEED)[1])

    def test_says_what_is_wrong(self):
        failed, message = self.call("evaluate", source=SEED, task="mortn")
        self.assertIn('did you mean "morton"? The tasks are adi3d, fft3d, ', message)
        self.assertEqual(self.call("evaluate", source=SEED, task="mortn")[0], True)
        self.assertEqual(self.call("explain", rule="nothing.at_all")[0], True)
        self.assertIn('did you mean "hazard.device_race" or "hazard.threadgroup_race"?',
                      self.call("explain", rule="hazard.race")[1])
        for tool, arguments in (("nothing", {}), ("lint", {}), ("lint", {"source": 1}), ("lint", {"source": "x", "more": "y"}),
                                ("evaluate", {"source": "x", "task": "lbm", "verdict": "fast"}),
                                ("profile", {"source": "x", "task": "lbm", "full": "yes"})):
            self.assertEqual(self.ask("tools/call", name=tool, arguments=arguments)["error"]["code"], -32602)
        self.assertEqual(self.ask("resources/list")["error"]["code"], -32601)
        for line, code in (("nonsense", -32700), ("[]", -32600), ("[" * 100000, -32700)):
            self.send(line)
            self.assertEqual(json.loads(self.process.stdout.readline())["error"]["code"], code)
        self.process.stdin.close()
        self.assertEqual(self.process.wait(), 0)


class Shortened(unittest.TestCase):
    def test_is_cut_in_bytes_and_counts_what_is_cut(self):
        for text, count in (("🙂" * 900, 1), ("short\n" + "🙂" * 900, 1), ("a" * 3000 + "\nlast\n", 1),
                            ("🙂" * 900 + "\n" + "é" * 1500, 2), ("x" * 99 + "\n", None), ("line of text\n" * 400, None)):
            shown = mcp._shortened(text)
            self.assertLessEqual(len(shown.encode()), 2000)
            if len(text.encode()) <= 2000:
                self.assertEqual(shown, text)
            elif count:
                self.assertIn(f"… {count} lines are left out or cut; full has all\n", shown)
        self.assertEqual(mcp._shortened("🙂" * 900).splitlines()[-1], "🙂" * 125)
        shown = mcp._shortened("line of text\n" * 400)
        self.assertIn(f"… {400 - shown.count('line of text')} lines are left out or cut", shown)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
