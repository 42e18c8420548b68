#!/usr/bin/env python3
"""Lints sources of thousands of kernels, as macros and [[host_name]] write them in libraries of operations.

  many_kernels.py MSCI_LINT [--kernels N ...] [--most-megabytes MB] [--keep FOLDER]

Prints for each number of kernels (default: 1000 and 5000) the seconds of processor time and the memory. Exits with 1 if
msci-lint misses a kernel, reports a finding, or needs more memory.
"""

import argparse
import contextlib
import itertools
import json
import os
import pathlib
import subprocess
import sys
import tempfile

HEAD = """#include <metal_stdlib>
using namespace metal;

struct Add { template <typename T> T operator()(T a, T b) { return a + b; } };
struct Maximum { template <typename T> T operator()(T a, T b) { return a > b ? a : b; } };
struct Product { template <typename T> T operator()(T a, T b) { return a * b; } };
struct Select { template <typename T> T operator()(T a, T b) { return a != T(0) ? a : b; } };

template <typename T, typename Op, int N>
[[kernel]] void each(device const T* a [[buffer(0)]], device const T* b [[buffer(1)]], device T* out [[buffer(2)]],
                     constant uint& size [[buffer(3)]], uint index [[thread_position_in_grid]]) {
  for (uint at = index * N; at < min(size, (index + 1) * N); ++at) out[at] = Op()(a[at], b[at]);
}

template <typename T, typename Op, int N>
[[kernel]] void reduce(device const T* a [[buffer(0)]], device T* out [[buffer(1)]], constant uint& size [[buffer(2)]],
                       uint index [[thread_position_in_grid]], uint place [[thread_index_in_threadgroup]],
                       uint group [[threadgroup_position_in_grid]]) {
  threadgroup T partial[256];
  T value = T(0);
  for (uint at = index * N; at < min(size, (index + 1) * N); ++at) value = Op()(value, a[at]);
  partial[place % 256] = value;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  for (uint step = 128; step > 0; step /= 2) {
    if (place < step) partial[place] = Op()(partial[place], partial[place + step]);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }
  if (place == 0) out[group] = partial[0];
}

#define NAME_(shape, op, type, n) #shape "_" #op "_" #type "_" #n
#define EACH(op, type, n) template [[host_name(NAME_(each, op, type, n))]] [[kernel]] void each<type, op, n>( \\
    device const type*, device const type*, device type*, constant uint&, uint);
#define REDUCE(op, type, n) template [[host_name(NAME_(reduce, op, type, n))]] [[kernel]] void reduce<type, op, n>( \\
    device const type*, device type*, constant uint&, uint, uint, uint);
#define BOTH(op, type, n) EACH(op, type, n) REDUCE(op, type, n)
#define OPERATIONS(type, n) BOTH(Add, type, n) BOTH(Maximum, type, n) BOTH(Product, type, n) BOTH(Select, type, n)
#define TYPES(n) OPERATIONS(float, n) OPERATIONS(half, n) OPERATIONS(int, n) OPERATIONS(uint, n) OPERATIONS(short, n)
"""
PER_LINE = 40  # kernels of TYPES(n)


def source_of(kernels):
    return HEAD + "".join(f"TYPES({n})\n" for n in range(1, kernels // PER_LINE + 1))


def problems_of(report, kernels):
    found = report["checks"]["kernel_exists"]["kernels"] or []
    if len(found) != kernels or len(set(found)) != kernels:
        yield f"{len(set(found))} kernels instead of {kernels}"
    for finding in itertools.islice(report["diagnostics"], 3):
        yield f"line {finding['line']}: {finding['severity']}: {finding['message']} [{finding['rule']}]"
    if report["error"]:
        yield report["error"]


def lint(program, source):
    """The report, the seconds of processor time, and the memory in MiB of the largest process."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([program, "--json", "--no-config", "--jobs", "1", source], stdout=output)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        return json.loads(output.read()), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("--kernels", type=int, nargs="+", default=[1000, 5000], help=f"multiples of {PER_LINE}")
    parser.add_argument("--most-megabytes", type=float, default=2048)
    parser.add_argument("--keep", type=pathlib.Path, help="write the sources to this folder")
    options = parser.parse_args()
    failures = 0
    print("| kernels | seconds | MiB |\n|---|---|---|")
    with contextlib.ExitStack() as stack:
        folder = options.keep or pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for kernels in options.kernels:
            source = folder / f"{kernels}.metal"
            source.write_text(source_of(kernels))
            report, seconds, megabytes = lint(options.program, source)
            print(f"| {kernels} | {seconds:.1f} | {megabytes:.0f} |", flush=True)
            problems = list(problems_of(report, kernels))
            if megabytes > options.most_megabytes:
                problems.append(f"more than {options.most_megabytes:.0f} MiB of memory")
            for problem in problems:
                print(f"{source.name}: {problem}")
            failures += len(problems)
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
