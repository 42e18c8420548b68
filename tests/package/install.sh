#!/usr/bin/env bash
# What `cmake --install` lays into a folder works from there, and knows nothing of where it was built.
# tests/package/install.sh BUILD_DIR SOURCE_DIR
set -euo pipefail
build=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix="$work/a folder/msci"

fail() { echo "FAILED: $1" >&2; exit 1; }

cmake --install "$build" --prefix "$prefix" >"$work/log" || { cat "$work/log"; fail "it cannot be installed"; }

# A path of the build or of the sources in what was installed is one that would be missing elsewhere.
for folder in "$build" "$source"; do
  if named=$(grep -rlF -- "$folder" "$prefix"); then fail "$folder is named in $named"; fi
done

cp "$source/tasks/heat2d/heat2d.metal" "$work/kernel.metal"
cd "$work"
installed() { env -i PATH="$prefix/bin:/usr/bin:/bin" HOME="$work" "$@"; }

installed msci-lint --task heat2d kernel.metal | grep -q '1 file: nothing found' || fail "it does not lint"
installed msci-eval kernel.metal --task heat2d --verify-only | grep -q 'all sizes right' || fail "it does not evaluate"
installed msci-tasks seed nbody | grep -q 'kernel void' || fail "it has no seeds"
installed msci-eval kernel.metal --task heat2d --json --verify-only >result.json || fail "it does not print JSON"
installed msci-report result.json | grep -q heat2d || fail "it does not report"

# The search finds the installed msci-eval, and that one its worker.
installed msci-tasks seed heat2d | { echo '```metal'; cat; echo '```'; } >answer.md
status=0
installed msci-search --task heat2d --iterations 1 --out run --generator "cat $work/answer.md" --no-gate >search.log ||
  status=$?
[[ $status == 0 ]] || { cat search.log; fail "it does not search (exit status $status)"; }

mv "$prefix/libexec/msci/msci-worker" "$work"
status=0
installed msci-eval kernel.metal --task heat2d --verify-only 2>complaint || status=$?
[[ $status == 2 ]] && grep -q 'msci-worker is missing; it belongs beside' complaint ||
  fail "without its worker, it ends with $status and: $(cat complaint)"
echo "the installed programs work"
