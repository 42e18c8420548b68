#!/usr/bin/env python3
"""How often msci-search, with its default strategy, promotes a kernel that is no faster than the seed.

    tests/bench/false_promotions.py BUILD/bin [--tasks nbody,heat2d,saxpy] [--iterations 50] [--device cpu]
                                     [--only seed|equal]

Two generators: one returns the seed under another name of a variable, which is the seed's program and never compared; one
returns in each iteration another program of the same speed (a `min` more in each thread, which changes no value). For
each task and generator, prints how many candidates were promoted of those that were compared, and the median ratio of
their speed to the best kernel's. `--only` names one of the two generators. Fails above 1 % of the measured comparisons,
or if a program was compared with itself.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MOST = 0.01
# Of each seed: the test that every thread makes, and a name that only its author sees.
GUARDS = {"nbody": "if (i >= N)", "heat2d": "if (i >= NX ||", "lbm": "if (i >= NX ||", "saxpy": "if (i >= N)"}
NAMES = {"nbody": ("pull", "force"), "lbm": ("cells", "cell_count"), "heat2d": ("around", "sum"), "saxpy": ("y[i] = a", "/* y */ y[i] = a")}

GENERATOR = """cat >/dev/null
printf '```metal\\n'
sed "s/THE_ITERATION/$MSCI_ITERATION/" '{file}'
printf '```\\n'
"""


def seed_of(task):
    return (SOURCE / "tasks" / task / f"{task}.metal").read_text()


def renamed(task):
    before, after = NAMES[task]
    assert before in seed_of(task)
    return seed_of(task).replace(before, after)


def varied(task):
    """i >= min(N, K) where i >= N: no size comes near K, which differs in each iteration."""
    guard = GUARDS[task]
    assert guard in seed_of(task)
    size = guard.split(" >= ")[1].split()[0].rstrip(")")
    return seed_of(task).replace(guard, guard.replace(f">= {size}", f">= min({size}, 4000000000u + THE_ITERATIONu)"))


def search(options, task, text):
    """The results of the candidates, and the history."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "kernel").write_text(text)
        (folder / "generator.sh").write_text(GENERATOR.format(file=folder / "kernel"))
        done = subprocess.run(
            [options.bin / "msci-search", "--task", task, "--device", options.device, "--iterations",
             str(options.iterations), "--no-gate", "--json", "--out", folder / "out", "--generator",
             f"sh {folder / 'generator.sh'}"], stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            sys.exit(f"msci-search ended with {done.returncode} on {task}")
        results = [json.loads((folder / "out" / f"{i:02}_result.json").read_text())
                   for i in range(1, options.iterations + 1)]
        wrong = [each["fail_reason"] for each in results if not each["correct"] or not each["strict"]["passed"]]
        if wrong:
            sys.exit(f"a variant of {task} is not right: {wrong[0]}")
        return results, json.loads(done.stdout)["history"][1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--tasks", default="nbody,heat2d,saxpy")
    parser.add_argument("--iterations", type=int, default=50)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--only", choices=["seed", "equal"])
    options = parser.parse_args()
    options.bin = options.bin.resolve()
    all_measured = all_promoted = 0
    compared_itself = False
    for task in options.tasks.split(","):
        for key, what, text in (("seed", "the seed", renamed(task)), ("equal", "equally fast", varied(task))):
            if options.only and options.only != key:
                continue
            results, history = search(options, task, text)
            promoted = sum(each["is_new_best"] for each in history)
            pairs = [each["versus"] for each in results if each["versus"] and not each["versus"]["same_program"]]
            compared_itself |= key == "seed" and bool(pairs)
            all_measured += len(pairs)
            all_promoted += promoted
            ratios = [each["ratio"] for each in pairs]
            seconds = statistics.median(each["elapsed_s"] for each in history)
            print(f"{task:<8} {what:<14} {promoted} promoted of {len(history)}, {len(pairs)} measured in turns"
                  + (f", median ratio {statistics.median(ratios):.3f}" if ratios else "")
                  + f", {seconds:.1f} s a candidate", flush=True)
    print(f"all: {all_promoted} promoted, of {all_measured} measured comparisons "
          f"({100 * all_promoted / max(1, all_measured):.2f} %)")
    if compared_itself:
        sys.exit("a program was compared with itself")
    if not all_measured and options.only != "seed":
        sys.exit("no comparison was measured, so that nothing is shown")
    sys.exit(all_promoted > MOST * all_measured)


if __name__ == "__main__":
    main()
