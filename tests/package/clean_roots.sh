#!/usr/bin/env bash
# Installs each file of a release in bare systems, and lints and judges with it:
#   tests/package/clean_roots.sh RELEASE_FOLDER ROOTS
# The wheel and the Debian packages in Debian 11 (glibc 2.31, Python 3.9), 12 and 13 (Python 3.13), where the wheel's
# programs also run the commands of the guide's first page. The tarball in Debian 11, the Dockerfile in Debian 12.
# Needs root and debootstrap. ROOTS, a folder that is created if missing, keeps the bare systems for another run.
# The VS Code extension is not installed: editors/vscode/package.sh tests it against the programs.
set -euo pipefail
release=$(realpath -- "$1")
mkdir -p "$2"
roots=$(realpath -- "$2")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
fail() { echo "FAILED: $1" >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "skipped: debootstrap is not installed"; exit 77; }
((EUID == 0)) || { echo "skipped: only root can create a system to install into"; exit 77; }
source "$here/bare_system.sh"
python3 "$here/release_files.py" "$release"
debians=(bullseye bookworm trixie)
for each in "${debians[@]}"; do make_system $each "$roots/$each"; done
image=$roots/image
trap 'for each in "${debians[@]}" image; do leave_system "$roots/$each"; done' EXIT

# uses ROOT COMMAND...: lints a good and a bad kernel in ROOT with the prefix COMMAND, and judges the good one.
uses() {
  local root=$1
  shift
  cp "$here/../../tasks/saxpy/saxpy.metal" "$root/tmp/saxpy.metal"
  echo 'kernel void f(device float *restrict x) {}' >"$root/tmp/bad.metal"
  "$@" msci-lint --no-cache /tmp/saxpy.metal | grep -q '1 file: nothing found' || fail "it refuses a good kernel"
  local status=0
  "$@" msci-lint --no-cache /tmp/bad.metal >"$root/tmp/log" || status=$?
  [[ $status == 1 ]] && grep -q 'metal.restrict' "$root/tmp/log" || fail "msci-lint ends with $status for a bad kernel"
  "$@" msci-eval --no-cache --verify-only --task saxpy /tmp/saxpy.metal | grep -q 'all sizes right' ||
    fail "msci-eval does not judge"
  rm "$root"/tmp/{saxpy.metal,bad.metal,log}
}

# first_page ROOT BIN: types the commands of docs/guide/first_kernel.md in ROOT, whose programs are in BIN.
first_page() {
  local root=$1 each
  rm -rf "$root/tmp/page"
  for each in docs/guide/first_kernel.md docs/plans tests/tutorial/run.py tests/docs/page_output.py; do
    mkdir -p "$root/tmp/page/$(dirname $each)"
    cp -r "$here/../../$each" "$root/tmp/page/$each"
  done
  chroot "$root" env -i PATH=/usr/bin:/bin python3 /tmp/page/tests/tutorial/run.py "$2" \
    /tmp/page/docs/guide/first_kernel.md || fail "the tutorial's commands do not work"
  rm -r "$root/tmp/page"
}

# LD_BIND_NOW: the loader looks for all functions at the start, as it would for those that are called later.
root=$roots/bullseye
enter_system "$root"
rm -rf "$root/opt/elsewhere"
mkdir "$root/opt/elsewhere"
tar -C "$root/opt/elsewhere" -xzf "$release"/msci-*-amd64.tar.gz
bin=$(cd "$root" && echo opt/elsewhere/*/bin)
in_debian_11() { chroot "$root" env -i LD_BIND_NOW=1 HOME=/tmp "PATH=/$bin:/usr/bin:/bin" "$@"; }
uses "$root" in_debian_11
for program in msci-tasks msci-search msci-report; do
  in_debian_11 $program --help >/dev/null || fail "$program does not start"
done
status=0
kernel=/$bin/../share/doc/msci/docs/example/scale.metal
in_debian_11 msci-eval --device pocl --task saxpy "$kernel" 2>"$root/tmp/log" || status=$?
[[ $status == 2 ]] && grep -q 'libOpenCL.so.1 is not installed' "$root/tmp/log" ||
  fail "without OpenCL: $status, $(cat "$root/tmp/log")"
echo "the tarball works in Debian $(cat "$root/etc/debian_version")," \
  "$(chroot "$root" getconf GNU_LIBC_VERSION)"

# use_wheel ROOT: pip finds nothing but the wheel, and the environment's folder is not in PATH.
use_wheel() {
  local root=$1 left
  enter_system "$root"
  chroot "$root" sh -c 'apt-get update -qq &&
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends python3-venv' >/dev/null
  rm -rf "$root/opt/python" "$root"/tmp/*.whl
  cp "$release"/*x86_64.whl "$root/tmp"
  chroot "$root" sh -ec 'python3 -m venv /opt/python && /opt/python/bin/pip install --no-index --quiet /tmp/*.whl'
  uses "$root" chroot "$root" env -i HOME=/tmp PATH=/opt/python/bin:/usr/bin:/bin
  first_page "$root" /opt/python/bin
  cp "$here/../../tasks/saxpy/saxpy.metal" "$root/tmp/saxpy.metal"
  chroot "$root" env -i HOME=/tmp PATH=/usr/bin:/bin /opt/python/bin/python -c '
import msci
source = open("/tmp/saxpy.metal").read()
assert msci.lint(source).valid and not msci.lint("kernel void f(device float *restrict x) {}").valid
assert msci.evaluate(source, "saxpy").correct' || fail "the Python package does not find the programs of its wheel"
  chroot "$root" /opt/python/bin/pip uninstall --quiet --yes msci
  left=$(cd "$root/opt/python" && find . -name '*msci*')
  [[ -z $left ]] || fail "pip leaves $left"
  rm -rf "$root"/tmp/*.whl "$root/tmp/saxpy.metal"
  echo "the wheel works in Debian $(cat "$root/etc/debian_version"), $(chroot "$root" python3 --version)"
}
for each in "${debians[@]}"; do use_wheel "$roots/$each"; done

root=$roots/bookworm
leave_system "$root"
rm -rf --one-file-system "$image"
cp -a "$root" "$image"
enter_system "$image"
tarball=$(basename "$release"/msci-*-amd64.tar.gz)
sum=$(sha256sum <"$release/$tarball" | cut -d' ' -f1)
in_image() {
  python3 "$here/docker_steps.py" "$image" "$here/../../docs/ci/Dockerfile" "$release" \
    RELEASE="$tarball" SHA256="$sum" -- "$@"
}
rebuilt() { rm -rf "$image/opt/msci"; in_image "$@"; }
uses "$image" rebuilt
rebuilt msci-lint --version
cp "$here/../../tasks/saxpy/saxpy.metal" "$image/tmp/saxpy.metal"
rebuilt msci-eval --prove --task saxpy /tmp/saxpy.metal | grep -q 'proved   bounds' || fail "the image has no proofs"
(sum=${sum//[0-9]/0} && rebuilt true) >/dev/null 2>&1 && fail "the Dockerfile takes a tarball with another SHA-256"
leave_system "$image"
rm -rf --one-file-system "$image"
echo "the Dockerfile's steps make a system that lints"

# python3-msci, which bare_root.sh also installs if it lies beside, needs Python 3.11.
package=$(mktemp -d)
trap 'rm -rf "$package"' EXIT
cp "$release"/msci_*_amd64.deb "$package"
"$here/bare_root.sh" "$package"/msci_*_amd64.deb "$roots/bullseye"
for each in bookworm trixie; do "$here/bare_root.sh" "$release"/msci_*_amd64.deb "$roots/$each"; done
