#!/usr/bin/env python3
"""Many verdicts through several servers, some of which are killed: every request must be answered once, and rightly.

    many_servers.py BIN [--small] [--verdicts N] [--servers N] [--kills N] [--jobs N] [--seed S] [--verdict strict|verify]

The requests are seeds of tasks, wrong variants of them, and texts that do not compile, all different. With --small, they
are short kernels of a small plan, which take some tens of milliseconds each, and the verdict is verify. A pool of
msci.Judge sends each to the server with the fewest. At random moments, the process of a random server gets SIGKILL.
Answers are counted as they come from the servers' pipes. Prints its progress and a table; the exit status is 1 if a
request was answered twice or never, a verdict was wrong, or a process was left. Python 3.9, a build's bin folder and
this checkout are enough.
"""
import argparse
import array
import asyncio
import collections
import functools
import json
import os
import pathlib
import random
import re
import signal
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path[:0] = [str(ROOT / "python"), str(ROOT / "tests/support")]
import msci  # noqa: E402
from msci.server import Server  # noqa: E402
from processes import marked  # noqa: E402

# What makes a seed wrong.
FLAWS = {"heat2d": ("4.0f * c", "3.0f * c"), "lbm": ("3.0f * cu", "2.0f * cu"), "morton": ("6.0f * c", "5.0f * c"),
         "nbody": ("mass[j] * d", "d"), "saxpy": ("a * x[i]", "a + x[i]"), "wave3d": ("6.0f * c", "5.0f * c")}
KINDS = {"right": (True, True), "wrong": (True, False), "not compiled": (False, False)}  # whether it compiles, is right
ASKED_PER_JOB = 4
MARK = "MSCI_MANY_SERVERS"  # in the environment of the processes
SECONDS_PER_LINE = 5  # of the progress

# A small plan: y = 2 x. Wrong kernels all have another program.
SMALL = 64
SMALL_PLAN = {
    "sizes": [{"label": str(SMALL), "n": SMALL}],
    "buffers": {"x": {"type": "uint", "count": "n", "fill": {"iota": [1, 1]}, "read_only": True},
                "y": {"type": "uint", "count": "n"}},
    "launches": [{"kernel": "twice", "grid": ["n"], "threadgroup": [32], "bind": {"0": "x", "1": "y"}}],
    "expect": {"y": {"file": "y.bin"}}}
SMALL_KERNEL = """#include <metal_stdlib>
using namespace metal;
kernel void twice(device const uint* x [[buffer(0)]], device uint* y [[buffer(1)]], uint i [[thread_position_in_grid]]) {
  y[i] = x[i] < NUMBER ? x[i] + x[i] + FLAW : 2 * x[i];
}
"""


def small_plan(folder):
    """The path of the small plan, which it writes into a new folder."""
    folder.mkdir()
    (folder / "y.bin").write_bytes(array.array("I", range(2, 2 * SMALL + 2, 2)).tobytes())
    (folder / "twice.json").write_text(json.dumps(SMALL_PLAN))
    return str(folder / "twice.json")


def request(draws, number, plan):
    """The kind of a request, its source and its task: `plan`, or one of the benchmark."""
    task = plan or draws.choice(sorted(FLAWS))
    kind = draws.choices(sorted(KINDS), weights=[1, 4, 2])[0]  # not compiled, right, wrong
    if plan:
        source = SMALL_KERNEL.replace("NUMBER", f"{number + 2}u").replace("FLAW", "1" if kind == "wrong" else "0")
    else:
        source = (ROOT / f"tasks/{task}/{task}.metal").read_text()
        assert FLAWS[task][0] in source
        source = source.replace(*FLAWS[task]) if kind == "wrong" else source
    if kind == "not compiled":
        source = source.replace("kernel void", "kernel vide")
    return kind, f"{source}// request {number}\n", task


def resident_mib(process):
    try:
        with open(f"/proc/{process}/status") as status:
            return int(re.search(r"VmRSS:\s*(\d+)", status.read())[1]) / 1024
    except (OSError, TypeError):
        return 0  # it has just ended


