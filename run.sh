#!/usr/bin/env bash
# Lints and evaluates a Metal kernel: ./run.sh [KERNEL.metal [TASK]]
# Without TASK, it uses the task that dispatches a kernel of the file; without arguments, the seed kernel of
# saxpy. Installs missing packages and builds first.
set -euo pipefail
kernel=${1:+$(realpath -- "$1")}
task=${2:-}
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/setup.sh"

kernel=${kernel:-$here/tasks/saxpy/saxpy.metal}

# Lint first: it needs only a part of the build.
cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DMSCI_TESTS=OFF >/dev/null
cmake --build build --target msci-lint
build/bin/msci-lint ${task:+--task "$task"} -- "$kernel" || { (($? == 1)) && exit 1 || exit 2; }
cmake --build build
build/bin/msci-eval --task "${task:-all}" --held-out -- "$kernel"
