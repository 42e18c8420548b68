#!/bin/sh
# as_another_user.sh PROGRAM: runs a program as a user without rights, where root runs this. The user has a folder of
# its own for temporary files.
as_another() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }

TMPDIR=$(mktemp -d)
export TMPDIR
trap 'rm -rf "$TMPDIR"' EXIT
chown 65534:65534 "$TMPDIR" 2>/dev/null
if [ "$(id -u)" != 0 ] || ! as_another test -x "$1" || ! as_another test -w "$TMPDIR"; then
  echo "SKIP: only root becomes another user, who has to reach $1 and $TMPDIR"
  exit 77
fi
as_another "$1"
