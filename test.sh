#!/usr/bin/env bash
# Builds msci and runs all of its tests: ./test.sh [PACKAGE...]
# Installs missing packages first. Further packages let more tests run: chromium slurm-wlm munge pre-commit. PoCL runs
# the translated OpenCL programs of the tests. Editors format by `clang-format`; clang-format-22 checks the C++ of msci.
# Exit status: 0 if every test passes or is skipped for a reason that tests/ci/allowed_skips.txt allows.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/packaging/setup.sh" libgtest-dev pocl-opencl-icd python3 python3-jsonschema python3-numpy python3-yaml clang-format \
  clang-format-22 git curl dpkg-dev file bsdutils procps xz-utils mkdocs mkdocs-material "$@"

configure -DMSCI_TESTS=ON
echo "Building msci and its tests in $here/build"
build
exec tests/ci/run_tests.py build
