#!/usr/bin/env bash
# libmsci, installed into a folder: the examples in C and Python run, pkg-config and CMake find it, and errors are reported.
# tests/package/library.sh BUILD_DIR SOURCE_DIR
set -euo pipefail
build=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $1" >&2; exit 1; }

cmake --install "$build" --prefix "$work/first" >/dev/null
mv "$work/first" "$work/moved"  # its files must not depend on the folder
lib=$(dirname "$(find "$work/moved" -name libmsci.so)")
export PKG_CONFIG_PATH=$lib/pkgconfig LD_LIBRARY_PATH=$lib HOME=$work
compiler=$(command -v cc || command -v clang-22)
cd "$work"

words=$(pkg-config --cflags --libs msci 2>/dev/null || echo "-I$work/moved/include -L$lib -lmsci")  # where there is no pkg-config
$compiler -std=c99 -Wall -Wextra -Werror "$source/docs/library/evaluate.c" $words -o evaluate
cp "$source/tasks/heat2d/heat2d.metal" heat.metal
./evaluate heat.metal heat2d >out || { cat out; fail "the example in C ends with $?"; }
grep -q '"valid":true' out && grep -q '"correct":true' out || fail "the example in C says $(cat out)"

python3 "$source/docs/library/evaluate.py" >out || fail "the example in Python ends with $?"
grep -q 'right' out || fail "the example in Python says $(cat out)"

$compiler -std=c99 -Wall -Wextra -Werror -pthread "$source/tests/package/library_test.c" $words -o library_test
./library_test || fail "the calls are not as msci.h states them"

# The library exports only the names of msci.h.
names=$(nm -D --defined-only "$lib/libmsci.so" | awk '{print $3}' | sed 's/@.*//' | grep -v '^_\(init\|fini\)$' | sort | xargs)
[[ $names == "msci_evaluate msci_free msci_lint msci_list_tasks msci_version" ]] || fail "it shows $names"

mkdir user && cd user
cp "$source/docs/library/evaluate.c" .
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.23)
project(user LANGUAGES C)
find_package(msci 0.1 REQUIRED)
add_executable(user evaluate.c)
target_link_libraries(user PRIVATE msci::msci)
END
cmake -S . -B build -G Ninja -DCMAKE_C_COMPILER="$compiler" -DCMAKE_PREFIX_PATH="$work/moved" >log 2>&1 && cmake --build build >>log 2>&1 ||
  { cat log; fail "CMake does not find it"; }

mv "$work/moved/bin/msci-lint" "$work"
status=0
(cd .. && ./evaluate heat.metal heat2d) >../out || status=$?
[[ $status == 2 ]] && grep -q 'cannot start .*msci-lint: No such file' ../out || fail "without msci-lint: $status, $(cat ../out)"
echo "the library does what msci.h says"
