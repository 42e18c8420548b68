#!/usr/bin/env python3
"""Tasks written in Python against the programs of a build: tasks_test.py BIN SOURCE [TEST…]

Needs NumPy (python3-numpy); says so and exits with 77 where it is absent."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BIN, SOURCE = (pathlib.Path(each).resolve() for each in sys.argv[1:3])
sys.path.insert(0, str(SOURCE / "python"))
try:
    import numpy as np
except ImportError:
    system = "/usr/bin/python3"  # Debian's modules belong to Debian's Python
    if os.path.exists(system) and os.path.realpath(sys.executable) != os.path.realpath(system):
        os.execv(system, [system, *sys.argv])
    print("SKIP: NumPy is not installed (apt-get install python3-numpy)")
    sys.exit(77)
CACHE = tempfile.TemporaryDirectory()
os.environ.update(MSCI_BIN=str(BIN), XDG_CACHE_HOME=CACHE.name)
import msci  # noqa: E402

SEED = """#include <metal_stdlib>
using namespace metal;
kernel void weigh(device const float* x [[buffer(0)]], device const float* weights [[buffer(1)]],
                  device float* y [[buffer(2)]], constant uint& n [[buffer(3)]],
                  uint i [[thread_position_in_grid]]) {
  if (i < n) y[i] = weights[i % 4] * x[i];
}
"""


@msci.task(
    title="weights in turn", seed=SEED,
    sizes=[{"label": "1000", "n": 1000}, {"label": "37", "n": 37}],
    held_out={"label": "501", "n": 501},
    buffers={"x": msci.Uniform("float32", "n", -1, 1), "weights": np.array([1, 2, 0.5, -3], "float32"),
             "y": msci.Empty("float32", "n"), "n": msci.Value("uint32", "n")},
    launches=[msci.launch("weigh", grid=["n"], threadgroup=[64], bind=["x", "weights", "y", "n"])],
    results=["y"], tolerance={"max_abs": 1e-6}, work={"bytes": "8*n"},
    stress={"sizes": [{"label": "100", "n": 100}], "random": {"n": [1, 200]}, "tolerance": 1e-6})
def weigh(x, weights, n):
    assert len(x) == n
    return {"y": x * np.resize(weights, n)}


@msci.task(
    sizes=[{"label": "8", "n": 8}],
    buffers={"x": msci.Uniform("uint64", "n", 0, 2**63), "y": msci.Empty("uint64", "n", zeros=True)},
    launches=[msci.launch("add", grid=["n"], threadgroup=[8], bind=["x", "y"])], results=["y"])
def add(x):
    return {"y": x + np.uint64(1)}


class Tasks(unittest.TestCase):
    def test_judges_on_arrays_and_a_function(self):
        with msci.Server("cpu") as server:
            right = server.evaluate(SEED, weigh, verdict="strict", held_out=True)
            self.assertIs(right.correct, True)
            self.assertIs(right.strict_passed, True)
            self.assertEqual(right.json["task"], "weigh")
            wrong = server.evaluate(SEED.replace("i % 4", "i % 2"), weigh)
            self.assertIs(wrong.correct, False)
            report = server.lint("kernel void other() {}", task=weigh)
            self.assertIs(report.valid, False)
            many = list(server.evaluate_many([(SEED, weigh)]))
            self.assertIs(many[0].evaluation.correct, True)

    def test_integers_of_64_bits_are_exact(self):
        kernel = ("#include <metal_stdlib>\nusing namespace metal;\nkernel void add(device const ulong* x [[buffer(0)]], "
                  "device ulong* y [[buffer(1)]], uint i [[thread_position_in_grid]]) { y[i] += x[i] + 1; }\n")
        self.assertIs(msci.evaluate(kernel, add, device="cpu").correct, True)
        self.assertIs(msci.evaluate(kernel.replace("+ 1", "+ 2"), add, device="cpu").correct, False)

    def test_an_error_of_the_function_is_no_verdict(self):
        with self.assertRaisesRegex(msci.MsciError, "/reference: .* failed at size"):
            msci.evaluate(SEED, broken, device="cpu")

    def test_writes_a_plan_that_others_can_use(self):
        with tempfile.TemporaryDirectory() as folder:
            plan = json.loads(weigh.write(folder).read_text())
            self.assertEqual(plan["buffers"]["weights"], {"type": "float", "file": "weights.npy", "read_only": True})
            self.assertEqual(plan["launches"][0]["bind"], {"0": "x", "1": "weights", "2": "y", "3": "n"})
            self.assertEqual((pathlib.Path(folder) / "seed.metal").read_text(), SEED)
            np.testing.assert_array_equal(np.load(pathlib.Path(folder) / "weights.npy"), [1, 2, 0.5, -3])

    def test_records_what_a_host_does(self):
        kernel = """#include <metal_stdlib>
