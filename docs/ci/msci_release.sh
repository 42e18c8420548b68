#!/usr/bin/env bash
# Runs a program of a release:
#
#   docs/ci/msci_release.sh [--release FILE_OR_URL] [--sha256 SUM] PROGRAM [ARGUMENT...]
#
# FILE_OR_URL is the tarball of a release, msci-VERSION-linux-ARCHITECTURE.tar.gz; MSCI_RELEASE names it, too. SUM is the
# SHA-256 that it must have, or MSCI_SHA256. A URL needs one. The tarball is unpacked once, into ~/.cache/msci/releases.
# Needs tar, sha256sum and, for a URL, curl.
set -euo pipefail
release=${MSCI_RELEASE:-}
sum=${MSCI_SHA256:-}
refuse() { echo "msci_release.sh: $1" >&2; exit 2; }
while [[ ${1:-} == --release || ${1:-} == --sha256 ]]; do
  (($# >= 2)) || refuse "$1 needs a value"
  case $1 in
    --release) release=$2 ;;
    --sha256) sum=$2 ;;
  esac
  shift 2
done
(($# > 0)) || refuse "name a program, such as msci-lint"
[[ $(uname -s) == Linux ]] ||
  refuse "the programs of a release run on Linux; on $(uname -s), start them in a container (docs/guide/mac_and_windows.md)"
program=$1
shift
processor=$(uname -m)
case $processor:${release##*/} in
  x86_64:*-linux-arm64.* | aarch64:*-linux-amd64.*)
    refuse "${release##*/} is for another processor than $processor (docs/guide/mac_and_windows.md)" ;;
esac
[[ -n $release ]] || refuse "name the tarball of a release: --release FILE_OR_URL or MSCI_RELEASE (docs/guide/ci.md)"
[[ -z $sum || $sum =~ ^[0-9a-fA-F]{64}$ ]] || refuse "'$sum' is not a SHA-256: 64 hexadecimal digits"
sum=${sum,,}

case $release in
  http://* | https://* | file://*)
    is_url=yes
    [[ -n $sum ]] || refuse "a URL needs the SHA-256 of the tarball, which is in SHA256SUMS: --sha256 SUM or MSCI_SHA256"
    ;;
  *)
    is_url=no
    [[ -f $release ]] || refuse "$release: no such file; give the path or the URL of the tarball"
    found=$(sha256sum <"$release" | cut -d' ' -f1)
    [[ -z $sum || $found == "$sum" ]] || refuse "$release has the SHA-256 $found, not $sum"
    sum=$found
    ;;
esac

cache=${XDG_CACHE_HOME:-$HOME/.cache}/msci/releases
unpacked=$cache/$sum
if [[ ! -x $unpacked/bin/msci ]]; then
  mkdir -p "$cache"
  work=$(mktemp -d "$cache/unpack.XXXXXX")  # beside the result, so that one rename completes it
  trap 'rm -rf "$work"' EXIT
  tarball=$release
  if [[ $is_url == yes ]]; then
    tarball=$work/release.tar.gz
    curl --fail --silent --show-error --location --output "$tarball" "$release" || refuse "cannot download $release"
    found=$(sha256sum <"$tarball" | cut -d' ' -f1)
    [[ $found == "$sum" ]] || refuse "$release has the SHA-256 $found, not $sum"
  fi
  mkdir "$work/unpacked"
  tar -C "$work/unpacked" --strip-components=1 -xzf "$tarball" && [[ -x $work/unpacked/bin/msci ]] ||
    refuse "$release is not the tarball of an msci release"
  mv -T "$work/unpacked" "$unpacked" 2>/dev/null || [[ -x $unpacked/bin/msci ]]  # another process may have been faster
  rm -rf "$work"
  trap - EXIT
fi
[[ -x $unpacked/bin/$program ]] || refuse "the release has no program $program"
exec "$unpacked/bin/$program" "$@"
