#!/usr/bin/env bash
# Builds the Debian package build/msci_VERSION_ARCHITECTURE.deb: packaging/package.sh
# Installs missing packages first.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$here/packaging/setup.sh" dpkg-dev file

configure -DMSCI_TESTS=OFF
build
(cd build && cpack -G DEB)
