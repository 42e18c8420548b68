#!/usr/bin/env bash
# Cross-builds msci and what it starts for Linux on arm64, in build-arm64/bin: packaging/arm64.sh
# The first run fetches Debian's packages for arm64 into MSCI_ARM64_ROOT (~/.cache/msci/arm64_root). Needs the packages
# that packaging/setup.sh installs, and qemu-aarch64, which runs msci's own programs while they are built: that of
# Debian's qemu-user-static, or MSCI_QEMU.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
root=${MSCI_ARM64_ROOT:-${XDG_CACHE_HOME:-$HOME/.cache}/msci/arm64_root}
qemu=${MSCI_QEMU:-qemu-aarch64-static}
cd "$here"
command -v "$qemu" >/dev/null || { echo "Install qemu-user-static, or name qemu-aarch64 in MSCI_QEMU" >&2; exit 2; }
packaging/arm64_root.sh "$root"

build=build-arm64
cmake --toolchain packaging/arm64.cmake -DMSCI_ARM64_ROOT="$root" -DMSCI_QEMU="$qemu" -S . -B $build -G Ninja \
  -DCMAKE_BUILD_TYPE=Release -DMSCI_TESTS=OFF >/dev/null
cmake --build $build --target msci
