#!/usr/bin/env python3
"""The scoreboard counts what tools say: tests/scoreboard/scoreboard_test.py BIN

Three stand-ins say that there is a fault in every kernel, in none, and that they cannot judge."""
import pathlib
import subprocess
import sys

SCOREBOARD = pathlib.Path(__file__).resolve().parent / "scoreboard.py"
COMMAND = [sys.executable, SCOREBOARD, sys.argv[1], "--only", "align_word", "--ways", "check",
           "--tool", "all=echo 0: a fault in", "--tool", "none=true", "--tool", "unable=false"]
EXPECTED = """\
| kind | files | check | all | none | unable |
| --- | ---: | ---: | ---: | ---: | ---: |
| align | 1 | 1 / 1 / 0 | 1 / 0 / 0 | 0 / 1 / 0 | 0 / 0 / 2 |
| all | 1 | 1 / 1 / 0 | 1 / 0 / 0 | 0 / 1 / 0 | 0 / 0 / 2 |
"""
printed = subprocess.run(COMMAND, check=True, capture_output=True, text=True).stdout
if printed != EXPECTED:
    sys.exit(f"the scoreboard prints\n{printed}")