class Trial:
    def __init__(self, options, plan):
        self.options = options
        self.plan = plan
        self.draws = random.Random(options.seed)
        self.verdicts = collections.Counter()  # that came from the servers, by request
        self.asked = collections.Counter()     # by request
        self.live = {}                         # the last server of each judge
        self.killed = []
        self.done = 0
        self.unlike = []                       # requests with another verdict than their kind has
        self.kinds = collections.Counter()
        self.progress = [(0, 0, 0)]            # seconds, verdicts, and MiB of the largest server, at some moments

    def again(self):
        return sum(self.asked.values()) - len(self.asked)

    def start(self, place):
        trial = self

        class Counted(Server):
            def _ask(self, request, inbox):
                number = super()._ask(request, inbox)
                if found := re.search(r"// request (\d+)$", request["source"].rstrip()):
                    numbers[number] = int(found[1])
                    trial.asked[int(found[1])] += 1
                return number

            def _take(self, answer):
                if answer.get("evaluation", {"error": ""})["error"] is None:
                    came.append(answer["id"])
                super()._take(answer)

        numbers, came = {}, []
        self.live[place] = Counted(self.options.device, self.options.jobs)
        self.tables.append((numbers, came))
        return self.live[place]

    async def one(self, judges, gates, number, moments):
        kind, source, task = request(random.Random(f"{self.options.seed} {number}"), number, self.plan)
        place = max(range(len(gates)), key=lambda each: gates[each]._value)  # the one with the most room
        async with gates[place]:
            judged = await judges[place].judge_async(source, task)
        self.kinds[kind] += 1
        self.done += 1
        evaluation = judged.evaluation
        is_right = evaluation and evaluation.correct and (self.options.verdict == "verify" or evaluation.strict_passed)
        if evaluation is None or (bool(evaluation.compile_ok), bool(is_right)) != KINDS[kind]:
            self.unlike.append(f"request {number} ({task}, {kind}): {judged.error or evaluation}")
        running = [place for place, server in sorted(self.live.items()) if server._process.poll() is None]
        if moments and self.done >= moments[0] and running:
            moments.pop(0)
            victim = self.draws.choice(running)
            os.kill(self.live[victim]._process.pid, signal.SIGKILL)
            self.killed.append(f"server {victim} after {self.done:,} verdicts")

    async def run(self, judges):
        options = self.options
        per_server = ASKED_PER_JOB * options.jobs
        gates = [asyncio.Semaphore(per_server) for _ in judges]
        room = asyncio.Semaphore(per_server * len(judges))
        moments = sorted(self.draws.randrange(options.verdicts // 10, options.verdicts * 9 // 10 + 1)
                         for _ in range(options.kills))
        start = time.monotonic()

        async def within(number):
            async with room:
                await self.one(judges, gates, number, moments)
            seconds = time.monotonic() - start
            if seconds - self.progress[-1][0] > SECONDS_PER_LINE or self.done == options.verdicts:
                mib = max(resident_mib(server._process.pid) for server in list(self.live.values()))
                self.progress.append((seconds, self.done, mib))
                print(f"{seconds:5.0f} s: {self.done:,} verdicts, {self.again()} sent again, {len(self.killed)} killed, "
                      f"{mib:.0f} MiB", file=sys.stderr, flush=True)

        await asyncio.gather(*(within(number) for number in range(options.verdicts)))
        return time.monotonic() - start

    def judge_all(self):
        options = self.options
        self.tables = []
        judges = [msci.Judge(verdict=options.verdict, speed=False) for _ in range(options.servers)]
        for place, judge in enumerate(judges):
            judge._start = functools.partial(self.start, place)
        try:
            seconds = asyncio.run(self.run(judges))
        finally:
            for judge in judges:
                judge.close()
        for numbers, came in self.tables:
            self.verdicts.update(numbers[each] for each in came if each in numbers)
        return seconds


def processes_left():
    """Those of the servers; one that judged ends soon after its server."""
    deadline = time.monotonic() + 60
    while (left := set(marked(f"{MARK}={os.getpid()}".encode())) - {os.getpid()}) and time.monotonic() < deadline:
        time.sleep(0.1)
    return left


def ends_of(progress):
    """Verdicts a minute and the MiB of the largest server, in the first and the last fifth of the verdicts."""
    def rate(first, last):
        return 60 * (last[1] - first[1]) / max(last[0] - first[0], 1e-9)

    fifth = progress[-1][1] / 5
    first = next(each for each in progress if each[1] >= fifth)
    last = next((each for each in reversed(progress) if each[1] <= 4 * fifth), progress[0])
    return ((rate(progress[0], first), rate(last, progress[-1])), (first[2], progress[-1][2]))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--verdicts", type=int, default=10_000)
    parser.add_argument("--servers", type=int, default=8)
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 1) // 8), help="of each server")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--small", action="store_true", help="kernels of a small plan instead of tasks")
    parser.add_argument("--verdict", choices=["strict", "verify"], default="strict")
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as cache:
        if options.small:
            options.verdict = "verify"
        trial = Trial(options, small_plan(pathlib.Path(cache) / "plan") if options.small else None)
        os.environ.update(MSCI_BIN=str(options.bin.resolve()), XDG_CACHE_HOME=cache, **{MARK: str(os.getpid())})
        seconds = trial.judge_all()
        left = processes_left()
    counts = collections.Counter(min(trial.verdicts[number], 2) for number in range(options.verdicts))
    rates, memory = ends_of(trial.progress)
    print(f"{options.verdicts:,} {options.verdict} verdicts, {options.servers} servers of {options.jobs} jobs, "
          f"seed {options.seed}; killed: {', '.join(trial.killed) or 'none'}")
    for name, value in [("answered once", f"{counts[1]:,}"), ("twice or more", f"{counts[2]:,}"),
                        ("never", f"{counts[0]:,}"), ("wrong verdicts", f"{len(trial.unlike):,}"),
                        ("sent again", f"{trial.again():,}"), *((kind, f"{trial.kinds[kind]:,}") for kind in KINDS),
                        ("seconds", f"{seconds:.0f}"), ("verdicts/min", f"{options.verdicts / seconds * 60:.0f}"),
                        ("  at first", f"{rates[0]:.0f}"), ("  at last", f"{rates[1]:.0f}"),
                        ("MiB at first", f"{memory[0]:.0f}"), ("MiB at last", f"{memory[1]:.0f}"),
                        ("processes left", f"{len(left)}")]:
        print(f"  {name:<16}{value:>8}")
    for problem in trial.unlike[:10]:
        print(problem)
    return int(counts[1] != options.verdicts or bool(trial.unlike) or bool(left) or len(trial.killed) != options.kills)


if __name__ == "__main__":
    sys.exit(main())
