#!/usr/bin/env bash
# run.sh and test.sh on a bare Debian 12, with the minutes and megabytes of each: tests/package/bare_build.sh [ROOT]
# What is committed is cloned into the system. Needs root, debootstrap and git.
# ROOT, a folder that is created if missing, keeps the system, with its build in ROOT/srv/msci.
set -euo pipefail
source_folder=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
root=${1:-}
[[ -n $root ]] || { root=$(mktemp -d); keep=no; }
fail() { echo "FAILED: $1" >&2; exit 1; }
source "$source_folder/tests/package/bare_system.sh"
make_system bookworm "$root"
trap 'leave_system "$root"; [[ ${keep:-yes} == yes ]] || rm -rf --one-file-system "$root"' EXIT
enter_system "$root"
inside() { chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }

# Debian's installer and images have the security archive, debootstrap does not.
mirror=$(sed -n 's/^deb \([^ ]*\) bookworm main.*/\1/p' "$root/etc/apt/sources.list" | head -1)
echo "deb $mirror bookworm main
deb ${mirror%/}-security bookworm-security main" >"$root/etc/apt/sources.list"
rm -rf "$root/srv/msci"
git -c "safe.directory=*" clone --quiet "$source_folder" "$root/srv/msci"
[[ ! -d $source_folder/../shared ]] || cp -rL "$source_folder/../shared" "$root/srv/"

used() { du -smx --exclude=./proc --exclude=./sys --exclude=./dev "$root" | cut -f1; }
step() {  # NAME COMMAND...: runs a command in the clone, and says what it took.
  local before begin=$SECONDS
  before=$(used)
  inside env --chdir=/srv/msci "${@:2}" || fail "$1 exits with $?"
  summary+=("$1: $(((SECONDS - begin) / 60)) min $(((SECONDS - begin) % 60)) s, $(($(used) - before)) MB more")
  echo "${summary[-1]}"
}
summary=()
step "./run.sh" ./run.sh
step "./run.sh again, until it has linted a kernel that is refused" \
  bash -c 'time ./run.sh docs/example/scale.metal || [[ $? == 1 ]]'
step "./test.sh" ./test.sh
printf '%s\n' "Debian $(cat "$root/etc/debian_version"), $(nproc) processors:" "${summary[@]}"
inside du -sm /srv/msci/build
