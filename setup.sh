#!/usr/bin/env bash
# What run.sh and test.sh share: installs what is missing (Debian 12 and later) and builds into build/.
# Takes the names of further packages to install. Any C++20 compiler will do (CXX); clang-22 takes half of GCC's time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

packages=(clang-22 cmake ninja-build llvm-22-dev libclang-22-dev libclang-cpp22-dev nlohmann-json3-dev libcli11-dev
          libfmt-dev libeigen3-dev zlib1g-dev libzstd-dev libseccomp-dev
          libmd-dev libcurl4-openssl-dev ocl-icd-opencl-dev opencl-headers pocl-opencl-icd "$@")

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
done
if ((${#missing[@]})); then
  root=()
  ((EUID == 0)) || root=(sudo)
  echo "Installing ${missing[*]}"
  "${root[@]}" apt-get update -qq
  DEBIAN_FRONTEND=noninteractive "${root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi

export CXX=${CXX:-clang++-22}
