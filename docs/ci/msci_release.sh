#!/usr/bin/env bash
# Runs a program of an msci release, which it downloads once: docs/ci/msci_release.sh PROGRAM [ARGUMENT...]
# The release is that of this repository's version, from MSCI_RELEASES (a URL or file:// folder with the files of a
# release); by default, from the releases of the repository that this file was cloned from. The checksum must agree
# with the release's SHA256SUMS, or with MSCI_SHA256 if that is set. Needs curl, tar and sha256sum.
set -euo pipefail
here=$(cd "$(dirname "$(realpath -- "${BASH_SOURCE[0]}")")" && pwd)
version=$(sed -n 's/^project(msci VERSION \([0-9.]*\).*/\1/p' "$here/../../CMakeLists.txt")
case $(uname -m) in
  x86_64) architecture=amd64 ;;
  aarch64) architecture=arm64 ;;
  *) echo "msci has no release for $(uname -m)" >&2; exit 2 ;;
esac
origin=$(git -C "$here" remote get-url origin 2>/dev/null || true)
releases=${MSCI_RELEASES:-${origin%.git}/releases/download/v$version}
name=msci-$version-linux-$architecture
cache=${XDG_CACHE_HOME:-$HOME/.cache}/msci/releases

if [[ ! -x $cache/$name/bin/msci ]]; then
  mkdir -p "$cache"
  work=$(mktemp -d "$cache/download.XXXXXX")  # beside the cache, so that one rename completes it
  trap 'rm -rf "$work"' EXIT
  fetch() { curl --fail --silent --show-error --location --output "$work/$1" "$releases/$1"; }
  fetch "$name.tar.gz" || { echo "cannot download $releases/$name.tar.gz" >&2; exit 2; }
  if [[ -n ${MSCI_SHA256:-} ]]; then
    echo "$MSCI_SHA256  $name.tar.gz" >"$work/SHA256SUMS"
  else
    fetch SHA256SUMS || { echo "cannot download $releases/SHA256SUMS" >&2; exit 2; }
  fi
  (cd "$work" && grep -F -- "  $name.tar.gz" SHA256SUMS | sha256sum --check --status --strict) ||
    { echo "$name.tar.gz does not have the expected checksum" >&2; exit 2; }
  tar -C "$work" -xzf "$work/$name.tar.gz"
  mv -T "$work/$name" "$cache/$name" 2>/dev/null || [[ -x $cache/$name/bin/msci ]]  # another process may have been faster
  rm -rf "$work"
  trap - EXIT
fi
program=$1
shift
exec "$cache/$name/bin/$program" "$@"
