#!/usr/bin/env python3
"""Extraction, prompts, retries and the adapters for frameworks: adapters_test.py BIN SOURCE [TEST...]

The frameworks are stand-ins with the documented interface; the examples of docs/guide/training.md run with them. The
server is the real one, or where msci must fail, a stand-in that fails as it is told."""
import asyncio
import contextlib
import importlib.util
import inspect
import json
import os
import pathlib
import re
import sys
import tempfile
import threading
import time
import types
import typing
import unittest
import unittest.mock

BIN, SOURCE = (pathlib.Path(each).resolve() for each in sys.argv[1:3])
sys.path.insert(0, str(SOURCE / "python"))
CACHE = tempfile.TemporaryDirectory()
os.environ.update(MSCI_BIN=str(BIN), XDG_CACHE_HOME=CACHE.name)
import msci  # noqa: E402
from msci import adapters  # noqa: E402

SEED = (SOURCE / "tasks/nbody/nbody.metal").read_text()
WRONG = SEED.replace("mass[j] *", "2.0f * mass[j] *")
FENCED = f"Here it is:\n```metal\n{SEED}```\n"

# A server that answers as the source says, and writes down what it was asked.
STAND_IN = '''#!{python}
import json, os, sys
asked = {{}}
none = dict.fromkeys(["compile_ok", "correct", "score", "fail_reason", "strict", "predicted_score", "error", "reward"])
none.update(sizes=[], diagnostics=[])
for line in sys.stdin:
    request = json.loads(line)
    if "cancel" in request:
        continue
    text = request["source"]
    with open({log!r}, "a") as log:
        log.write(json.dumps(request) + "\\n")
    asked[text] = asked.get(text, 0) + 1
    answer = {{"id": request["id"]}}
    if request["verdict"] == "lint":
        answer["report"] = {{"valid": True, "diagnostics": [], "suggestion": None, "error": None}}
    elif "end" in text:
        sys.exit("killed on request")
    elif "died" in text or ("flaky" in text and asked[text] == 1):
        answer["error"] = "a process of msci died"
    elif "limit" in text or ("slow" in text and asked[text] == 1):
        answer["evaluation"] = {{**none, "error": "the limit on time"}}
    else:
        wrong = "wrong" in text
        answer["evaluation"] = {{**none, "compile_ok": True, "correct": not wrong,
                                "fail_reason": "correctness failed" if wrong else None, "reward": 0.1 if wrong else 0.5}}
    print(json.dumps(answer), flush=True)
'''


class StandIn:
    """A folder of programs whose msci-eval is the stand-in, for MSCI_BIN."""

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(self._folder.name)
        self._log = folder / "requests"
        program = folder / "msci-eval"
        program.write_text(STAND_IN.format(python=sys.executable, log=str(self._log)))
        program.chmod(0o755)
        (folder / "msci-tasks").symlink_to(BIN / "msci-tasks")
        os.environ["MSCI_BIN"] = str(folder)
        return self

    def __exit__(self, *_):
        os.environ["MSCI_BIN"] = str(BIN)
        self._folder.cleanup()

    def asked(self, text):
        requests = map(json.loads, self._log.read_text().splitlines()) if self._log.exists() else ()
        return [each for each in requests if each["source"] == text]


def example(word):
    """The block of docs/guide/training.md that has the word."""
    blocks = re.findall(r"```python\n(.*?)```", (SOURCE / "docs/guide/training.md").read_text(), re.DOTALL)
    found = [block for block in blocks if word in block]
    assert len(found) == 1, f"{len(found)} examples have {word!r}"
    return found[0]


@contextlib.contextmanager
def modules(**named):
    """Stand-ins for packages that are not installed."""
    with unittest.mock.patch.dict(sys.modules, {name.replace("__", "."): module for name, module in named.items()}):
        yield