using namespace metal;
struct Step { float factor; uint n; };
kernel void step(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], constant Step& s [[buffer(2)]],
                 constant uint& add [[buffer(4)]], uint i [[thread_position_in_grid]]) {
  if (i < s.n) y[i] = s.factor * x[i] + add;
}
"""
        data = np.arange(1, 101, dtype="float32")
        step = np.array([(0.5, 96)], dtype=[("factor", "float32"), ("n", "uint32")])
        with tempfile.TemporaryDirectory() as folder:
            with msci.record(folder, seed=kernel, title="steps") as host:
                u, v = host.buffer("u", data), host.buffer("v", np.zeros(100, "float32"))
                offset = 16  # bytes: the first four stay
                for _ in range(2):
                    host.dispatch("step", grid=[96], threadgroup=[32],
                                  bind={0: (u, offset), 1: (v, offset), 2: step, 4: np.uint32(3)})
                    host.dispatch("step", grid=[96], threadgroup=[32],
                                  bind={0: (u, offset), 1: (v, offset), 2: step, 4: np.uint32(3)})
                    u, v = v, u
                expected = data.copy()
                expected[4:] = 0.5 * (0.5 * data[4:] + 3) + 3
                data[:] = 0  # the recording has a copy
                host.expect(u, expected)
            plan = json.loads((pathlib.Path(folder) / "plan.json").read_text())
            self.assertEqual([each.get("times") for each in plan["launches"]], [2, 2])
            plan = str(pathlib.Path(folder) / "plan.json")
            self.assertIs(msci.evaluate(kernel, plan=plan, device="cpu").correct, True)
            self.assertIs(msci.evaluate(kernel.replace("+ add", ""), plan=plan, device="cpu").correct, False)

    def test_refuses_to_record_what_no_plan_can_say(self):
        with tempfile.TemporaryDirectory() as folder:
            plan = pathlib.Path(folder) / "new"
            with self.assertRaisesRegex(ValueError, "a recording needs a dispatch"):
                with msci.record(plan) as host:
                    x = host.buffer("x", np.zeros(4, "float32"))
            with self.assertRaisesRegex(TypeError, "3 has no type of Metal"):
                host.dispatch("k", grid=[4], threadgroup=[4], bind=[x, 3])
            with self.assertRaisesRegex(ValueError, "not the name of a new buffer"):
                host.buffer("x", np.zeros(4, "float32"))
            with self.assertRaisesRegex(ValueError, "5000 bytes are more than setBytes takes"):
                host.dispatch("k", grid=[4], threadgroup=[4], bind=[np.zeros(5000, "uint8")])
            with self.assertRaisesRegex(ValueError, "20 bytes are expected of x, and it has 16"):
                host.expect(x, np.zeros(5))
            with self.assertRaises(KeyError):
                with msci.record(plan) as host:
                    raise KeyError("the host's own")
            self.assertFalse(plan.exists())

    def test_equal_tasks_share_a_plan_and_its_results(self):
        program = """import pathlib, sys
import msci, helper

@msci.task(sizes=[{"label": "8", "n": 8}],
           buffers={"x": msci.Uniform("float32", "n", 0, 1), "y": msci.Empty("float32", "n")},
           launches=[msci.launch("twice", grid=["n"], threadgroup=[8], bind=["x", "y"])], results=["y"])
def twice(x):
    with open(pathlib.Path(__file__).with_name("runs"), "a") as file:
        file.write("x")
    return {"y": helper.factor * x}

if __name__ == "__main__":
    kernel = ("kernel void twice(device const float* x [[buffer(0)]], device float* y [[buffer(1)]], "
              "uint i [[thread_position_in_grid]]) { y[i] = 2 * x[i]; }")
    print(twice.path(), msci.evaluate(kernel, twice, device="cpu", cache=False).correct)
"""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "own.py").write_text(program)
            (root / "helper.py").write_text("factor = 2\n")

            def run():
                environment = {**os.environ, "PYTHONPATH": str(SOURCE / "python")}
                done = subprocess.run([sys.executable, root / "own.py"], env=environment, text=True, stdout=subprocess.PIPE)
                self.assertEqual(done.returncode, 0)
                return *done.stdout.split(), len((root / "runs").read_text())

            first, again = run(), run()
            self.assertEqual(first[1:], ("True", 1))
            self.assertEqual(again, first)
            (root / "helper.py").write_text("factor = 3\n")
            changed = run()
            self.assertNotEqual(changed[0], first[0])
            self.assertEqual(changed[1:], ("False", 2))

    def test_refuses_what_metal_lacks(self):
        with self.assertRaisesRegex(ValueError, "no scalar type for NumPy's float64"):
            msci.task(sizes=[], buffers={"x": np.zeros(3)}, launches=[], results=[])(lambda x: {})


@msci.task(
    sizes=[{"label": "8", "n": 8}],
    buffers={"x": msci.Uniform("float32", "n", 0, 1), "y": msci.Empty("float32", "n")},
    launches=[msci.launch("weigh", grid=["n"], threadgroup=[8], bind=["x", "x", "y", "x"])], results=["y"])
def broken(x):
    raise RuntimeError("this reference has a mistake")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
