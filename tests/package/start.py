#!/usr/bin/env python3
"""A start of msci, and a lint with proofs of three kernels, take few page faults: start.py BIN_DIR

They are most of the time, and their number does not depend on how busy a machine is. Pages that are filled at once count
as well. Without the order of functions (packaging/options_of_llvm.ld), a start takes 1,430; with a process for each
proof, the lint takes 5,200."""
import os
import sys
from pathlib import Path

MOST = {"a start": 1350, "a lint": 4000}


def page_faults(*command):
    """Of the program and of the processes that it waits for."""
    with open(os.devnull, "wb") as nowhere:
        started = os.posix_spawn(command[0], command, os.environ,
                                 file_actions=[(os.POSIX_SPAWN_DUP2, nowhere.fileno(), 1)])
        _, status, used = os.wait4(started, 0)
    assert status == 0, f"{command} ends with {status}"
    return used.ru_minflt


def main():
    lint = str(Path(sys.argv[1]) / "msci-lint")
    seed = str(Path(__file__).resolve().parents[2] / "tasks/fft3d/fft3d.metal")
    faults = {"a start": page_faults(lint, "--version"), "a lint": page_faults(lint, "--no-cache", seed)}
    print(faults)
    return any(faults[name] > most for name, most in MOST.items())


if __name__ == "__main__":
    sys.exit(main())