class Extract(unittest.TestCase):
    def test_finds_the_source(self):
        kernel = "kernel void f() {}\n"
        for answer, source in {
            f"Text.\n```metal\n{kernel}```\nMore.": kernel,
            f"```\n{kernel}```": kernel,
            f"```C++ title=a\n{kernel}```": kernel,
            f"~~~metal\n{kernel}~~~": kernel,
            f"````metal\n// ```\n{kernel}````": f"// ```\n{kernel}",
            "```metal\r\nkernel void f() {}\r\n```\r\n": "kernel void f() {}\r\n",
            f"- a list:\n  ```metal\n{kernel}  ```\n": kernel,
            f"```metal\nfloat helper_that_is_longer_than_the_kernel(float x);\n```\n```metal\n{kernel}```": kernel,
            f"```python\nprint('kernel ' * 100)\n```\n```metal\n{kernel}```": kernel,
            f"```metal\nkernel void g();\n```\n```metal\n{kernel}\n```\n": kernel + "\n",
            f"```metal\n{kernel}": kernel,
            f"```metal\n{kernel}```\n```metal\nkernel void unfinished_and_longer(": kernel,
            kernel: kernel,
            f"<answer>\n#include <metal_stdlib>\n{kernel}</answer>": f"#include <metal_stdlib>\n{kernel}",
            f"<think>```metal\nkernel void not_this_longer_one() {{}}\n```</think>\n```metal\n{kernel}```": kernel,
            f"```metal\nkernel void not_this_longer_one() {{}}\n```\n</think>\n```metal\n{kernel}```": kernel,
            f"<thinking>a</thinking> b <seed:think>c</seed:think>\n```metal\n{kernel}```": kernel,
        }.items():
            with self.subTest(answer):
                self.assertEqual(msci.extract(answer), source)

    def test_finds_none(self):
        for answer in ["", "  \n", "I cannot do that.", "A kernel void f() {} does it.", "```python\nprint()\n```", "```metal\n\n```",
                       "```metal", "```", "Use `kernel void`.", "<think>\n```metal\nkernel void f() {}\n```\n",
                       "Well.\n<think>\n```metal\nkernel void f() {}\n```\n", "```kernel void f() {}```"]:
            with self.subTest(answer):
                self.assertIsNone(msci.extract(answer))

    def test_takes_hostile_answers_in_a_moment(self):
        before = time.process_time()
        many = 200_000
        for answer in ["`" * many, "~" * many + " `", "```\n" * many, "<think>" * many, "</think>" * many, "<" * many,
                       "```metal\n" + "\0" * many, "\ud800" * many, " " * many + "`", "> " * many, "kernel " * many,
                       "<answer>" * many, "#" + " " * many]:
            msci.extract(answer)
        self.assertLess(time.process_time() - before, 60)  # those that a regular expression would take hours for


class Prompt(unittest.TestCase):
    def test_is_what_the_programs_print(self):
        text = msci.prompt("nbody")
        described = msci.describe("nbody")
        self.assertIn((SOURCE / "search/instructions.md").read_text(), text)
        self.assertIn(described["description"], text)
        self.assertEqual(msci.extract(text).strip(), SEED.strip())
        plan = str(SOURCE / "docs/plan_example/plan.json")
        self.assertIn("smooth", msci.prompt(plan))

    def test_says_which_tasks_there_are(self):
        with self.assertRaisesRegex(msci.MsciError, "mortn.*morton"):
            msci.prompt("mortn")


