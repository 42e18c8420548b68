"""What `msci-eval --emit apple` says of files: shared by table.py and recorded.py."""
import re
import subprocess

COUNTS = re.compile(r"^(\w+):\n  // (\d+) instructions?, (\d+) bytes?, (\d+) registers of 16 bits, (.*)$", re.MULTILINE)
REFUSAL = re.compile(r"no code: (.*)$|no code of an Apple GPU for kernel '\w+': (.*)$", re.MULTILINE)


def machine_code_of(program, file):
    """Returns the kernels by name, and the reasons for kernels without code."""
    try:
        done = subprocess.run([program, file, "--emit", "apple"], capture_output=True, text=True, timeout=900)
    except subprocess.TimeoutExpired:
        return {}, ["more than 900 s"]
    if "is not installed" in done.stderr:
        raise SystemExit(done.stderr)
    refused = ["".join(each) for each in REFUSAL.findall(done.stdout + done.stderr)]
    if done.returncode != 0 and not refused:
        refused = [(done.stderr.strip().splitlines() or ["no message"])[-1][-100:].replace(file, "FILE")]
    kernels = {name: {"instructions": int(instructions), "bytes": int(size), "registers": int(registers), "spills": rest}
               for name, instructions, size, registers, rest in COUNTS.findall(done.stdout)}
    return kernels, refused


def print_summary(results):
    """How many compile, and what the others are told. By name of a file or a candidate: what machine_code_of() gave."""
    kernels = [kernel for kernels, _ in results.values() for kernel in kernels.values()]
    spilling = sum(kernel["spills"] != "no spills" for kernel in kernels)
    print(f"{len(results)} sources: {sum(not refused for _, refused in results.values())} compile, {len(kernels)} kernels, "
          f"{spilling} of them with spills or scratch")
    names_of = {}
    for name, (_, refused) in results.items():
        for reason in {re.sub(r"kernel '\w+'", "kernel", reason) for reason in refused}:
            names_of.setdefault(reason, []).append(name)
    for reason, names in sorted(names_of.items(), key=lambda each: -len(each[1])):
        print(f"{len(names):5}  {reason}  ({names[0]})")
