#!/usr/bin/env bash
# Configures and builds msci-eval without Clang and LLVM, as a machine without them would, and runs run.sh on it.
# tests/llvm_free/build.sh MSCI_EVAL WORK_DIR
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source_dir=$(cd "$here/../.." && pwd)

cmake -S "$source_dir" -B "$2" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_FLAGS_DEBUG=-O0 \
      -DMSCI_FRONTEND=OFF -DMSCI_TESTS=OFF > /dev/null
cmake --build "$2" --target msci-eval msci-worker > /dev/null
exec "$here/run.sh" "$source_dir" "$1" "$2/bin"