class Asyncio(unittest.TestCase):
    def test_judges_side_by_side(self):
        async def judge(server):
            kernels = SEED, WRONG, "", "\ud800", SEED + "\0" * (6 << 20)
            return await asyncio.gather(*(server.evaluate_async(each, "nbody") for each in kernels))

        with msci.Server("cpu") as server:
            self.assertEqual([msci.reward_of(each) for each in asyncio.run(judge(server))], [0.5, 0.1, 0, 0, 0])
            with self.assertRaisesRegex(msci.MsciError, "mortn"):
                asyncio.run(server.evaluate_async(SEED, "mortn"))

    def test_takes_more_than_the_server_does(self):
        async def judge(server):
            kernels = (f"kernel void nbody( // {number}" + " " * 100_000 for number in range(1000))  # refused at once
            tasks = [asyncio.ensure_future(server.evaluate_async(each, "nbody")) for each in kernels]
            await asyncio.sleep(0)
            for task in tasks[1:]:
                task.cancel()
            await asyncio.wait(tasks)
            return tasks

        with msci.Server("cpu") as server:
            tasks = asyncio.run(judge(server))
            self.assertIs(tasks[0].result().compile_ok, False)
            self.assertTrue(all(task.cancelled() for task in tasks[1:]))
            self.assertTrue(server.evaluate(SEED, "nbody").correct)

    def test_retries_after_failures_of_msci_only(self):
        with StandIn() as programs, msci.Server() as server:
            def evaluate(text, attempts):
                return asyncio.run(server.evaluate_async(text, "nbody", attempts=attempts))

            self.assertTrue(evaluate("flaky", 2).correct)
            self.assertTrue(evaluate("slow", 2).correct)
            self.assertIs(evaluate("wrong", 3).correct, False)
            self.assertEqual(evaluate("limit", 3).error, "the limit on time")
            with self.assertRaisesRegex(msci.MsciError, "a process of msci died"):
                evaluate("died", 3)
            self.assertEqual([len(programs.asked(text)) for text in ("flaky", "slow", "wrong", "limit", "died")],
                             [2, 2, 1, 3, 3])
            with self.assertRaises(ValueError):
                evaluate("right", 0)
            with self.assertRaisesRegex(msci.ServerEnded, "killed on request"):
                evaluate("end", 3)

    def test_asks_once_for_a_kernel_that_does_not_end(self):
        endless = SEED.replace(") {\n", ") {\n  while (mass[0] != 1e30f) threadgroup_barrier(mem_flags::mem_device);\n", 1)
        self.assertNotEqual(endless, SEED)
        with msci.Server("cpu", arguments=["--time-limit", "1"]) as server:
            with unittest.mock.patch.object(server, "_send", wraps=server._send) as sent:
                evaluation = asyncio.run(server.evaluate_async(endless, "nbody", verdict="verify", attempts=3))
        self.assertIn("--time-limit", evaluation.error)
        self.assertIsNone(msci.reward_of(evaluation))
        self.assertEqual(sent.call_count, 1)


class Judges(unittest.TestCase):
    def test_measures_against_a_baseline(self):
        with msci.Judge(device="cpu") as judge:
            self.assertEqual([each.reward for each in judge.judge_many([(SEED, "nbody"), (WRONG, "nbody"), ("", "nbody")])],
                             [0.75, 0.1, 0])
        with msci.Judge(device="cpu", speed=False) as judge:
            self.assertEqual(judge.judge(SEED, "nbody").reward, 0.5)
        with StandIn() as programs, msci.Judge(baselines={"nbody": "mine"}) as judge:
            judge.judge("a", "nbody")
            judge.judge("b", "lbm")
            judge.judge("c", str(SOURCE / "docs/plan_example/plan.json"))
            self.assertEqual([programs.asked(text)[0].get("rival") for text in "abc"], ["mine", "seed", None])

    def test_refuses_a_baseline_that_is_not_right(self):
        for baseline, reason in {"wrong": "correctness failed", "died": "a process of msci died"}.items():
            with StandIn(), msci.Judge(baselines={"nbody": baseline}) as judge:
                with self.assertRaisesRegex(msci.MsciError, f"baseline of nbody .*{reason}"):
                    judge.judge("right", "nbody")

    def test_starts_the_server_again(self):
        with msci.Judge(device="cpu", speed=False) as judge:
            self.assertEqual(judge.judge(SEED, "nbody").reward, 0.5)
            judge._server._process.kill()
            self.assertEqual(judge.judge(SEED, "nbody").reward, 0.5)
        with StandIn() as programs, msci.Judge() as judge:
            texts = ["end", *(f"right {number}" for number in range(9)), "wrong", "limit"]
            results = judge.judge_many((text, "nbody") for text in texts)
            self.assertEqual([each.reward for each in results], [None, *[0.5] * 9, 0.1, None])
            self.assertEqual(len(programs.asked("end")), 3)
            self.assertIn("killed on request", results[0].error)

    def test_raises_where_nothing_can_be_judged(self):
        with msci.Judge(device="nowhere") as judge, self.assertRaisesRegex(msci.MsciError, "nowhere"):
            judge.judge(SEED, "nbody")
        with msci.Judge() as judge, self.assertRaisesRegex(msci.MsciError, "mortn"):
            judge.judge(SEED, "mortn")


