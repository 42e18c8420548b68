#!/usr/bin/env python3
"""Many verdicts through several servers, some of which are killed: every request must be answered once, and rightly.

    many_servers.py BIN [--verdicts N] [--servers N] [--kills N] [--jobs N] [--seed S] [--verdict strict|verify]

The requests are seeds of tasks, wrong variants of them, and texts that do not compile, all different. A pool of
msci.Judge sends each to the server with the fewest. At random moments, the process of a random server gets SIGKILL.
Answers are counted as they come from the servers' pipes. Prints a table; the exit status is 1 if a request was answered
twice or never, a verdict was wrong, or a process was left. Python 3.9, a build's bin folder and this checkout are
enough.
"""
import argparse
import asyncio
import collections
import functools
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


def request(draws, number):
    """The kind of a request, its source and its task."""
    task = draws.choice(sorted(FLAWS))
    kind = draws.choices(sorted(KINDS), weights=[1, 4, 2])[0]  # not compiled, right, wrong
    source = (ROOT / f"tasks/{task}/{task}.metal").read_text()
    if kind == "wrong":
        assert FLAWS[task][0] in source
        source = source.replace(*FLAWS[task])
    if kind == "not compiled":
        source = source.replace("kernel void", "kernel vide")
    return kind, f"{source}// request {number}\n", task


class Trial:
    def __init__(self, options):
        self.options = options
        self.draws = random.Random(options.seed)
        self.verdicts = collections.Counter()  # that came from the servers, by request
        self.asked = collections.Counter()     # by request
        self.live = {}                         # the last server of each judge
        self.killed = []
        self.done = 0
        self.unlike = []                       # requests with another verdict than their kind has
        self.kinds = collections.Counter()

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
        kind, source, task = request(random.Random(f"{self.options.seed} {number}"), number)
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
        start = told = time.monotonic()

        async def within(number):
            nonlocal told
            async with room:
                await self.one(judges, gates, number, moments)
            if time.monotonic() - told > 30:
                told = time.monotonic()
                print(f"{self.done:,} verdicts in {told - start:.0f} s", file=sys.stderr, flush=True)

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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--verdicts", type=int, default=10_000)
    parser.add_argument("--servers", type=int, default=8)
    parser.add_argument("--kills", type=int, default=2)
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 1) // 8), help="of each server")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--verdict", choices=["strict", "verify"], default="strict")
    parser.add_argument("--device", default="cpu")
    options = parser.parse_args()
    trial = Trial(options)
    with tempfile.TemporaryDirectory() as cache:
        os.environ.update(MSCI_BIN=str(options.bin.resolve()), XDG_CACHE_HOME=cache, **{MARK: str(os.getpid())})
        seconds = trial.judge_all()
        left = processes_left()
    counts = collections.Counter(min(trial.verdicts[number], 2) for number in range(options.verdicts))
    again = sum(count - 1 for count in trial.asked.values())
    print(f"{options.verdicts:,} {options.verdict} verdicts, {options.servers} servers of {options.jobs} jobs, "
          f"seed {options.seed}; killed: {', '.join(trial.killed) or 'none'}")
    for name, value in [("answered once", f"{counts[1]:,}"), ("twice or more", f"{counts[2]:,}"),
                        ("never", f"{counts[0]:,}"), ("wrong verdicts", f"{len(trial.unlike):,}"),
                        ("sent again", f"{again:,}"), *((kind, f"{trial.kinds[kind]:,}") for kind in KINDS),
                        ("seconds", f"{seconds:.0f}"), ("verdicts/min", f"{options.verdicts / seconds * 60:.0f}"),
                        ("processes left", f"{len(left)}")]:
        print(f"  {name:<16}{value:>8}")
    for problem in trial.unlike[:10]:
        print(problem)
    return int(counts[1] != options.verdicts or bool(trial.unlike) or bool(left) or len(trial.killed) != options.kills)


if __name__ == "__main__":
    sys.exit(main())
