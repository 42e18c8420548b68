#!/usr/bin/env bash
# Installs the Debian package on a bare Debian 12 with apt, lints, evaluates, and removes it, and says when each step is
# done. Needs root.
# tests/package/bare_root.sh PACKAGE.deb [ROOT]
# If python3-msci_*_all.deb lies beside PACKAGE.deb, it is installed, too, and judges the kernel from Python.
# ROOT, a folder that is created if missing, keeps the bare system for another run. It may hold another Debian.
set -euo pipefail
package=$(realpath -- "$1")
root=${2:-}
fail() { echo "FAILED: $1" >&2; exit 1; }
for tool in debootstrap chroot; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed"; exit 77; }
done
((EUID == 0)) || { echo "skipped: only root can create a system to install into"; exit 77; }
[[ -n $root ]] || { root=$(mktemp -d); keep=no; }

source "$(dirname "${BASH_SOURCE[0]}")/bare_system.sh"
make_system bookworm "$root"
trap 'leave_system "$root"; [[ ${keep:-yes} == yes ]] || rm -rf --one-file-system "$root"' EXIT
enter_system "$root"

inside() { chroot "$root" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"; }
cp "$package" "$root/tmp/msci.deb"
SECONDS=0
inside apt-get update -qq
before=$(inside dpkg-query -W -f '${Package}\n' | wc -l)
inside apt-get install -y -qq /tmp/msci.deb >"$root/tmp/install.log" 2>&1 ||
  { tail "$root/tmp/install.log"; fail "apt cannot install it"; }
after=$(inside dpkg-query -W -f '${Package}\n' | wc -l)
echo "installed after $SECONDS s, with $((after - before - 1)) packages that it needs or recommends"

inside sh -c 'cd /tmp && msci-tasks seed saxpy > saxpy.metal && msci-lint --task saxpy saxpy.metal' ||
  fail "it does not lint"
inside sh -c 'cd /tmp && msci-tasks seed nbody > nbody.metal && msci-lint --require-proofs nbody.metal' ||
  fail "it does not prove"
echo "linted after $SECONDS s"
inside sh -c 'cd /tmp && msci-eval saxpy.metal --task saxpy --held-out' || fail "it does not evaluate"
echo "judged and timed after $SECONDS s"
python_package=$(find "$(dirname "$package")" -maxdepth 1 -name 'python3-msci_*_all.deb')
if [[ -n $python_package ]]; then
  cp "$python_package" "$root/tmp/python3-msci.deb"
  inside apt-get install -y -qq --no-install-recommends /tmp/python3-msci.deb >"$root/tmp/install.log" 2>&1 ||
    { tail "$root/tmp/install.log"; fail "apt cannot install the Python package"; }
  inside sh -c 'cd /tmp && python3 -c "import msci; print(msci.evaluate(open(\"saxpy.metal\").read(), \"saxpy\"))"' ||
    fail "the Python package does not judge"
  tools=$(inside msci-mcp <<<'{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}')
  [[ $tools == *'"evaluate"'* ]] || fail "msci-mcp does not run"
  echo "judged from Python after $SECONDS s"
fi
echo 'kernel void f(device float *restrict x) {}' >"$root/tmp/bad.metal"
inside msci-lint /tmp/bad.metal && fail "it accepts a kernel that is not Metal"
inside apt-get remove -y -qq msci >/dev/null  # and python3-msci with it
[[ ! -e $root/usr/lib/python3/dist-packages/msci ]] || fail "files of the Python package remain after removal"
[[ ! -e $root/usr/libexec/msci && ! -e $root/usr/bin/msci-lint ]] || fail "files remain after removal"
echo "the package works on a bare Debian $(cat "$root/etc/debian_version")"
