#!/usr/bin/env bash
# Builds the Debian package build/msci_VERSION_ARCHITECTURE.deb: ./package.sh
# Installs missing packages first.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/setup.sh" dpkg-dev file

cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release -DMSCI_TESTS=OFF >/dev/null
cmake --build build
(cd build && cpack -G DEB)
