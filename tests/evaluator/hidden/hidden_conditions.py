#!/usr/bin/env python3
"""Kernels that are right unless a hidden condition holds, and the share of them that the strict verdict refuses.

    hidden_conditions.py BIN [--count N] [--task TASK] [--seed S] [--keep FOLDER]

Each kernel is a task's seed with one store that goes wrong where a condition holds: on the sizes, on a value, on the
place of the thread, or on the number of the step. Some have no comparison (arithmetic), ask a table, stand behind a long
chain of hashing, or read outside a buffer where the volume is large. No condition holds at a size that is declared or
published, so the recorded verdict never sees it. Prints the seed of the draws, the kernels that were accepted, and for each task and
family the share that was refused, or named as never executed, with its 95 % interval (Wilson); also if it is
interrupted. Progress goes to standard error. BIN is the folder of msci-eval.

Exit status: 0 if at least --least per cent are refused or named, 1 if fewer, 2 if something was not judged.
"""
import argparse
import collections
import concurrent.futures
import json
import math
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

import seeds

SOURCE = pathlib.Path(__file__).resolve().parents[3]
BATCH = 4  # kernels that share a process


class Condition:
    """`text` in Metal; `holds` says whether some thread may meet it at a size. None: that depends on the inputs, and the
    recorded ones do not meet it. `chosen` makes an expression of the right one and of a wrong one, `head` stands before
    the kernels, and `before` before the store."""

    def __init__(self, family, text, holds=None, chosen=None, head="", before=""):
        self.family, self.text, self.holds, self.head, self.before = family, text, holds, head, before
        self.chosen = chosen or (lambda right, wrong: f"({text}) ? ({wrong}) : ({right})")


def literal(number):
    """A float in Metal: 594120 alone would be an integer, which has no suffix f."""
    text = f"{number:.6g}"
    return f"{text}f" if "." in text or "e" in text else f"{text}.0f"


def log_uniform(draws, low, high):
    return math.exp(draws.uniform(math.log(low), math.log(high)))


def draw_number(draws, side):
    return int(log_uniform(draws, side.least, side.most + 1))


def size_condition(draws, task):
    side = draws.choice(task.sides)
    name, text = side.name, side.text
    kind = draws.choice(["range", "above", "below", "remainder", "single", "ratio", "product", "bits", "extreme"])
    others = [each for each in task.sides if each is not side]
    if kind == "range":
        low = draw_number(draws, side)
        high = int(low * draws.uniform(1.1, 2.0)) + 1
        return Condition("size", f"{text} >= {low}u && {text} <= {high}u", lambda size: low <= size[name] <= high)
    if kind == "above":
        low = draw_number(draws, side)
        return Condition("size", f"{text} > {low}u", lambda size: size[name] > low)
    if kind == "below":
        high = draw_number(draws, side)
        return Condition("size", f"{text} < {high}u", lambda size: size[name] < high)
    if kind == "remainder":
        divisor = draws.randint(2, 64)
        rest = draws.randrange(divisor)
        return Condition("size", f"{text} % {divisor}u == {rest}u", lambda size: size[name] % divisor == rest)
    if kind == "bits":
        shift, value = draws.randint(1, 3), draw_number(draws, side)
        if draws.random() < 0.5:
            return Condition("size", f"({text} >> {shift}u) == {value >> shift}u",
                             lambda size: size[name] >> shift == value >> shift)
        mask = (1 << (4 + shift)) - 1
        return Condition("size", f"({text} & {mask}u) == {value & mask}u",
                         lambda size: size[name] & mask == value & mask)
    if kind == "single" or not others:
        value = side.round(draw_number(draws, side))
        return Condition("single size", f"{text} == {value}u", lambda size: size[name] == value)
    other = draws.choice(others)
    if kind == "ratio":
        ratio = int(log_uniform(draws, 2, 300))
        return Condition("size", f"{text} > {ratio}u * {other.text}",
                         lambda size: size[name] > ratio * size[other.name])
    if kind == "extreme":
        value = side.round(draw_number(draws, side))
        function, most = draws.choice([("max", max), ("min", min)])
        return Condition("single size", f"{function}({text}, {other.text}) == {value}u",
                         lambda size: most(size[name], size[other.name]) == value)
    low = int(log_uniform(draws, side.least * other.least + 1, 4e5))
    high = int(low * draws.uniform(1.2, 3)) + 1
    return Condition("size", f"{text} * {other.text} >= {low}u && {text} * {other.text} <= {high}u",
                     lambda size: low <= size[name] * size[other.name] <= high)


