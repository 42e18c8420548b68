#!/usr/bin/env bash
# docs/ci/msci_release.sh downloads a release once, runs its programs, and refuses a file with another checksum.
# tests/package/release.sh BUILD_DIR SOURCE_DIR
set -euo pipefail
build=$1 source=$2
command -v curl >/dev/null || { echo "skipped: curl is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $1" >&2; cat "$work/log" >&2; exit 1; }

version=$(sed -n 's/^project(msci VERSION \([0-9.]*\).*/\1/p' "$source/CMakeLists.txt")
name=msci-$version-linux-$(dpkg --print-architecture)
cmake --install "$build" --prefix "$work/$name" >"$work/log" || fail "it cannot be installed"
mkdir "$work/release"
tar -C "$work" -cf - "$name" | gzip -1 >"$work/release/$name.tar.gz"
(cd "$work/release" && sha256sum -- *.tar.gz >SHA256SUMS)
rm -r "${work:?}/$name"

export XDG_CACHE_HOME=$work/cache MSCI_RELEASES=file://$work/release
unset MSCI_SHA256
run() { "$source/docs/ci/msci_release.sh" "$@" >"$work/log" 2>&1; }
bad='kernel void f(device float *restrict x [[buffer(0)]]) { x[0] = 1; }'
status=0

MSCI_SHA256=$(printf '0%.0s' {1..64}) run msci-lint --version || status=$?
[[ $status == 2 ]] && grep -q 'does not have the expected checksum' "$work/log" || fail "a wrong checksum is accepted"
[[ -z $(ls "$XDG_CACHE_HOME/msci/releases") ]] || fail "a refused download is kept"

run msci-lint --version || fail "it does not run"
echo "$bad" >"$work/bad.metal"
status=0
run msci-lint "$work/bad.metal" || status=$?
[[ $status == 1 ]] && grep -q 'metal.restrict' "$work/log" || fail "the exit status is $status"

mv "$work/release" "$work/gone"
run msci-lint --version || fail "the second run downloads again"
rm -r "$XDG_CACHE_HOME"
status=0
run msci-lint --version || status=$?
[[ $status == 2 ]] && grep -q 'cannot download file:' "$work/log" || fail "without a release it ends with $status"
echo "a release is downloaded once and checked"
