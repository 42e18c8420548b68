"""How long the seeds of the tasks take on the processor with two builds, in turns.

    python3 tests/bench/kernel_speed.py BIN OTHER_BIN [--task TASK...] [--rounds N] [--file FOLDER]

Each seed is timed at the declared sizes of its task; a round runs both builds, in an order that alternates. A line holds
the median of the ratios of a round, OTHER_BIN's time over BIN's, and their quartiles. --file times the kernels of a folder
instead, TASK.metal.
"""
import argparse
import json
import pathlib
import statistics
import subprocess
import tempfile

TASKS = "saxpy heat2d wave3d nbody hmc lbm ising lj gradshaf fft3d adi3d morton".split()


def times(folder, source, task):
    """Seconds by the label of a size."""
    answer = subprocess.run([folder / "msci-eval", source, "--task", task, "--device", "cpu", "--json", "--no-cache"],
                            capture_output=True, check=False)
    sizes = json.loads(answer.stdout)["sizes"]
    return {size["label"]: size["gpu_seconds"] for size in sizes if size.get("gpu_seconds")}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("other", type=pathlib.Path)
    parser.add_argument("--task", nargs="*", default=TASKS)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--file", type=pathlib.Path)
    options = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parent.parent.parent
    everything = []
    for task in options.task:
        source = (options.file or root / "tasks" / task) / f"{task}.metal"
        ratios = {}
        for number in range(options.rounds):
            builds = [options.bin, options.other][:: 1 if number % 2 else -1]
            taken = {build: times(build, source, task) for build in builds}
            for label, seconds in taken[options.bin].items():
                ratios.setdefault(label, []).append(taken[options.other][label] / seconds)
        for label, values in ratios.items():
            first, middle, third = statistics.quantiles(values, n=4) if len(values) > 1 else values * 3
            everything.append(middle)
            print(f"{task:9} {label:22} {middle:6.3f}  ({first:.3f} to {third:.3f})", flush=True)
    print(f"geometric mean of {len(everything)} sizes: {statistics.geometric_mean(everything):.3f}")


if __name__ == "__main__":
    main()
