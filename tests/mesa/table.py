#!/usr/bin/env python3
"""Tables of docs/apple_code.md: table.py MSCI_EVAL KERNEL...

Without --task, a kernel is compiled, and a row has what Mesa's compiler prints. With --task, its plan is profiled too:

    table.py MSCI_EVAL --task all            the seeds of the tasks, with msci's own estimate of registers
    table.py MSCI_EVAL FILE...               files, whose counts are summed up at the end"""
import concurrent.futures
import json
import re
import subprocess
import sys

PROGRAM, *WORDS = sys.argv[1:]
COUNTS = re.compile(r"^(\w+):\n  // (\d+) instructions?, (\d+) bytes?, (\d+) registers of 16 bits, (.*)$", re.MULTILINE)


def run(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=900)


def seeds():
    print("| task | kernel | instructions | bytes | stores / loads of private memory | scratch | registers, Mesa | registers, msci |")
    print("|---|---|---:|---:|---:|---:|---:|---:|")
    tasks = subprocess.run([PROGRAM.replace("msci-eval", "msci-tasks"), "list", "--json"], capture_output=True, text=True)
    names = [json.loads(line)["name"] for line in tasks.stdout.splitlines()] if tasks.returncode == 0 else []
    for task in names:
        done = run("--task", task, "--profile", "--predict", "m1", "--json")
        if done.returncode != 0:
            sys.exit(f"{task}: {done.stderr}")
        profile = json.loads(done.stdout)
        ours = {}
        for launch in profile["sizes"][0]["launches"]:
            ours[launch["kernel"]] = max(launch["registers"], ours.get(launch["kernel"], 0))
        for kernel in profile["machine_code"]:
            if kernel["error"]:
                print(f"| {task} | {kernel['kernel']} | {kernel['error']} |")
                continue
            counts = (kernel["spills"], kernel["fills"])
            private = "{} / {}".format(*counts) if any(counts) else "–"
            print(f"| {task} | `{kernel['kernel']}` | {kernel['instructions']} | {kernel['bytes']} | "
                  f"{private} | {kernel['scratch_bytes'] or '–'} | {kernel['registers']} | "
                  f"{ours[kernel['kernel']]} |")


def files(names):
    """How many compile, and what the others are told."""
    kernels, refusals = [], {}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for name, done in zip(names, pool.map(lambda name: run(name, "--emit", "apple"), names)):
            kernels += [(name, *counts) for counts in COUNTS.findall(done.stdout)]
            for reason in re.findall(r"no code: (.*)$|no code of an Apple GPU for kernel '\w+': (.*)$",
                                     done.stdout + done.stderr, re.MULTILINE):
                reason = re.sub(r"kernel '\w+'", "kernel", "".join(reason))
                refusals.setdefault(reason, []).append(name)
            if done.returncode != 0 and "no code of an Apple GPU" not in done.stderr:
                refusals.setdefault(done.stderr.strip().splitlines()[-1][-100:], []).append(name)
    spilling = sum(1 for kernel in kernels if kernel[5] != "no spills")
    print(f"{len(names)} files: code of {len(kernels)} kernels, {spilling} of them with spills or scratch")
    for reason, which in sorted(refusals.items(), key=lambda each: -len(each[1])):
        print(f"{len(which):5}  {reason}  ({which[0]})")


seeds() if WORDS[0] == "--task" else files(WORDS)
