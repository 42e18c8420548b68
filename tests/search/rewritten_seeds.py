#!/usr/bin/env python3
"""Seeds of tasks stay right after transformations.

tests/search/rewritten_seeds.py BIN SOURCE_DIR
"""

import pathlib
import re
import subprocess
import sys
import tempfile

CASES = {
    "adi3d": ["steps"],
    "fft3d": ["mask", "peel"],
    "gradshaf": ["multiply", "rows"],
    "hmc": ["unroll_and_jam", "steps"],
    "lbm": ["unroll", "wrap"],
    "lj": ["hoist", "swap_loops"],
    "morton": ["bits", "split_loop"],
    "nbody": ["vector_loads", "fast", "elements", "tiles"],
    "saxpy": ["restrict", "wide_groups"],
    "wave3d": ["constant_buffer", "narrow_groups"],
}


def rewritten(programs, seed, transformation):
    answer = subprocess.run([programs / "msci-generate", "rewrite", "--only", transformation],
                            input=seed, capture_output=True, text=True, check=True).stdout
    return re.search(r"^```metal\n(.*?)^```$", answer, re.M | re.S)[1]


def main():
    programs, sources = map(pathlib.Path, sys.argv[1:3])
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        for task, names in CASES.items():
            seed = (sources / "tasks" / task / f"{task}.metal").read_text()
            files = []
            for name in names:
                text = rewritten(programs, seed, name)
                assert text != seed, (task, name)
                files.append(pathlib.Path(folder) / f"{task}_{name}.metal")
                files[-1].write_text(text)
            judged = subprocess.run([programs / "msci-eval", *files, "--task", task, "--device", "cpu", "--verify-only"],
                                    capture_output=True, text=True)
            if judged.returncode != 0:
                failures += 1
                print(judged.stdout, judged.stderr)
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
