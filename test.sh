#!/usr/bin/env bash
# Builds msci and runs all of its tests: ./test.sh
# Installs missing packages first; PoCL runs the translated OpenCL programs of the tests.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/setup.sh" libgtest-dev python3-jsonschema pocl-opencl-icd

cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DMSCI_TESTS=ON >/dev/null
cmake --build build
ctest --test-dir build --output-on-failure -j "$(nproc)"
