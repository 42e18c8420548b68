#!/usr/bin/env python3
"""How well any model of the counts could order recorded kernels: any_model.py PROFILES

PROFILES is the file of msci-clock. For each task, boosted regression trees of one split learn the times of its kernels from
all counts of their profiles, relative to the mean of their run, in three ways:

  in sample     from the same kernels that they then order; other models may reach more
  other runs    from the kernels of the task's other runs: what these trees reach with recorded times of the same task
  equal         the share of pairs whose counts are equal, which no model of the counts can order

The pairs are reproducible: kernels of one run that differ in the same direction at all sizes, and by 1.25 in
the geometric mean."""
import itertools
import json
import math
import sys
from collections import defaultdict

ROUNDS, RATE, EQUAL, RATIO = 300, 0.1, 1e-9, 1.25
TOTALS = ("chain", "device_waits", "threadgroup_waits", "device_lines", "device_sectors", "used_bytes", "core_misses",
          "first_loads", "first_stores", "bank_cycles", "atomic_turns")  # of a simdgroup
MOSTS = ("registers", "private_bytes", "threadgroup_bytes", "loop_instructions", "simdgroups", "groups")  # of a launch


def counts_of(profile):
    launches = profile["launches"]
    simdgroups = [each["weight"] * each["groups"] * each["simdgroups"] for each in launches]
    totals = [sum(n * each[name] for n, each in zip(simdgroups, launches)) for name in TOTALS]
    totals += [sum(n * each["work"][kind] for n, each in zip(simdgroups, launches))
               for kind in range(len(launches[0]["work"]))]
    totals.append(sum(each["weight"] for each in launches))
    return [math.log1p(value) for value in totals + [max(each[name] for each in launches) for name in MOSTS]]


class Kernel:
    """The recorded times of a kernel, and its counts at all of its sizes."""

    def __init__(self, records):
        records.sort(key=lambda record: record["size"])
        self.run = records[0]["run"]
        self.times = {time["size"]: math.log(time["seconds"]) for time in records[0]["times"]}
        self.time = sum(math.log(record["seconds"]) for record in records) / len(records)
        self.counts = [value for record in records for value in counts_of(record["profile"])]


def without_mean(rows):
    means = [sum(column) / len(rows) for column in zip(*rows)]
    return [[value - mean for value, mean in zip(row, means)] for row in rows]


def best_split(rows, left):
    """The column, threshold and values on both sides that explain most of what is left; None if no column varies."""
    best, total = None, sum(left)
    for column in range(len(rows[0])):
        order = sorted(range(len(rows)), key=lambda i: rows[i][column])
        below = 0
        for n, (i, j) in enumerate(zip(order, order[1:]), 1):
            below += left[i]
            if rows[j][column] - rows[i][column] < 1e-9:
                continue
            above = total - below
            gain = below * below / n + above * above / (len(rows) - n)
            if best is None or gain > best[0]:
                best = (gain, column, (rows[i][column] + rows[j][column]) / 2, below / n, above / (len(rows) - n))
    return best


def learn(rows, times, wanted):
    """The times of the rows `wanted`."""
    left, told = list(times), [0.0] * len(wanted)
    for _ in range(ROUNDS):
        split = best_split(rows, left)
        if split is None:
            break
        _, column, threshold, low, high = split
        value = lambda row: RATE * (low if row[column] < threshold else high)  # noqa: E731
        left = [time - value(row) for time, row in zip(left, rows)]
        told = [sum_ + value(row) for sum_, row in zip(told, wanted)]
    return told


def pairs_of(kernels):
    """Reproducible pairs, the slower first."""
    for slow, fast in itertools.permutations(range(len(kernels)), 2):
        a, b = kernels[slow], kernels[fast]
        if a.run != b.run or len(a.counts) != len(b.counts):
            continue
        ratios = [a.times[size] - b.times[size] for size in a.times if size in b.times]
        if ratios and all(ratio > 0 for ratio in ratios) and sum(ratios) >= len(ratios) * math.log(RATIO):
            yield slow, fast


def share(values):
    values = list(values)
    return sum(values) / len(values)


def concordance(difference):
    """The concordance index: of two times that are equal, one half."""
    return 0.5 if abs(difference) < EQUAL else float(difference > 0)


def judge(kernels):
    runs = defaultdict(list)
    for i, kernel in enumerate(kernels):
        runs[kernel.run].append(i)
    rows, times = [None] * len(kernels), [0.0] * len(kernels)
    for members in runs.values():
        for i, row in zip(members, without_mean([kernels[i].counts for i in members])):
            rows[i] = row
        mean = sum(kernels[i].time for i in members) / len(members)
        for i in members:
            times[i] = kernels[i].time - mean
    pairs = list(pairs_of(kernels))
    if not pairs:
        return None
    inside = learn(rows, times, rows)
    outside = [0.0] * len(kernels)
    for members in runs.values():
        others = [i for i in range(len(kernels)) if i not in members]
        if not others:
            outside = None
            break
        for i, told in zip(members, learn([rows[i] for i in others], [times[i] for i in others],
                                          [rows[i] for i in members])):
            outside[i] = told
    ordered = lambda told: told and share(concordance(told[slow] - told[fast]) for slow, fast in pairs)  # noqa: E731
    equal = share(all(abs(x - y) < 1e-6 for x, y in zip(rows[slow], rows[fast])) for slow, fast in pairs)
    return len(pairs), ordered(inside), ordered(outside), equal


def main():
    tasks = defaultdict(lambda: defaultdict(list))
    with open(sys.argv[1], encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            tasks[record["task"]][record["id"]].append(record)
    print("| task | pairs | in sample | other runs | equal |\n|---|---|---|---|---|")
    sums = defaultdict(list)
    for task, records in sorted(tasks.items()):
        kernels = [Kernel(each) for each in records.values()]
        most = max(len(kernel.counts) for kernel in kernels)
        judged = judge([kernel for kernel in kernels if len(kernel.counts) == most])
        if judged is None:
            continue
        for name, value in zip(("in sample", "other runs", "equal"), judged[1:]):
            if value is not None:
                sums[name].append(value)
        print(f"| {task} | {judged[0]} |", " | ".join("–" if x is None else f"{x:.2f}" for x in judged[1:]), "|")
    print("| mean over tasks | |", " | ".join(f"{sum(x) / len(x):.2f}" for x in sums.values()), "|")


main()
