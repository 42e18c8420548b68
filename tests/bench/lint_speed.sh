#!/bin/sh
# Prints what a source costs msci-lint in each of its ways, beside clang-22 -fsyntax-only on an empty C++ file, all in one
# run and in turns: a program for each source (cold), one for many (batch), a server; and the most memory that each took.
#   tests/bench/lint_speed.sh [folder with msci-lint, by default build/bin] [ROUNDS] [FOLDER of sources]
# Sources are the shipped kernels where no folder is named; the batch is 280 files of them, or of those in the folder.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
exec python3 "$root/tests/bench/lint_speed.py" "${1:-$root/build/bin}/msci-lint" "${2:-15}" "${3:-$root/tasks}"
