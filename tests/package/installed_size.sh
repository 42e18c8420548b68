#!/usr/bin/env bash
# The Installed-Size of a package does not count the targets of symbolic links (packaging/debian/finish_package.cmake).
# tests/package/installed_size.sh SOURCE_DIR
set -euo pipefail
source=$1
command -v dpkg-deb >/dev/null && command -v ar >/dev/null || { echo "skipped: needs dpkg-deb and ar"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

head -c 3000000 /dev/zero >program
ln -s program link
cat >CMakeLists.txt <<END
cmake_minimum_required(VERSION 3.23)
project(small VERSION 1.0 LANGUAGES NONE)
install(FILES program link TYPE BIN)
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT nobody)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_POST_BUILD_SCRIPTS $source/packaging/debian/finish_package.cmake)
include(CPack)
END
(cmake -S . -B build && cd build && cpack) >log 2>&1 || { cat log; exit 1; }
package=$(echo build/*.deb)

size=$(dpkg-deb --field "$package" Installed-Size)
# The program has 2930 KiB; the link and the folders have 1 each.
((2930 <= size && size <= 2935)) || { echo "FAILED: Installed-Size is $size"; exit 1; }
contents=$(dpkg-deb --contents "$package")  # first: grep -q would break the pipe of a tar that still writes
grep -q 'link -> program' <<<"$contents" || { echo "FAILED: the link is missing"; exit 1; }
[[ $(dpkg-deb --field "$package" Package) == small ]] || { echo "FAILED: the other fields changed"; exit 1; }
echo "Installed-Size is $size"
