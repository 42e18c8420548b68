#!/usr/bin/env bash
# Makes an OCI image of Debian 12 with msci, without a container engine:
#   packaging/release/image.sh PACKAGE.deb IMAGE.tar
# Needs mmdebstrap, umoci, skopeo and root. This step uses the network, for Debian's packages; a container does not.
# `docker load` and `podman load` read the archive.
set -euo pipefail
package=$(realpath -- "$1")
image=$(realpath -m -- "$2")
for tool in mmdebstrap umoci skopeo; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
((EUID == 0)) || { echo "skipped: only root can create a system"; exit 77; }
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
chmod 755 "$work"

# The mirror of this system serves the new one; its name must not stay in the image.
mirror=$(grep -rhoE 'https?://[^ ]+/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null |
         head -1) || true
install='apt-get install -y -qq --no-install-recommends /tmp/*.deb >/dev/null && rm /tmp/*.deb'
traces='etc/apt/sources.list etc/resolv.conf etc/hostname var/log/*.log var/log/apt/* var/cache/ldconfig/aux-cache'
mmdebstrap --quiet --mode=root --variant=apt --dpkgopt='path-exclude=/usr/share/man/*' \
  --customize-hook='copy-in '"$package"' /tmp' \
  --customize-hook="chroot \"\$1\" sh -c '$install'" --customize-hook="cd \"\$1\" && rm -f $traces" \
  bookworm "$work/root.tar" ${mirror:-}

umoci init --layout "$work/oci"
umoci new --image "$work/oci:latest"
umoci unpack --image "$work/oci:latest" "$work/bundle"
tar -C "$work/bundle/rootfs" --numeric-owner -xpf "$work/root.tar" --exclude='./dev/*'
when=$(date -u -d @"$SOURCE_DATE_EPOCH" +%Y-%m-%dT%H:%M:%SZ)
umoci repack --image "$work/oci:latest" --history.created "$when" "$work/bundle"
umoci config --image "$work/oci:latest" --created "$when" --no-history --config.cmd msci-lint --config.cmd --help \
  --config.workingdir /src --config.label org.opencontainers.image.title=msci
rm -f "$image"
skopeo copy --quiet "oci:$work/oci:latest" "docker-archive:$image:msci:latest"

# It works, without a network.
umoci unpack --image "$work/oci:latest" "$work/try"
unshare --net --mount --pid --fork sh -ec '
  mount -t proc proc "$0/proc"
  mount --rbind /dev "$0/dev"
  exec chroot "$0" sh -ec "$1"' "$work/try/rootfs" '
  cd /tmp && msci-tasks seed saxpy > k.metal && msci-lint k.metal && msci-eval k.metal --task saxpy --verify-only'
echo "$image: $(stat -c %s "$image") bytes"
