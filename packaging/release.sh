#!/usr/bin/env bash
# Makes the files of a release: packaging/release.sh [FOLDER]     (the default: build/release)
# The Debian packages, a tarball and a wheel with the programs, the VS Code extension, the bill of materials (SPDX) and
# SHA256SUMS (docs/guide/installing.md). The npm package and the files for arm64 join them if packaging/wasm/build.sh and
# packaging/arm64.sh ran before; otherwise a line says that they are missing.
# Missing Debian packages are installed first. The extension needs Node.js 20 and npm, which Debian 12 lacks:
# MSCI_VSCODE=no leaves it out. The programs run with glibc 2.31 and later ones.
# They are built in build-release/, with options of their own. The same commit, machine and SOURCE_DATE_EPOCH (by default
# the date of the commit) give the same bytes.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
folder=$(realpath -m -- "${1:-$here/build/release}")
source "$here/packaging/setup.sh" dpkg-dev file python3
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
SECONDS=0
step() { printf '\n[%d:%02d] %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$1"; }

if [[ ${MSCI_VSCODE:-yes} != no ]]; then
  major=$(node --version 2>/dev/null | sed 's/^v\([0-9]*\).*/\1/') || true
  if ((${major:-0} < 20)) || ! command -v npm >/dev/null; then
    echo "The VS Code extension needs Node.js 20 and npm. Install them, or leave it out: MSCI_VSCODE=no $0" >&2
    exit 2
  fi
fi

[[ -z $(git status --porcelain) ]] ||
  echo "warning: the files of this release hold changes that are not committed (git status)" >&2
build=build-release
step "Building the programs in $build/"
cmake --fresh -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DMSCI_GLIBC=2.31 -DMSCI_TESTS=OFF >/dev/null
cmake --build "$build" --target msci msci-worker msci-report msci-search msci-generate self_descriptions

mkdir -p "$folder"
rm -f "$folder"/*.vsix
if [[ ${MSCI_VSCODE:-yes} != no ]]; then
  step "Building and testing the VS Code extension"
  editors/vscode/package.sh "$build/bin"
  cp editors/vscode/msci-*.vsix "$folder"
fi

step "Packing the files"
packaging/release/release.sh "$build" "$folder"

step "Done: $folder"
(cd "$folder" && du -h --apparent-size -- *)
