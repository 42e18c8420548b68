#!/usr/bin/env bash
# What `cmake --install` puts into a folder works from there, holds no path of the build, and is small.
# tests/package/install.sh BUILD_DIR SOURCE_DIR
set -euo pipefail
build=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix="$work/a folder/msci"

fail() { echo "FAILED: $1" >&2; exit 1; }

cmake --install "$build" --strip --prefix "$prefix" >"$work/log" || { cat "$work/log"; fail "it cannot be installed"; }

# A path of the build or of the sources would be missing on another machine. The licences of others are as Debian has them.
for folder in "$build" "$source"; do
  # Not within a longer path: a folder /msci is not named by share/doc/msci.
  if named=$(grep -rlaP --exclude-dir=licences -- "(?<![\w./-])\Q$folder\E(?![\w.-])" "$prefix"); then
    fail "$folder is named in $named"
  fi
done

# Clang is in one program, which acts by its name.
for tool in msci-lint msci-eval msci-tasks; do
  [[ $(readlink "$prefix/bin/$tool") == msci ]] || fail "$tool is not a link to msci"
done
megabytes=$(du -sm --apparent-size "$prefix" | cut -f1)
# Of these, each version of Metal takes 2, and for a C library before 2.36, the table of addresses
# that a position-independent program relocates 5.
((megabytes <= 120)) || fail "the installation takes $megabytes MB, more than 120"

cp "$source/tasks/heat2d/heat2d.metal" "$work/kernel.metal"
cd "$work"
# Whether a command succeeds and prints TEXT: shows TEXT COMMAND... It reads all of the output: a `grep -q` would end
# first, and break the pipe of a program that still writes.
shows() {
  local output
  output=$("${@:2}") && [[ $output == *"$1"* ]]
}
installed() { env -i PATH="$prefix/bin:/usr/bin:/bin" HOME="$work" "$@"; }

shows '1 file: nothing found' installed msci-lint --task heat2d kernel.metal || fail "it does not lint"
shows 'all sizes right' installed msci-eval kernel.metal --task heat2d --verify-only || fail "it does not evaluate"
shows 'kernel void' installed msci-tasks seed nbody || fail "it has no seeds"
installed msci-eval kernel.metal --task heat2d --json --verify-only >result.json || fail "it does not print JSON"
shows heat2d installed msci-report result.json || fail "it does not report"

# Without the links, `msci lint` is msci-lint; a name that is not a tool's is refused.
shows 'msci-lint' installed msci lint --version || fail "'msci lint' is not msci-lint"
for name in report search generate; do
  shows "msci-$name" installed msci "$name" --version || fail "'msci $name' is not msci-$name"
done
status=0
installed msci nothing 2>complaint || status=$?
[[ $status == 2 ]] && grep -q 'msci: unknown command "nothing"; see msci --help' complaint ||
  fail "'msci nothing' ends with $status and: $(cat complaint)"
status=0
installed msci mcp 2>complaint || status=$?
[[ $status == 2 ]] && grep -q 'msci-mcp is missing; .*; the Python package msci has it' complaint ||
  fail "'msci mcp' ends with $status and: $(cat complaint)"

# A copy of msci-eval needs only its worker beside it.
mkdir "$work/alone"
cp --dereference "$prefix/bin/msci-eval" "$prefix/libexec/msci/msci-worker" "$work/alone"
shows 'all sizes right' installed "$work/alone/msci-eval" kernel.metal --task heat2d --verify-only ||
  fail "a copy of msci-eval does not evaluate"

# The search finds the installed msci-eval, which finds its worker.
installed msci-tasks seed heat2d | { echo '```metal'; cat; echo '```'; } >answer.md
status=0
installed msci-search --task heat2d --iterations 1 --out run --generator "cat $work/answer.md" --no-gate >search.log ||
  status=$?
[[ $status == 0 ]] || { cat search.log; fail "it does not search (exit status $status)"; }

mv "$prefix/libexec/msci/msci-worker" "$work"
status=0
installed msci-eval kernel.metal --task heat2d --verify-only 2>complaint || status=$?
[[ $status == 2 ]] && grep -q 'msci-worker is missing; install it beside' complaint ||
  fail "without its worker, it ends with $status and: $(cat complaint)"
echo "the installed programs work"
