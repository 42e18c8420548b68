#!/usr/bin/env python3
"""The scoreboard counts what tools say: tests/scoreboard/scoreboard_test.py BIN

Stand-ins say that there is a fault in every kernel, in none, only at metal3.1, and that they cannot judge."""
import pathlib
import subprocess
import sys

SCOREBOARD = pathlib.Path(__file__).resolve().parent / "scoreboard.py"
TOOLS = ["--tool", "all=echo 0: a fault in", "--tool", "none=true", "--tool", "unable=false"]
SOME = "f() { ! grep -qx metal3.1 $1/version || echo 1: refused; }; f"
EXPECTED = {
    ("--only", "align_word", "--ways", "check", *TOOLS): """\
| kind | files | check | all | none | unable |
| --- | ---: | ---: | ---: | ---: | ---: |
| align | 1 | 1 / 1 / 0 | 1 / 0 / 0 | 0 / 1 / 0 | 0 / 0 / 2 |
| all | 1 | 1 / 1 / 0 | 1 / 0 / 0 | 0 / 1 / 0 | 0 / 0 / 2 |

""",
    ("--only", "logging", "--ways", "lint,check", *TOOLS, "--tool", f"some={SOME}"): """\
| kind | sources | lint | all | none | unable | some |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| logging | 5 | 5 / 5 / 0 | 0 / 0 / 0 | 0 / 5 / 0 | 0 / 0 / 10 | 4 / 4 / 0 |
| all | 5 | 5 / 5 / 0 | 0 / 0 / 0 | 0 / 5 / 0 | 0 / 0 / 10 | 4 / 4 / 0 |

""",
}
for options, expected in EXPECTED.items():
    printed = subprocess.run([sys.executable, SCOREBOARD, sys.argv[1], *options], check=True, capture_output=True,
                             text=True).stdout
    if printed != expected:
        sys.exit(f"the scoreboard prints with {options}\n{printed}")
