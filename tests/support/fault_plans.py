"""Plan files from the comments at the head of the files of corpus/faults (tests/compiler/fixture.h)."""
import re


def number(word):
    """Hexadecimal numbers are the bits of unsigned integers."""
    if word.startswith("0x"):
        return int(word, 16)
    return int(word) if re.fullmatch(r"-?\d+", word) else float(word)


def numbers_of(words):
    """The numbers that "0..3 2*7" stands for: 0 1 2 3 7 7."""
    for word in words:
        times, _, rest = word.rpartition("*")
        first, dots, last = rest.partition("..")
        step = 1 if not dots or int(first) <= int(last) else -1
        some = range(int(first), int(last) + step, step) if dots else [number(first)]
        for _ in range(int(times or 1)):
            yield from some


def plan_of(text, kernel):
    """The plan that the comments at the head of a file of corpus/faults describe; None if it needs more than finite numbers."""
    if re.search(r"^// in \d+: ((pointer|functions|texture|sampler) |.*\b(inf|nan)\b)", text, re.M | re.I):
        return None
    head = dict(re.findall(r"^// (grid|threadgroup): (.*)$", text, re.M))
    plan = {"sizes": [{"label": "one"}], "buffers": {}}
    launch = {"kernel": kernel, "grid": [int(n) for n in head["grid"].split()],
              "threadgroup": [int(n) for n in head["threadgroup"].split()], "bind": {}}
    for index, offset, type_, values in re.findall(r"^// in (\d+)(?: at (\d+))?: (\w+) (.*)$", text, re.M):
        name = f"b{index}"
        buffer = plan["buffers"].setdefault(name, {"type": type_, "values": []})
        buffer["values"] += numbers_of(values.split())
        launch["bind"][index] = {"buffer": name, "offset": int(offset)} if offset else name
    for index, type_, values in re.findall(r"^// out (\d+)(?: within \S+)?: (\w+) (.*)$", text, re.M):
        if index not in launch["bind"]:
            plan["buffers"][f"b{index}"] = {"type": type_, "count": len([*numbers_of(values.split())])}
            launch["bind"][index] = f"b{index}"
    memory = dict(re.findall(r"^// shared (\d+): (\d+)$", text, re.M))
    if memory:
        launch["threadgroup_memory"] = {index: int(count) for index, count in memory.items()}
    times = re.search(r"^// launches: (\d+) concurrent$", text, re.M)
    if times:
        launch |= {"concurrent": True, "times": int(times[1])}
    return plan | {"launches": [launch]}
