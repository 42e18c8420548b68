#!/usr/bin/env python3
"""Tables of docs/reports/2026-11_apple_code.md: table.py MSCI_EVAL KERNEL...

Without --task, a kernel is compiled, and a row has what Mesa's compiler prints. With --task, its plan is profiled too:

    table.py MSCI_EVAL --task all            the seeds of the tasks, with msci's own estimate of registers
    table.py MSCI_EVAL FILE...               files, whose counts are summed up at the end"""
import concurrent.futures
import json
import subprocess
import sys

from machine_code import machine_code_of, print_summary

PROGRAM, *WORDS = sys.argv[1:]


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
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        print_summary(dict(zip(names, pool.map(lambda name: machine_code_of(PROGRAM, name), names))))


seeds() if WORDS[0] == "--task" else files(WORDS)
