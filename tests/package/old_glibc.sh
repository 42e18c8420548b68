#!/usr/bin/env bash
# Programs that are linked as MSCI_GLIBC=2.31 links msci ask for no newer glibc, and work with that of this machine.
# tests/package/old_glibc.sh SOURCE_DIR COMPILER LLVM_TOOLS [PROGRAM]
# PROGRAM keeps the program, to try it on another system.
set -euo pipefail
source=$1 compiler=$2 tools=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $1" >&2; exit 1; }

"$source/packaging/old_glibc/stub.py" 2.31 "$work/glibc" "$tools/clang" "$tools/llvm-readelf"
flags=(-std=c++20 -O1 -Wall -Wextra)
newer=$source/packaging/old_glibc/newer_glibc.cpp
"$compiler" "${flags[@]}" -fno-exceptions -fPIC -c "$newer" -o "$work/newer_glibc.o"
"$tools/llvm-ar" rcs "$work/glibc/libmsci_newer_glibc.a" "$work/newer_glibc.o"
"$compiler" "${flags[@]}" -fPIE -c "$source/tests/package/old_glibc_test.cpp" -o "$work/test.o"
echo 'int main(void) { return 0; }' >"$work/test.c"
"$tools/clang" -fPIE -c "$work/test.c" -o "$work/c_test.o"  # msci-mesa is in C
link() { "$@" -L"$work/glibc" -Wl,--wrap=__libc_start_main -fuse-ld=lld -B"$tools" -static-libgcc -o "$work/program"; }
tries() {  # COMPILER OPTION...: links a program, which works and asks for no newer glibc
  link "$@"
  newest=$("$tools/llvm-readelf" --version-info "$work/program" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -1)
  [[ $(printf '%s\n' GLIBC_2.31 "$newest" | sort -V | tail -1) == GLIBC_2.31 ]] || fail "the program asks for $newest"
  LD_BIND_NOW=1 "$work/program" || fail "the program linked by $* does not work"
}
for kind in -no-pie -pie; do
  tries "$tools/clang" $kind "$work/c_test.o"
  tries "$compiler" $kind "$work/test.o" -static-libstdc++
done
cp "$work/program" "${4:-/dev/null}"
echo "the program asks for $newest"
