#!/usr/bin/env bash
# The Debian package of the Python package: the same bytes from the same input, and its files work where they are unpacked.
# Lintian, if installed, finds nothing in it. tests/python/debian_test.sh BIN_DIR SOURCE_DIR
set -euo pipefail
bin=$1 source=$2
command -v dpkg-deb >/dev/null || { echo "skipped: dpkg-deb is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $1" >&2; exit 1; }

export SOURCE_DATE_EPOCH=1767225600
for each in one two; do "$source/python/build_deb.sh" 0.1.0 "$work/$each" >/dev/null; done
package=$work/one/python3-msci_0.1.0_all.deb
cmp "$package" "$work/two/python3-msci_0.1.0_all.deb" || fail "two builds differ"
[[ $(dpkg-deb --field "$package" Depends) == "python3 (>= 3.9), msci (>= 0.1.0)" ]] || fail "it depends on other packages"
if command -v lintian >/dev/null; then
  said=$(lintian --fail-on error,warning,info --display-info "$package" 2>&1) || fail "lintian: $said"
fi

dpkg-deb --extract "$package" "$work/unpacked"
cp "$source/tasks/nbody/nbody.metal" "$work"
cd "$work"
export PYTHONPATH=$work/unpacked/usr/lib/python3/dist-packages MSCI_BIN=$bin
python3 -c 'import importlib.metadata; assert importlib.metadata.version("msci") == "0.1.0"' || fail "it has another version"
python3 -c 'import msci; print(msci.evaluate(open("nbody.metal").read(), "nbody").correct)' >out || fail "it does not judge"
grep -qx True out || fail "the seed is not right: $(cat out)"
echo '{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}' | python3 unpacked/usr/bin/msci-mcp >out || fail "msci-mcp does not run"
grep -q '"evaluate"' out || fail "msci-mcp says $(cat out)"
echo "the Python package works where it is unpacked"
