#!/usr/bin/env bash
# The wheels, the files of other builds and the bill of materials, made of small files in place of the programs: they are
# well formed, the same input gives the same bytes, and the wheel's scripts start the right program.
# tests/package/release_files.sh SOURCE_DIR
set -euo pipefail
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $1" >&2; exit 1; }
command -v dpkg-query >/dev/null || { echo "skipped: the bill of materials needs dpkg-query"; exit 77; }
command -v llvm-strip-22 >/dev/null || { echo "skipped: files for arm64 need llvm-strip-22"; exit 77; }

mkdir -p "$work"/prefix/{bin,libexec/msci,share/man/man1,share/doc/msci}
printf '#!/bin/sh\nfor word in msci "$@"; do echo "<$word>"; done\n' >"$work/prefix/bin/msci"
cp "$work/prefix/bin/msci" "$work/prefix/libexec/msci/msci-worker"
for tool in lint eval tasks; do ln -s msci "$work/prefix/bin/msci-$tool"; done
ln -s ../../bin/msci "$work/prefix/libexec/msci/msci-engine-worker"
echo page >"$work/prefix/share/man/man1/msci.1"
for page in msci msci-lint msci-eval msci-tasks metal xcrun; do
  echo page | gzip -n >"$work/prefix/share/man/man1/$page.1.gz"
done
mkdir -p "$work"/npm/headers "$work/arm64/bin"
echo '{"name": "msci-lint", "version": "1.2"}' >"$work/npm/package.json"
touch "$work"/npm/{msci-lint.wasm,lint.mjs,headers/metal_stdlib}
for program in msci msci-worker; do cp /bin/true "$work/arm64/bin/$program"; done
echo notice >"$work/prefix/share/doc/msci/LICENSE"

export SOURCE_DATE_EPOCH=1700000000
mkdir -p "$work/this/DEBIAN"
printf '%s\n' 'Package: msci' 'Version: 1.2' 'Architecture: amd64' 'Maintainer: a <a@b.invalid>' 'Installed-Size: 1' \
  'Depends: libc6 (>= 2.31), libcurl4, libz3-4' 'Description: msci' >"$work/this/DEBIAN/control"
for folder in one two; do
  mkdir "$work/$folder"
  python3 "$source/python/build_wheel.py" 1.2 "$work/$folder" "$work/prefix" manylinux_2_31_x86_64 >/dev/null
  echo "not a real one" >"$work/$folder/msci-1.2.vsix"
  dpkg-deb --root-owner-group --build "$work/this" "$work/$folder" >/dev/null
  (
    cd "$work/$folder"
    "$source/packaging/release/other_builds.sh" 1.2 "$work/npm" "$work/arm64" "$work/prefix" .
    "$source/packaging/release/spdx.py" 1.2 * >msci-1.2.spdx.json
    sha256sum -- * >SHA256SUMS
  )
  python3 "$source/tests/package/release_files.py" "$work/$folder"
  sleep 1  # a time of day would differ
done
diff -r "$work/one" "$work/two" || fail "the same input gave other bytes"
for file in msci-lint-1.2.tgz msci-1.2-linux-arm64.tar.gz msci-1.2-py3-none-manylinux_2_36_aarch64.whl; do
  [[ -s $work/one/$file ]] || fail "$file is missing"
done
deb=$work/one/msci_1.2_arm64.deb
[[ $(dpkg-deb --field "$deb" Package Architecture Depends | xargs) == \
  "Package: msci Architecture: arm64 Depends: libc6 (>= 2.36), libz3-4" ]] || fail "$(dpkg-deb --field "$deb")"
contents=$(dpkg-deb --contents "$deb")  # first: grep -q would break the pipe of a tar that still writes
grep -q ' root/root .* ./usr/bin/msci-lint -> msci$' <<<"$contents" || fail "$contents"
mkdir "$work/lacking"
"$source/packaging/release/other_builds.sh" 1.2 "$work/absent" "$work/absent" "$work/prefix" "$work/lacking" 2>"$work/log"
[[ -z $(ls "$work/lacking") && $(grep -c '^no npm package: \|^no files for arm64: ' "$work/log") == 2 ]] ||
  fail "missing builds are not said to be missing"
"$source/packaging/release/other_builds.sh" 1.3 "$work/npm" "$work/absent" "$work/prefix" "$work/lacking" 2>/dev/null &&
  fail "an npm package of another version is taken"
grep -q '"name": "vscode-languageclient"' "$work/one/msci-1.2.spdx.json" || fail "the bill lacks the extension's packages"

echo changed >>"$work/two/msci-1.2.vsix"
python3 "$source/tests/package/release_files.py" "$work/two" 2>/dev/null && fail "a changed file is not noticed"

# Where pip puts the files: scripts beside each other, data below the prefix.
cd "$work"
python3 -m zipfile -e one/*x86_64.whl unpacked
mkdir -p "installed" && cp -r unpacked/msci-1.2.data/scripts installed/bin && cp -r unpacked/msci-1.2.data/data/* installed
chmod +x installed/bin/* installed/libexec/msci/*
[[ $(installed/bin/msci-lint 'a b' c | xargs) == "<msci> <lint> <a b> <c>" ]] || fail "msci-lint does not start msci lint"
[[ $(installed/libexec/msci/msci-engine-worker 1 | xargs) == "<msci> <engine-worker> <1>" ]] || fail "the worker does not start"
ln -s "$work/installed/bin/msci-lint" linked
[[ $(./linked | xargs) == "<msci> <lint>" ]] || fail "a link to msci-lint does not start it"
[[ $(cd installed/bin && sh msci-eval | xargs) == "<msci> <eval>" ]] || fail "it does not start by its name alone"
echo "the files are well formed"
