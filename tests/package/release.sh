#!/usr/bin/env bash
# docs/ci/msci_release.sh runs the programs of a given release, from a file or a URL, and refuses a file with another
# checksum. The scripts of docs/ci/action.yml and a hook of pre-commit do the same.
# tests/package/release.sh BUILD_DIR SOURCE_DIR
set -euo pipefail
build=$1 source=$2
command -v curl >/dev/null || { echo "skipped: curl is not installed"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $1" >&2; cat "$work/log" >&2; exit 1; }

name=msci-some-release
cmake --install "$build" --prefix "$work/$name" >"$work/log" || fail "it cannot be installed"
mkdir "$work/release"
tarball=$work/release/$name.tar.gz
tar -C "$work" -cf - "$name" | gzip -1 >"$tarball"
sum=$(sha256sum <"$tarball" | cut -d' ' -f1)
wrong=$(printf '0%.0s' {1..64})
rm -r "${work:?}/$name"

export XDG_CACHE_HOME=$work/cache
unset MSCI_SHA256 MSCI_RELEASE
run() { "$source/docs/ci/msci_release.sh" "$@" >"$work/log" 2>&1; }
refuses() {  # WORDS OPTION...: ends with 2 and says so
  local words=$1 status=0
  shift
  run "$@" msci-lint --version || status=$?
  [[ $status == 2 ]] && grep -qF -- "$words" "$work/log" || fail "'$*' ends with $status"
}
bad='kernel void f(device float *restrict x [[buffer(0)]]) { x[0] = 1; }'
status=0

refuses 'name the tarball of a release'
refuses 'no such file' --release "$work/nothing.tar.gz"
other=arm64
[[ $(uname -m) != aarch64 ]] || other=amd64
refuses "is for another processor than $(uname -m)" --release "$work/msci-1-linux-$other.tar.gz"
mkdir "$work/mac"
printf '#!/bin/sh\necho Darwin\n' >"$work/mac/uname"
chmod +x "$work/mac/uname"
PATH=$work/mac:$PATH refuses 'on Darwin, start them in a container' --release "$tarball"
refuses "not $wrong" --release "$tarball" --sha256 "$wrong"
refuses 'is not a SHA-256' --release "$tarball" --sha256 123
refuses 'a URL needs the SHA-256' --release "file://$tarball"
refuses 'cannot download' --release "file://$tarball.gone" --sha256 "$sum"
refuses "not $wrong" --release "file://$tarball" --sha256 "$wrong"
refuses 'is not the tarball of an msci release' --release "$0"
[[ -z $(ls "$XDG_CACHE_HOME/msci/releases") ]] || fail "a refused file is kept"

run --release "$tarball" msci-lint --version || fail "it does not run from a file"
echo "$bad" >"$work/bad.metal"
run --release "$tarball" --sha256 "${sum^^}" msci-lint "$work/bad.metal" || status=$?
[[ $status == 1 ]] && grep -q 'metal.restrict' "$work/log" || fail "the exit status is $status"
refuses 'has no program nothing' --release "$tarball" nothing

# The action, in a repository with a bad kernel and then with a good one.
rm -r "$XDG_CACHE_HOME"
(cd "$work/release" && exec python3 -u -m http.server --bind 127.0.0.1 0) >"$work/served" 2>&1 &
server=$!
trap 'kill $server; rm -rf "$work"' EXIT
for ((i = 0; i < 300; ++i)); do
  grep -q 'port [0-9]' "$work/served" && break
  sleep 0.1
done
port=$(sed -n 's/.* port \([0-9]*\) .*/\1/p' "$work/served" | head -1)
mkdir "$work/repository"
cp "$work/bad.metal" "$work/repository"
url=http://127.0.0.1:$port/$name.tar.gz
act() {
  (cd "$work/repository" && python3 "$source/tests/package/action_steps.py" "$source/docs/ci/action.yml" "$@") >"$work/log" 2>&1
}
status=0
act "release=$url" "sha256=$sum" || status=$?
((status == 1)) || fail "the action ends with $status for a bad kernel"
grep -q '"ruleId":"metal.restrict"' <(tr -d ' \n' <"$work/repository/msci.sarif") || fail "the action's SARIF has no finding"
grep -q "GET /$name.tar.gz" "$work/served" || fail "the action downloads nothing"
status=0
act "release=$url" "sha256=$sum" paths=nowhere || status=$?
((status == 2)) || fail "the action ends with $status for a folder that is missing"
rm "$work/repository/bad.metal"
cp "$source/tasks/saxpy/saxpy.metal" "$work/repository"
act "release=$url" "sha256=$sum" options=--quiet || fail "the action refuses a good kernel"
cp "$tarball" "$work/repository/msci.tar.gz"
act release=msci.tar.gz || fail "the action does not take a file of the repository"
rm "$work/repository/msci.tar.gz"
(($(grep -c "GET /$name.tar.gz" "$work/served") == 1)) || fail "the action downloads again"

# The pre-commit hook that needs no build: a repository of hooks with this script, as users clone it.
if command -v pre-commit >/dev/null && command -v git >/dev/null; then
  unset "${!GIT_@}"  # of a hook or a worktree that this may run in
  export PRE_COMMIT_HOME=$work/pre-commit
  as_somebody() { git -c user.name=a -c user.email=a@example.org "$@" >"$work/log" 2>&1; }
  mkdir -p "$work/hooks/docs/ci"
  cp "$source/.pre-commit-hooks.yaml" "$work/hooks"
  cp "$source/docs/ci/msci_release.sh" "$work/hooks/docs/ci"
  (cd "$work/hooks" && as_somebody init && as_somebody add . && as_somebody commit -m hooks) || fail "no repository of hooks"
  rm -r "$XDG_CACHE_HOME"
  (
    cd "$work/repository"
    as_somebody init
    printf 'repos:\n- repo: %s\n  rev: %s\n  hooks:\n  - id: msci-lint-release\n    args: %s\n' "$work/hooks" \
      "$(git -C "$work/hooks" rev-parse HEAD)" "[--release, $tarball, --sha256, $sum, msci-lint]" >.pre-commit-config.yaml
    pre-commit install >"$work/log" 2>&1 || fail "pre-commit cannot be installed"
    as_somebody add . && as_somebody commit -m good || fail "the hook refuses a good kernel"
    cp "$work/bad.metal" .
    as_somebody add .
    as_somebody commit -m bad && fail "the hook accepts a bad kernel"
    grep -q 'bad.metal:1:38: error: .* \[metal.restrict\]' "$work/log" || fail "the hook does not show the finding"
  )
else
  echo "pre-commit is not installed: its hook is not tried"
fi

# What is unpacked needs no download any more.
mv "$work/release" "$work/gone"
run --release "$url" --sha256 "$sum" msci-lint --version || fail "the second run downloads again"
echo "a release is unpacked once and checked"
