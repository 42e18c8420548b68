#!/usr/bin/env bash
# Makes the files of a release from a build: packaging/release/release.sh BUILD_DIR FOLDER
# The Debian package, a tarball of the same files, a wheel with the programs, the Python package as a Debian package, the
# bill of materials (SPDX) and SHA256SUMS. other_builds.sh adds the npm package and the files for arm64. The VS Code
# extension of this version joins them if FOLDER holds it; other files in FOLDER do not. packaging/release.sh does all.
# The same build and SOURCE_DATE_EPOCH (by default the date of the last commit) give the same bytes. Lintian, if
# installed, must find neither errors nor warnings in the Debian packages.
set -euo pipefail
build=$(realpath -- "$1")
mkdir -p "$2"
folder=$(realpath -- "$2")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
python=$here/../../python
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC
umask 022
version=$(sed -n 's/^CMAKE_PROJECT_VERSION:.*=//p' "$build/CMakeCache.txt")
glibc=$(sed -n 's/^MSCI_GLIBC:.*=//p' "$build/CMakeCache.txt")
architecture=$(dpkg --print-architecture)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The files are made in a folder of their own, because FOLDER may hold others.
made=$work/made
mkdir "$made"

(cd "$build" && rm -f ./*.deb && cpack -G DEB >"$work/log") || { cat "$work/log"; exit 1; }
mv "$build"/*.deb "$made"
deb=$(echo "$made"/*.deb)

# The same files as in the package, in one folder; tar's order, owners and times are fixed, and gzip's header is empty.
name=msci-$version-linux-$architecture
dpkg-deb --extract "$deb" "$work/extracted"
mv "$work/extracted/usr" "$work/$name"
rm -r "$work/$name/share/lintian"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@"$SOURCE_DATE_EPOCH" -cf - "$name" |
  gzip -9n >"$made/$name.tar.gz"

# pip installs the wheel on systems whose glibc is at least as new as the one that the programs need.
glibc=${glibc:-$(getconf GNU_LIBC_VERSION | sed 's/.* //')}
python3 "$python/build_wheel.py" "$version" "$made" "$work/$name" "manylinux_${glibc/./_}_$(uname -m)" >/dev/null
"$python/build_deb.sh" "$version" "$made" >/dev/null
if command -v lintian >/dev/null; then
  lintian --fail-on error,warning "$made"/*.deb >&2
fi
top=$(cd "$here/../.." && pwd)
"$here/other_builds.sh" "$version" "$top/build/wasm/npm" "$top/build-arm64" "$work/$name" "$made"
[[ ! -e $folder/msci-$version.vsix ]] || cp "$folder/msci-$version.vsix" "$made"
cd "$made"
files=(*)
"$here/spdx.py" "$version" "${files[@]}" >"msci-$version.spdx.json"
sha256sum -- "${files[@]}" "msci-$version.spdx.json" >SHA256SUMS
mv -f -- * "$folder"
cat "$folder/SHA256SUMS"