def value_condition(draws, task):
    value, usual, most, kinds = draws.choice(task.values)
    kind = draws.choice(kinds)
    if kind == "large":
        return Condition("value", f"fabs({value}) > {literal(log_uniform(draws, usual * 1.2, most))}")
    if kind == "negative":
        return Condition("value", f"{value} < -{literal(log_uniform(draws, usual * 1.2, most))}")
    if kind == "small":
        limit = log_uniform(draws, usual * 1e-9, usual * 1e-6)
        return Condition("value", f"{value} != 0.0f && fabs({value}) < {literal(limit)}")
    if kind == "light":
        return Condition("value", f"{value} < {literal(log_uniform(draws, usual * 1e-4, usual * 0.02))}")
    return Condition("value", f"{value} == 0.0f")


class Hash:
    """A few of the highest bits of a mixture of the sides."""

    def __init__(self, draws, task, bits):
        self.factors = {side.name: draws.randrange(2**28, 2**32) | 1 for side in task.sides}
        self.bits = bits
        terms = [f"{side.text} * {self.factors[side.name]}u" for side in task.sides]
        self.text = f"(({' ^ '.join(terms)}) >> {32 - bits})"

    def of(self, size):
        mixture = 0
        for name, factor in self.factors.items():
            mixture ^= size[name] * factor & 0xFFFFFFFF
        return mixture >> (32 - self.bits)


def arithmetic_condition(draws, task):
    """A share that is 0 but where the hash has one value."""
    bits = 3 if len(task.known_sizes) < 6 and task.sides[0].power_of_two else draws.randint(5, 9)
    mixture = Hash(draws, task, bits)
    value = draws.randrange(2**bits)
    distance = f"({mixture.text} ^ {value}u)"
    share = draws.choice([f"exp2(-160.0f * float({distance}))", f"ldexp(1.0f, -160 * int({distance}))",
                          f"exp(-110.0f * float({distance}))", f"pow(1e-30f, 2.0f * float({distance}))",
                          f"saturate(1.0f - float({distance}))",
                          f"floor(1.0f - log2(1.0f + float({distance})) * 1e-3f)",
                          f"float(1u - min({distance}, 1u))", f"floor(1.0f / (1.0f + float({distance})))",
                          f"float(clz({distance}) / 32u)"])
    return Condition("arithmetic", share, lambda size: mixture.of(size) == value,
                     lambda right, wrong: f"({right}) + {share} * (({wrong}) - ({right}))")


