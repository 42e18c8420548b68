"""How many kernels msci-eval --server judges in a minute, and where the time goes.

    python3 tests/bench/judge_speed.py build/bin CANDIDATES.jsonl.gz [--device cpu] [--rounds N] [--other BIN]

CANDIDATES holds kernels with their "id", "task" and "source". Each set (lbm alone, all tasks) is judged strictly and
without timing, and without the cache; with --other, in turns with the programs of another build. The last lines are what
a duplicate costs.

    python3 tests/bench/judge_speed.py build/bin CANDIDATES.jsonl.gz --device nvidia --timed steady

times the kernels that are recorded as right, by that protocol: one at a time, many at once, and beside as many strict
verdicts, and prints how much longer their passes take beside others.
"""
import argparse
import gzip
import json
import os
import pathlib
import statistics
import subprocess
import time

PHASES = ["front_end", "inputs", "references", "build", "run", "judging", "strict"]


class Server:
    def __init__(self, folder, *arguments):
        self.process = subprocess.Popen([folder / "msci-eval", "--server", *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)

    def ask(self, requests):
        """The answers; a thread of the system's pipe would block where both sides only write, so it asks in parts."""
        answers, waiting = [], list(requests)
        owed = 0
        while waiting or owed:
            while waiting and owed < 64:
                self.process.stdin.write(json.dumps(waiting.pop(0)).encode() + b"\n")
                owed += 1
            self.process.stdin.flush()
            answers.append(json.loads(self.process.stdout.readline()))
            owed -= 1
        return answers

    def end(self):
        self.process.stdin.close()
        self.process.wait()


def judge(folder, device, requests, *arguments):
    server = Server(folder, "--device", device, "--no-cache", *arguments)
    server.ask([{"id": 0, "source": "kernel void f() {}", "verdict": "lint"}])  # it has started
    start = time.perf_counter()
    answers = server.ask(requests)
    seconds = time.perf_counter() - start
    server.end()
    return seconds, answers


def times_of(answers):
    """The seconds of a pass, by kernel and size."""
    return {(answer["id"], size["label"]): size["gpu_seconds"]
            for answer in answers if str(answer["id"]).startswith("timed") and answer.get("evaluation")
            for size in answer["evaluation"]["sizes"] if size["gpu_seconds"]}


def compare_times(options, candidates):
    def requests(verdict):
        return [{"id": f"{verdict} {each['id']}", "source": each["source"], "task": each["task"], "verdict": verdict,
                 **({"protocol": options.timed} if verdict == "timed" else {})} for each in candidates if each["correct"]]
    timed, strict = requests("timed"), requests("strict")
    mixed = [each for pair in zip(timed, strict) for each in pair]
    alone = None
    for name, asked, arguments in [("one at a time", timed, ["--jobs", "1"]), ("one at a time, again", timed, ["--jobs", "1"]),
                                   ("many at once", timed, []), ("beside strict verdicts", mixed, [])]:
        seconds, answers = judge(options.bin, options.device, asked, *arguments)
        times = times_of(answers)
        alone = alone or times
        ratios = sorted(times[key] / alone[key] for key in times.keys() & alone.keys())
        tenths = statistics.quantiles(ratios, n=10)
        ran = sum(each["seconds"]["run"] for each in answers if each["id"].startswith("timed"))
        print(f"{name}: {60 * len(timed) / seconds:.1f} timed a minute, {len(times)} times; {ran:.1f} s in runs and their turns; "
              f"over one at a time: a tenth below {tenths[0]:.3f}, median {tenths[4]:.3f}, a tenth above {tenths[8]:.3f}, "
              f"most {ratios[-1]:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("candidates")
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--other", type=pathlib.Path)
    parser.add_argument("--task")
    parser.add_argument("--timed", choices=["steady", "metal-sci", "benchmark"])
    options = parser.parse_args()
    with gzip.open(options.candidates, "rt") as lines:
        candidates = [json.loads(line) for line in lines]
    if options.timed:
        return compare_times(options, candidates)
    builds = [options.bin] + ([options.other] if options.other else [])
    for task in [options.task] if options.task else ["lbm", None]:
        requests = [{"id": each["id"], "source": each["source"], "task": each["task"], "verdict": "strict"}
                    for each in candidates if task in (None, each["task"])]
        taken = {build: [] for build in builds}
        for _ in range(options.rounds):
            for build in builds:
                seconds, answers = judge(build, options.device, requests)
                taken[build].append(seconds)
                if build == options.bin:
                    last = answers
        print(f"{task or 'all tasks'}: {len(requests)} kernels, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
        for build in builds:
            print(f"  {60 * len(requests) / statistics.median(taken[build]):6.1f} a minute  {build}")
        failed = [each for each in last if each.get("error") or each["evaluation"]["error"]]
        print(f"  {sum(1 for each in last if (each.get('evaluation') or {}).get('correct'))} right, {len(failed)} not judged")
        for each in failed[:5]:
            print("   ", each["id"], each.get("error") or each["evaluation"]["error"])
        sums = {phase: sum(each.get("seconds", {}).get(phase, 0) for each in last) for phase in PHASES}
        total = sum(sums.values())
        for phase in PHASES:
            print(f"  {phase:12} {sums[phase]:8.2f} s  {100 * sums[phase] / total:5.1f} %")
        by_task = {}
        for each in last:
            by_task.setdefault(each["id"].split("-")[0], []).append(sum(each.get("seconds", {}).values()))
        if not task:
            for name, each in by_task.items():
                print(f"  {name:12} {sum(each) / len(each):8.2f} s a kernel")
    server = Server(options.bin, "--device", options.device)
    same = {"id": 1, "source": requests[0]["source"], "task": requests[0]["task"], "verdict": "verify"}
    server.ask([same])
    costs = []
    for _ in range(200):
        start = time.perf_counter()
        answer = server.ask([same])[0]
        costs.append(1000 * (time.perf_counter() - start))
    server.end()
    print(f"a duplicate: {statistics.median(costs):.2f} ms, at most {max(costs):.2f} ms, {'cached' in answer}")


main()
