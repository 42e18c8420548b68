#!/usr/bin/env bash
# Adds what other builds have made to the files of a release:
#   packaging/release/other_builds.sh VERSION NPM ARM64 PREFIX FOLDER
# NPM is the folder that packaging/wasm/build.sh makes (build/wasm/npm), ARM64 the build of packaging/arm64.sh
# (build-arm64), PREFIX an installation on this machine, whose manual pages and documentation arm64 shares. FOLDER has the
# Debian package of this machine, whose fields arm64 shares. Where a build is missing, a line says so, and its files are
# left out. The same builds and SOURCE_DATE_EPOCH give the same bytes.
set -euo pipefail
version=$1 npm=$2 arm64=$3 prefix=$4
folder=$(realpath -- "$5")
python=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../python" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# pack NAME FILE: $work/NAME as an archive without traces of this machine.
pack() {
  tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@"$SOURCE_DATE_EPOCH" -cf - "$1" |
    gzip -9n >"$2"
}

if [[ -e $npm/msci-lint.wasm ]]; then
  grep -q "\"version\": \"$version\"" "$npm/package.json" ||
    { echo "$npm/package.json has another version than $version" >&2; exit 2; }
  cp -rL "$npm" "$work/package"
  pack package "$folder/msci-lint-$version.tgz"
else
  echo "no npm package: packaging/wasm/build.sh has not made $npm" >&2
fi

# Of Debian 12's packages, which need glibc 2.36. msci-search, msci-report and msci-generate are not built for arm64.
if [[ -e $arm64/bin/msci ]]; then
  name=msci-$version-linux-arm64
  root=$work/$name
  mkdir -p "$root"/{bin,libexec/msci,share/man/man1}
  llvm-strip-22 -o "$root/bin/msci" "$arm64/bin/msci"
  llvm-strip-22 -o "$root/libexec/msci/msci-worker" "$arm64/bin/msci-worker"
  for tool in msci-lint msci-eval msci-tasks metal xcrun; do ln -s msci "$root/bin/$tool"; done
  ln -s ../../bin/msci "$root/libexec/msci/msci-engine-worker"
  for page in msci msci-lint msci-eval msci-tasks metal xcrun; do
    cp "$prefix/share/man/man1/$page.1.gz" "$root/share/man/man1"
  done
  cp -r "$prefix/share/doc" "$root/share"
  pack "$name" "$folder/$name.tar.gz"
  python3 "$python/build_wheel.py" "$version" "$folder" "$root" manylinux_2_36_aarch64 >/dev/null

  debian=$work/debian
  mkdir -p "$debian/DEBIAN"
  mv "$root" "$debian/usr"
  kibibytes=$(du -k --apparent-size -s "$debian/usr" | cut -f1)
  dpkg-deb --field "$(echo "$folder"/msci_"$version"_*.deb)" |
    sed -E "s/^(Architecture:).*/\1 arm64/; s/^(Installed-Size:).*/\1 $kibibytes/
            s/^(Depends:).*/\1 libc6 (>= 2.36), libz3-4/" >"$debian/DEBIAN/control"
  (cd "$debian" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  find "$debian" -exec touch --no-dereference --date=@"$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --root-owner-group -Zxz --build "$debian" "$folder" >/dev/null
else
  echo "no files for arm64: packaging/arm64.sh has not made $arm64" >&2
fi