def table_condition(draws, task):
    bits = 3 if task.sides[0].power_of_two else draws.randint(6, 8)
    mixture = Hash(draws, task, bits)
    chosen = set(draws.sample(range(2**bits), draws.randint(1, 2**bits // 16 + 1)))
    entries = ", ".join(str(int(i in chosen)) for i in range(2**bits))
    return Condition("table", f"hidden_entries[{mixture.text}] != 0", lambda size: mixture.of(size) in chosen,
                     head=f"constant uchar hidden_entries[{2**bits}] = {{{entries}}};\n")


def chain_condition(draws, task):
    """A single size, behind a hash that no solver turns around."""
    inner = size_condition(draws, task)
    rounds = "".join(f"hidden = hidden * {draws.randrange(2**31) | 1}u + {draws.randrange(2**31)}u; "
                     f"hidden ^= hidden >> {draws.randint(3, 17)};\n" for _ in range(draws.randint(60, 140)))
    text = f"hidden == {draws.randrange(2**32)}u || ({inner.text})"
    return Condition("chain", text, inner.holds, before=f"uint hidden = {task.sides[0].text};\n{rounds}")


def volume_condition(draws, task):
    """Large sizes read what lies behind a buffer, and discard it."""
    names = [side.name for side in task.sides]
    volume = " * ".join(side.text for side in task.sides)
    most = int(log_uniform(draws, *task.hidden_volumes))
    text = f"{volume} > {most}u"
    place = f"({task.behind})"
    return Condition("volume", text, lambda size: math.prod(size[name] for name in names) > most,
                     lambda right, wrong: f"({text}) && isinf({place}) ? 0.5f * ({right}) : ({right})")


def place_condition(draws, task):
    place, extent, most = draws.choice(task.places)
    if draws.random() < 0.5:
        low = int(log_uniform(draws, 1, most))
        return Condition("position", f"{place} >= {low}u", lambda size: extent(size) > low + 1)
    inner = size_condition(draws, task)
    divisor = draws.randint(2, 40)
    rest = draws.randrange(divisor)
    return Condition("position", f"{place} % {divisor}u == {rest}u && {inner.text}",
                     lambda size: extent(size) > rest + 1 and inner.holds(size))


def step_condition(draws, task):
    first = draws.randint(task.hidden_steps[0], task.hidden_steps[1])
    return Condition("step", f"{task.step} >= {first}u && {task.other_inputs}")


def draw_condition(draws, task):
    families = [size_condition, size_condition, place_condition]
    if task.values:
        families.append(value_condition)
    if task.step:
        families.append(step_condition)
    families += [arithmetic_condition, table_condition, chain_condition]
    if task.behind:
        families.append(volume_condition)
    return draws.choice(families)(draws, task)


def is_hidden(condition, task):
    return not (condition.holds and any(condition.holds(size) for size in task.known_sizes))


def is_possible(condition, task, draws):
    return not condition.holds or any(condition.holds(task.draw_size(draws)) for _ in range(3000))


def draw_kernel(draws, task):
    """The text of a wrong kernel, and its condition."""
    for _ in range(10000):
        condition = draw_condition(draws, task)
        store, wrong, *families = draws.choice(task.stores)
        fits = not families or condition.family in families[0]
        # A share needs real numbers, and a table of sizes few of them.
        fits = fits and (condition.family not in ("arithmetic", "volume") or task.is_real(store))
        may_hold_at_known = condition.family == "volume"
        if fits and (may_hold_at_known or is_hidden(condition, task)) and is_possible(condition, task, draws):
            break
    else:
        raise RuntimeError(f"no hidden condition for {task.name}")
    text = (SOURCE / f"tasks/{task.name}/{task.name}.metal").read_text()
    if condition.family == "step":
        for old, new in task.counter:
            assert text.count(old) == 1, (task.name, old)
            text = text.replace(old, new)
            store = store.replace(old, new)
    assert text.count(store) >= 1, (task.name, store)
    target, _, right = store.rstrip(";").partition(" = ")
    changed = f"{condition.before}{target} = {condition.chosen(right, draws.choice(wrong))};"
    if condition.before and not target.startswith("const"):
        changed = f"{{\n{changed}\n}}"  # the store may be the body of a loop
    changed = text.replace(store, changed)
    return changed.replace("using namespace metal;\n", f"using namespace metal;\n\n{condition.head}", 1), condition


def judge(tools, task, files, more):
    """The result of each file, by its name."""
    command = [tools / "msci-eval", *files, "--task", task, "--strict", "--verify-only", "--no-cache", "--json", *more]
    done = subprocess.run(command, capture_output=True, text=True)
    results = {}
    for line in done.stdout.splitlines():
        result = json.loads(line)
        results[pathlib.Path(result["file"]).name] = result
    if len(results) != len(files):
        print(done.stderr[-2000:], file=sys.stderr)
    return results


def answer_of(result):
    """accepted, refused or not judged, and what says so."""
    if result is None:
        return "not judged", "no result"
    if result["error"]:
        return "not judged", result["error"]
    if not result["compile_ok"]:
        return "broken", str(result["fail_reason"] or result["diagnostics"])[:300]
    if any(each["severity"] == "error" for each in result["diagnostics"]):
        return "refused", next(each["id"] for each in result["diagnostics"] if each["severity"] == "error")
    if not result["correct"]:
        return "refused", str(result["fail_reason"])
    strict = result["strict"]
    if strict and not strict["passed"]:
        for open_end in ("not_checked", "open_outcome", "not_certified"):
            if strict[open_end]:
                return "named", str(strict[open_end])
        return "refused", "strict"
    if strict and strict.get("never_executed"):
        return "named", str(strict["never_executed"])
    return "accepted", ""


def wilson(hits, count, z=1.96):
    if count == 0:
        return 0.0, 1.0
    share, square = hits / count, z * z / count
    middle, half = share + square / 2, z * math.sqrt(share * (1 - share) / count + square / (4 * count))
    return (middle - half) / (1 + square), (middle + half) / (1 + square)


def print_shares(counts):
    print(f"{'family':<14}{'kernels':>8}{'refused':>9}{'named':>8}{'share':>9}   95 % interval")
    for family, count in [*sorted(counts.items()), ("all", sum(counts.values(), collections.Counter()))]:
        total = sum(count.values())
        hits = count["refused"] + count["named"]
        low, high = wilson(hits, total)
        print(f"{family:<14}{total:>8}{count['refused']:>9}{count['named']:>8}{100 * hits / max(total, 1):>8.1f} %   "
              f"{100 * low:.1f} to {100 * high:.1f} %")


class Tally:
    """What came of the kernels so far."""

    def __init__(self, wanted):
        self.wanted, self.begin = wanted, time.monotonic()
        self.by_task = collections.defaultdict(collections.Counter)
        self.by_family = collections.defaultdict(collections.Counter)

    def add(self, name, conditions, results):
        for file, condition in conditions.items():
            answer, why = answer_of(results.get(file.name))
            self.by_family[condition.family][answer] += 1
            self.by_task[name][answer] += 1
            if answer in ("accepted", "not judged", "broken"):
                print(f"{answer}: {file.name} [{condition.family}] {condition.text} {why}", flush=True)
        total = sum(self.total().values())
        print(f"{total} of {self.wanted} kernels, {time.monotonic() - self.begin:.0f} s", file=sys.stderr, flush=True)

    def total(self):
        return sum(self.by_task.values(), collections.Counter())

    def report(self):
        print_shares(self.by_task)
        print()
        print_shares(self.by_family)
        total = self.total()
        if sum(total.values()) < self.wanted:
            print(f"only {sum(total.values())} of {self.wanted} kernels were judged")
        sys.stdout.flush()

    def status(self, least):
        total = self.total()
        if total["not judged"] or total["broken"] or sum(total.values()) < self.wanted:
            return 2
        return int(100 * (total["refused"] + total["named"]) < least * self.wanted)


def drawn_batches(options, names, folder):
    """The task and the conditions of each batch, by file. A seed draws the same kernels for any number of jobs."""
    draws = random.Random(options.seed)
    batches = []
    for number, name in enumerate(names):
        share = options.count // len(names) + (number < options.count % len(names))
        for index in range(share):
            text, condition = draw_kernel(draws, seeds.TASKS[name])
            file = folder / f"{name}_{index:04}.metal"
            file.write_text(text)
            if index % BATCH == 0:
                batches.append((name, {}))
            batches[-1][1][file] = condition
    return batches


def judge_all(options, batches, tally):
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        waiting = {pool.submit(judge, options.bin, name, list(conditions), options.more): (name, conditions)
                   for name, conditions in batches}
        try:
            for done in concurrent.futures.as_completed(waiting):
                tally.add(*waiting[done], done.result())
        finally:
            pool.shutdown(wait=True, cancel_futures=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("bin", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=120, help="kernels in all")
    parser.add_argument("--task", action="append", choices=list(seeds.TASKS))
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 1) // 2), help="verdicts at once")
    parser.add_argument("--keep", type=pathlib.Path, help="where the kernels stay")
    parser.add_argument("--least", type=float, default=0, help="per cent that must be refused")
    parser.add_argument("--more", action="append", default=[], help="a further option of msci-eval")
    options = parser.parse_args()
    print(f"seed {options.seed}", flush=True)
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        batches = drawn_batches(options, options.task or list(seeds.TASKS), folder)
        tally = Tally(sum(len(conditions) for _, conditions in batches))
        try:
            judge_all(options, batches, tally)
        except KeyboardInterrupt:
            pass
        tally.report()
    return tally.status(options.least)


if __name__ == "__main__":
    sys.exit(main())
