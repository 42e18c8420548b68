#!/usr/bin/env bash
# A program that is linked as MSCI_GLIBC=2.31 links msci asks for no newer glibc, and works with that of this machine.
# tests/package/old_glibc.sh SOURCE_DIR COMPILER LLVM_TOOLS [PROGRAM]
# PROGRAM keeps the program, to try it on another system.
set -euo pipefail
source=$1 compiler=$2 tools=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $1" >&2; exit 1; }

"$source/packaging/old_glibc/stub.py" 2.31 "$work/glibc" "$tools/clang" "$tools/llvm-readelf"
flags=(-std=c++20 -O1 -Wall -Wextra)
"$compiler" "${flags[@]}" -fPIC -c "$source/packaging/old_glibc/newer_glibc.cpp" -o "$work/newer_glibc.o"
"$tools/llvm-ar" rcs "$work/glibc/libmsci_newer_glibc.a" "$work/newer_glibc.o"
"$compiler" "${flags[@]}" -fPIE -c "$source/tests/package/old_glibc_test.cpp" -o "$work/test.o"
for kind in -no-pie -pie; do
  "$compiler" "$kind" "$work/test.o" -L"$work/glibc" -Wl,--wrap=__libc_start_main -fuse-ld=lld -B"$tools" \
    -static-libstdc++ -static-libgcc -o "$work/program"
  newest=$("$tools/llvm-readelf" --version-info "$work/program" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1)
  [[ $(printf '%s\n' GLIBC_2.31 "$newest" | sort -V | tail -1) == GLIBC_2.31 ]] || fail "the program asks for $newest"
  LD_BIND_NOW=1 "$work/program" || fail "the program linked with $kind does not work"
done
cp "$work/program" "${4:-/dev/null}"
echo "the program asks for $newest"
