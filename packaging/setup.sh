#!/usr/bin/env bash
# Shared by run.sh, test.sh and package.sh: installs missing packages (Debian 12 and later), and defines `configure`
# and `build`. The arguments are further packages to install. CXX may name any C++20 compiler; clang-22 takes half of
# GCC's time.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

packages=(clang-22 lld-22 cmake ninja-build llvm-22-dev libclang-22-dev libclang-cpp22-dev nlohmann-json3-dev
          libcli11-dev libfmt-dev libeigen3-dev zlib1g-dev libzstd-dev libseccomp-dev libz3-4
          libmd-dev libpng-dev libboost-dev libcurl4-openssl-dev ocl-icd-opencl-dev opencl-headers "$@")

install_packages() {
  if ! command -v apt-get >/dev/null; then
    echo "This script installs packages with apt-get, which this system lacks. Install the equivalents of these" >&2
    echo "Debian packages and follow docs/guide/installing.md: $*" >&2
    exit 2
  fi
  local root=()
  if ((EUID != 0)); then
    command -v sudo >/dev/null || { echo "Run this as root, or install sudo. Missing packages: $*" >&2; exit 2; }
    root=(sudo)
  fi
  echo "Installing missing packages: $*"
  "${root[@]}" apt-get update -qq
  # Another apt may be at work, such as the daily updates of a new machine.
  if ! "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
      -o DPkg::Lock::Timeout=300 "$@" >/dev/null; then
    echo "apt-get could not install the packages that msci needs; the reason is above." >&2
    apt-cache show clang-22 >/dev/null 2>&1 ||
      echo "This system has no clang-22. Add Debian's security archive to /etc/apt/sources.list, and try again:
  deb http://deb.debian.org/debian-security bookworm-security main" >&2
    exit 2
  fi
}

# One query for all packages: a second call must start at once.
installed=" $(dpkg-query -W -f='${Package}:${Status}\n' "${packages[@]}" 2>/dev/null |
              sed -n 's/:.* ok installed$//p' | tr '\n' ' ' || true)"
missing=()
for package in "${packages[@]}"; do
  [[ $installed == *" $package "* ]] || missing+=("$package")
done
((${#missing[@]} == 0)) || install_packages "${missing[@]}"

export CXX=${CXX:-clang++-22}

# One build at a time: two would write the same files. From here to the end of `build`.
lock_build() {
  mkdir -p build
  exec 9>build/.lock
  flock -n 9 || { echo "Another run builds msci in $PWD/build; waiting for it"; flock 9; }
}

# Prepares the folder build/. The arguments are options of cmake.
configure() { lock_build; cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release "$@" >/dev/null 9>&-; }

# Passes on the output of a build, but its progress only every 20 seconds.
thin_out() {
  local line next=$((SECONDS + 20)) begin=$SECONDS
  while IFS= read -r line; do
    if [[ $line =~ ^\[([0-9]+)/([0-9]+)\] ]]; then
      ((SECONDS >= next)) || continue
      next=$((SECONDS + 20))
      echo "  ${BASH_REMATCH[1]} of ${BASH_REMATCH[2]} steps after $((SECONDS - begin)) s"
    elif [[ $line != "ninja: "* && $line != "-- "* ]]; then
      echo "$line"
    fi
  done
}

# Builds everything, or the targets of `--target`. A terminal shows each step in one line.
build() {
  export NINJA_STATUS='[%f/%t] '
  lock_build
  if [[ -t 1 ]]; then cmake --build build "$@" 9>&-; else cmake --build build "$@" 9>&- | thin_out; fi
  exec 9>&-
}
