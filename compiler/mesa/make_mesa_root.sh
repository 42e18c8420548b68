#!/usr/bin/env bash
# Puts Mesa's compiler for Apple GPUs into a folder, for systems whose own Mesa is older than 25.1, such as Debian 12.
#
#   sudo make_mesa_root.sh [FOLDER] [MIRROR]
#
# FOLDER: by default $XDG_DATA_HOME/msci/mesa (~/.local/share/msci/mesa), where msci-eval looks; elsewhere, set
# MSCI_MESA_ROOT=FOLDER for msci-eval. It holds the libraries of Debian 13 with backports that the compiler loads, with
# their notices, 0.3 GB, and nothing that a user could start. MIRROR: of Debian, by default http://deb.debian.org/debian.
# It needs debootstrap, root, and, for two minutes, 0.7 GB below $TMPDIR.
set -euo pipefail

home=$HOME
if [[ -n ${SUDO_USER:-} ]]; then home=$(getent passwd "$SUDO_USER" | cut -d: -f6); fi
folder=$(realpath -m -- "${1:-${XDG_DATA_HOME:-$home/.local/share}/msci/mesa}")
mirror=${2:-http://deb.debian.org/debian}
suite=trixie
packages=(mesa-drm-shim mesa-opencl-icd ocl-icd-libopencl1)

complain() { echo "make_mesa_root.sh: $*" >&2; exit 2; }
[[ $folder != / ]] || complain "the folder must not be /"
[[ ! -e $folder ]] || complain "$folder exists; remove it, or name another folder"
[[ $(id -u) == 0 ]] || complain "debootstrap needs root: run it with sudo"
command -v debootstrap > /dev/null || complain "debootstrap is missing: apt-get install debootstrap"

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
root=$work/root
log=$work/log
run() { "$@" >> "$log" 2>&1 || { tail -n 20 "$log" >&2; complain "'$*' failed"; }; }

echo "Debian 13 ($suite) from $mirror, half a minute" >&2
run debootstrap --variant=minbase --include=ca-certificates "$suite" "$root" "$mirror"
printf 'deb %s %s main\n' "$mirror" "$suite" "$mirror" "$suite-backports" > "$root/etc/apt/sources.list"
cp --dereference /etc/resolv.conf "$root/etc/resolv.conf"
echo "Mesa from $suite-backports, a download of 73 MB" >&2
run chroot "$root" apt-get update
run chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -t "$suite-backports" \
  "${packages[@]}"

# Only what the compiler loads: its libraries, those that they need, and Mesa's own OpenCL functions.
libraries=$(dirname "$(find "$root/usr/lib" -name libasahi_noop_drm_shim.so | head -n 1)")
[[ $libraries != . ]] || complain "the package mesa-drm-shim has no libasahi_noop_drm_shim.so"
inside=${libraries#"$root"}
kept=$work/kept
mkdir -p "$kept$inside" "$kept/usr/lib/clc" "$kept/usr/share/doc" "$kept/etc"
for library in libasahi_noop_drm_shim.so libOpenCL.so.1 libRusticlOpenCL.so.1; do
  echo "$inside/$library"
  chroot "$root" ldd "$inside/$library" | grep -o '/[^ ]*'
done | sort -u | while read -r file; do
  cp --dereference "$root$file" "$kept$inside/"
  owner=$(chroot "$root" dpkg-query -S "$(chroot "$root" realpath "$file")" 2> /dev/null | cut -d: -f1 | head -n 1)
  if [[ -n $owner && -e $root/usr/share/doc/$owner/copyright ]]; then
    mkdir -p "$kept/usr/share/doc/$owner"
    cp --dereference "$root/usr/share/doc/$owner/copyright" "$kept/usr/share/doc/$owner/"
  fi
done
cp --dereference "$root"/usr/lib/clc/spirv*-mesa3d-.spv "$kept/usr/lib/clc/"
cp -r "$root/etc/OpenCL" "$kept/etc/"
chroot "$root" dpkg-query -W "${packages[@]}" > "$kept/packages"

mkdir -p "$(dirname "$folder")"
mv "$kept" "$folder"
[[ -z ${SUDO_USER:-} || $folder != "$home"/* ]] || chown -R "$SUDO_USER:" "$folder"
echo "$folder: $(du -sm "$folder" | cut -f1) MB; $(grep mesa-opencl-icd "$folder/packages")" >&2
