#!/usr/bin/env python3
"""Plans at all recorded sizes: larger_plans.py FOLDER NEW_FOLDER

FOLDER has plan files of some of these tasks, whose smallest size alone has inputs. The plans of NEW_FOLDER also have the larger sizes that
were recorded: what a batch reads is the smallest size's inputs repeated, so that these kernels, whose work does not depend
on values, do what they did when they were recorded. The new plans expect no results: they are for profiles."""
import array
import ast
import json
import pathlib
import shutil
import struct
import sys

SOURCE, TARGET = map(pathlib.Path, sys.argv[1:])
CODES = {"<u8": "Q", "<u4": "I"}


def read(path):
    data = path.read_bytes()
    length = struct.unpack("<H", data[8:10])[0]
    kind = ast.literal_eval(data[10 : 10 + length].decode())["descr"]
    return kind, array.array(CODES[kind], data[10 + length :])


def write(path, kind, values):
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({len(values)},), }}".encode()
    header += b" " * (63 - (10 + len(header)) % 64) + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + values.tobytes())


class Plan:
    """A plan whose first size is the only one."""

    def __init__(self, task):
        self.task = task
        self.folder = TARGET / task
        self.folder.mkdir(parents=True, exist_ok=True)
        self.json = json.loads((SOURCE / task / "plan.json").read_text())
        self.size = self.json["sizes"][0]
        self.json["sizes"] = []
        self.json.pop("small", None)
        self.json["expect"] = {}
        self.json["work"] = {"bytes": "8"}

    def add(self, label, values, inputs):
        """A size with these numbers in place of the first one's, and with these inputs: name to a function of an array."""
        self.json["sizes"].append({**self.size, **values, "label": label})
        for name, buffer in self.json["buffers"].items():
            if "file" not in buffer:
                continue
            kind, data = read(SOURCE / self.task / buffer["file"].format(label=self.size["label"]))
            write(self.folder / buffer["file"].format(label=label), kind, inputs.get(name, lambda same: same)(data))

    def write(self):
        (self.folder / "plan.json").write_text(json.dumps(self.json, indent=1))
        if (SOURCE / self.task / "post.metal").exists():
            shutil.copy(SOURCE / self.task / "post.metal", self.folder)


def batch(task, labels, repeated, scaled):
    plan = Plan(task)
    for label, times in labels.items():
        plan.add(label, {name: plan.size[name] * times for name in scaled},
                 {name: lambda data, times=times: data * times for name in repeated})
    plan.write()


def sumcheck():
    plan = Plan("multilinear_sumcheck_round")
    for doublings in (0, 2, 4):
        times = 2**doublings
        values = {name: plan.size[name] * times for name in ("n_f_out", "n_partial", "g0", "g1", "v_K")}
        values["v_k_log"] = plan.size["v_k_log"] + doublings
        plan.add(f"gold_k{14 + doublings}_d2", values, {"f_in": lambda data, times=times: data * times})
    plan.write()


def merkle():
    plan = Plan("merkle_build")
    first = plan.json["launches"][0]["bind"]
    bind = {**first, **{place: {"buffer": name, "offset": "4*level"}
                        for place, name in (("9", "in_offs"), ("10", "out_offs"), ("11", "child_counts"))}}
    level = {"kernel": "merkle_build_level", "grid": ["max(64, leaves >> (level + 1))"], "threadgroup": [64], "bind": bind}
    plan.json["launches"] = [{"times": "levels", "index": "level", "launches": [level]}]
    for label, leaves in (("a2_N64K", 1 << 16), ("a2_N256K", 1 << 18), ("a2_N1M", 1 << 20)):
        counts = [leaves >> i for i in range(leaves.bit_length() - 1)]  # nodes that each level reads
        begins = [sum(counts[:i]) for i in range(len(counts) + 1)]
        filled = lambda data, leaves=leaves: (  # noqa: E731
            data[: 1 << 16] * (leaves >> 16) + array.array("Q", bytes(8 * (leaves - 1))))
        plan.add(label, {"leaves": leaves, "levels": len(counts)},
                 {"tree": filled, "child_counts": lambda _, counts=counts: array.array("I", counts),
                  "in_offs": lambda _, begins=begins: array.array("I", begins[:-1]),
                  "out_offs": lambda _, begins=begins: array.array("I", begins[1:])})
    plan.write()


def chains():
    plan = Plan("wots_chain")
    for steps in (16, 64, 256):
        plan.add(f"w{steps}_C64K", {"v_w": steps}, {})
    plan.write()


MAKERS = {
    "binius_clmul": lambda task: batch(task, {"gf128_N64K": 1, "gf128_N256K": 4, "gf128_N1M": 16}, ["bA", "bB"],
                                       ["n_bC", "v_batch", "g0"]),
    "keccak_f1600_batch": lambda task: batch(task, {"sha3_256_B16K": 1, "sha3_256_B256K": 16, "sha3_256_B4M": 256}, ["bA"],
                                             ["n_bB", "v_batch", "g0"]),
    "poseidon2_hash": lambda task: batch(task, {"t3_B4K": 1, "t3_B64K": 16, "t3_B1M": 256}, ["bA"], ["n_bB", "v_batch", "g0"]),
    "kyber_ntt": lambda task: batch(task, {"kyb_B1": 1, "kyb_B16": 16, "kyb_B256": 256}, ["coeffs"], ["v_batch", "g0"]),
    "montgomery_msm": lambda task: batch(task, {"bls_N4K": 1}, [], []),
    "multilinear_sumcheck_round": lambda _: sumcheck(),
    "merkle_build": lambda _: merkle(),
    "wots_chain": lambda _: chains(),
}
for name, make in MAKERS.items():
    if (SOURCE / name / "plan.json").exists():
        make(name)
