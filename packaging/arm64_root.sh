#!/usr/bin/env bash
# Unpacks Debian's packages for arm64 that a cross build of msci needs into a folder: packaging/arm64_root.sh FOLDER
# It installs nothing, and needs no root. LLVM's development packages of two architectures share paths, so they cannot
# lie beside those of this machine. A folder that has all of them stays as it is; a later list of packages adds to it.
set -euo pipefail
root=$(realpath -m -- "$1")
packages=(libc6-dev libstdc++-12-dev libgcc-12-dev llvm-22-dev libclang-22-dev libclang-cpp22-dev libclang-common-22-dev
          nlohmann-json3-dev libcli11-dev libfmt-dev libeigen3-dev zlib1g-dev libzstd-dev libseccomp-dev libz3-4 libmd-dev
          libpng-dev libboost-dev libcurl4-openssl-dev ocl-icd-opencl-dev opencl-headers libgtest-dev libgmock-dev libcrypt1)
[[ $(cat "$root/.packages" 2>/dev/null) != "${packages[*]}" ]] || exit 0

mkdir -p "$root"/{etc/apt/{apt.conf,preferences}.d,var/{lib/dpkg,lib/apt/lists/partial,cache/apt/archives/partial}}
mkdir -p "$root"/usr/{bin,sbin,lib}
: >"$root/var/lib/dpkg/status"
keys=/usr/share/keyrings/debian-archive-keyring.gpg
cat >"$root/etc/apt/sources.list" <<END
deb [signed-by=$keys] http://deb.debian.org/debian bookworm main
deb [signed-by=$keys] http://deb.debian.org/debian bookworm-updates main
deb [signed-by=$keys] http://deb.debian.org/debian-security bookworm-security main
END
own_apt() {
  apt-get -qq -o Dir="$root" -o Dir::State::status="$root/var/lib/dpkg/status" -o APT::Architecture=arm64 \
    -o APT::Architectures=arm64 -o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=1 "$@"
}
own_apt update
own_apt install -y --download-only --no-install-recommends "${packages[@]}"

for folder in bin sbin lib; do [[ -e $root/$folder ]] || ln -s "usr/$folder" "$root/$folder"; done
for package in "$root"/var/cache/apt/archives/*.deb; do
  dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root" --keep-directory-symlink --no-same-owner \
    --exclude='./usr/share/man' --exclude='./usr/share/locale'
done
rm -f "$root"/var/cache/apt/archives/*.deb
# Links to other places of the system mean those of this folder.
find "$root" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do
  ln -sfnr "$root$(readlink "$link")" "$link"
done
echo "${packages[*]}" >"$root/.packages"