class Verifiers(unittest.TestCase):
    """A rubric calls functions with the arguments that they name, and takes 0 for one that raises."""

    class Rubric:
        def __init__(self, funcs):
            self.funcs, self.weights = list(funcs), [1.0] * len(funcs)

        def add_metric(self, func, weight=0.0):
            self.funcs.append(func)
            self.weights.append(weight)

        async def score_rollout(self, state):
            state["reward"], state["metrics"] = 0.0, {}
            for func, weight in zip(self.funcs, self.weights):
                known = {"prompt": state["prompt"], "completion": state["completion"], "info": state["info"], "state": state}
                try:
                    score = float(await func(**{name: known[name] for name in inspect.signature(func).parameters}))
                except Exception:
                    score = 0.0
                state["reward"] += weight * score
                state["metrics"][func.__name__] = score

    class SingleTurnEnv:
        def __init__(self, dataset, rubric):
            self.dataset, self.rubric = dataset, rubric

        def rollout(self, row, text):
            state = {"prompt": row["prompt"], "info": row["info"], "completion": [{"role": "assistant", "content": text}]}
            asyncio.run(self.rubric.score_rollout(state))
            return state

    def packages(self):
        dataset = types.SimpleNamespace(from_list=lambda rows: rows)
        return modules(datasets=types.SimpleNamespace(Dataset=dataset),
                       verifiers=types.SimpleNamespace(Rubric=self.Rubric, SingleTurnEnv=self.SingleTurnEnv,
                                                       InfraError=type("InfraError", (Exception,), {})))

    def test_example(self):
        with self.packages():
            there = {}
            exec(example("def load_environment"), there)
            environment = there["load_environment"]()
            row = next(row for row in environment.dataset if row["info"]["task"] == "nbody")
            self.assertEqual(row["prompt"], [{"role": "user", "content": msci.prompt("nbody")}])
            right = environment.rollout(row, FENCED)
            self.assertEqual((right["reward"], right["metrics"], right.get("error")),
                             (0.75, {"msci_reward": 0.75, "msci_correct": 1.0}, None))
            none = environment.rollout(row, "I cannot do that.")
            self.assertEqual((none["reward"], none.get("error")), (0, None))

    def test_has_all_tasks(self):
        with self.packages():
            self.assertEqual(len(adapters.load_environment().dataset), 12)

    def test_an_error_of_msci_is_one_of_the_rollout(self):
        with self.packages(), StandIn():
            environment = adapters.load_environment(["nbody"])
            state = environment.rollout(environment.dataset[0], "```metal\nkernel limit\n```")
            self.assertIsInstance(state["error"], sys.modules["verifiers"].InfraError)
            self.assertIn("the limit on time", str(state["error"]))


class Trl(unittest.TestCase):
    """A trainer calls a function with lists by name: prompts, completions, their tokens, its state, the columns."""

    class GRPOTrainer:
        def __init__(self, model, reward_funcs, train_dataset):
            self.function, self.dataset = reward_funcs, train_dataset

        def rewards(self, *texts):
            row = self.dataset[0]
            return self.function(prompts=[row["prompt"]] * len(texts), completion_ids=[[1]] * len(texts), trainer_state=None,
                                 completions=[[{"role": "assistant", "content": text}] for text in texts],
                                 **{name: [row[name]] * len(texts) for name in row if name != "prompt"})

    def test_example(self):
        dataset = types.SimpleNamespace(from_list=lambda rows: rows)
        with modules(trl=types.SimpleNamespace(GRPOTrainer=self.GRPOTrainer),
                     datasets=types.SimpleNamespace(Dataset=dataset)):
            there = {}
            exec(example("GRPOTrainer("), there)
            self.assertEqual(there["trainer"].rewards(FENCED, "no", f"```metal\n{WRONG}```"), [0.75, 0, 0.1])
            self.assertEqual(there["trainer"].function.__name__, "msci_reward")

    def test_skips_what_could_not_be_judged(self):
        right, limit = "```\nkernel right\n```", "```\nkernel limit\n```"
        with StandIn():
            reward = adapters.trl_reward()
            self.assertEqual(reward(prompts=["", ""], completions=[right, limit], task=["nbody"] * 2), [0.5, None])
            with self.assertRaisesRegex(msci.MsciError, "says nothing about it: the limit on time"):
                adapters.trl_reward(unjudged="raise")(prompts=[""], completions=[limit], task=["nbody"])
            with self.assertRaisesRegex(ValueError, 'a column "task"'):
                reward(prompts=[""], completions=[right])

    def test_runs_in_an_event_loop(self):
        async def train():
            return adapters.trl_reward()(completions=["```\nkernel right\n```"], task=["nbody"])

        with StandIn():
            self.assertEqual(asyncio.run(train()), [0.5])


