#!/usr/bin/env bash
# Shared by run.sh, test.sh and package.sh: installs missing packages (Debian 12 and later).
# The arguments are further packages to install. CXX may name any C++20 compiler; clang-22 takes half of GCC's time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

packages=(clang-22 lld-22 cmake ninja-build llvm-22-dev libclang-22-dev libclang-cpp22-dev nlohmann-json3-dev libcli11-dev
          libfmt-dev libeigen3-dev zlib1g-dev libzstd-dev libseccomp-dev
          libmd-dev libpng-dev libcurl4-openssl-dev ocl-icd-opencl-dev opencl-headers "$@")

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
