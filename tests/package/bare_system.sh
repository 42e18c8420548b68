# For scripts that source it: bare systems in folders. Needs root and debootstrap.

# make_system RELEASE ROOT: a minimal Debian, from the package mirror of this system, unless ROOT holds one.
make_system() {
  local release=$1 root=$2 mirror each
  mirror=$(grep -rhoE 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null |
           head -1) || true
  [[ -e $root/etc/debian_version ]] || debootstrap --variant=minbase "$release" "$root" ${mirror:-}
  for each in /etc/apt/apt.conf.d /etc/ssl/certs /usr/local/share/ca-certificates /etc/resolv.conf; do
    [[ -e $each ]] || continue
    mkdir -p "$root$(dirname $each)"
    cp -rL --remove-destination "$each" "$root$(dirname $each)/"
  done
}

# enter_system ROOT: its programs see this system's processes and devices. leave_system ROOT takes that back.
enter_system() {
  local each
  for each in proc sys dev; do
    mountpoint -q "$1/$each" && continue
    mount --rbind "/$each" "$1/$each"
    mount --make-rslave "$1/$each"  # unmounting it must not unmount anything outside
  done
}

leave_system() {
  local each
  for each in proc sys dev; do if mountpoint -q "$1/$each"; then umount -l "$1/$each"; fi; done
}