class Verl(unittest.TestCase):
    """verl loads a file, and calls the function in it by names, in threads if it is no coroutine."""

    def loaded(self, word):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "reward.py"
            path.write_text(example(word))
            spec = importlib.util.spec_from_file_location("custom_module", path)
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module.compute_score

    def test_example(self):
        score = self.loaded("verl_reward(")
        self.assertFalse(inspect.iscoroutinefunction(score))
        results = {}

        def call(text):
            results[text] = score(data_source="msci", solution_str=text, ground_truth="nbody", extra_info={"index": 0})

        threads = [threading.Thread(target=call, args=[text]) for text in (FENCED, "no", f"```metal\n{WRONG}```")]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(list(results[FENCED].items()), [("score", 0.75), ("acc", 1.0)])
        self.assertEqual(results["no"], {"score": 0, "acc": 0})
        self.assertEqual(results[f"```metal\n{WRONG}```"], {"score": 0.1, "acc": 0})

    def test_judges_a_batch(self):
        with StandIn():
            score = adapters.verl_batch_reward()
            rows = dict(data_sources=["msci"] * 2, ground_truths=["nbody"] * 2, extra_infos=[None] * 2)
            self.assertEqual(score(solution_strs=["```\nkernel right\n```", ""], **rows), [{"score": 0.5, "acc": 1}] * 2)
            with self.assertRaisesRegex(msci.MsciError, "the limit on time"):
                score(solution_strs=["```\nkernel right\n```", "```\nkernel limit\n```"], **rows)

    def test_never_scores_what_could_not_be_judged(self):
        with StandIn(), self.assertRaisesRegex(msci.MsciError, "a process of msci died"):
            adapters.verl_reward()("msci", "```\nkernel died\n```", "nbody")


