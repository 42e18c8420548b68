#!/usr/bin/env python3
"""What befalls an evaluator: its worker killed, the disk full, no home to write to, two at once, and
a batch of unread kernels.

    hardship.py MSCI_EVAL               each hardship once, on the task saxpy
    hardship.py MSCI_EVAL FOLDER        the .metal files of FOLDER in one batch, on the tasks they
                                        are written for: nothing lost, no process left behind, the
                                        parent's memory flat

Exit status: 0 all held, 1 something did not. Python 3 is enough; the full disk wants root, to mount
one, and is left out with a word otherwise.
"""
import argparse
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))
from processes import descendants_of  # noqa: E402

SAXPY = ["--task", "saxpy", "--verify-only", "--json"]
failures = 0


def told(name, holds, detail=""):
    global failures
    failures += not holds
    print(f"{'held  ' if holds else 'BROKEN'} {name}{': ' + detail if detail else ''}", flush=True)


def environment(cache, **more):
    return {**os.environ, "XDG_CACHE_HOME": str(cache), **more}


def evaluate(tool, arguments, env):
    done = subprocess.run([tool, *arguments], env=env, capture_output=True, text=True, check=False)
    return done.returncode, [json.loads(line) for line in done.stdout.splitlines()], done.stderr


def killed_worker(tool, folder):
    running = subprocess.Popen([tool, *SAXPY], env=environment(folder / "killed"),
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    killed = False
    while not killed and running.poll() is None and time.monotonic() < deadline:
        for pid in descendants_of(running.pid):
            name = pathlib.Path(f"/proc/{pid}/comm")
            # Listing devices takes a worker, too: wait for one that has been at it for a while.
            try:
                busy = sum(map(int, pathlib.Path(f"/proc/{pid}/stat").read_text()
                               .rsplit(")", 1)[1].split()[11:13])) > 40
                if name.read_text().startswith("msci-engine-wor") and busy:  # cut to 15 characters
                    os.kill(pid, signal.SIGKILL)
                    killed = True
            except OSError:
                continue
        time.sleep(0.005)
    out, _ = running.communicate()
    answers = [json.loads(line) for line in out.splitlines()]
    reason = answers[0]["fail_reason"] or answers[0]["error"] if len(answers) == 1 else "no answer"
    told("a worker killed from outside", killed and running.returncode == 2 and
         "killed" in str(reason), f"status {running.returncode}, {reason}")


def right_and_complaining(name, tool, env, complaint):
    status, results, err = evaluate(tool, SAXPY, env)
    right = status == 0 and len(results) == 1 and results[0]["correct"]
    told(name, right and complaint in err, err.strip() or f"status {status}, nothing said")


def full_disk(tool, folder):
    disk = folder / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk],
                      capture_output=True, check=False).returncode:
        print("left out: a full disk (mounting one wants root)")
        return
    try:
        right_and_complaining("a full disk under the cache", tool, environment(disk), "No space")
        whole = [path for path in disk.rglob("*") if path.is_file() and path.suffix != ".bin"]
        told("no half-written file on it", not whole, ", ".join(map(str, whole)))
    finally:
        subprocess.run(["umount", disk], check=True)


def read_only_home(tool, folder):
    home = folder / "home"
    home.write_text("a file, which cannot contain a folder")
    env = {**os.environ, "HOME": str(home)}
    env.pop("XDG_CACHE_HOME", None)
    right_and_complaining("a home that cannot be written", tool, env, "warning")


def two_at_once(tool, folder):
    env = environment(folder / "shared")
    both = [subprocess.Popen([tool, *SAXPY], env=env, stdout=subprocess.PIPE, text=True)
            for _ in range(2)]
    lines = [each.communicate()[0] for each in both]
    told("two at once on one cache", all(each.returncode == 0 for each in both) and
         all(json.loads(line)["correct"] for line in lines))
    status, results, err = evaluate(tool, SAXPY, env)
    told("what they left in it", status == 0 and results[0]["correct"] and not err, err.strip())


def resident(pid):
    for line in pathlib.Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS"):
            return int(line.split()[1]) // 1024
    return 0


def batch(tool, folder, kernels, limit):
    files = sorted(map(str, pathlib.Path(kernels).rglob("*.metal")))
    out = folder / "results.jsonl"
    with out.open("w") as results:
        running = subprocess.Popen(
            [tool, "--task", "all", "--verify-only", "--json", "--time-limit", str(limit), *files],
            env=environment(folder / "batch"), stdout=results, stderr=subprocess.DEVNULL)
        seen, start = [], time.monotonic()
        while running.poll() is None:
            try:
                seen.append((len(out.read_text().splitlines()), resident(running.pid)))
            except OSError:
                pass
            time.sleep(1)
    answers = [json.loads(line) for line in out.read_text().splitlines()]
    named = {answer["file"] for answer in answers}
    told(f"{len(files)} kernels in one batch", named == set(files),
         f"{len(answers)} answers in {time.monotonic() - start:.0f} s, "
         f"{sum(bool(a['correct']) for a in answers)} right, "
         f"{sum(a['error'] is not None for a in answers)} could not be checked")
    half = [mb for done, mb in seen if len(files) // 10 <= done <= len(files) // 2]
    rest = [mb for done, mb in seen if done > len(files) // 2]
    told("the parent's memory", bool(half and rest) and max(rest) < 1.25 * max(half),
         f"at most {max(half, default=0)} MiB in the first half, {max(rest, default=0)} MiB after")
    told("no process left behind", not descendants_of(running.pid))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", metavar="MSCI_EVAL")
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds for each size")
    options = parser.parse_args()
    tool = os.path.abspath(options.tool)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        if options.folder:
            batch(tool, folder, options.folder, options.time_limit)
        else:
            killed_worker(tool, folder)
            full_disk(tool, folder)
            read_only_home(tool, folder)
            two_at_once(tool, folder)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
