#!/usr/bin/env bash
# Builds the Debian package of the Python package msci, without the network: python/build_deb.sh VERSION FOLDER
# Same input, same bytes. Needs dpkg-deb and Python 3. packaging/release/release.sh calls it.
set -euo pipefail
version=$1
mkdir -p "$2"
folder=$(realpath -- "$2")
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$here" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH LC_ALL=C.UTF-8 TZ=UTC
umask 022
name=python3-msci
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
packages=$root/usr/lib/python3/dist-packages
doc=$root/usr/share/doc/$name
mkdir -p "$root/DEBIAN" "$packages" "$root/usr/bin" "$doc" "$root/usr/share/man/man1"

# The files of the wheel, but for the list of its files.
wheel=$(python3 "$here/build_wheel.py" "$version" "$work")
python3 -m zipfile -e "$wheel" "$packages"
rm "$packages/msci-$version.dist-info/RECORD"
cat >"$root/usr/bin/msci-mcp" <<'END'
#!/usr/bin/python3
import sys

from msci.mcp import main

sys.exit(main())
END
chmod 755 "$root/usr/bin/msci-mcp"
gzip -9nc "$here/msci-mcp.1" >"$root/usr/share/man/man1/msci-mcp.1.gz"
sed '/^Comment:/,/^$/{/^$/!d}' "$here/../packaging/debian/copyright" >"$doc/copyright"
sed "s/@PROJECT_NAME@/$name/; s/@PROJECT_VERSION@/$version/" "$here/../packaging/debian/changelog.in" |
  gzip -9nc >"$doc/changelog.gz"

# Byte code is made where the package is installed, for the Python that is there.
cat >"$root/DEBIAN/postinst" <<END
#!/bin/sh
set -e
if [ "\$1" = configure ] && command -v py3compile >/dev/null; then
  py3compile -p $name
fi
END
cat >"$root/DEBIAN/prerm" <<END
#!/bin/sh
set -e
if command -v py3clean >/dev/null; then
  py3clean -p $name
fi
END
chmod 755 "$root/DEBIAN/postinst" "$root/DEBIAN/prerm"
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
cat >"$root/DEBIAN/control" <<END
Package: $name
Version: $version
Architecture: all
Maintainer: The msci maintainers <msci@msci.invalid>
Section: python
Priority: optional
Installed-Size: $(du -k --apparent-size -s "$root/usr" | cut -f1)
Depends: python3 (>= 3.9), msci (>= $version)
Description: lint and judge Apple Metal compute kernels from Python
 The Python package msci runs msci's programs and returns their results as
 dataclasses: lint, evaluate, a reward for reinforcement learning, and many
 kernels over one server. The program msci-mcp offers the same to coding agents
 over the Model Context Protocol.
END
find "$root" -exec touch --no-dereference --date=@"$SOURCE_DATE_EPOCH" {} +
dpkg-deb --root-owner-group -Zxz --build "$root" "$folder/${name}_${version}_all.deb" >/dev/null
echo "$folder/${name}_${version}_all.deb"
