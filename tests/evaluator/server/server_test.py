#!/usr/bin/env python3
"""msci-eval --server as its clients meet it: server_test.py MSCI_EVAL SOURCE [TEST…]"""
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from crowd import CLIENTS, check_idle_and_end, with_few_files  # noqa: E402
from line_client import LineClient  # noqa: E402
from processes import children_of  # noqa: E402

EVAL, SOURCE = (pathlib.Path(each).absolute() for each in sys.argv[1:3])
TASK = "nbody"  # the quickest to judge
SEED = (SOURCE / f"tasks/{TASK}/{TASK}.metal").read_text()
PLAN = SOURCE / "docs/plan_example/plan.json"
PLANNED = SOURCE / "docs/plan_example/smooth.metal"
WRONG = "#include <metal_stdlib>\nkernel void other(device float* x [[buffer(0)]]) { x[0] = 1; }\n"
BROKEN = "kernel void f(device float* restrict x [[buffer(0)]]) { x[0] = 0; \n"


class Served(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.files = self.folder / "tmp"
        self.files.mkdir()
        # Verdicts and references are this test's own.
        self.environment = {**os.environ, "XDG_CACHE_HOME": str(self.folder / "cache"), "TMPDIR": str(self.files)}

    def start(self, *arguments, arrange=list):
        server = subprocess.Popen(arrange([EVAL, "--server", "--device", "cpu", *arguments]), stdin=subprocess.PIPE,
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=self.environment)
        self.addCleanup(lambda: [each.close() for each in (server.stdin, server.stdout, server.stderr)])
        self.addCleanup(server.wait)
        self.addCleanup(server.kill)
        self.server = server
        return LineClient(server.stdin, server.stdout)

    def start_on_socket(self, *arguments, arrange=list):
        self.path = self.folder / "judge.socket"
        self.start("--socket", self.path, *arguments, arrange=arrange)
        while b"listening" not in self.server.stderr.readline():
            self.assertIsNone(self.server.poll())

    def connect(self):
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.connect(str(self.path))
        files = connection.makefile("wb"), connection.makefile("rb")
        self.addCleanup(lambda: [each.close() for each in (connection, *files)])
        return connection, LineClient(*files)

    def run_eval(self, *arguments):
        return subprocess.run([EVAL, *arguments], capture_output=True, text=True, env=self.environment, check=True).stdout

    def kept_verdicts(self):
        kinds = json.loads(self.run_eval("--cache-info", "--json"))["kinds"]
        return {each["name"]: each["entries"] for each in kinds}["verdicts"]

    def error(self, client, line):
        client.send(line)
        answer = client.answer()
        self.assertEqual(sorted(answer), ["error", "id"], answer)
        return answer["error"]

    def test_answers_what_the_command_line_prints(self):
        client = self.start()
        file = self.folder / 'na"me.metal'
        for number, text in enumerate((SEED, WRONG, BROKEN)):
            file.write_text(text)
            client.ask(id=number, file=str(file), task=TASK, verdict="strict", nonce="1f")
            answer = client.answer()
            done = subprocess.run([EVAL, file, "--task", TASK, "--device", "cpu", "--verify-only", "--strict", "--nonce",
                                   "1f", "--json"], capture_output=True, text=True, env=self.environment)
            self.assertEqual(answer["evaluation"], json.loads(done.stdout))
        self.assertFalse(answer["evaluation"]["compile_ok"])

    def test_serves_a_crowd_with_few_files(self):
        self.start_on_socket(arrange=with_few_files)
        waiting = [self.connect() for _ in range(CLIENTS)]
        for number, (_, client) in enumerate(waiting):
            client.ask(id=number, source=WRONG, verdict="lint", task=TASK)
        for number, (connection, client) in enumerate(waiting):
            self.assertEqual(client.answer()["report"]["regression_type"], 1)
            connection.shutdown(socket.SHUT_RDWR)
        for _ in range(CLIENTS):
            self.connect()
        check_idle_and_end(self, self.server)

    def test_ends_although_nothing_reads_its_output(self):
        client = self.start()
        for _ in range(2000):
            client.send("{}")
        check_idle_and_end(self, self.server)

    def test_gives_each_kind_of_verdict(self):
        client = self.start()
        client.ask(id="lint", source=WRONG, verdict="lint", task=TASK, name="a.metal")
        client.ask(id="plain", source=BROKEN, verdict="lint")
        client.ask(id="verify", source=SEED, task=TASK)
        client.ask(id="predicted", source=SEED, task=TASK, verdict="predicted", chip="m2")
        client.ask(id="timed", source=SEED, task=TASK, verdict="timed", protocol="metal-sci")
        client.ask(id="plan", file=str(PLANNED), plan=str(PLAN))
        client.ask(id="check", source=SEED, task=TASK, verdict="check", name="a.metal")
        client.ask(id="profile", source=SEED, task=TASK, verdict="profile")
        client.ask(id="opencl", source=SEED, verdict="opencl")
        client.ask(id="refused", source=BROKEN, verdict="opencl")
        answers = client.answers(10)
        self.assertEqual(answers["lint"]["report"]["regression_type"], 1)
        self.assertEqual(answers["lint"]["report"]["file"], "a.metal")
        self.assertFalse(answers["plain"]["report"]["valid"])
        self.assertTrue(answers["verify"]["evaluation"]["correct"])
        self.assertIsNone(answers["verify"]["evaluation"]["score"])
        self.assertGreater(answers["predicted"]["evaluation"]["predicted_score"], 0)
        self.assertEqual(answers["predicted"]["evaluation"]["chip"], "m2")
        self.assertGreater(answers["timed"]["evaluation"]["score"], 0)
        self.assertEqual(answers["timed"]["evaluation"]["protocol"], "metal-sci")
        self.assertTrue(answers["plan"]["evaluation"]["correct"])
        self.assertTrue(answers["check"]["check"]["valid"])
        self.assertEqual(answers["check"]["check"]["file"], "a.metal")
        self.assertGreater(answers["profile"]["profile"]["sizes"][-1]["predicted_seconds"], 0)
        self.assertIn("kernel void", answers["opencl"]["opencl"]["text"])
        self.assertIsNone(answers["refused"]["opencl"]["text"])
        self.assertIn("__restrict", answers["refused"]["opencl"]["rejection"])
        # Kept for the name of the source, like a report; another verdict is another question.
        for name, verdict, cached in (("a.metal", "check", True), ("b.metal", "check", False), ("a.metal", "profile", False)):
            client.ask(id=1, source=SEED, task=TASK, verdict=verdict, name=name)
            again = client.answer()
            self.assertEqual("cached" in again, cached, name)
            self.assertEqual(again[verdict]["file"], name)

    def test_predicts_for_all_chips_from_one_run(self):
        client = self.start("--jobs", "1")
        client.ask(id="all", source=SEED, task=TASK, verdict="predicted")
        answer = client.answer()
        all_chips = answer["evaluation"]
        for chip in ("m1-pro", "m2-max"):
            client.ask(id=chip, source=SEED, task=TASK, verdict="predicted", chip=chip)
            one = client.answer()
            self.assertNotIn("cached", one)  # another question
            for size, whole in zip(one["evaluation"]["sizes"], all_chips["sizes"], strict=True):
                self.assertNotIn("chips", size)
                [same] = [each for each in whole["chips"] if each["chip"] == chip]
                self.assertGreater(same["predicted_seconds"], 0)
                self.assertEqual({key: size[key] for key in same if key != "chip"},
                                 {key: same[key] for key in same if key != "chip"})
        self.assertEqual(all_chips["chip"], "m1-pro")
        self.assertGreater(len(all_chips["sizes"][0]["chips"]), 10)
        client.ask(id="again", source=SEED, task=TASK, verdict="predicted")
        again = client.answer()
        self.assertIn("cached", again)
        self.assertEqual(again["evaluation"], all_chips)
        client.ask(id="wrong", source=WRONG, task=TASK, verdict="predicted")
        self.assertFalse(client.answer()["evaluation"]["correct"])

    def test_shows_the_code_with_the_lines_of_the_source(self):
        client = self.start()
        client.ask(id="code", source=SEED, verdict="code")
        client.ask(id="opencl", source=SEED, verdict="opencl")
        client.ask(id="broken", source=BROKEN, verdict="code")
        answers = client.answers(3)
        code = answers["code"]["code"]
        body = range(SEED[:SEED.index("kernel void")].count("\n") + 1, SEED.count("\n") + 1)
        for language, comment in (("opencl", "//"), ("llvm-ir", ";"), ("assembly", "[#;@]|//")):
            text = code[language]["text"]
            self.assertIsNone(code[language]["error"])
            named = {int(line) for line in re.findall(rf"  (?:{comment}) line (\d+)$", text, re.MULTILINE)}
            self.assertGreater(len(named), 5, language)
            self.assertLessEqual(named, set(body), language)
        # What a reader looks for comes first, the constants last.
        labels = re.findall(r"^([\w.$]+):", code["assembly"]["text"], re.MULTILINE)
        self.assertTrue(labels[0].startswith("msci_nbody_step"), labels)
        constants = [label.startswith(".LCPI") for label in labels]
        self.assertEqual(constants, sorted(constants), labels)
        self.assertIn(True, constants)
        # The lines change no code.
        self.assertEqual(re.sub(r"  // line \d+$", "", code["opencl"]["text"], flags=re.MULTILINE), answers["opencl"]["opencl"]["text"])
        self.assertIn("__restrict", answers["broken"]["code"]["rejection"])
        kernel = self.folder / "k.metal"
        kernel.write_text(SEED)
        for language in ("llvm-ir", "assembly"):
            printed = subprocess.run([EVAL, kernel, "--emit", language], capture_output=True, text=True, check=True)
            named = r"^(; ModuleID|source_filename).*\n"  # the file
            self.assertEqual(*(re.sub(named, "", text, flags=re.MULTILINE) for text in (printed.stdout, code[language]["text"])))

    def test_shows_where_results_are_wrong(self):
        seed = (SOURCE / "tasks/heat2d/heat2d.metal").read_text()
        client = self.start()
        wrong = seed.replace("u_out[at] = c +", "u_out[at] = (i == 5 && j == 3 ? 1.0f : 0.0f) + c +")
        self.assertNotEqual(wrong, seed)
        client.ask(id="wrong", source=wrong, task="heat2d", verdict="difference", nonce="1f")
        client.ask(id="right", source=seed, task="heat2d", verdict="difference", nonce="1f")
        client.ask(id="broken", source=BROKEN, task="heat2d", verdict="difference")
        answers = client.answers(3)
        picture = answers["wrong"]["difference"]
        self.assertEqual(picture["columns"] * picture["rows"], len(picture["cells"]))
        self.assertEqual(sum(not cell <= 1 for cell in picture["cells"]), picture["wrong"])
        self.assertGreater(picture["cells"][3 * picture["columns"] + 5], 1)
        self.assertEqual(picture["cells"][0], 0)
        self.assertRegex(picture["first"][0], r"^\w+\[\d+\] is .*, not ")
        self.assertEqual((answers["right"]["difference"]["result"], answers["right"]["difference"]["cells"]), ("", []))
        self.assertIn("__restrict", answers["broken"]["difference"]["missing"])

    def test_compares_with_another_kernel(self):
        client = self.start()
        client.ask(id="same", source=SEED, task=TASK, verdict="compared", rival=SEED)
        slower = SEED.replace("rsqrt(", "1.0f / sqrt(") if "rsqrt(" in SEED else SEED + "\n"
        self.assertNotEqual(slower, SEED)
        client.ask(id="other", source=SEED, task=TASK, verdict="compared", rival=slower)
        client.ask(id="broken", source=SEED, task=TASK, verdict="compared", rival=BROKEN)
        client.ask(id="predicted", source=SEED, task=TASK, verdict="predicted", rival=slower)
        answers = client.answers(4)
        self.assertTrue(answers["same"]["evaluation"]["versus"]["same_program"])
        comparison = answers["other"]["evaluation"]["versus"]
        self.assertEqual(len(comparison["sizes"]), 3)
        self.assertTrue(all(size["low"] <= size["ratio"] <= size["high"] for size in comparison["sizes"]))
        self.assertIn("moved", answers["other"]["evaluation"]["predicted_versus"]["sizes"][-1])
        self.assertIn("the kernel to compare with is refused", answers["broken"]["error"])
        predicted = answers["predicted"]["evaluation"]
        self.assertIsNone(predicted["versus"])
        self.assertIn(predicted["predicted_versus"]["claim"], ("none", "faster", "slower"))
        self.assertTrue(predicted["predicted_versus"]["reason"])

    def test_measures_in_turns_what_the_strict_verdict_accepts(self):
        client = self.start()
        client.ask(id="seed", source="// mine\n" + SEED, task=TASK, verdict="strict", rival="seed")
        other = SEED.replace("rsqrt(", "1.0f / sqrt(")
        self.assertNotEqual(other, SEED)
        client.ask(id="other", source=other, task=TASK, verdict="verify", rival="seed")
        client.ask(id="empty", source="", task=TASK, verdict="strict", rival="seed")
        answers = {name: each["evaluation"] for name, each in client.answers(3).items()}
        self.assertTrue(answers["seed"]["strict"]["passed"])
        self.assertEqual({name: answers["seed"]["versus"][name] for name in ("same_program", "low", "ratio", "high")},
                         {"same_program": True, "low": 1, "ratio": 1, "high": 1})
        turns = answers["other"]["versus"]
        self.assertEqual(len(turns["sizes"][0]["candidate"]), 12)
        self.assertLessEqual(turns["low"], turns["ratio"])
        self.assertIsNone(answers["other"]["score"])
        self.assertIsNone(answers["other"]["predicted_versus"])
        self.assertEqual((answers["empty"]["compile_ok"], answers["empty"]["error"]), (False, None))
        self.assertIn("is empty", answers["empty"]["fail_reason"])

    def test_drafts_a_plan(self):
        client = self.start()
        kernel = self.folder / "k.metal"
        kernel.write_text(PLANNED.read_text())
        client.ask(id="draft", source=kernel.read_text(), name="k.metal", verdict="draft")
        client.ask(id="broken", source=BROKEN, verdict="draft")
        answers = client.answers(2)
        printed = subprocess.run([EVAL.parent / "msci-tasks", "new", "k.metal"], capture_output=True, text=True, cwd=self.folder, check=True)
        self.assertEqual(answers["draft"]["draft"]["plan"], printed.stdout)
        self.assertIn("import", answers["draft"]["draft"]["reference"])
        self.assertIn("__restrict", answers["broken"]["draft"]["missing"])

    def test_keeps_the_verdict_of_a_plan_until_a_file_beside_it_changes(self):
        example = self.folder / "example"
        shutil.copytree(SOURCE / "docs/plan_example", example)
        client = self.start()

        def is_kept(**request):
            client.ask(id="it", file=str(example / "smooth.metal"), **request)
            answer = client.answer()
            self.assertTrue(answer["evaluation"]["correct"])
            return "cached" in answer

        plan = str(example / "plan.json")
        self.assertFalse(is_kept(plan=plan))
        self.assertTrue(is_kept(plan=plan))
        with open(example / "reference.py", "a") as reference:
            reference.write("# a reference that has changed\n")
        self.assertFalse(is_kept(plan=plan))
        self.assertTrue(is_kept(plan=plan))
        # The same task, asked for in another way.
        self.assertTrue(is_kept(task=plan))

    def test_judges_equal_texts_once(self):
        client = self.start("--jobs", "2")
        for number in range(6):
            client.ask(id=number, source=SEED, task=TASK, verdict="strict", name=f"{number}.metal")
        answers = client.answers(6)
        nonces = {each["evaluation"]["strict"]["nonce"] for each in answers.values()}
        self.assertEqual(len(nonces), 1)
        self.assertEqual([answers[n]["evaluation"]["file"] for n in range(6)], [f"{n}.metal" for n in range(6)])
        client.ask(id="again", source=SEED, task=TASK, verdict="strict", name="again.metal")
        again = client.answer()
        self.assertTrue(again["cached"])
        self.assertEqual(again["evaluation"]["strict"]["nonce"], nonces.pop())
        # Another text, task, verdict or nonce is another question.
        client.ask(id="text", source=SEED + "// more\n", task=TASK, verdict="strict")
        client.ask(id="verdict", source=SEED, task=TASK, verdict="verify")
        client.ask(id="nonce", source=SEED, task=TASK, verdict="strict", nonce="ab")
        client.ask(id="asked", source=SEED, task=TASK, verdict="strict", cache=False)
        self.assertFalse(any("cached" in each for each in client.answers(4).values()))
        # The next server knows them, too, unless it is told not to look.
        client.to.close()
        self.assertEqual(self.server.wait(), 0)
        for arguments, cached in (((), True), (("--no-cache",), False)):
            client = self.start(*arguments)
            client.ask(id=1, source=SEED, task=TASK, verdict="strict")
            self.assertEqual("cached" in client.answer(), cached)

    def evaluate(self, *arguments):
        done = subprocess.run([EVAL, *arguments, "--task", TASK, "--device", "cpu"], capture_output=True, text=True,
                              cwd=self.folder, env=self.environment)
        return done.returncode, done.stdout, done.stderr

    def test_a_plain_batch_judges_equal_texts_once_and_keeps_their_verdicts(self):
        for name, text in (("a", SEED), ("b", SEED), ("wrong", WRONG), ("c", SEED), ("broken", BROKEN)):
            (self.folder / f"{name}.metal").write_text(text)
        files = [f"{name}.metal" for name in ("a", "b", "wrong", "c", "broken")]
        strictly = ("--verify-only", "--strict", "--json")
        status, first, said = self.evaluate(*files, *strictly)
        self.assertEqual(status, 1)
        self.assertNotIn("kept", said)
        results = [json.loads(line) for line in first.splitlines()]
        self.assertEqual([each["file"] for each in results], files)
        self.assertEqual([each["correct"] for each in results], [True, True, False, True, False])
        self.assertEqual(len({results[n]["strict"]["nonce"] for n in (0, 1, 3)}), 1)
        status, again, said = self.evaluate(*files, *strictly)
        self.assertEqual((status, again), (1, first))
        self.assertIn("5 of 5 verdicts were kept", said)
        # Under another name, in another order, and beside a new text.
        (self.folder / "new.metal").write_text(SEED + "// new\n")
        (self.folder / "a.metal").rename(self.folder / "moved \"a\".metal")
        status, moved, said = self.evaluate("broken.metal", "new.metal", 'moved "a".metal', *strictly)
        moved = [json.loads(line) for line in moved.splitlines()]
        self.assertEqual([each["file"] for each in moved], ["broken.metal", "new.metal", 'moved "a".metal'])
        self.assertEqual(moved[2]["strict"]["nonce"], results[0]["strict"]["nonce"])
        self.assertNotEqual(moved[1]["strict"]["nonce"], results[0]["strict"]["nonce"])
        # The text for people names the files, too, and is the same without the cache.
        self.evaluate("b.metal", "broken.metal", "--verify-only")
        kept, fresh = (self.evaluate("b.metal", "broken.metal", "--verify-only", "--nonce", "1f", *more)[1]
                       for more in ((), ("--no-cache",)))
        self.assertEqual(kept, fresh)
        self.assertNotIn("source-", kept)

    def test_a_server_knows_the_verdicts_of_a_batch(self):
        (self.folder / "a.metal").write_text(BROKEN)
        _, out, _ = self.evaluate("a.metal", "--verify-only", "--json")
        client = self.start()
        client.ask(id=1, source=BROKEN, task=TASK, name="b.metal")
        answer = client.answer()
        self.assertTrue(answer["cached"])
        self.assertEqual(answer["evaluation"], json.loads(out.replace("a.metal", "b.metal")))
        # A report names the places in a source, so it is kept for that name.
        for name, cached in (("a.metal", False), ("b.metal", False), ("a.metal", True)):
            client.ask(id=2, source=BROKEN, verdict="lint", name=name)
            answer = client.answer()
            self.assertEqual("cached" in answer, cached)
            self.assertEqual(answer["report"]["file"], name)

    def test_a_plain_batch_judges_again_what_it_must(self):
        (self.folder / "a.metal").write_text(SEED)
        nonces = set()
        for more in ((), (), ("--no-cache",), ("--stop-at-wrong",), ("-I", ".")):
            _, out, _ = self.evaluate("a.metal", "--verify-only", "--strict", "--json", *more)
            nonces.add(json.loads(out)["strict"]["nonce"])
        self.assertEqual(len(nonces), 4)
        for _ in range(2):
            done = subprocess.run([EVAL, PLANNED, "--plan", PLAN, "--device", "cpu", "--protocol", "metal-sci"],
                                  capture_output=True, text=True, env=self.environment)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("kept", done.stderr)

    def test_says_once_which_folder_of_tasks_is_missing(self):
        self.environment["MSCI_TASK_PATH"] = f"{self.folder / 'none'}:{SOURCE / 'docs/plans'}"
        done = subprocess.run([EVAL, "--task", "ntt", "--task", "nothing"], capture_output=True, text=True, env=self.environment)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(done.stderr.count(f"MSCI_TASK_PATH names {self.folder / 'none'}, which cannot be read"), 1)

    def test_looks_for_the_cause_of_a_wrong_result_on_request(self):
        line = "y[i] = 0.0f * x[i] + y[i]"
        wrong = (SOURCE / "tasks/saxpy/saxpy.metal").read_text().replace("y[i] = a * x[i] + y[i]", line)
        client = self.start("--time-limit", "60")
        for asked, has_cause in (({}, False), ({"diagnosis": True}, True), ({}, False), ({"diagnosis": True}, True)):
            client.ask(id=1, source=wrong, task="saxpy", **asked)
            evaluation = client.answer()["evaluation"]
            self.assertFalse(evaluation["correct"])
            self.assertEqual(evaluation["diagnosis"] is not None, has_cause)
        self.assertEqual(evaluation["diagnosis"]["lines"], [wrong[:wrong.index(line)].count("\n") + 1])
        self.assertIn("a[0]", evaluation["diagnosis"]["cause"])

    def test_keeps_no_time(self):
        client = self.start()
        for _ in range(2):
            client.ask(id=1, file=str(PLANNED), plan=str(PLAN), verdict="timed", protocol="metal-sci")
            answer = client.answer()
            self.assertTrue(answer["evaluation"]["correct"])
            self.assertNotIn("cached", answer)

    def test_shows_and_clears_the_cache(self):
        client = self.start()
        client.ask(id=1, source=SEED, task=TASK)
        client.answer()
        self.assertEqual(self.kept_verdicts(), 1)
        self.assertIn("verdicts", self.run_eval("--cache-info"))
        self.assertIn("removed", self.run_eval("--cache-clear"))
        self.assertEqual(json.loads(self.run_eval("--cache-info", "--json"))["kinds"], [])
        client.ask(id=2, source=SEED, task=TASK)
        self.assertNotIn("cached", client.answer())

    def test_cancels(self):
        client = self.start("--jobs", "1")
        for number in range(5):
            client.ask(id=number, source=f"{SEED}// {number}\n", task="lj", verdict="strict")
        client.ask(id="twin", source=f"{SEED}// 0\n", task="lj", verdict="strict")
        for number in (3, 0, 99):
            client.ask(cancel=number)
        answers = client.answers(6)
        self.assertEqual({i for i in answers if answers[i].get("cancelled")}, {0, 3})
        # Another request for the same text is answered all the same.
        self.assertIn("evaluation", answers["twin"])

    def test_forgets_a_client_that_goes(self):
        self.start_on_socket("--jobs", "1")
        connection, client = self.connect()
        for number in range(50):
            client.ask(id=number, source=f"{SEED}// {number}\n", task=TASK, verdict="strict")
        connection.shutdown(socket.SHUT_RDWR)
        connection.close()
        _, other = self.connect()
        for number in range(6):  # clients take turns: before each of these, one of the others would be judged
            other.ask(id=number, source=f"{SEED}// mine {number}\n", task=TASK)
            self.assertTrue(other.answer()["evaluation"]["correct"])
        self.assertLessEqual(self.kept_verdicts(), 6 + 2)

    def test_lets_clients_take_turns(self):
        self.start_on_socket("--jobs", "1")
        _, busy = self.connect()
        _, late = self.connect()
        self.server.send_signal(signal.SIGSTOP)  # until all have asked
        for number in range(12):
            busy.ask(id=number, source=f"{SEED}// {number}\n", task=TASK)
        late.ask(id="late", source=SEED, task=TASK)
        self.server.send_signal(signal.SIGCONT)
        late.answer()
        connection = socket.fromfd(busy.back.fileno(), socket.AF_UNIX, socket.SOCK_STREAM)
        connection.setblocking(False)
        self.addCleanup(connection.close)
        early = 0
        try:
            early = connection.recv(1 << 24).count(b"\n")
        except BlockingIOError:
            pass
        connection.setblocking(True)
        self.assertLess(early, 8)  # it did not wait for all that came before it

    def test_answers_when_the_process_that_judges_is_killed(self):
        client = self.start("--jobs", "1")
        slow = (SOURCE / "tasks/lj/lj.metal").read_text()
        client.ask(id="ready", source=SEED, verdict="lint")
        client.answer()  # it has listed the devices, with processes of its own
        client.ask(id="killed", source=slow, task="lj", verdict="strict")
        client.ask(id="next", source=SEED, task=TASK)
        judging = []
        while not judging:
            judging = children_of(self.server.pid)
        os.kill(judging[0], signal.SIGKILL)
        answers = client.answers(2)
        self.assertIn("the process that judged it failed", answers["killed"]["error"])
        self.assertTrue(answers["next"]["evaluation"]["correct"])
        # Not the kernel's fault, so nothing is kept.
        client.ask(id="again", source=slow, task="lj", verdict="strict")
        self.assertNotIn("cached", client.answer())

    def test_says_what_is_wrong_with_a_request(self):
        client = self.start()
        self.assertIn("the line is not a JSON object", self.error(client, "kernel void f() {}"))
        self.assertEqual(self.error(client, "[1]"), "a request must be a JSON object")
        self.assertIn("\"file\", or a \"source\"", self.error(client, '{"task": "lbm"}'))
        self.assertIn("needs a \"task\" or a \"plan\"", self.error(client, '{"source": "x"}'))
        self.assertIn("not both", self.error(client, '{"source": "x", "task": "lbm", "plan": "p"}'))
        self.assertIn("expected one of lint, verify", self.error(client, '{"source": "x", "task": "lbm", "verdict": "fast"}'))
        self.assertIn("hexadecimal", self.error(client, '{"source": "x", "task": "lbm", "nonce": "xyz"}'))
        self.assertIn("did you mean \"source\"", self.error(client, '{"sorce": "x", "task": "lbm"}'))
        self.assertIn("lmb", self.error(client, '{"source": "x", "task": "lmb"}'))
        self.assertIn("no such file", self.error(client, '{"file": "nowhere.metal", "task": "lbm"}'))
        self.assertIn("no such file", self.error(client, '{"source": "x", "plan": "nowhere.json"}'))
        self.assertIn("m7", self.error(client, '{"source": "x", "task": "lbm", "verdict": "predicted", "chip": "m7"}'))
        self.assertIn("stands alone", self.error(client, '{"cancel": 1, "task": "lbm"}'))
        self.assertIn("nested", self.error(client, '{"source": ' + "[" * 100000 + "]" * 100000 + "}"))
        self.assertIn("longer than 32 MiB", self.error(client, "x" * (33 << 20)))
        client.ask(id=1, source=SEED, task=TASK)
        self.assertTrue(client.answer()["evaluation"]["correct"])

    def test_ends_when_all_is_answered(self):
        client = self.start()
        for number in range(8):
            client.ask(id=number, source=f"{SEED}// {number}\n", task=TASK)
        client.to.close()
        self.assertEqual(set(client.answers(8)), set(range(8)))
        self.assertEqual(client.back.read(), b"")
        self.assertEqual(self.server.wait(), 0)
        self.assertEqual(list(self.files.iterdir()), [])

    def test_answers_all_when_it_is_told_to_end(self):
        client = self.start("--jobs", "1")
        for number in range(30):
            client.ask(id=number, source=f"{SEED}// {number}\n", task=TASK, verdict="strict")
        client.answer()
        self.server.send_signal(signal.SIGTERM)
        rest = client.answers(29)
        self.assertIn("told to end", rest[29]["error"])
        self.assertEqual(self.server.wait(), 0)
        self.assertEqual(list(self.files.iterdir()), [])

    def test_is_not_told_two_things_at_once(self):
        for arguments in (["--server", "a.metal"], ["--server", "--task", "lbm"], ["--socket", "x"], ["--jobs", "2"],
                          ["--cache-info", "--server"]):
            done = subprocess.run([EVAL, *arguments], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1), done.stderr)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
