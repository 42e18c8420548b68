#!/bin/sh
# Prints the median time of a whole msci-lint process on each shipped kernel, and that of Clang on an
# empty C++ file, all measured in one run.
#   tests/bench/lint_speed.sh [folder with msci-lint, by default build/bin]
# Wants hyperfine.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
bin=${1:-$root/build/bin}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
: >"$folder/empty.cpp"

set -- "clang-22 -fsyntax-only $folder/empty.cpp"
for kernel in "$root"/tasks/*/*.metal; do
  set -- "$@" "$bin/msci-lint $kernel"
done
hyperfine -N --warmup 5 --runs 40 --style none --export-csv "$folder/times.csv" "$@" >/dev/null
# command,mean,stddev,median,user,system,min,max in seconds
awk -F, 'NR > 1 { sub(/.*\//, "", $1); printf "%-20s %6.1f ms\n", $1, 1000 * $4 }' "$folder/times.csv"
