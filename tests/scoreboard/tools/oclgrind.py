#!/usr/bin/env python3
"""Oclgrind as a tool of the scoreboard: oclgrind.py FOLDER (tests/scoreboard/scoreboard.py). Needs `oclgrind-kernel`.

It runs the OpenCL C translation of the kernel. That text is optimised and has no lines of the source, so each finding has
line 0. It cannot judge concurrent launches, grids that threadgroups do not divide, and kernels with simdgroup functions.
"""
import json
import pathlib
import re
import struct
import subprocess
import sys

SIZES = {"char": 1, "uchar": 1, "bool": 1, "short": 2, "ushort": 2, "half": 2, "int": 4, "uint": 4, "float": 4, "long": 8,
         "ulong": 8}
FAULTS = r"data race|Invalid (?:read|write)|Uninitiali[sz]ed|divergence|Work-group divergence"


def words_of(kind, values):
    """The type's name for Oclgrind, and each value as it reads it."""
    if kind == "half":
        return "ushort", [struct.unpack("<H", struct.pack("<e", value))[0] for value in values]
    return {"bool": "uchar"}.get(kind, kind), [value if kind == "float" else int(value) for value in values]


def argument(kind, values):
    name, words = words_of(kind, values)
    return f"<size={SIZES[kind] * len(words)} {name}>\n{' '.join(map(str, words))}\n"


def buffer_argument(buffer):
    if "values" in buffer:
        return argument(buffer["type"], buffer["values"])
    return f"<size={SIZES[buffer['type']] * buffer['count']} fill=0>\n"


def without_assembly(text):
    """The form without resumption, which keeps barriers where they stand; its functions of NVIDIA's lanes are not called."""
    return "#define MSCI_NATIVE_SIMDGROUPS\n" + re.sub(r"\basm\b.*?\)\);", "", text)


def simulation_of(folder, kernel, launch, buffers):
    """The text of a simulation file."""
    extents = [(side + [1, 1])[:3] for side in (launch["grid"], launch["threadgroup"])]
    if launch.get("concurrent") or any(all_ % own for all_, own in zip(*extents)) or kernel["uses_simdgroups"]:
        return None
    arguments = []
    for each in kernel["arguments"]:
        if each["kind"] == "buffer":
            bound = launch["bind"].get(str(each["index"]))
            if bound is None:
                return None
            name, offset = (bound, 0) if isinstance(bound, str) else (bound["buffer"], bound["offset"])
            arguments += [buffer_argument(buffers[name]), argument("ulong", [offset])]
        elif each["kind"] == "threadgroup":
            arguments.append(f"<size={launch['threadgroup_memory'][str(each['index'])]}>\n")
        else:
            return None
    arguments += [argument("uint", [side]) for extent in extents for side in extent]
    sides = "\n".join(" ".join(map(str, extent)) for extent in extents)
    return f"{folder / 'plain.cl'}\n{kernel['symbol']}\n{sides}\n\n" + "\n".join(arguments)


def main():
    folder = pathlib.Path(sys.argv[1])
    if not (folder / "plan.json").exists():
        return 1
    plan = json.loads((folder / "plan.json").read_text())
    text = (folder / "kernel.cl").read_text()
    described = re.match(r"/\* msci-program \d+\n(.*?)\n\*/", text, re.S)
    kernels = json.loads(described[1])["kernels"] if described else []
    simulation = kernels and simulation_of(folder, kernels[0], plan["launches"][0], plan["buffers"])
    if not simulation:
        return 1
    (folder / "plain.cl").write_text(without_assembly(text))
    (folder / "kernel.sim").write_text(simulation)
    ran = subprocess.run(["oclgrind-kernel", "--data-races", "--uninitialized", "--max-errors", "8",
                          folder / "kernel.sim"], capture_output=True, text=True, timeout=120,
                         check=False)
    found = re.findall(rf"^.*(?:{FAULTS}).*$", ran.stdout + ran.stderr, re.M)
    for message in sorted(set(found)):
        print(f"0: {message.strip()}")
    return 0 if found or ran.returncode == 0 else 1


sys.exit(main())