class OpenEvolve(unittest.TestCase):
    class EvaluationResult(typing.NamedTuple):
        metrics: dict
        artifacts: dict = {}

    def packages(self):
        return modules(openevolve=types.ModuleType("openevolve"),
                       openevolve__evaluation_result=types.SimpleNamespace(EvaluationResult=self.EvaluationResult))

    def evaluated(self, evaluate, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "program.metal"
            path.write_bytes(text.encode("utf-8", "surrogateescape"))
            return evaluate(str(path))

    def test_example(self):
        with self.packages():
            there = {}
            exec(example("openevolve_evaluator("), there)
            right = self.evaluated(there["evaluate"], SEED)
            self.assertEqual(right.metrics, {"combined_score": 0.75, "compiles": 1, "correct": 1, "speedup": 1})
            self.assertIn("1 times as fast as the baseline", right.artifacts["feedback"])
            refused = self.evaluated(there["evaluate"], SEED.replace(";", "", 1))
            self.assertEqual(refused.metrics, {"combined_score": 0, "compiles": 0, "correct": 0, "speedup": 0})
            self.assertRegex(refused.artifacts["feedback"], r"line \d+:\d+: error: ")
            wrong = self.evaluated(there["evaluate"], WRONG)
            self.assertEqual(wrong.metrics["combined_score"], 0.1)
            self.assertRegex(wrong.artifacts["feedback"], "correctness failed")
            self.assertNotIn("cause: ", wrong.artifacts["feedback"])
            self.assertEqual(self.evaluated(there["evaluate"], "\udcff").metrics["combined_score"], 0)

    def test_tells_the_cause_where_the_judge_looks_for_it(self):
        with self.packages():
            evaluate = adapters.openevolve_evaluator("nbody", device="cpu", speed=False, diagnosis=True)
            line = WRONG[:WRONG.index("2.0f * mass[j]")].count("\n") + 1
            self.assertIn(f"(line {line})", self.evaluated(evaluate, WRONG).artifacts["feedback"])

    def test_raises_what_could_not_be_judged(self):
        with self.packages(), StandIn(), self.assertRaisesRegex(msci.MsciError, "the limit on time"):
            self.evaluated(adapters.openevolve_evaluator("nbody"), "limit")


class Ray(unittest.TestCase):
    """Actors with a thread and an event loop each; what they get and return is pickled. kill() ends one, which Ray starts
    again."""

    class RayActorError(Exception):
        pass

    def packages(self):
        import pickle
        from concurrent.futures import Future
        case = self
        self.actors, self.calls = [], []

        class Actor:
            def __init__(self, kind, *arguments):
                self.kind, self.arguments, self.pending = kind, arguments, set()
                self.lock = threading.Lock()  # a call goes to one event loop, or to the one after it
                case.actors.append(self)
                self.restart()

            def restart(self):
                self.object = self.kind(*pickle.loads(pickle.dumps(self.arguments)))
                self.loop = asyncio.new_event_loop()
                threading.Thread(target=self.loop.run_forever, daemon=True).start()

            def kill(self):
                with self.lock:
                    pending, self.pending = self.pending, set()
                    self.loop.call_soon_threadsafe(self.loop.stop)
                    self.restart()
                for future in pending:
                    future.set_exception(case.RayActorError("its node has gone"))

            @property
            def judge(self):
                return types.SimpleNamespace(remote=self.call)

            def call(self, *arguments):
                case.calls.append((self, arguments))
                future = Future()

                def done(result):
                    with self.lock:
                        is_owed = future in self.pending
                        self.pending.discard(future)
                    if is_owed:
                        future.set_result(pickle.loads(pickle.dumps(result.result())))

                with self.lock:
                    self.pending.add(future)
                    running = asyncio.run_coroutine_threadsafe(self.object.judge(*pickle.loads(pickle.dumps(arguments))),
                                                               self.loop)
                running.add_done_callback(done)
                return asyncio.wrap_future(future)

        def remote(**options):
            self.options = options
            return lambda kind: types.SimpleNamespace(remote=lambda *arguments: Actor(kind, *arguments))

        return modules(ray=types.SimpleNamespace(remote=remote, init=lambda: None),
                       ray__exceptions=types.SimpleNamespace(RayActorError=self.RayActorError))

    def test_example(self):
        with self.packages(), contextlib.redirect_stdout(None):
            there = {"candidates": [SEED, WRONG, ""]}
            exec(example("RayPool("), there)
            self.assertEqual([each.reward for each in there["results"]], [0.75, 0.1, 0])
            self.assertEqual(self.options, {"num_cpus": 2, "max_restarts": -1})
            self.assertEqual(len(self.actors), 4)
            self.assertEqual(len({actor for actor, _ in self.calls}), 3, "each kernel goes to the server with the fewest")

    def test_judges_elsewhere_what_an_actor_loses(self):
        with self.packages(), StandIn() as programs:
            pool = adapters.RayPool(3)
            texts = [f"{'wrong' if number % 3 else 'right'} {number}" for number in range(300)]
            killer = threading.Timer(0, lambda: [self.actors[index].kill() for index in (0, 1)])
            killer.start()
            results = pool.judge_many((text, "nbody") for text in texts)
            self.assertEqual([each.index for each in results], list(range(300)))
            self.assertEqual([each.reward for each in results], [0.1 if number % 3 else 0.5 for number in range(300)])
            self.assertIsNone(pool.judge("limit", "nbody").reward)
            self.assertEqual(len(programs.asked("limit")), 3)

    def test_gives_no_reward_if_all_actors_die(self):
        with self.packages(), StandIn():
            pool = adapters.RayPool(1)
            with unittest.mock.patch.object(type(self.actors[0]), "call", side_effect=self.RayActorError("its node has gone")):
                result = pool.judge("right", "nbody")
            self.assertIsNone(result.reward)
            self.assertIn("its node has gone", result.error)


class Wheel(unittest.TestCase):
    def test_needs_no_framework(self):
        """Without any package, and with the programs found by PATH."""
        import subprocess
        import zipfile
        with tempfile.TemporaryDirectory() as folder:
            built = subprocess.run([sys.executable, SOURCE / "python/build_wheel.py", "0.1.0", folder], check=True,
                                   stdout=subprocess.PIPE, encoding="utf-8").stdout.strip()
            with zipfile.ZipFile(built) as archive:
                metadata = archive.read("msci-0.1.0.dist-info/METADATA").decode()
                archive.extractall(folder)
            self.assertIn("\nRequires-Python: >=3.9\n", metadata)
            self.assertNotIn("Requires-Dist", metadata)
            program = "import msci, msci.adapters; print(len(msci.prompt('nbody')))"
            done = subprocess.run([sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, {folder!r}); {program}"],
                                  stdout=subprocess.PIPE, encoding="utf-8", check=True)
            self.assertEqual(int(done.stdout), len(msci.prompt("nbody")))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
