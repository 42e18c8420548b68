#!/usr/bin/env python3
"""Random kills of an evaluator, a search and what they start: nothing may be lost, left behind or wrong.

    kills.py BIN_DIR [--kills N] [--seed S]

Each round starts msci-eval on a seed kernel (four of five rounds), or msci-search with canned answers, and sends
SIGTERM or SIGKILL at a random moment to the program itself or to one of the processes that it started. Then:

- standard output has whole lines of JSON alone, and no verdict differs from that of an undisturbed run, unless it is
  "could not judge";
- after at most five seconds, none of the processes is left;
- after SIGTERM, no temporary file is left; after SIGKILL, none is left once the program has run again;
- a search that was killed goes on and ends with the candidates and verdicts of an undisturbed one. Where a process
  that judges or generates was killed, that candidate may lack a verdict, but has no wrong one.

Exit status: 0 all held, 1 something did not, whose round and seed are printed. Python 3 is enough.
"""
import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from processes import descendants_of, marked  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[3]
TASKS = ["nbody", "lbm", "morton"]
GENERATOR = f"sh {ROOT}/docs/demo/nbody.sh"


class Round:
    def __init__(self, folder, number):
        self.temporary = folder / f"tmp{number}"
        self.temporary.mkdir()
        self.mark = f"MSCI_KILLS_ROUND={os.getpid()}_{number}".encode()
        name, value = self.mark.decode().split("=")
        self.environment = {**os.environ, "TMPDIR": str(self.temporary), "XDG_CACHE_HOME": str(folder / "cache"),
                            name: value}
        self.problems = []

    def start(self, command):
        return subprocess.Popen(command, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                stdin=subprocess.DEVNULL)

    def check(self, holds, problem):
        if not holds:
            self.problems.append(problem)

    def kill_one(self, running, chance, delay):
        """Waits, then sends a signal to the program or to a process below it; what it did."""
        time.sleep(delay)
        sent = chance.choice([signal.SIGTERM, signal.SIGKILL])
        below = sorted(descendants_of(running.pid))
        target = running.pid if chance.random() < 0.5 or not below else chance.choice(below)
        try:
            name = pathlib.Path(f"/proc/{target}/comm").read_text().strip()
            os.kill(target, sent)
        except OSError:
            return None, False, None
        return sent, target == running.pid, name

    def ends(self):
        deadline = time.monotonic() + 5
        while (left := marked(self.mark)) and time.monotonic() < deadline:
            time.sleep(0.05)
        self.check(not left, f"processes are left: {left}")
        for pid in left:
            os.kill(pid, signal.SIGKILL)

    def temporary_files(self):
        return [str(path.relative_to(self.temporary)) for path in self.temporary.iterdir()]


def json_lines(self, out, what):
    lines = out.decode(errors="replace").split("\n")
    self.check(lines[-1] == "", f"half a line from {what}: {lines[-1][:80]}")
    values = []
    for line in lines[:-1]:
        try:
            values.append(json.loads(line))
        except ValueError:
            self.check(False, f"not JSON from {what}: {line[:80]}")
    return values


def evaluation_round(bin_dir, folder, number, chance):
    self = Round(folder, number)
    task = chance.choice(TASKS)
    command = [bin_dir / "msci-eval", "--task", task, "--verify-only", "--json"]
    running = self.start(command)
    sent, is_parent, name = self.kill_one(running, chance, chance.uniform(0, 1.2))
    out, err = running.communicate()
    for answer in json_lines(self, out, task):
        judged = answer["error"] is None
        self.check(not judged or answer["correct"], f"a wrong verdict: {answer['fail_reason']}")
    if sent and not is_parent:
        self.check(running.returncode in (0, 2), f"status {running.returncode} after {name} was killed")
        self.check(running.returncode == 0 or out, f"status 2 without an answer: {err.decode()[:200]}")
    self.ends()
    if sent == signal.SIGKILL and self.temporary_files():
        again = self.start(command)
        out, _ = again.communicate()
        self.check(again.returncode == 0, f"status {again.returncode} of the next run")
    self.check(not self.temporary_files(), f"left in the temporary folder: {self.temporary_files()}")
    return self, f"msci-eval {task}: {sent and sent.name} to {name}"


def fates(out):
    history = json.loads((out / "history.json").read_text())
    return [(each["iteration"], each["compile_ok"], each["correct"], each["is_new_best"]) for each in history]


def search_command(bin_dir, out):
    return [bin_dir / "msci-search", "--task", "nbody", "--iterations", "4", "--out", out, "--score",
            "predicted:m1-pro", "--verdict", "compatible", "--no-gate", "--json", "--generator", GENERATOR]


def search_round(bin_dir, folder, number, chance, reference):
    self = Round(folder, number)
    out = folder / f"search{number}"
    running = self.start(search_command(bin_dir, out))
    sent, is_parent, name = self.kill_one(running, chance, chance.uniform(0, 4))
    running.communicate()
    self.ends()
    again = self.start(search_command(bin_dir, out))
    _, err = again.communicate()
    self.ends()
    if is_parent or not sent:
        self.check(again.returncode == 0, f"status {again.returncode} of the search that goes on: {err.decode()[-200:]}")
        self.check(fates(out) == reference, f"another history: {fates(out)}")
    else:
        for fate, expected in zip(fates(out), reference):
            self.check(not (fate[2] and not expected[2]), f"right instead of wrong: {fate}")
        history = json.loads((out / "history.json").read_text())
        for entry, expected in zip(history, reference):
            known = entry["correct"] == expected[2] or "killed" in str(entry["fail_reason"]) or \
                "generator" in str(entry["fail_reason"]) or "could not" in str(entry["fail_reason"])
            self.check(known, f"another verdict: {entry['iteration']}: {entry['fail_reason']}")
    self.check(not self.temporary_files(), f"left in the temporary folder: {self.temporary_files()}")
    return self, f"msci-search: {sent and sent.name} to {name}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    bin_dir = options.bin.resolve()
    print(f"seed {options.seed}")
    chance = random.Random(options.seed)
    broken = kills = number = 0
    counts = {}
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        undisturbed = subprocess.run(search_command(bin_dir, folder / "reference"), capture_output=True, check=False)
        if undisturbed.returncode:
            sys.exit(f"the undisturbed search ended with {undisturbed.returncode}: {undisturbed.stderr.decode()}")
        reference = fates(folder / "reference")
        while kills < options.kills:
            number += 1
            is_search = number % 5 == 0
            done, what = search_round(bin_dir, folder, number, chance, reference) if is_search else \
                evaluation_round(bin_dir, folder, number, chance)
            if " None to" not in what:
                kills += 1
                counts[what.split(": ")[1]] = counts.get(what.split(": ")[1], 0) + 1
            for problem in done.problems:
                print(f"BROKEN round {number}, {what}: {problem}", flush=True)
            broken += bool(done.problems)
            if number % 50 == 0:
                print(f"{kills} kills in {time.monotonic() - start:.0f} s, {broken} rounds broken", file=sys.stderr, flush=True)
    for what, count in sorted(counts.items(), key=lambda each: -each[1]):
        print(f"  {count:4} {what}")
    print(f"{kills} kills in {number} rounds, {time.monotonic() - start:.0f} s: {broken} rounds broken")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
